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

import org.apache.yetus.audience.InterfaceAudience;

/** What a medium costs and how full it may get. Immutable. */
@InterfaceAudience.Private
public final class Medium {
  private static final double GB = 1e9;

  private final double pricePerGb;
  private final double utilisation;

  /**
   * Describes a medium.
   *
   * @param pricePerGb of 10⁹ bytes of capacity, in whatever currency; above 0
   * @param utilisation share of the capacity that data may take, above 0 and up to 1
   */
  public Medium(double pricePerGb, double utilisation) {
    if (!(pricePerGb > 0) || !(utilisation > 0) || utilisation > 1) {
      throw new IllegalArgumentException(pricePerGb + " for a GB, used to " + utilisation);
    }
    this.pricePerGb = pricePerGb;
    this.utilisation = utilisation;
  }

  /** P: the price of 10⁹ bytes of capacity. */
  public double pricePerGb() {
    return pricePerGb;
  }

  /** R: the share of the capacity that data may take. */
  public double utilisation() {
    return utilisation;
  }

  /** P·D/R: what it costs to keep this many bytes of replicas. */
  public double cost(double bytes) {
    return pricePerGb * bytes / GB / utilisation;
  }

  /** The price of this much capacity, however full it is. */
  public double costOfCapacity(double bytes) {
    return pricePerGb * bytes / GB;
  }

  /** How many times as much as on {@code other} a byte costs here. */
  public double times(Medium other) {
    return cost(GB) / other.cost(GB);
  }
}
