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
final class Verdict {
  final Set<DatanodeInfo> nodes;

  /** What another replica had acknowledged {@link #lateMillis} ago and these have not. */
  final long packets;

  final int lateMillis;

  /** They acknowledged nothing since then. */
  final boolean silent;

  Verdict(Set<DatanodeInfo> nodes, long packets, int lateMillis, boolean silent) {
    this.nodes = Set.copyOf(nodes);
    this.packets = packets;
    this.lateMillis = lateMillis;
    this.silent = silent;
  }
}
