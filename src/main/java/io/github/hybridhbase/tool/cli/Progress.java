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
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** A progress message on standard error every few seconds; none for shorter work. */
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
}
