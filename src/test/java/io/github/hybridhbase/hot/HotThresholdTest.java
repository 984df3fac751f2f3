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
package io.github.hybridhbase.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Which rows are hot, and what they catch. */
@InterfaceAudience.Private
class HotThresholdTest {
  private static final int ROWS = 100_000;

  private static long[] levels(int... rowsFromOne) {
    long[] levels = new long[HeatSketch.MOST + 1];
    for (int i = 0; i < rowsFromOne.length; i++) {
      levels[i + 1] = rowsFromOne[i];
    }
    return levels;
  }

  /** Rows are read so often, as a skewed choice has it. */
  private static HotThreshold learnt(int reads, double exponent, long mostBytes) {
    double[] sums = new double[ROWS];
    double sum = 0;
    for (int i = 0; i < ROWS; i++) {
      sum += Math.pow(i + 1, -exponent);
      sums[i] = sum;
    }
    Random random = new Random(7);
    HeatSketch sketch = HeatSketch.ofRows(ROWS);
    for (int i = 0; i < reads; i++) {
      int at = Arrays.binarySearch(sums, random.nextDouble() * sum);
      sketch.add(HeatSketch.mix(at < 0 ? -at - 1 : at));
    }
    return HotThreshold.of(sketch.rowsByLevel(), sketch.beyond(), ROWS, 100, mostBytes);
  }

  @Test
  void theLowestLevelThatFits() {
    long[] levels = levels(1_000, 100, 10, 1);
    HotThreshold fits = HotThreshold.of(levels, 0, ROWS, 100, 11_100);
    assertEquals(2, fits.level);
    assertEquals(0, fits.partBelow);
    assertEquals(3, HotThreshold.of(levels, 0, ROWS, 100, 11_099).level);
    assertEquals(11, HotThreshold.of(levels, 0, ROWS, 100, 1_100).rows);
    assertEquals(
        1, HotThreshold.of(levels, 0, ROWS, 100, Long.MAX_VALUE).level, "unread is not hot");
  }

  /** As YCSB's zipfian is after 0.75 reads a row: 10 % of the rows twice or more, 27 % once. */
  @Test
  void aShareIsFilledWithAPartOfTheLevelBelow() {
    HotThreshold threshold =
        HotThreshold.of(levels(27_000, 6_900, 1_600, 500, 1_000), 20_000, ROWS, 100, 2_500_000);
    assertEquals(2, threshold.level);
    assertEquals(15_000 / 27_000.0, threshold.partBelow, 0.001);
    assertEquals(25_000, threshold.rows);
    assertEquals(2_500_000, threshold.bytes);
    assertTrue(threshold.caught > 0.45 && threshold.caught < 0.75, "" + threshold.caught);
  }

  /** A few rows have a third of all reads, all others are alike: those would only take SSD. */
  @Test
  void rowsThatAreLikeAnyOthersDoNotFillAShare() {
    int[] rows = new int[HeatSketch.MOST];
    rows[HeatSketch.MOST - 1] = 100;
    rows[3] = 99_900;
    HotThreshold threshold = HotThreshold.of(levels(rows), 200_000, ROWS, 100, 5_000_000);
    assertEquals(5, threshold.level);
    assertEquals(100, threshold.rows);
    assertEquals(0, threshold.partBelow);
  }

  @Test
  void noneWhereNoLevelFits() {
    long[] levels = levels(0, 0, 0, 1_000);
    HotThreshold none = HotThreshold.of(levels, 0, ROWS, 100, 99);
    assertEquals(0, none.rows);
    assertEquals(0, none.caught);
    assertEquals(0, HotThreshold.of(levels(), 0, ROWS, 100, 1_000).rows);
    assertEquals(0, HotThreshold.of(levels(), 0, 0, 0, 0).caught);
  }

  /** Chance alone makes some rows look hot; they would catch no more than their part. */
  @Test
  void evenReadsAreNotCaught() {
    HotThreshold even = learnt(300_000, 0, ROWS * 100 / 4);
    assertEquals(0, even.rows);
    assertEquals(0, even.caught);
  }

  /** True zipf 0.99: a tenth of the rows catches most, however little is known. */
  @Test
  void skewedReadsAreCaught() {
    double known = learnt(1_000_000, 0.99, ROWS * 100 / 10).caught;
    double little = learnt(50_000, 0.99, ROWS * 100 / 10).caught;
    assertTrue(known > 0.6 && known < 0.95, "known " + known);
    assertTrue(little > 0.4 && little < 0.95, "little known " + little);
  }

  @Test
  void readsBeyondTheHighestLevelCount() {
    long[] levels = levels(1_000);
    levels[HeatSketch.MOST] = 10;
    double without = HotThreshold.of(levels, 0, ROWS, 100, 1_000).caught;
    double with = HotThreshold.of(levels, 100_000, ROWS, 100, 1_000).caught;
    assertTrue(with > 0.95 && with > without, without + " " + with);
  }
}
