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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long the batch at hand may still wait for company, and the alarm at its end.
 *
 * <p>One alarm at most is set: most batches are complete before theirs, and one that was set for an
 * earlier batch is set again for the rest. Used under {@link GroupCommit}'s lock, but for the
 * alarm.
 */
@InterfaceAudience.Private
public final class GatherTimer {
  private static final Logger LOG = LoggerFactory.getLogger(GatherTimer.class);

  /** Runs a task once, later, on a thread that must not be blocked. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Scheduler {
    /**
     * @throws RuntimeException where it takes no more tasks
     */
    void schedule(Runnable task, long nanos);
  }

  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final Runnable onAlarm;
  private volatile boolean fired;
  private boolean set;
  private boolean on;
  private long until;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param onAlarm runs on the scheduler's thread, without the lock
   */
  GatherTimer(Scheduler scheduler, LongSupplier clock, Runnable onAlarm) {
    this.scheduler = scheduler;
    this.clock = clock;
    this.onAlarm = onAlarm;
  }

  /**
   * Begins to gather, for so many nanoseconds.
   *
   * @return whether it does: not for 0, and not where nothing would end it
   */
  boolean begin(long nanos) {
    if (nanos > 0 && (set || setAlarm(nanos))) {
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
    if (!fired) {
      return;
    }
    fired = false;
    set = false;
    if (on && leftNanos() > 0 && !setAlarm(leftNanos())) {
      until = clock.getAsLong();
    }
  }

  private boolean setAlarm(long nanos) {
    try {
      scheduler.schedule(this::alarm, nanos);
      set = true;
    } catch (RuntimeException | Error e) {
      LOG.debug("No timer, so no gathering", e);
    }
    return set;
  }

  private void alarm() {
    fired = true;
    onAlarm.run();
  }
}
