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

import java.util.Collection;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The share of the budget that is told to every server: a pure function. All are told the same, and
 * one that needs less leaves the rest to the others, so what is told is the level up to which each
 * may fill: at least the budget divided by the servers, and more while some write more than others.
 * It rises by as much again a minute at most, so that servers that begin to write all at once are
 * seen before they are over the budget; it falls at once.
 */
@InterfaceAudience.Private
final class TierLevel {
  /** Eighths of what was told from which a server is taken to need more. */
  private static final int FULL_EIGHTHS = 5;

  private TierLevel() {}

  /**
   * The next one.
   *
   * @param budget bytes of replicas that all servers together may have on SSD
   * @param servers live servers, 1 or more
   * @param told what was told last, 0 where nothing was
   * @param uses what servers have on SSD, as far as they said; an eighth of what was told may be
   *     missing
   */
  static long next(long budget, int servers, long told, Collection<Long> uses) {
    long equal = budget / servers;
    long before = Math.max(equal, told);
    long full = before / 8 * FULL_EIGHTHS;
    long most = 0;
    long needMore = 0;
    // Who said nothing may have its equal part.
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
    // A word costs each server a look at its share.
    boolean alike = next > before && next - before < before / 8;
    return alike ? before : next;
  }
}
