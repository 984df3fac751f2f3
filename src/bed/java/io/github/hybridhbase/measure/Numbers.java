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

import org.apache.yetus.audience.InterfaceAudience;

/** Rounding, and means. Pure. */
@InterfaceAudience.Private
final class Numbers {
  private static final int DIGITS = 4;

  private Numbers() {}

  /** To four significant digits, or to a whole number where that has more. */
  static double rounded(double value) {
    if (value == 0 || Double.isNaN(value) || Double.isInfinite(value)) {
      return value;
    }
    int places = DIGITS - 1 - (int) Math.floor(Math.log10(Math.abs(value)));
    if (places <= 0) {
      return Math.rint(value);
    }
    double unit = Math.pow(10, places);
    return Math.rint(value * unit) / unit;
  }
}
