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
package io.github.hybridhbase.tool.plan;

import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One way to keep the data, and what it costs against all HDD: C = Σ Pᵢ·Dᵢ/Rᵢ over the media, and
 * C/T, the cost of a unit of throughput. Immutable.
 */
@InterfaceAudience.Private
public final class Costs {
  private final String name;
  private final double cost;
  private final double allHdd;
  private final OptionalDouble gain;

  /**
   * Describes one way.
   *
   * @param name for people
   * @param cost C, in the currency of the prices
   * @param allHdd C of all HDD; above 0
   * @param gain throughput against all HDD, above 0; empty where nobody measured it
   */
  public Costs(String name, double cost, double allHdd, OptionalDouble gain) {
    this.name = name;
    this.cost = cost;
    this.allHdd = allHdd;
    this.gain = gain;
  }

  /** For people. */
  public String name() {
    return name;
  }

  /** C. */
  public double cost() {
    return cost;
  }

  /** C against all HDD's. */
  public double costRatio() {
    return cost / allHdd;
  }

  /** Throughput against all HDD's; empty where it is not known. */
  public OptionalDouble gain() {
    return gain;
  }

  /** The gain in throughput from which it is cheaper per throughput than all HDD. */
  public double breakEvenGain() {
    return costRatio();
  }

  /** C/T against all HDD's: below 1 it is cheaper; empty where the gain is not known. */
  public OptionalDouble costPerThroughput() {
    return gain.isPresent() ? OptionalDouble.of(costRatio() / gain.getAsDouble()) : gain;
  }
}
