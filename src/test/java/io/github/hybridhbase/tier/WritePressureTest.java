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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Writes wait where a region is near its limits, by more the nearer it is, and nowhere else. */
@InterfaceAudience.Private
class WritePressureTest {
  private static final int MOST = 1_000;

  /** The pressure where files have not put the flush off before. */
  private static double of(double flushes, int mostFlushes, long files, long mostFiles) {
    return WritePressure.of(flushes, mostFlushes, files, mostFiles, false);
  }

  private static long delay(double pressure) {
    return WritePressure.delayMillis(pressure, 1_000, MOST);
  }

  @Test
  void pressureIsOneWhereHBaseRefusesWrites() {
    assertEquals(1, of(4, 4, 17, 16));
    assertEquals(1, of(4, 4, 16, 16));
    assertEquals(1, of(4, 4, 9, 16), "a memstore that is not flushed");
    assertTrue(of(0, 4, 0, 16) < 0);
  }

  /** HBase looks at files when it flushes, and refuses nothing before. */
  @Test
  void nothingWaitsBeforeAFlushIsDue() {
    for (int files : new int[] {0, 15, 16, 17, 100, 10_000}) {
      for (int mostFlushes = 1; mostFlushes <= 8; mostFlushes++) {
        assertEquals(0, delay(of(0.99, mostFlushes, files, 16)), files + " files");
      }
    }
    assertTrue(delay(of(1, 4, 17, 16)) > 0);
  }

  /** It refuses writes from where it begins to flush on. */
  @Test
  void withoutRoomAboveAFlushNothingWaits() {
    for (double flushes : new double[] {0.5, 0.99, 1, 1.5}) {
      assertEquals(0, delay(of(flushes, 1, 17, 16)), flushes + " flushes");
      assertEquals(0, delay(of(flushes, 1, 0, 16)), flushes + " flushes");
    }
  }

  /** Files do not put it off, so that HBase would refuse writes as soon without the SSD tier. */
  @Test
  void whileFewFilesAreThereAFlushThatIsSlowHasNothingWait() {
    for (int mostFlushes : new int[] {2, 4, 8}) {
      for (int files = 0; files <= 8; files++) {
        for (double flushes : new double[] {1, 1.5, 1.99, mostFlushes}) {
          String what = flushes + " of " + mostFlushes + " flushes, " + files + " files";
          assertEquals(0, delay(of(flushes, mostFlushes, files, 16)), what);
        }
      }
    }
    assertTrue(delay(of(1.9, 2, 9, 16)) > 0);
    assertTrue(delay(WritePressure.of(1.9, 2, 0, 16, true)) > 0, "they put it off before");
  }

  @Test
  void filesPutAFlushOffUntilTheMemstoreIsSmallAgain() {
    assertFalse(WritePressure.putOff(false, 0.9, 17, 16), "none is due");
    assertFalse(WritePressure.putOff(false, 4, 16, 16));
    assertTrue(WritePressure.putOff(false, 1, 17, 16));
    assertTrue(WritePressure.putOff(true, 1, 0, 16), "compacted, and not flushed yet");
    assertFalse(WritePressure.putOff(true, 0.9, 17, 16));
  }

  /** With too many, by however many, it is the memstore that has to fill yet. */
  @Test
  void whileFilesPutTheFlushOffTheRoomInTheMemstoreCounts() {
    for (int files : new int[] {17, 300}) {
      assertEquals(1, delay(of(1, 4, files, 16)));
      assertEquals(10, delay(of(2, 4, files, 16)), 1);
      assertEquals(100, delay(of(3, 4, files, 16)), 2);
      assertEquals(MOST, delay(of(4, 4, files, 16)));
    }
  }

  @Test
  void aCallGoesOnWhereAnotherIsQueued() {
    assertEquals(70, WritePressure.leftMillis(100, 30, 0));
    assertEquals(0, WritePressure.leftMillis(100, 130, 0));
    assertEquals(0, WritePressure.leftMillis(100, 30, 1));
  }

  @Test
  void aClientThatGivesUpSoonWaitsForHalfOfThat() {
    assertEquals(1_000, WritePressure.mostMillis(1_000, Long.MAX_VALUE));
    assertEquals(1_000, WritePressure.mostMillis(1_000, 2_000));
    assertEquals(100, WritePressure.mostMillis(1_000, 200));
    assertEquals(0, WritePressure.mostMillis(1_000, -5));
  }

  @Test
  void aRegionThatCompactsInTimeWaitsForNothing() {
    for (int files = 0; files <= 12; files++) {
      assertEquals(0, delay(of(2, 4, files, 16)), files + " files");
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
    assertEquals(32, WritePressure.delayMillis(0.5, 1_000, MOST));
    assertEquals(537, WritePressure.delayMillis(0.5, 1 << 20, MOST));
    assertEquals(MOST, WritePressure.delayMillis(0.5, 1 << 30, MOST));
  }

  @Test
  void nowhereDoesTheWaitJump() {
    Random random = new Random(17);
    for (int i = 0; i < 10_000; i++) {
      double pressure = random.nextDouble() * 1.8 - 0.5;
      long here = delay(pressure);
      long there = delay(pressure + 0.008);
      assertTrue(here <= there, () -> "shorter at more than " + pressure);
      assertTrue(there <= 1 + 1.1 * here, () -> "a jump at " + pressure);
    }
  }

  /** Nor does it fall where the memstore or the number of files grows. */
  @Test
  void nowhereDoesThePressureFall() {
    Random random = new Random(18);
    for (int i = 0; i < 10_000; i++) {
      double flushes = random.nextDouble() * 5;
      int files = random.nextInt(40);
      int mostFiles = 4 + random.nextInt(30);
      double here = of(flushes, 4, files, mostFiles);
      double more = of(flushes + 0.01, 4, files, mostFiles);
      double another = of(flushes, 4, files + 1, mostFiles);
      assertTrue(more >= here && another >= here, () -> "less than " + here);
      assertTrue(here < 0 || more <= here + 0.05, () -> "a jump at " + here);
    }
  }
}
