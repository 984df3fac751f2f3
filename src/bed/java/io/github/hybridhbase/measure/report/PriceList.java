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

/** What HDD and SSD cost, and what a set-up costs by it: the paper's formula. */
@InterfaceAudience.Private
enum PriceList {
  /** Table 1. */
  PAPER("the paper's prices", new Medium(0.15, 0.8), new Medium(2.00, 0.5)),
  /** Before the shortage of 2026, which {@code hbase-hybrid plan} counts with. */
  TODAY("today's prices", new Medium(0.02, 0.8), new Medium(0.10, 0.7));

  private static final double MB = 1e6;

  private final String label;
  private final Medium hdd;
  private final Medium ssd;

  PriceList(String label, Medium hdd, Medium ssd) {
    this.label = label;
    this.hdd = hdd;
    this.ssd = ssd;
  }

  /** For people. */
  String label() {
    return label;
  }

  /** Price of a byte that may be used on SSD against one on HDD. */
  double times() {
    return ssd.cost(1) / hdd.cost(1);
  }

  /**
   * What a set-up costs against all HDD. What is on SSD beside the data would be on HDD else; a
   * bucket cache is a copy, for which nobody would buy HDD.
   *
   * @param dataMb of user data
   * @param movedMb of it that is on SSD and not on HDD, as hot rows; part of {@code systemMb} too
   * @param systemMb of files that were on SSD at most; of {@code ssd} with the data
   * @param cacheMb of bucket cache on SSD
   * @param gain throughput against all HDD, NaN where not measured
   */
  Costs costs(
      String series, double dataMb, double movedMb, double systemMb, double cacheMb, double gain) {
    OptionalDouble known = Double.isNaN(gain) ? OptionalDouble.empty() : OptionalDouble.of(gain);
    if (series.equals(Results.BASE)) {
      double all = hdd.cost(dataMb * MB);
      return new Costs(all, all, known);
    }
    if (series.equals("ssd")) {
      return new Costs(ssd.cost(dataMb * MB), hdd.cost(dataMb * MB), known);
    }
    double hybrid = hdd.cost((dataMb - movedMb) * MB) + ssd.cost((systemMb + cacheMb) * MB);
    return new Costs(hybrid, hdd.cost((dataMb + systemMb - movedMb) * MB), known);
  }
}
