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

import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/** What was measured beside a {@link Claim}. Immutable. */
@InterfaceAudience.Private
final class Measurement {
  private final Stat stat;
  private final String text;
  private final String verdict;

  private Measurement(Stat stat, String text, String verdict) {
    this.stat = stat;
    this.text = text;
    this.verdict = verdict;
  }

  /**
   * A number.
   *
   * @param note what a reader would not expect of its cells; begins with a comma
   */
  static Measurement of(Stat stat, String note) {
    String rounds = stat.rounds == 1 ? ", one round" : "";
    return new Measurement(stat, stat.text() + note + rounds, null);
  }

  /** The same, whatever somebody has said. */
  Measurement judged(String as) {
    return new Measurement(stat, text, as);
  }

  String text() {
    return text;
  }

  /**
   * Whether what was said was reached.
   *
   * @param bound null where there is none
   */
  String verdict(Predicate<Stat> bound) {
    if (verdict != null) {
      return verdict;
    }
    return bound == null ? Claim.AS_MEASURED : bound.test(stat) ? Claim.REACHED : Claim.NOT_REACHED;
  }
}
