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

/** Which DataNodes of an output are stragglers, and by what. Immutable. */
@InterfaceAudience.Private
public final class Verdict {
  private final Set<DatanodeInfo> nodes;
  private final long packets;
  private final int lateMillis;
  private final int probeMillis;
  private final boolean silent;
  private final boolean durable;

  /**
   * @param packets that another replica had acknowledged {@code lateMillis} ago, and these have not
   * @param probeMillis what would make them late on disks that are not busy
   * @param silent whether they have acknowledged nothing at all since then
   * @param durable whether the flushes they are late with are hsyncs
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

  /** The stragglers. */
  public Set<DatanodeInfo> nodes() {
    return nodes;
  }

  /** Packets that each of them has to acknowledge to be a straggler no longer. */
  long packets() {
    return packets;
  }

  /** How late they were at least, milliseconds. */
  public int lateMillis() {
    return lateMillis;
  }

  /** A probe that takes less finds a DataNode quick again, milliseconds. */
  public int probeMillis() {
    return probeMillis;
  }

  /** Whether they hang, rather than being slow. */
  boolean isSilent() {
    return silent;
  }

  /** Whether the flushes are hsyncs. */
  public boolean isDurable() {
    return durable;
  }
}
