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
package io.github.hybridhbase.runtime;

import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The limits for demoting and restoring components: two watermarks on the free percentage of SSD,
 * whose gap is the hysteresis, and the minimum time off SSD. Immutable.
 */
@InterfaceAudience.Private
public final class Watermarks {
  /** Percentage points added to the low watermark if the high one is not above it. */
  private static final int STEP_UP = 5;

  private final int lowPercent;
  private final int highPercent;
  private final long dwellNanos;

  /**
   * @param lowPercent free percentage of SSD below which the first component is demoted
   * @param highPercent free percentage from which components are restored, above the low one
   */
  public Watermarks(int lowPercent, int highPercent, int dwellSeconds) {
    this.lowPercent = lowPercent;
    this.highPercent = highPercent;
    this.dwellNanos = TimeUnit.SECONDS.toNanos(dwellSeconds);
  }

  public int lowPercent() {
    return lowPercent;
  }

  public int highPercent() {
    return highPercent;
  }

  public long dwellNanos() {
    return dwellNanos;
  }

  /**
   * Free percentage below which a component is demoted: the low watermark for the first, even steps
   * below it for the others.
   *
   * @param step position in the order of demotion, from 0
   */
  public double leaveBelow(int step, int steps) {
    return (double) lowPercent * (steps - step) / steps;
  }

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
