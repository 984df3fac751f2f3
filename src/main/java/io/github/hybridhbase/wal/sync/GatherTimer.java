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
 * The wait of the current batch, and its alarm. An alarm of an earlier, completed batch is reused
 * for the rest of the wait. Used under {@link GroupCommit}'s lock.
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

  /** 0 or less once the wait is over. */
  long leftNanos() {
    return until - clock.getAsLong();
  }

  void end() {
    on = false;
  }

  /** After an alarm: if an earlier batch had set it, sets it again for the current one. */
  void rewind() {
    if (alarm.rang() && on && leftNanos() > 0 && !alarm.set(leftNanos())) {
      until = clock.getAsLong();
    }
  }
}
