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

/**
 * Writes wait where a region or server is near its limits, by more the nearer it is, and nowhere
 * else.
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

  /** It refuses writes from where it begins to flush on. */
  @Test
  void withoutRoomAboveAFlushNothingWaits() {
    for (double flushes : new double[] {0.5, 0.99, 1, 1.5}) {
      assertEquals(0, delay(WritePressure.of(flushes, 1, 0)), flushes + " flushes");
    }
  }

  @Test
  void aFifthOfTheRoomIsForBursts() {
    assertEquals(0, delay(WritePressure.of(1.59, 4, 0)));
    assertEquals(1, delay(WritePressure.of(1.61, 4, 0)));
    assertEquals(10, delay(WritePressure.of(2, 4, 0)), 1);
    assertEquals(100, delay(WritePressure.of(3, 4, 0)), 2);
    assertEquals(MOST, delay(WritePressure.of(4, 4, 0)));
  }

  @Test
  void halfOfTheRoomIsForWhatIsWrittenDuringAFlush() {
    assertEquals(0, delay(WritePressure.duringFlush(0.5, 4)));
    assertEquals(0, delay(WritePressure.duringFlush(2.49, 4)));
    assertEquals(1, delay(WritePressure.duringFlush(2.51, 4)));
    assertEquals(32, delay(WritePressure.duringFlush(3.25, 4)));
    assertEquals(MOST, delay(WritePressure.duringFlush(4, 4)));
    assertEquals(MOST, delay(WritePressure.duringFlush(5, 4)));
  }

  /** Where a flush is written before as much comes anew. */
  @Test
  void whoWritesNoMoreThanAFlushDuringOneWaitsForNothing() {
    for (int mostFlushes = 1; mostFlushes <= 8; mostFlushes++) {
      assertEquals(
          0, delay(WritePressure.duringFlush(1.99, mostFlushes)), mostFlushes + " at most");
    }
    assertEquals(0, delay(WritePressure.duringFlush(2, 2)));
    assertEquals(MOST, delay(WritePressure.duringFlush(3, 3)));
  }

  /** However long files put the flush off: it comes when the memstore is full, not later. */
  @Test
  void whoWouldNotFillTheMemstoreUntilHBaseFlushesItWaitsForNothing() {
    for (int mostFlushes = 2; mostFlushes <= 8; mostFlushes++) {
      for (int percent = 0; percent <= 120; percent++) {
        double passed = percent / 100.0;
        double flushes = 1 + Math.min(1, passed) * (mostFlushes - 1) * 0.89;
        assertEquals(0, delay(WritePressure.of(flushes, mostFlushes, passed)), percent + " %");
      }
    }
  }

  @Test
  void filesPutAFlushOffUntilTheMemstoreIsSmallAgain() {
    long not = WritePressure.NOT_DEFERRED;
    assertEquals(not, WritePressure.deferredSince(not, 0.9, true, 5, LONGEST), "none is due");
    assertEquals(not, WritePressure.deferredSince(not, 4, false, 5, LONGEST), "an ordinary flush");
    assertEquals(5, WritePressure.deferredSince(not, 1, true, 5, LONGEST));
    assertEquals(5, WritePressure.deferredSince(5, 1, false, 7, LONGEST), "is not flushed yet");
    assertEquals(
        5, WritePressure.deferredSince(5, 4, true, 5 + LONGEST, LONGEST), "is flushed now");
    assertEquals(5, WritePressure.deferredSince(5, 4, true, 130, LONGEST), "and still is");
    assertEquals(not, WritePressure.deferredSince(5, 0.9, true, 9, LONGEST));
  }

  /** Where writers fill the memstore faster than it is flushed no look sees it small. */
  @Test
  void afterAllThatTimeItBeginsAnewOrIsOver() {
    assertEquals(145, WritePressure.deferredSince(5, 4, true, 145, LONGEST));
    assertEquals(
        WritePressure.NOT_DEFERRED, WritePressure.deferredSince(5, 4, false, 145, LONGEST));
  }

  /** At 95 % of it HBase flushes one region after the other. */
  @Test
  void aFifthOfTheRoomBelowAServersLimitIsFree() {
    assertEquals(0, delay(ofServer(0.2)));
    assertEquals(0, delay(ofServer(0.95)));
    assertEquals(0, delay(ofServer(0.9599)));
    assertEquals(1, delay(ofServer(0.9601)));
    assertEquals(32, delay(ofServer(0.98)));
    assertEquals(MOST, delay(ofServer(1)));
    assertEquals(MOST, delay(ofServer(1.2)));
  }

  private static double ofServer(double ofLimit) {
    return WritePressure.ofServer(ofLimit / 0.95, 0.95);
  }

  @Test
  void withoutRoomBelowAServersLimitNothingWaits() {
    for (double ofLimit : new double[] {0.5, 1, 2}) {
      assertEquals(0, delay(WritePressure.ofServer(ofLimit, 1)), ofLimit + " of the limit");
    }
  }

  @Test
  void theWaitBeginsSmallAndEndsAtTheMost() {
    assertEquals(0, delay(WritePressure.NONE));
    assertEquals(0, delay(-0.001));
    assertEquals(1, delay(0));
    assertEquals(32, delay(0.5));
    assertEquals(MOST, delay(1));
    assertEquals(MOST, delay(7));
    assertEquals(0, WritePressure.delayMillis(1, 1_000, 0), "switched off");
  }

  @Test
  void aLargeCallWaitsLonger() {
    assertEquals(32, WritePressure.delayMillis(0.5, 1_000, MOST), 1);
    assertEquals(537, WritePressure.delayMillis(0.5, 1 << 20, MOST), 1);
    assertEquals(MOST, WritePressure.delayMillis(0.5, 1 << 30, MOST));
  }

  /** Nor does it fall where the memstore grows. */
  @Test
  void nowhereDoesTheWaitJump() {
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
