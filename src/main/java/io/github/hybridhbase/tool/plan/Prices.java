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

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/** Prices of SSD and HDD and the measured gain of each way to use them. Immutable. */
@InterfaceAudience.Private
public final class Prices {
  public static final String ASSUMED =
      "assumed: data centre drives of 2026, bought new; give your own";

  public static final double HDD_PRICE = 0.02;
  public static final double SSD_PRICE = 0.10;
  public static final double HDD_USE = 80;
  public static final double SSD_USE = 70;

  /** One drive write a day for five years. */
  public static final double DRIVE_WRITES = 1_825;

  public static final double AMPLIFICATION = 1.5;

  private final Medium hdd;
  private final Medium ssd;
  private final OptionalDouble hybridGain;
  private final OptionalDouble cacheGain;
  private final OptionalDouble ssdGain;

  /**
   * @param hybridGain throughput with system data on SSD divided by all HDD; empty if not measured
   * @param cacheGain likewise, with a bucket cache on SSD as well
   * @param ssdGain likewise, of all SSD
   */
  public Prices(
      Medium hdd,
      Medium ssd,
      OptionalDouble hybridGain,
      OptionalDouble cacheGain,
      OptionalDouble ssdGain) {
    this.hdd = hdd;
    this.ssd = ssd;
    this.hybridGain = hybridGain;
    this.cacheGain = cacheGain;
    this.ssdGain = ssdGain;
  }

  public Medium hdd() {
    return hdd;
  }

  public Medium ssd() {
    return ssd;
  }

  /**
   * Returns all HDD, hybrid, hybrid with a cache if there is one, and all SSD.
   *
   * @param userBytes of all replicas
   * @param systemBytes of all replicas
   * @param ssdCapacity bought for system data and the SSD tier
   */
  public List<Costs> compare(
      double userBytes, double systemBytes, double ssdCapacity, double cacheBytes) {
    double allHdd = hdd.cost(userBytes + systemBytes);
    double hybrid = hdd.cost(userBytes) + ssd.costOfCapacity(ssdCapacity);
    List<Costs> all = new ArrayList<>();
    all.add(new Costs("all HDD", allHdd, allHdd, OptionalDouble.of(1)));
    all.add(new Costs("hybrid", hybrid, allHdd, hybridGain));
    if (cacheBytes > 0) {
      double cached = hybrid + ssd.cost(cacheBytes);
      all.add(new Costs("hybrid with cache", cached, allHdd, cacheGain));
    }
    all.add(new Costs("all SSD", ssd.cost(userBytes + systemBytes), allHdd, ssdGain));
    return all;
  }

  /**
   * A way to keep the data and its cost compared with all HDD: C = Σ Pᵢ·Dᵢ/Rᵢ over the media, and
   * C/T per unit of throughput T. Immutable.
   */
  public static final class Costs {
    private final String name;
    private final double cost;
    private final double allHdd;
    private final OptionalDouble gain;

    /**
     * @param cost C, in the currency of the prices
     * @param allHdd C of all HDD; above 0
     * @param gain throughput divided by that of all HDD, above 0; empty if not measured
     */
    public Costs(String name, double cost, double allHdd, OptionalDouble gain) {
      this.name = name;
      this.cost = cost;
      this.allHdd = allHdd;
      this.gain = gain;
    }

    public String name() {
      return name;
    }

    public double cost() {
      return cost;
    }

    public double costRatio() {
      return cost / allHdd;
    }

    public OptionalDouble gain() {
      return gain;
    }

    /** The gain above which this way is cheaper per throughput than all HDD. */
    public double breakEvenGain() {
      return costRatio();
    }

    /** Below 1 if cheaper; empty if the gain is unknown. */
    public OptionalDouble costPerThroughput() {
      return gain.isPresent() ? OptionalDouble.of(costRatio() / gain.getAsDouble()) : gain;
    }
  }
}
