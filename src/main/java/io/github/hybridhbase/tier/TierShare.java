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
final class TierShare {
  /** Percentage of the budget for compactions; the rest is for flushes. */
  static final int THRESHOLD_PERCENT = 80;

  static final TierShare NONE = new TierShare(0, 0);

  private final long bytes;
  private final long threshold;

  private TierShare(long bytes, long threshold) {
    this.bytes = bytes;
    this.threshold = threshold;
  }

  /**
   * @param room its part of the free space above the watermark; negative if missing
   */
  static TierShare of(long budget, long room, long used) {
    long bytes = Math.max(0, Math.min(budget, used + room));
    return new TierShare(bytes, Math.min(bytes, budget / 100 * THRESHOLD_PERCENT));
  }

  long bytes() {
    return bytes;
  }

  /** Above this only flushes go to SSD, and files leave early; at most {@link #bytes}. */
  long threshold() {
    return threshold;
  }

  @Override
  public String toString() {
    return bytes + " bytes, compactions up to " + threshold;
  }
}
