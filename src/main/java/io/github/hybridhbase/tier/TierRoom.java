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
 * What the master tells every server of the room on SSD: its part of the budget, and its part of
 * what is free above the mark, in bytes of replicas. Immutable.
 */
@InterfaceAudience.Private
final class TierRoom {
  /** Changes below this part of SSD, in percent, are not worth a word. */
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
   * Divides it.
   *
   * @param capacity bytes of all SSD
   * @param free bytes free there
   * @param markPercent what is to stay free, in percent: where components come back to SSD, so that
   *     the tier never keeps one away
   * @param budget bytes that all servers together may have there
   * @param servers live servers, 1 or more
   */
  static TierRoom of(long capacity, long free, int markPercent, long budget, int servers) {
    long mark = capacity / 100 * markPercent;
    return new TierRoom(
        budget / servers, (free - mark) / servers, capacity / 100 * COARSE_PERCENT / servers);
  }

  /** The same, with this for a server's part of the budget. */
  TierRoom withBudget(long bytes) {
    return new TierRoom(bytes, room, coarse);
  }

  /** A server's part of the budget. */
  long budget() {
    return budget;
  }

  /** A server's part of what is free above the mark; negative where that much is missing. */
  long room() {
    return room;
  }

  /**
   * Whether a word that told something else is to be written anew. Room beyond the budget is the
   * same as the budget, whatever its size.
   */
  boolean differsFrom(long toldBudget, long toldRoom) {
    boolean plenty = room >= budget && toldRoom >= toldBudget;
    return budget != toldBudget || !plenty && Math.abs(room - toldRoom) > coarse;
  }

  @Override
  public String toString() {
    return budget + " of the budget, " + room + " free";
  }
}
