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
 * What one server may have on SSD, in bytes of replicas. The master tells a part of the budget and
 * a part of the free space, which it divides by the servers; the second is counted from what the
 * server has on SSD when it hears of it. So others' growth shrinks every share by as much as it
 * took, below what is there if need be, and nobody has to report what the tier holds. Immutable.
 */
@InterfaceAudience.Private
final class TierShare {
  /** Percent of the budget's part that a server fills with more than flushes. */
  static final int THRESHOLD_PERCENT = 80;

  /** Nothing may be on SSD. */
  static final TierShare NONE = new TierShare(0, 0);

  private final long bytes;
  private final long threshold;

  private TierShare(long bytes, long threshold) {
    this.bytes = bytes;
    this.threshold = threshold;
  }

  /**
   * What the master's word comes to.
   *
   * @param budget the server's part of the budget
   * @param room its part of what is free above the mark; negative where that much is missing
   * @param used what the server has on SSD at this moment
   */
  static TierShare of(long budget, long room, long used) {
    long bytes = Math.max(0, Math.min(budget, used + room));
    return new TierShare(bytes, Math.min(bytes, budget / 100 * THRESHOLD_PERCENT));
  }

  /**
   * What is left of it beside files that stay on SSD whatever the server does.
   *
   * @param held bytes of such files
   */
  TierShare without(long held) {
    long rest = Math.max(0, bytes - held);
    long before = Math.max(0, threshold - held * THRESHOLD_PERCENT / 100);
    return new TierShare(rest, Math.min(rest, before));
  }

  /**
   * Whether half of what is left to tables below their fair part is taken: those that have more
   * should give way now.
   */
  boolean isShort(long used) {
    return used > threshold + (bytes - threshold) / 2;
  }

  /** The most that may be on SSD. */
  long bytes() {
    return bytes;
  }

  /**
   * From here on only flushes go to SSD, and files leave it before they are old; the whole share
   * where the room is shorter than the budget, since then there is no space to hold back.
   */
  long threshold() {
    return threshold;
  }

  @Override
  public String toString() {
    return bytes + " bytes, compactions up to " + threshold;
  }
}
