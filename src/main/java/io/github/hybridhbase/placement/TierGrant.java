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
package io.github.hybridhbase.placement;

import java.util.Collection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The grant of one server: its parts of the tier's budget and of the free space above the
 * watermark, in bytes of replicas. Every server gets the same. Immutable.
 */
@InterfaceAudience.Private
public final class TierGrant {
  /** Eighths of the grant from which a server needs more. */
  private static final int FULL_EIGHTHS = 5;

  private static final int COARSE_PERCENT = 1;

  private final long budget;
  private final long room;
  private final long coarse;

  private TierGrant(long budget, long room, long coarse) {
    this.budget = budget;
    this.room = room;
    this.coarse = coarse;
  }

  /**
   * @param markPercent to stay free: the watermark for restoring components, so that the tier keeps
   *     none off SSD
   * @param budget of all servers together
   * @param servers live, at least 1
   */
  public static TierGrant of(long capacity, long free, int markPercent, long budget, int servers) {
    long mark = capacity / 100 * markPercent;
    return new TierGrant(
        budget / servers, (free - mark) / servers, capacity / 100 * COARSE_PERCENT / servers);
  }

  public TierGrant withBudget(long bytes) {
    return new TierGrant(bytes, room, coarse);
  }

  public long budget() {
    return budget;
  }

  public long room() {
    return room;
  }

  /** Whether to publish this after an earlier grant. Free space beyond the budget is irrelevant. */
  public boolean differsFrom(long lastBudget, long lastRoom) {
    boolean plenty = room >= budget && lastRoom >= lastBudget;
    return budget != lastBudget || !plenty && Math.abs(room - lastRoom) > coarse;
  }

  /**
   * The next part of the budget: the budget divided by the servers, or more if some use less. It at
   * most doubles per minute, so that servers that start writing together are seen before they
   * exceed the budget, and falls at once.
   *
   * @param budget of all servers together
   * @param servers live, at least 1
   * @param last the last part; 0 if none
   * @param uses published usage, each up to an eighth of the part behind
   */
  public static long nextBudget(long budget, int servers, long last, Collection<Long> uses) {
    long equal = budget / servers;
    long before = Math.max(equal, last);
    long full = before / 8 * FULL_EIGHTHS;
    long most = 0;
    long needMore = 0;
    // Servers without a figure may use their equal part.
    long others = equal * Math.max(0, servers - uses.size());
    for (long use : uses) {
      most = Math.max(most, use);
      if (use >= full) {
        needMore++;
      } else {
        others += use + before / 8;
      }
    }
    long fits = (budget - others) / Math.max(1, needMore);
    if (needMore == 0 && most < equal / 8 * FULL_EIGHTHS) {
      return equal;
    }
    long next = Math.max(equal, Math.min(fits, needMore > 0 ? 2 * before : before));
    // Each change makes all servers recompute their share.
    boolean alike = next > before && next - before < before / 8;
    return alike ? before : next;
  }

  @Override
  public String toString() {
    return budget + " of the budget, " + room + " free";
  }
}
