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
package io.github.hybridhbase.space;

import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.config.Watermarks;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The free space that a DataNode's SSD needs in order to accept every block: the DataNode's
 * reserve, two blocks per open WAL (HDFS reserves whole blocks, and a roll opens the new file
 * first), and the bytes written within a heartbeat, by which the NameNode's figures lag.
 */
@InterfaceAudience.Private
public final class Headroom {
  private static final int BLOCKS_PER_WAL = 2;
  private static final int MOST_PERCENT = 90;

  private final long spare;
  private final long walBlock;
  private final int walsPerNode;
  private final long heartbeatWrites;

  /**
   * Sizes in bytes.
   *
   * @param spare reserve per volume ({@code
   *     dfs.datanode.round-robin-volume-choosing-policy.additional-available-space}, 1 GiB)
   * @param walsPerNode WALs with a replica on one DataNode
   * @param heartbeatWrites per DataNode
   */
  public Headroom(long spare, long walBlock, int walsPerNode, long heartbeatWrites) {
    this.spare = Math.max(0, spare);
    this.walBlock = Math.max(0, walBlock);
    this.walsPerNode = Math.max(1, walsPerNode);
    this.heartbeatWrites = Math.max(0, heartbeatWrites);
  }

  /** WALs per DataNode if spread evenly, rounded up. */
  public static int walsPerNode(int wals, int replication, int nodes) {
    return nodes <= 0
        ? wals
        : (int) Math.ceil((double) wals * Math.min(replication, nodes) / nodes);
  }

  /** Required free on a DataNode's SSD. */
  public long bytes() {
    return spare + walBlock * BLOCKS_PER_WAL * walsPerNode + heartbeatWrites;
  }

  /** Required free before a component is restored: one more block per WAL. */
  public long bytesToReturn() {
    return bytes() + walBlock * walsPerNode;
  }

  /** Why these SSDs are too small for any placement, with remedy; empty if they suffice. */
  public Optional<String> impossible(SsdSpace space) {
    if (space.nodes() == 0 || space.capacity() == 0) {
      return Optional.empty();
    }
    long perNode = space.capacity() / space.nodes();
    return perNode >= bytesToReturn()
        ? Optional.empty()
        : Optional.of(
            "A DataNode has "
                + Text.bytes(perNode)
                + " of SSD, less than the headroom of "
                + this
                + " and space for the WALs to fill: the space monitor keeps everything off SSD. "
                + FindingId.SPARE_SPACE.remedy()
                + " Or lower hbase.regionserver.hlog.blocksize, or use larger SSDs.");
  }

  /** As {@link #impossible}, or HDFS has no DISK, or the low watermark is below the headroom. */
  public Optional<String> finding(Watermarks watermarks, SsdSpace space) {
    if (space.capacity() > 0 && !space.hasDisk()) {
      return Optional.of(
          "No DataNode has DISK, so nothing can leave SSD when it fills up: below "
              + HybridKeys.SSD_LOW
              + " the space monitor turns nothing away, and on full SSDs writes fail as in stock HBase. Watch"
              + " the space on SSD, or tag a volume [DISK] in dfs.datanode.data.dir.");
    }
    Optional<String> impossible = impossible(space);
    if (impossible.isPresent() || space.nodes() == 0 || space.capacity() == 0) {
      return impossible;
    }
    long perNode = space.capacity() / space.nodes();
    long kept = perNode / 100 * watermarks.lowPercent();
    if (watermarks.lowPercent() == 0 || kept >= bytes()) {
      return Optional.empty();
    }
    return Optional.of(
        HybridKeys.SSD_LOW
            + "="
            + watermarks.lowPercent()
            + " keeps "
            + Text.bytes(kept)
            + " free on a DataNode with "
            + Text.bytes(perNode)
            + " of SSD, less than the headroom of "
            + this
            + ", so all components leave SSD at once when the headroom is gone. Set "
            + HybridKeys.SSD_LOW
            + " to "
            + Math.min(MOST_PERCENT, (long) Math.ceil(100.0 * bytes() / perNode))
            + " and "
            + HybridKeys.SSD_HIGH
            + " above it, or a smaller hbase.regionserver.hlog.blocksize.");
  }

  @Override
  public String toString() {
    return Text.bytes(bytes())
        + " ("
        + Text.bytes(spare)
        + " that a DataNode keeps free, "
        + BLOCKS_PER_WAL
        + " blocks of "
        + Text.bytes(walBlock)
        + " for each of "
        + walsPerNode
        + " WALs, "
        + Text.bytes(heartbeatWrites)
        + " written within a heartbeat)";
  }
}
