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
  static final String ASSUMED = "assumed: data centre drives of 2026, bought new; give your own";

  static final double HDD_PRICE = 0.02;
  static final double SSD_PRICE = 0.10;
  static final double HDD_USE = 80;
  static final double SSD_USE = 70;

  /** One drive write a day for five years. */
  static final double DRIVE_WRITES = 1_825;

  static final double AMPLIFICATION = 1.5;

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
   * @param cacheBytes on SSD
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
   * The fraction f of user data on SSD at which a gain yields a cost per throughput: 1 + k·f = gain
   * · costPerThroughput, with k the price ratio of a used byte on SSD and HDD.
   */
  public double shareFor(double gain, double costPerThroughput) {
    return (gain * costPerThroughput - 1) / ssd.times(hdd);
  }
}
