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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Writes are delayed if a region or server is near its limits, by more the nearer it is, and else
 * never.
 */
@InterfaceAudience.Private
class WritePressureTest {
  private static final int MOST = 1_000;
  private static final long LONGEST = 90;

  private static long delay(double pressure) {
    return Math.round(WritePressure.delayMillis(pressure, 1_000, MOST));
  }

  @Test
  void pressureIsOneWhereHBaseRefusesWrites() {
    for (double passed : new double[] {0, 0.5, 0.99}) {
      assertEquals(1, WritePressure.of(4, 4, passed));
      assertEquals(1, WritePressure.of(5, 4, passed));
      assertEquals(1, WritePressure.of(2, 2, passed));
    }
  }

  /** A fifth of the room is for bursts. */
  @ParameterizedTest
  @CsvSource({
    "1.59, 4, 0, 0",
    "1.61, 4, 1, 0",
    "2, 4, 10, 1",
    "3, 4, 100, 2",
    "4, 4, 1000, 0",
    // HBase refuses writes as soon as it begins to flush.
    "0.5, 1, 0, 0",
    "0.99, 1, 0, 0",
    "1, 1, 0, 0",
    "1.5, 1, 0, 0"
  })
  void whileFilesDeferAFlush(double flushes, int mostFlushes, long millis, long error) {
    assertEquals(millis, delay(WritePressure.of(flushes, mostFlushes, 0)), error);
  }

  /** Half of the room is for what is written during one. */
  @ParameterizedTest
  @CsvSource({
    "0.5, 4, 0", "2.49, 4, 0", "2.51, 4, 1", "3.25, 4, 32",
    "4, 4, 1000", "5, 4, 1000", "2, 2, 0", "3, 3, 1000"
  })
  void duringAFlush(double flushes, int mostFlushes, long millis) {
    assertEquals(millis, delay(WritePressure.duringFlush(flushes, mostFlushes)));
  }

  /**
   * Whoever writes no more than a flush during one is not delayed, nor whoever would not fill the
   * memstore until HBase flushes it, however long files defer that.
   */
  @Test
  void whoDoesNotFillTheMemstoreIsNotDelayed() {
    for (int mostFlushes = 1; mostFlushes <= 8; mostFlushes++) {
      String what = mostFlushes + " at most";
      assertEquals(0, delay(WritePressure.duringFlush(1.99, mostFlushes)), what);
      for (int percent = 0; percent <= 120 && mostFlushes > 1; percent++) {
        double passed = percent / 100.0;
        double flushes = 1 + Math.min(1, passed) * (mostFlushes - 1) * 0.89;
        assertEquals(0, delay(WritePressure.of(flushes, mostFlushes, passed)), percent + " %");
      }
    }
  }

  /** At 95 % of the limit HBase flushes one region after the other; a fifth above that is free. */
  @ParameterizedTest
  @CsvSource({
    "0.2, 0.95, 0", "0.95, 0.95, 0", "0.9599, 0.95, 0", "0.9601, 0.95, 1", "0.98, 0.95, 32",
    "1, 0.95, 1000", "1.2, 0.95, 1000", "0.5, 1, 0", "1, 1, 0", "2, 1, 0"
  })
  void ofAServer(double ofLimit, double lowMark, long millis) {
    assertEquals(millis, delay(WritePressure.ofServer(ofLimit / lowMark, lowMark)));
  }

  @ParameterizedTest
  @CsvSource({
    "-1, 1000, 0", "-0.001, 1000, 0", "0, 1000, 1", "0.5, 1000, 32",
    "1, 1000, 1000", "7, 1000, 1000", "0.5, 1048576, 538", "0.5, 1073741824, 1000"
  })
  void theDelayBeginsSmallEndsAtTheMostAndGrowsWithTheCall(
      double pressure, long bytes, long millis) {
    assertEquals(millis, WritePressure.delayMillis(pressure, bytes, MOST), 0.5);
    assertEquals(0, WritePressure.delayMillis(pressure, bytes, 0), "switched off");
  }

  /**
   * Files defer a flush until the memstore is small again, or one and a half deferrals have passed:
   * if writers fill it faster than it is flushed no look sees it small.
   */
  @ParameterizedTest
  @CsvSource({
    "0, 0.9, true, 5, 0, none is due",
    "0, 4, false, 5, 0, an ordinary flush",
    "0, 1, true, 5, 5, begins",
    "5, 1, false, 7, 5, is not flushed yet",
    "5, 4, true, 95, 5, is flushed now",
    "5, 4, true, 139, 5, and still is",
    "5, 0.9, true, 9, 0, is small",
    "5, 4, true, 140, 140, begins anew",
    "5, 4, false, 140, 0, is over"
  })
  void deferredSince(
      long before, double flushes, boolean tooMany, long now, long since, String what) {
    assertEquals(since, WritePressure.deferredSince(before, flushes, tooMany, now, LONGEST), what);
  }

  /** Nor does it fall if the memstore grows. */
  @Test
  void nowhereDoesTheDelayJump() {
    Random random = new Random(17);
    for (int i = 0; i < 10_000; i++) {
      double passed = random.nextDouble() * 0.6;
      double flushes = 0.5 + random.nextDouble() * 4;
      long here = delay(WritePressure.of(flushes, 4, passed));
      long there = delay(WritePressure.of(flushes + 0.005, 4, passed));
      String what = flushes + " flushes after " + passed;
      assertTrue(here <= there, () -> "shorter at more than " + what);
      assertTrue(there <= 2 + 1.2 * here, () -> "a jump at " + what);
    }
  }
}
