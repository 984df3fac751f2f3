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
package io.github.hybridhbase.page;

import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.scan.TierTotals;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** The SSD tier: whether it is open, how full it is and what holds its files there. Immutable. */
@InterfaceAudience.Private
public final class TierShare {
  private final Optional<TierState> state;
  private final Optional<TierTotals> totals;
  private final long budget;
  private final int maxAgeSeconds;

  /**
   * Describes it.
   *
   * @param state what the active master says; empty where it says nothing
   * @param totals what the scan found; empty where there was none
   * @param budget bytes of replicas that it may have on SSD; 0 where that is not known
   * @param maxAgeSeconds from which age on a file is moved to DISK
   */
  public TierShare(
      Optional<TierState> state, Optional<TierTotals> totals, long budget, int maxAgeSeconds) {
    this.state = state;
    this.totals = totals;
    this.budget = budget;
    this.maxAgeSeconds = maxAgeSeconds;
  }

  Optional<TierState> state() {
    return state;
  }

  Optional<TierTotals> totals() {
    return totals;
  }

  long budget() {
    return budget;
  }

  int maxAgeSeconds() {
    return maxAgeSeconds;
  }
}
