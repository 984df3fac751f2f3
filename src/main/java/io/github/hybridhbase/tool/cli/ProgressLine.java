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
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One line on a terminal that says how far long work is and how long it may still take; it is
 * written anew once a second, and gone when the work is done. Work of less than two seconds shows
 * none, and so does any other place than a terminal. One thread.
 */
@InterfaceAudience.Private
public final class ProgressLine {
  private static final long FIRST_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final long EVERY_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** Back to the line's begin, and clear it. */
  private static final String CLEAR = "\r\u001b[K";

  /** Finds out how many there are; may answer late, or never. */
  @InterfaceAudience.Private
  public interface Total {
    /** Begins to, and keeps the answer there, which is 0 until then. */
    void ask(AtomicLong answer);
  }

  private final PrintStream err;
  private final boolean shown;
  private final String doing;
  private final LongSupplier clock;
  private final Total total;
  private final AtomicLong expected = new AtomicLong();
  private final long began;
  private long next;
  private boolean written;
  private long count;

  /**
   * Starts.
   *
   * @param shown whether {@code err} is a terminal
   * @param total asked once the work turns out to be long
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public ProgressLine(
      PrintStream err, boolean shown, String doing, Total total, LongSupplier clock) {
    this.err = err;
    this.shown = shown;
    this.doing = doing;
    this.total = total;
    this.clock = clock;
    this.began = clock.getAsLong();
    this.next = began + FIRST_NANOS;
  }

  /** One more is done. */
  public void step() {
    count++;
    if (!shown || clock.getAsLong() - next < 0) {
      return;
    }
    long now = clock.getAsLong();
    if (!written) {
      total.ask(expected);
    }
    next = now + EVERY_NANOS;
    written = true;
    err.print(CLEAR + text(doing, count, expected.get(), now - began));
    err.flush();
  }

  /** Clears the line. */
  public void done() {
    if (written) {
      err.print(CLEAR);
      err.flush();
    }
  }

  /** The line; without an estimate while nobody knows how many there are, or there are more. */
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
            Locale.ROOT, " of about %,d (%d %%), %s left", expected, 100 * count / expected, time);
  }
}
