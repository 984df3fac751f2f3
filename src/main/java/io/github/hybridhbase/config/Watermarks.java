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
package io.github.hybridhbase.config;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * When components leave SSD and when they come back: two watermarks on the free share of SSD, with
 * the gap between them as hysteresis, and the least time a component stays away. Immutable.
 */
@InterfaceAudience.Private
public final class Watermarks {
  /**
   * Percent by which the high watermark stands above the low one where it was set at or below it.
   */
  private static final int STEP_UP = 5;

  private final int lowPercent;
  private final int highPercent;
  private final long dwellNanos;

  /**
   * Describes the watermarks.
   *
   * @param lowPercent free share of SSD below which the first component leaves
   * @param highPercent free share from which components come back, above {@code lowPercent}
   * @param dwellSeconds least time a component stays away
   */
  public Watermarks(int lowPercent, int highPercent, int dwellSeconds) {
    this.lowPercent = lowPercent;
    this.highPercent = highPercent;
    this.dwellNanos = TimeUnit.SECONDS.toNanos(dwellSeconds);
  }

  /** Free share of SSD in percent below which the first component leaves. */
  public int lowPercent() {
    return lowPercent;
  }

  /** Free share of SSD in percent from which components come back. */
  public int highPercent() {
    return highPercent;
  }

  /** Least time a component stays away from SSD, in nanoseconds. */
  public long dwellNanos() {
    return dwellNanos;
  }

  /**
   * The free share in percent below which the component at this place in the order leaves: the
   * first at the low watermark, the others at even steps down from it, so that what gains most from
   * SSD leaves last.
   *
   * @param step 0 for the first to leave
   * @param steps how many components there are
   */
  public double leaveBelow(int step, int steps) {
    return (double) lowPercent * (steps - step) / steps;
  }

  /**
   * The watermarks as configured. Where the high one does not stand above the low one that is told,
   * and it counts as a step above.
   */
  static Watermarks of(int low, int high, int dwellSeconds, Consumer<String> problems) {
    if (high > low) {
      return new Watermarks(low, high, dwellSeconds);
    }
    int raised = low + STEP_UP;
    problems.accept(
        String.format(
            Locale.ROOT,
            "%1$s=%2$d is not above %3$s=%4$d: components would come back to SSD where they have"
                + " just left it. Set %1$s to %5$d or more. Until then %5$d is in force.",
            HybridKeys.SSD_HIGH,
            high,
            HybridKeys.SSD_LOW,
            low,
            raised));
    return new Watermarks(low, raised, dwellSeconds);
  }
}
