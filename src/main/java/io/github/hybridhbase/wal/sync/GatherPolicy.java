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
 * A pure policy that decides whether a batch leaves at once or waits for as many edits as the last
 * round had in flight, at most a percentage of the flush time. Otherwise two groups of writers
 * would alternate for ever.
 *
 * <p>After a wait that timed out, more and more batches, up to {@value #MAX_BACK_OFF}, leave at
 * once, which keeps useless waits out of the 99th percentile. Not thread-safe.
 */
@InterfaceAudience.Private
public final class GatherPolicy {
  /** Timers are too coarse for faster flushes. */
  static final long MIN_LATENCY_NANOS = 100_000;

  static final long MAX_DELAY_NANOS = 5_000_000;

  static final int MAX_BACK_OFF = 256;

  private final int percent;
  private long latencyNanos;

  /** Edits that the last round had in flight. */
  int expected = 1;

  private int backOff;
  private int skip;

  /**
   * @param percent longest wait as a percentage of the usual flush time, 0 to 100; 0 disables
   *     waiting
   */
  public GatherPolicy(int percent) {
    this.percent = percent;
  }

  /**
   * @param waiting entries that wait already
   * @param nanos until its acknowledgement
   */
  void flushed(int edits, int waiting, long nanos) {
    long sample = Math.max(0, nanos);
    latencyNanos = latencyNanos == 0 ? sample : latencyNanos + (sample - latencyNanos) / 8;
    expected = Math.max(1, edits + waiting);
  }

  /**
   * Call it once for each batch, with no flush in flight.
   *
   * @param edits in the batch
   * @return longest wait in nanoseconds; 0 if the batch leaves at once
   */
  long delayNanos(int edits) {
    // a header or a trailer has no edits
    if (edits == 0 || edits >= expected || latencyNanos < MIN_LATENCY_NANOS) {
      return 0;
    }
    if (skip > 0) {
      skip--;
      return 0;
    }
    return Math.min(MAX_DELAY_NANOS, latencyNanos * percent / 100);
  }

  void waited(boolean complete) {
    backOff = complete ? backOff / 2 : Math.min(MAX_BACK_OFF, Math.max(1, backOff * 2));
    skip = complete ? 0 : backOff;
  }
}
