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

import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A way to keep the data and its cost compared with all HDD: C = Σ Pᵢ·Dᵢ/Rᵢ over the media, and C/T
 * per unit of throughput T. Immutable.
 */
@InterfaceAudience.Private
final class Costs {
  private final double cost;
  private final double allHdd;
  private final OptionalDouble gain;

  /**
   * @param cost C, in the currency of the prices
   * @param allHdd C of all HDD; above 0
   * @param gain throughput divided by that of all HDD, above 0; empty if not measured
   */
  Costs(double cost, double allHdd, OptionalDouble gain) {
    this.cost = cost;
    this.allHdd = allHdd;
    this.gain = gain;
  }

  double costRatio() {
    return cost / allHdd;
  }

  /** Below 1 if cheaper than all HDD; empty if the gain is unknown. */
  OptionalDouble costPerThroughput() {
    return gain.isPresent() ? OptionalDouble.of(costRatio() / gain.getAsDouble()) : gain;
  }
}
