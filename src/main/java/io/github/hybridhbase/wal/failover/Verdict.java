/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.github.hybridhbase.wal.failover;

import java.util.Set;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** The stragglers of an output and the evidence. Immutable. */
@InterfaceAudience.Private
public final class Verdict {
  private final Set<DatanodeInfo> nodes;
  private final long packets;
  private final int lateMillis;
  private final int probeMillis;
  private final boolean silent;
  private final boolean durable;

  /**
   * @param packets that another replica had acknowledged {@code lateMillis} ago and these have not
   * @param probeMillis threshold on idle disks, for probes
   * @param silent whether they acknowledged nothing since then: they hang rather than being slow
   */
  Verdict(
      Set<DatanodeInfo> nodes,
      long packets,
      int lateMillis,
      int probeMillis,
      boolean silent,
      boolean durable) {
    this.nodes = Set.copyOf(nodes);
    this.packets = packets;
    this.lateMillis = lateMillis;
    this.probeMillis = probeMillis;
    this.silent = silent;
    this.durable = durable;
  }

  public Set<DatanodeInfo> nodes() {
    return nodes;
  }

  long packets() {
    return packets;
  }

  public int lateMillis() {
    return lateMillis;
  }

  public int probeMillis() {
    return probeMillis;
  }

  boolean isSilent() {
    return silent;
  }

  public boolean isDurable() {
    return durable;
  }
}
