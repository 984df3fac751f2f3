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

import java.util.Random;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  /** Of 100,000 reads; each level answers this share of them. */
  private static int[] shares(double... fromOne) {
    int[] reads = new int[HeatSketch.MOST + 1];
    reads[0] = 100_000;
    for (int i = 0; i < fromOne.length; i++) {
      reads[i + 1] = (int) Math.round(100_000 * fromOne[i]);
      reads[0] -= reads[i + 1];
    }
    return reads;
  }

  /** After reads of rows of these numbers. */
  private static HeatSketch learnt(
      int reads, int rows, long mostBytes, IntUnaryOperator nextOfRows) {
    StoreHeat heat = new StoreHeat();
    heat.sketch = new HeatSketch();
    for (int i = 0; i < reads; i++) {
      heat.sketch.add(Bytes.toBytes(nextOfRows.applyAsInt(rows)));
      if (i % 1_000 == 0) {
        heat.turn(rows / 10.0, 1, 0);
        heat.sketch.fit(mostBytes);
      }
    }
    return heat.sketch;
  }

  private static HotThreshold of(long[] levels, int[] reads, long mostBytes) {
    return HotThreshold.of(levels, reads, ROWS, 100, mostBytes);
  }

  @Test
  void theLowestLevelThatFits() {
    long[] levels = levels(1_000, 100, 10, 1);
    int[] reads = shares(0.4, 0.2, 0.1, 0.1);
    HotThreshold fits = of(levels, reads, 11_100);
    assertEquals(2, fits.level);
    assertEquals(0, fits.partBelow);
    assertEquals(0.4, fits.caught, 1e-9);
    assertEquals(3, of(levels, reads, 11_099).level);
    assertEquals(11, of(levels, reads, 1_100).rows);
    assertEquals(1, of(levels, reads, Long.MAX_VALUE).level, "unread is not hot");
  }

  /** As YCSB's zipfian is after 0.75 reads a row: 10 % of the rows twice or more, 27 % once. */
  @Test
  void aShareIsFilledWithAPartOfTheLevelBelow() {
    HotThreshold threshold =
        of(
            levels(27_000, 6_900, 1_600, 500, 1_000),
            shares(0.18, 0.09, 0.04, 0.02, 0.25),
            2_500_000);
    assertEquals(2, threshold.level);
    assertEquals(15_000 / 27_000.0, threshold.partBelow, 0.001);
    assertEquals(25_000, threshold.rows);
    assertEquals(2_500_000, threshold.bytes);
    assertEquals(0.40 + 0.18 * 15 / 27, threshold.caught, 0.001);
  }

  /** A few rows have a third of all reads, all others are alike: those would only take SSD. */
  @Test
  void rowsThatAreLikeAnyOthersDoNotFillAShare() {
    int[] rows = new int[HeatSketch.MOST];
    rows[HeatSketch.MOST - 1] = 100;
    rows[3] = 99_900;
    int[] reads = shares(0, 0, 0, 0.67);
    reads[HeatSketch.MOST] = reads[0];
    reads[0] = 0;
    HotThreshold threshold = of(levels(rows), reads, 9_000_000);
    assertEquals(5, threshold.level);
    assertEquals(100, threshold.rows);
    assertEquals(0, threshold.partBelow);
  }

  /** Few rows are at a high level, and by chance none of the last reads went to them. */
  @Test
  void aLevelThatNobodyReadLatelyIsNoEnd() {
    HotThreshold threshold = of(levels(5_000, 5), shares(0.4, 0), 1_000_000);
    assertEquals(1, threshold.level);
    assertEquals(5_005, threshold.rows);
  }

  @Test
  void noneWhereNoLevelFits() {
    long[] levels = levels(0, 0, 0, 1_000);
    int[] reads = shares(0, 0, 0, 0.9);
    assertEquals(0, of(levels(), reads, 1_000).rows);
    assertEquals(0, HotThreshold.of(levels(), shares(), 0, 0, 0).caught);
    HotThreshold none = of(levels, shares(0, 0, 0, 0.04), 1_000_000);
    assertEquals(0, none.rows, "few reads are not worth a second file");
    assertEquals(0, none.caught);
  }

  /** Chance alone makes some rows look hot; they would catch no more than their part. */
  @ParameterizedTest
  @CsvSource({
    "100000, 10000, 25, 1000000000",
    "100000, 50000, 25, 1000000000",
    "100000, 300000, 25, 1000000000",
    "100000, 2000000, 25, 1000000000",
    // Within the least memory.
    "40000, 20000, 10, 0",
    "40000, 40000, 10, 0",
    "40000, 80000, 10, 0"
  })
  void evenReadsAreNotCaught(int rows, int reads, long percent, long mostBytes) {
    HeatSketch sketch = learnt(reads, rows, mostBytes, new Random(7)::nextInt);
    HotThreshold even =
        HotThreshold.of(sketch.rowsByLevel(rows), sketch.readsByLevel(), rows, 100, rows * percent);
    assertEquals(0, even.rows, even.caught + " said to be caught");
    assertEquals(0, even.caught);
  }

  /** The fewer reads, the less is certain of what they say. */
  @Test
  void theBoundIsBelowTheShare() {
    long[] levels = levels(0, 10);
    for (int reads : new int[] {4, 100, 2_000}) {
      int[] half = new int[HeatSketch.MOST + 1];
      half[0] = reads / 2;
      half[2] = reads / 2;
      HotThreshold threshold = of(levels, half, 1_000_000);
      assertEquals(0.5, threshold.caught, 1e-9);
      double error = 2 * Math.sqrt(0.25 / reads);
      assertEquals(0.5 - error, threshold.atLeast, error / 3);
      assertTrue(threshold.atLeast > 0);
    }
    int[] few = new int[HeatSketch.MOST + 1];
    few[0] = 11;
    few[2] = 1;
    assertEquals(0, of(levels, few, 1_000_000).rows, "one of twelve");
    few[0] = 1_100;
    few[2] = 100;
    assertEquals(10, of(levels, few, 1_000_000).rows);
  }

  @Test
  void theLevelAtWhichAShareEnds() {
    long[] levels = levels(1_000, 100, 10, 1);
    assertEquals(0, HotThreshold.end(levels, 2_000), "not all are read");
    assertEquals(1, HotThreshold.end(levels, 1_111));
    assertEquals(2, HotThreshold.end(levels, 111));
    assertEquals(3, HotThreshold.end(levels, 2));
    assertEquals(4, HotThreshold.end(levels, 1));
  }

  /** The estimate is what the rows catch of later reads, however little is known. */
  @Test
  void whatIsSaidToBeCaughtIsCaught() {
    for (double exponent : new double[] {0.7, 0.99}) {
      for (int reads : new int[] {10_000, 40_000, 200_000, 3_000_000}) {
        LongSupplier keys = HeatSimulationTest.zipf(ROWS, exponent, 11);
        HeatSketch sketch = learnt(reads, ROWS, Long.MAX_VALUE, any -> (int) keys.getAsLong());
        HotThreshold threshold = of(sketch.rowsByLevel(ROWS), sketch.readsByLevel(), 10L * ROWS);
        Predicate<byte[]> hot = sketch.frozen(threshold.level, threshold.partBelow);
        int caught = 0;
        for (int i = 0; i < 20_000; i++) {
          caught += hot.test(Bytes.toBytes((int) keys.getAsLong())) ? 1 : 0;
        }
        double measured = caught / 20_000.0;
        String what = exponent + " after " + reads + ": " + measured + ", said " + threshold.caught;
        assertTrue(threshold.caught < measured + 0.05, what);
        assertTrue(threshold.caught > measured - 0.1, what);
      }
    }
  }
}
