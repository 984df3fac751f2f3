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
package io.github.hybridhbase.measure.report;

import io.github.hybridhbase.measure.Numbers;
import java.util.Collections;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** A median over rounds, with the least and the greatest. Immutable. */
@InterfaceAudience.Private
final class Stat {
  final double median;
  final double least;
  final double greatest;
  final int rounds;

  private Stat(double median, double least, double greatest, int rounds) {
    this.median = median;
    this.least = least;
    this.greatest = greatest;
    this.rounds = rounds;
  }

  /** NaN of nothing. */
  static Stat of(List<Double> values) {
    return values.isEmpty()
        ? new Stat(Double.NaN, Double.NaN, Double.NaN, 0)
        : new Stat(
            Numbers.median(values),
            Collections.min(values),
            Collections.max(values),
            values.size());
  }

  /** A constant divided by each of it. */
  Stat under(double constant) {
    return new Stat(constant / median, constant / greatest, constant / least, rounds);
  }

  /** Each of it times a constant above 0. */
  Stat times(double constant) {
    return new Stat(median * constant, least * constant, greatest * constant, rounds);
  }

  boolean known() {
    return rounds > 0;
  }

  /** {@code 1.75 (1.70 to 1.81)}; a single round has no error, and says so by having none. */
  String text() {
    return rounds < 2
        ? Numbers.text(median)
        : Numbers.text(median) + " (" + Numbers.text(least) + " to " + Numbers.text(greatest) + ")";
  }
}
