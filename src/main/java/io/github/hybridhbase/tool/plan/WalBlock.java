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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.report.Text;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.tool.plan.Workload.Input;
import org.apache.yetus.audience.InterfaceAudience;

/** The largest WAL block that suits a DataNode's SSD. Pure. */
@InterfaceAudience.Private
final class WalBlock {
  private static final String REDUCED = "recommended: the headroom to return, ";

  private static final long SMALLEST = 32L << 20;

  /** Fraction of a DataNode's SSD that the headroom to return may take. */
  private static final double MOST_RESERVED = 0.3;

  private WalBlock() {}

  /**
   * Explained by its origin.
   *
   * @param workload with every input set
   * @param nodeSsd bytes of SSD of a DataNode
   */
  static Workload fit(Workload workload, double nodeSsd) {
    long asked = (long) workload.get(Input.WAL_BLOCK);
    int wals =
        Headroom.walsPerNode(
            (int) workload.get(Input.SERVERS) + 2,
            (int) workload.get(Input.WAL_REPLICATION),
            (int) workload.get(Input.DATA_NODES));
    long block = asked;
    while (block / 2 >= SMALLEST
        && new Headroom(0, block, wals, 0).bytesToReturn() > nodeSsd * MOST_RESERVED) {
      block /= 2;
    }
    if (block == asked) {
      return workload;
    }
    String reason =
        REDUCED
            + "three blocks for each of "
            + wals
            + " WALs on a DataNode, would be more than "
            + (int) (100 * MOST_RESERVED)
            + "% of "
            + Text.bytes((long) nodeSsd)
            + " with blocks of "
            + Text.bytes(asked);
    // Whole MiB, since HDFS needs a multiple of its checksum chunk.
    return workload.with(Input.WAL_BLOCK, block >> 20 << 20, reason);
  }

  static boolean isReduced(Workload workload) {
    return workload.origin(Input.WAL_BLOCK).startsWith(REDUCED);
  }
}
