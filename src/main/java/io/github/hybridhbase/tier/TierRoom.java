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
 * A server's parts of the budget and of the free space above the watermark, in bytes of replicas.
 * Immutable.
 */
@InterfaceAudience.Private
final class TierRoom {
  private static final int COARSE_PERCENT = 1;

  private final long budget;
  private final long room;
  private final long coarse;

  private TierRoom(long budget, long room, long coarse) {
    this.budget = budget;
    this.room = room;
    this.coarse = coarse;
  }

  /**
   * @param capacity bytes of all SSD
   * @param markPercent to stay free: the watermark for restoring components, so that the tier keeps
   *     none off SSD
   * @param budget of all servers together
   * @param servers live, at least 1
   */
  static TierRoom of(long capacity, long free, int markPercent, long budget, int servers) {
    long mark = capacity / 100 * markPercent;
    return new TierRoom(
        budget / servers, (free - mark) / servers, capacity / 100 * COARSE_PERCENT / servers);
  }

  TierRoom withBudget(long bytes) {
    return new TierRoom(bytes, room, coarse);
  }

  long budget() {
    return budget;
  }

  /** Negative if the watermark is not met. */
  long room() {
    return room;
  }

  /** Whether to publish this after an earlier grant. Free space beyond the budget is irrelevant. */
  boolean differsFrom(long toldBudget, long toldRoom) {
    boolean plenty = room >= budget && toldRoom >= toldBudget;
    return budget != toldBudget || !plenty && Math.abs(room - toldRoom) > coarse;
  }

  @Override
  public String toString() {
    return budget + " of the budget, " + room + " free";
  }
}
