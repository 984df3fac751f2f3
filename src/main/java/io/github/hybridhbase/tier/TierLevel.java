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
 * A pure function for the grant, which is the same for every server: the budget divided by the
 * servers, or more if some use less. It at most doubles per minute, so that servers that start
 * writing together are seen before they exceed the budget, and falls at once.
 */
@InterfaceAudience.Private
final class TierLevel {
  /** Eighths of the grant from which a server needs more. */
  private static final int FULL_EIGHTHS = 5;

  private TierLevel() {}

  /**
   * In bytes of replicas.
   *
   * @param budget of all servers together
   * @param servers live, at least 1
   * @param told the last grant; 0 if none
   * @param uses published usage, each up to an eighth of the grant behind
   */
  static long next(long budget, int servers, long told, Collection<Long> uses) {
    long equal = budget / servers;
    long before = Math.max(equal, told);
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
}
