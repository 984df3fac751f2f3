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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.plan.Prices.Costs;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The numbers of "Hybrid HBase" (COMAD 2012) give its conclusion, and do not all go together: the
 * SSD share behind its cost per throughput is less than what it says of the system's data, and much
 * less than its own bound on the WALs.
 */
@InterfaceAudience.Private
class PaperTest {
  /** Its Table 1. */
  private static final Prices PAPER =
      new Prices(
          new Medium(0.15, 0.8),
          new Medium(2.00, 0.5),
          OptionalDouble.of(1.75),
          OptionalDouble.empty(),
          OptionalDouble.empty());

  private static final double DATA = 60e9;

  /** Half of its 8 GB, of which HBase 0.90 gives memstores 40 %. */
  private static final double MEMSTORES = 0.4 * 4e9;

  private static Costs hybrid(double share) {
    double system = share * DATA;
    double capacity = system / PAPER.ssd().utilisation();
    List<Costs> all = PAPER.compare(DATA, system, capacity, 0);
    assertEquals("hybrid", all.get(1).name());
    return all.get(1);
  }

  @Test
  void aByteOnSsdCosts21TimesAByteOnHdd() {
    assertEquals(21.33, priceRatio(), 0.01);
  }

  @Test
  void itsCostPerThroughputMeansAShareOfThreeQuartersOfAPercent() {
    double share = shareFor(1.75, 0.66);
    assertEquals(0.0073, share, 0.00005);
    // The system's data is on HDD where there is no SSD, which changes the third digit.
    assertEquals(0.66, hybrid(share).costPerThroughput().getAsDouble(), 0.005);
    assertEquals(1.155, 1 + priceRatio() * share, 1e-9);
  }

  @Test
  @DisplayName("the percentage of the paper gives more than its cost per throughput")
  void paperGain_exceedsCostPerThroughput() {
    double ofOnePercent = hybrid(0.01).costPerThroughput().getAsDouble();
    assertEquals(0.686, ofOnePercent, 0.001);
    assertTrue(ofOnePercent > 0.665, "0.66 as it is printed");
  }

  @Test
  void itsBoundOnTheWalsIsThreeTimesThatShare() {
    double bound = MEMSTORES / DATA;
    assertEquals(0.0267, bound, 0.0001);
    assertTrue(bound > 3 * shareFor(1.75, 0.66));
    assertEquals(0.873, hybrid(bound).costPerThroughput().getAsDouble(), 0.001);
  }

  @Test
  void itsConclusionHoldsWithAllThree() {
    for (double share : new double[] {0.0073, 0.01, MEMSTORES / DATA}) {
      Costs hybrid = hybrid(share);
      assertTrue(hybrid.costPerThroughput().getAsDouble() < 1, () -> share + ": dearer than HDD");
      double system = share * DATA;
      Costs allSsd = PAPER.compare(DATA, system, 2 * system, 0).get(2);
      assertEquals("all SSD", allSsd.name());
      // All SSD would have to be this much faster than all HDD to be as cheap.
      assertEquals(21.33, allSsd.breakEvenGain(), 0.01);
    }
  }

  /** Facts of a cache at its prices: dear at a quarter of the data, twice the cost at 5 %. */
  @Test
  void aCacheOfAQuarterOfTheDataCostsSixTimes() {
    assertEquals(6.3, PAPER.compare(DATA, 0, 0, DATA / 4).get(2).costRatio(), 0.1);
    assertEquals(2.1, PAPER.compare(DATA, 0, 0, DATA / 20).get(2).costRatio(), 0.1);
  }

  @Test
  void breakEvenIsTheGainAtWhichCostPerThroughputIsOne() {
    Medium hdd = new Medium(0.02, 0.8);
    Medium ssd = new Medium(0.1, 0.7);
    double breakEven =
        new Prices(hdd, ssd, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty())
            .compare(1e12, 1e10, 3e10, 0)
            .get(1)
            .breakEvenGain();
    Costs atBreakEven =
        new Prices(
                hdd,
                ssd,
                OptionalDouble.of(breakEven),
                OptionalDouble.empty(),
                OptionalDouble.empty())
            .compare(1e12, 1e10, 3e10, 0)
            .get(1);
    assertTrue(breakEven > 1);
    assertEquals(1, atBreakEven.costPerThroughput().getAsDouble(), 1e-12);
  }

  /**
   * The fraction f of user data on SSD at which a gain yields a cost per throughput: 1 + k·f = gain
   * · costPerThroughput, with k the price ratio of a used byte on SSD and HDD.
   */
  private static double shareFor(double gain, double costPerThroughput) {
    return (gain * costPerThroughput - 1) / priceRatio();
  }

  private static double priceRatio() {
    return PAPER.ssd().cost(1) / PAPER.hdd().cost(1);
  }
}
