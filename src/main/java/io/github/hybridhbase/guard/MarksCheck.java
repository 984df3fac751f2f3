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
package io.github.hybridhbase.guard;

import io.github.hybridhbase.placement.HybridKeys;
import io.github.hybridhbase.placement.WaterMarks;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** What the SSDs found, and the WAL block size in force, mean for the water marks. */
@InterfaceAudience.Private
public final class MarksCheck {
  private static final int MOST_PERCENT = 90;

  private MarksCheck() {}

  /**
   * Why nothing will ever be placed on these SSDs and what to set; empty where there is room
   * enough.
   *
   * @param headroom what a DataNode needs free, in which the WAL block size counts
   */
  public static Optional<String> impossible(SsdSpace space, Headroom headroom) {
    if (space.nodes() == 0 || space.capacity() == 0) {
      return Optional.empty();
    }
    long perNode = space.capacity() / space.nodes();
    return perNode >= headroom.bytesToReturn()
        ? Optional.empty()
        : Optional.of(
            "A DataNode has "
                + Bytes.text(perNode)
                + " of SSD, less than the headroom of "
                + headroom
                + " and room for the WALs to fill: the guard keeps everything off SSD. Set a smaller"
                + " dfs.datanode.round-robin-volume-choosing-policy.additional-available-space on"
                + " the DataNodes, a smaller hbase.regionserver.hlog.blocksize, or use larger"
                + " SSDs.");
  }

  /** As {@link #impossible}, and where the marks leave the WALs less room than they need. */
  public static Optional<String> finding(WaterMarks marks, SsdSpace space, Headroom headroom) {
    if (space.capacity() > 0 && !space.hasDisk()) {
      return Optional.of(
          "No DataNode has DISK, so nothing can leave SSD when it fills up: below "
              + HybridKeys.SSD_LOW
              + " the guard turns nothing away, and on full SSDs writes fail as in stock HBase. Watch"
              + " the room on SSD, or tag a volume [DISK] in dfs.datanode.data.dir.");
    }
    Optional<String> impossible = impossible(space, headroom);
    if (impossible.isPresent() || space.nodes() == 0 || space.capacity() == 0) {
      return impossible;
    }
    long perNode = space.capacity() / space.nodes();
    long kept = perNode / 100 * marks.lowPercent();
    if (marks.lowPercent() == 0 || kept >= headroom.bytes()) {
      return Optional.empty();
    }
    return Optional.of(
        HybridKeys.SSD_LOW
            + "="
            + marks.lowPercent()
            + " keeps "
            + Bytes.text(kept)
            + " free on a DataNode with "
            + Bytes.text(perNode)
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
