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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether a batch leaves at once or waits a little for company.
 *
 * <p>When a flush is answered, the writers it carried come back with their next edit shortly
 * afterwards; a batch that leaves in between carries only the others, and the two halves take turns
 * for ever. So a batch waits until as many edits have come as were under way in the last round, but
 * never longer than a share of what a flush takes. One writer alone never waits: its one edit is
 * all that was under way.
 *
 * <p>Two halves pay twice for what a flush costs whatever it carries; a whole pays for the time in
 * which everybody comes back and nothing is under way. So company pays where it is complete well
 * before a flush would be. A wait that is over before all have come says that it does not (or that
 * edits come whether or not they are answered), and ever more batches leave at once before the next
 * one tries again, up to {@value #MAX_BACK_OFF}; waits in vain then stay out of the 99th
 * percentile.
 *
 * <p>Not thread-safe; deterministic, no clock of its own.
 */
@InterfaceAudience.Private
public final class GatherPolicy {
  /** Flushes faster than this, in nanoseconds, are not waited for: timers are coarser. */
  static final long MIN_LATENCY_NANOS = 100_000;

  /** No batch waits longer, in nanoseconds, however slow its device. */
  static final long MAX_DELAY_NANOS = 5_000_000;

  /** Most batches that leave at once after waits in vain. */
  static final int MAX_BACK_OFF = 256;

  private final int percent;
  private long latencyNanos;
  private int expected = 1;
  private int backOff;
  private int skip;

  /**
   * @param percent share of a flush's usual time that a batch may wait, 0 to 100; 0 = never
   */
  public GatherPolicy(int percent) {
    this.percent = percent;
  }

  /** How many edits a batch waits for. */
  int expected() {
    return expected;
  }

  /**
   * A flush was answered.
   *
   * @param edits entries it carried
   * @param waiting entries that wait for the next one already
   * @param nanos what it took
   */
  void flushed(int edits, int waiting, long nanos) {
    long sample = Math.max(0, nanos);
    latencyNanos = latencyNanos == 0 ? sample : latencyNanos + (sample - latencyNanos) / 8;
    expected = Math.max(1, edits + waiting);
  }

  /**
   * Asked once for every batch, when nothing is under way.
   *
   * @param edits entries in it
   * @return how long it may wait for more, in nanoseconds; 0 = it leaves now
   */
  long delayNanos(int edits) {
    // No edits: a header, a trailer. Nobody will join.
    if (edits == 0 || edits >= expected || latencyNanos < MIN_LATENCY_NANOS) {
      return 0;
    }
    if (skip > 0) {
      skip--;
      return 0;
    }
    return Math.min(MAX_DELAY_NANOS, latencyNanos * percent / 100);
  }

  /**
   * A batch that waited leaves.
   *
   * @param complete whether all it waited for have come in time
   */
  void waited(boolean complete) {
    backOff = complete ? backOff / 2 : Math.min(MAX_BACK_OFF, Math.max(1, backOff * 2));
    skip = complete ? 0 : backOff;
  }
}
