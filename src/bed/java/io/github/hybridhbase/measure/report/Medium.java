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

import org.apache.yetus.audience.InterfaceAudience;

/** The price and usable fraction of a storage medium. Immutable. */
@InterfaceAudience.Private
final class Medium {
  private static final double GB = 1e9;

  private final double pricePerGb;
  private final double utilisation;

  /**
   * @param pricePerGb of 10⁹ bytes of capacity; above 0
   * @param utilisation fraction of the capacity that data may use, above 0 and up to 1
   */
  Medium(double pricePerGb, double utilisation) {
    if (!(pricePerGb > 0) || !(utilisation > 0) || utilisation > 1) {
      throw new IllegalArgumentException(pricePerGb + " for a GB, used to " + utilisation);
    }
    this.pricePerGb = pricePerGb;
    this.utilisation = utilisation;
  }

  /** P·D/R: the cost of this many bytes of replicas. */
  double cost(double bytes) {
    return pricePerGb * bytes / GB / utilisation;
  }
}
