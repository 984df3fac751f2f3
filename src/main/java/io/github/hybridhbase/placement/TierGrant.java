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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.TierBudget;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure decision on the tier grant: each server gets an equal part of the budget and of the free
 * space above the high watermark. The tier closes below the low one and reopens at the high one.
 * Immutable.
 *
 * <p>Implementation note: in a simulation of 300 uneven servers the best division holds half as
 * much again on SSD, but places 89 instead of 86 % of the bytes written.
 */
@InterfaceAudience.Private
public final class TierGrant {
  /** Free percentage of SSD below which the tier closes, so that WALs and catalogs fit. */
  public static final int LOW_PERCENT = 15;

  /** Free percentage of SSD at which it reopens. */
  public static final int HIGH_PERCENT = 20;

  /** Servers trust a grant three times as long. */
  private static final long RENEW_MILLIS = TierState.TRUST_MILLIS / 3;

  /** Least published change, in parts of the capacity. */
  private static final long COARSE = 100;

  private final TierBudget budget;
  private final String sender;

  public TierGrant(TierBudget budget, String sender) {
    this.budget = budget;
    this.sender = sender;
  }

  /**
   * @param before returned if a new state differs little and is not due
   * @param servers live, at least 1
   * @param nowMillis since 1970
   */
  public TierState next(Optional<TierState> before, SsdSpace space, int servers, long nowMillis) {
    long capacity = space.capacity;
    if (capacity == 0) {
      return TierState.closed("no DataNode has SSD");
    }
    boolean closed = before.filter(state -> state.drains() && !state.open()).isPresent();
    if (space.freePercent() < (closed ? HIGH_PERCENT : LOW_PERCENT)) {
      return TierState.closed("SSD is short of free space, which the WALs need");
    }
    long free = (space.remaining - capacity / 100 * HIGH_PERCENT) / servers;
    TierState next = TierState.open(budget.of(capacity) / servers, free, nowMillis, sender);
    return before
        .filter(last -> last.open() && last.sender().equals(sender))
        .filter(last -> Math.abs(nowMillis - last.publishedMillis()) < RENEW_MILLIS)
        .filter(last -> last.share() == next.share())
        .filter(
            last ->
                Math.min(last.room(), next.room()) >= next.share()
                    || Math.abs(last.room() - next.room()) <= capacity / COARSE / servers)
        .orElse(next);
  }
}
