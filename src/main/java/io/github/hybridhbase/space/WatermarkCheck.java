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

/** A check of SSD and WAL block sizes against the watermarks. */
@InterfaceAudience.Private
public final class WatermarkCheck {
  private static final int MOST_PERCENT = 90;

  private WatermarkCheck() {}

  /** Why these SSDs are too small for any placement, with remedy; empty if they suffice. */
  public static Optional<String> impossible(SsdSpace space, Headroom headroom) {
    if (space.nodes() == 0 || space.capacity() == 0) {
      return Optional.empty();
    }
    long perNode = space.capacity() / space.nodes();
    return perNode >= headroom.bytesToReturn()
        ? Optional.empty()
        : Optional.of(
            "A DataNode has "
                + Text.bytes(perNode)
                + " of SSD, less than the headroom of "
                + headroom
                + " and space for the WALs to fill: the space monitor keeps everything off SSD. "
                + FindingId.SPARE_SPACE.remedy()
                + " Or lower hbase.regionserver.hlog.blocksize, or use larger SSDs.");
  }

  /** As {@link #impossible}, or HDFS has no DISK, or the low watermark is below the headroom. */
  public static Optional<String> finding(Watermarks watermarks, SsdSpace space, Headroom headroom) {
    if (space.capacity() > 0 && !space.hasDisk()) {
      return Optional.of(
          "No DataNode has DISK, so nothing can leave SSD when it fills up: below "
              + HybridKeys.SSD_LOW
              + " the space monitor turns nothing away, and on full SSDs writes fail as in stock HBase. Watch"
              + " the space on SSD, or tag a volume [DISK] in dfs.datanode.data.dir.");
    }
    Optional<String> impossible = impossible(space, headroom);
    if (impossible.isPresent() || space.nodes() == 0 || space.capacity() == 0) {
      return impossible;
    }
    long perNode = space.capacity() / space.nodes();
    long kept = perNode / 100 * watermarks.lowPercent();
    if (watermarks.lowPercent() == 0 || kept >= headroom.bytes()) {
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
            + headroom
            + ", so all components leave SSD at once when the headroom is gone. Set "
            + HybridKeys.SSD_LOW
            + " to "
            + Math.min(MOST_PERCENT, (long) Math.ceil(100.0 * headroom.bytes() / perNode))
            + " and "
            + HybridKeys.SSD_HIGH
            + " above it, or a smaller hbase.regionserver.hlog.blocksize.");
  }
}
