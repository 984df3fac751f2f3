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
package io.github.hybridhbase.wal;

import org.apache.yetus.audience.InterfaceAudience;

/**
 * Whether a batch leaves at once or waits a little for company.
 *
 * <p>When a flush is answered, the writers it carried come back with their next edit shortly
 * afterwards; a batch that leaves in between carries only the others, and the two halves take turns
 * for ever. A batch that gathers waits until as many edits have come as were under way in the last
 * round, but never longer than a share of what a flush takes. One writer alone never waits: its one
 * edit is all that was under way.
 *
 * <p>Which of the two is better depends on what a flush costs: where that is a device's time,
 * gathering doubles the throughput; where it is processor time, halves that overlap win; and where
 * edits come whether or not they are answered, waiting buys nothing. So it is measured: after some
 * spans of {@value #SPAN} flushes one span goes the other way, its edits per second are compared
 * with those of the span before it, and the mean of what such pairs say decides. A way that is
 * confirmed is tried against less often, up to every {@value #MAX_SPANS} spans.
 *
 * <p>Not thread-safe; deterministic, no clock of its own.
 */
@InterfaceAudience.Private
final class GatherPolicy {
  /** Flushes faster than this, in nanoseconds, are not waited for: timers are coarser. */
  static final long MIN_LATENCY_NANOS = 100_000;

  /** No batch waits longer, in nanoseconds, however slow its device. */
  static final long MAX_DELAY_NANOS = 5_000_000;

  /** Flushes in a row that go the same way. */
  static final int SPAN = 32;

  /** Most spans between two trials of the other way. */
  static final int MAX_SPANS = 32;

  /** Natural logarithm of the gain in throughput that makes waiting worth its latency: 5 %. */
  private static final double WORTH = 0.05;

  /** Trials that the mean remembers: one may fall on a hiccup of the device. */
  private static final int MEMORY = 8;

  private final int percent;
  private long latencyNanos;
  private int expected = 1;
  private long lastEnd;

  // The span under way.
  private int flushes;
  private long edits;
  private long nanos;

  // What the trials say.
  private boolean gathers = true;
  private boolean favoursGathering = true;
  private boolean trial;
  private double usualRate;
  private double gain;
  private int trials;
  private int spans = 1;
  private int spansLeft = 1;

  /**
   * @param percent share of a flush's usual time that a batch may wait, 0 to 100; 0 = never
   */
  GatherPolicy(int percent) {
    this.percent = percent;
  }

  /** How many edits a batch waits for. */
  int expected() {
    return expected;
  }

  /**
   * A flush was answered.
   *
   * @param carried entries it carried
   * @param waiting entries that wait for the next one already
   * @param start when it left, in nanoseconds
   * @param end when it was answered
   */
  void flushed(int carried, int waiting, long start, long end) {
    long sample = Math.max(0, end - start);
    latencyNanos = latencyNanos == 0 ? sample : latencyNanos + (sample - latencyNanos) / 8;
    boolean company = expected > 1 || carried + waiting > 1;
    expected = Math.max(1, carried + waiting);
    // The time before it left counts, gathering or not, but not the hours in which nobody wrote.
    long before = Math.min(Math.max(0, start - lastEnd), 2 * latencyNanos);
    lastEnd = end;
    if (company && carried > 0) {
      measure(carried, before + sample);
    }
  }

  /**
   * Asked once for every batch, when nothing is under way.
   *
   * @param held entries in it
   * @return how long it may wait for more, in nanoseconds; 0 = it leaves now
   */
  long delayNanos(int held) {
    // No edits: a header, a trailer. Nobody will join.
    boolean waits = gathers && held > 0 && held < expected && latencyNanos >= MIN_LATENCY_NANOS;
    return waits ? Math.min(MAX_DELAY_NANOS, latencyNanos * percent / 100) : 0;
  }

  private void measure(int carried, long took) {
    edits += carried;
    nanos += took;
    if (++flushes == SPAN) {
      spanEnds((double) edits / Math.max(1, nanos));
      flushes = 0;
      edits = 0;
      nanos = 0;
    }
  }

  private void spanEnds(double rate) {
    if (trial) {
      double one = Math.log(gathers ? rate / usualRate : usualRate / rate);
      trials = Math.min(MEMORY, trials + 1);
      gain += (one - gain) / trials;
      boolean pays = gain > WORTH;
      spans = pays == favoursGathering ? Math.min(MAX_SPANS, 2 * spans) : 1;
      favoursGathering = pays;
      gathers = pays;
      spansLeft = spans;
      trial = false;
    } else {
      usualRate = rate;
      if (--spansLeft == 0) {
        trial = true;
        gathers = !favoursGathering;
      }
    }
  }
}
