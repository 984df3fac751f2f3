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

/** The state of the SSD tier: grant, usage and what keeps its files on SSD. Immutable. */
@InterfaceAudience.Private
public final class TierShare {
  private final Optional<TierState> state;
  private final Optional<TierTotals> totals;
  private final long budget;
  private final int maxAgeSeconds;

  /**
   * @param state the active master's grant; empty if none is published
   * @param totals empty without a scan
   * @param budget bytes of replicas on SSD; 0 if unknown
   * @param maxAgeSeconds age at which a file moves to DISK
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
