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
package io.github.hybridhbase.tool.cli;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** A progress message on standard error every few seconds; shorter work prints none. */
@InterfaceAudience.Private
public final class Progress {
  private static final long EVERY_NANOS = 5_000_000_000L;

  private final PrintStream err;
  private final String doing;
  private final LongSupplier clock;
  private long next;
  private long count;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public Progress(PrintStream err, String doing, LongSupplier clock) {
    this.err = err;
    this.doing = doing;
    this.clock = clock;
    this.next = clock.getAsLong() + EVERY_NANOS;
  }

  public void step() {
    count++;
    if (clock.getAsLong() - next >= 0) {
      next = clock.getAsLong() + EVERY_NANOS;
      err.println(String.format(Locale.ROOT, "%s: %,d so far", doing, count));
    }
  }

  /**
   * A progress line on a terminal with the remaining time, rewritten once a second and cleared at
   * the end; none for work below two seconds. Not thread-safe.
   */
  public static final class Line {
    private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);
    private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private static final String CLEAR = "\r\u001b[K";

    private final PrintStream err;
    private final boolean shown;
    private final String doing;
    private final LongSupplier clock;
    private final Consumer<AtomicLong> total;
    private final AtomicLong expected = new AtomicLong();
    private final long began;
    private long next;
    private boolean written;
    private long count;

    /**
     * @param shown whether {@code err} is a terminal
     * @param total called when the line is shown first; may set the total late or never
     * @param clock nanoseconds, as {@link System#nanoTime()}
     */
    public Line(
        PrintStream err,
        boolean shown,
        String doing,
        Consumer<AtomicLong> total,
        LongSupplier clock) {
      this.err = err;
      this.shown = shown;
      this.doing = doing;
      this.total = total;
      this.clock = clock;
      this.began = clock.getAsLong();
      this.next = began + FIRST_NANOS;
    }

    public void step() {
      count++;
      if (!shown || clock.getAsLong() - next < 0) {
        return;
      }
      long now = clock.getAsLong();
      if (!written) {
        total.accept(expected);
      }
      next = now + EVERY_NANOS;
      written = true;
      err.print(CLEAR + text(doing, count, expected.get(), now - began));
      err.flush();
    }

    public void done() {
      if (written) {
        err.print(CLEAR);
        err.flush();
      }
    }

    /** Without an estimate if the total is unknown or exceeded. */
    static String text(String doing, long count, long expected, long nanos) {
      String line = String.format(Locale.ROOT, "%s: %,d", doing, count);
      if (expected <= 0 || count > expected) {
        return line + " so far";
      }
      double left = (double) nanos * (expected - count) / Math.max(1, count);
      long seconds = Math.round(left / TimeUnit.SECONDS.toNanos(1));
      String time = seconds < 120 ? seconds + " s" : (seconds + 30) / 60 + " min";
      return line
          + String.format(
              Locale.ROOT,
              " of about %,d (%d %%), %s left",
              expected,
              100 * count / expected,
              time);
    }
  }
}
