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
package io.github.hybridhbase.tier;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * The bytes of replicas that one server may have on SSD: its part of the budget, at most its use at
 * the grant plus its part of the free space. Possibly below present use. Immutable.
 */
@InterfaceAudience.Private
final class TierQuota {
  static final TierQuota NONE = of(0, 0, 0);

  /** Percentage of the budget for compactions; the rest is for flushes. */
  static final int THRESHOLD_PERCENT = 80;

  /** A compaction may take the share divided by this. */
  private static final int PART = 4;

  /** Hot files may take the share divided by this. */
  private static final int HOT_PART = 2;

  final long bytes;

  /** Above this only flushes go to SSD, and files leave early; at most {@link #bytes}. */
  final long threshold;

  private TierQuota(long bytes, long threshold) {
    this.bytes = bytes;
    this.threshold = threshold;
  }

  /**
   * @param room its part of the free space above the watermark; negative if missing
   */
  static TierQuota of(long budget, long room, long used) {
    long bytes = Math.max(0, Math.min(budget, used + room));
    return new TierQuota(bytes, Math.min(bytes, budget / 100 * THRESHOLD_PERCENT));
  }

  /**
   * Whether a new file fits.
   *
   * @param used bytes on SSD or reserved
   * @param hotUsed as in {@link #hotRoom}
   */
  boolean takes(NewStoreFile file, long used, long hotUsed) {
    switch (file.kind) {
      case HOT:
        return file.bytes <= hotRoom(used, hotUsed, file.replacedBytes);
      case FLUSH:
        return file.bytes <= bytes - used;
      default:
        return file.bytes <= Math.min(bytes / PART, threshold - used);
    }
  }

  long ofHot() {
    return bytes / HOT_PART;
  }

  /**
   * @param hotUsed bytes of hot files, one in flight and those that it replaces as the larger
   * @param replaced bytes of hot files that the new one replaces
   * @return bytes that a new file of hot rows may take, all replicas
   */
  long hotRoom(long used, long hotUsed, long replaced) {
    return Math.max(0, Math.min(ofHot() - hotUsed + replaced, threshold - used));
  }
}
