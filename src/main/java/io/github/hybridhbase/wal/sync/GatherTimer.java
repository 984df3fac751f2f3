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
package io.github.hybridhbase.wal.sync;

import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long the batch at hand may still wait for company, and the alarm at its end.
 *
 * <p>Most batches are complete before theirs, and an alarm that was set for an earlier batch is set
 * again for the rest. Used under {@link GroupCommit}'s lock.
 */
@InterfaceAudience.Private
final class GatherTimer {
  private final LongSupplier clock;
  private final Alarm alarm;
  private boolean on;
  private long until;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  GatherTimer(Alarm alarm, LongSupplier clock) {
    this.alarm = alarm;
    this.clock = clock;
  }

  /**
   * Begins to gather, for so many nanoseconds.
   *
   * @return whether it does: not for 0, and not where nothing would end it
   */
  boolean begin(long nanos) {
    if (nanos > 0 && alarm.set(nanos)) {
      on = true;
      until = clock.getAsLong() + nanos;
    }
    return on;
  }

  boolean isOn() {
    return on;
  }

  /** What is left of the time, 0 or less where it is over. */
  long leftNanos() {
    return until - clock.getAsLong();
  }

  void end() {
    on = false;
  }

  /** After an alarm: if it was an earlier batch's, the one at hand gets its own. */
  void rewind() {
    if (alarm.rang() && on && leftNanos() > 0 && !alarm.set(leftNanos())) {
      until = clock.getAsLong();
    }
  }
}
