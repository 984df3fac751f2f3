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
package io.github.hybridhbase.measure;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import org.apache.yetus.audience.InterfaceAudience;

/** Rounding, and means. Pure. */
@InterfaceAudience.Private
final class Numbers {
  private static final MathContext DIGITS = new MathContext(4, RoundingMode.HALF_EVEN);

  private Numbers() {}

  /** To four significant digits, or to a whole number where that has more. */
  static double rounded(double value) {
    return Double.isFinite(value) && Math.abs(value) < 1_000
        ? BigDecimal.valueOf(value).round(DIGITS).doubleValue()
        : Math.rint(value);
  }
}
