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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import java.util.function.LongBinaryOperator;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@InterfaceAudience.Private
class GatherPolicyTest {
  private static final long MS = 1_000_000;
  private final GatherPolicy policy = new GatherPolicy(25);
  private long now = 17;

  private void flushed(int carried, int waiting, long nanos) {
    policy.flushed(carried, waiting, now, now + nanos);
    now += nanos;
  }

  @Test
  void theFirstBatchNeverWaits() {
    assertEquals(0, policy.delayNanos(1));
  }

  @Test
  void oneWriterNeverWaits() {
    for (int i = 0; i < 1_000; i++) {
      flushed(1, 0, 20 * MS);
      assertEquals(0, policy.delayNanos(1));
    }
  }

  @Test
  void halfTheWritersWaitForTheOtherHalf() {
    flushed(50, 50, 8 * MS);
    assertEquals(2 * MS, policy.delayNanos(50));
    assertEquals(2 * MS, policy.delayNanos(99));
    assertEquals(0, policy.delayNanos(100));
  }

  @Test
  void aFastFlushIsNotWaitedFor() {
    flushed(50, 50, GatherPolicy.MIN_LATENCY_NANOS - 1);
    assertEquals(0, policy.delayNanos(50));
  }

  @Test
  void noBatchWaitsLongerThanTheBound() {
    flushed(50, 50, 1_000 * MS);
    assertEquals(GatherPolicy.MAX_DELAY_NANOS, policy.delayNanos(50));
  }

  @Test
  void headersAndTrailersNeverWait() {
    flushed(50, 50, 8 * MS);
    assertEquals(0, policy.delayNanos(0));
  }

  @Test
  void zeroPercentNeverWaits() {
    GatherPolicy never = new GatherPolicy(0);
    never.flushed(50, 50, 0, 100 * MS);
    assertEquals(0, never.delayNanos(1));
  }

  @Test
  void aClockThatGoesBackIsHarmless() {
    for (int i = 0; i < 100; i++) {
      flushed(50, 50, -8 * MS);
      assertEquals(0, policy.delayNanos(50));
    }
  }

  /**
   * A hundred writers, each back {@code back} ns after its answer: what gathers carries them all,
   * what does not takes turns with its other half. The flush's price is the device's.
   *
   * @return share of batches that gathered, of the last half
   */
  private double play(int batches, long back, LongBinaryOperator flushNanos) {
    GatherPolicy subject = new GatherPolicy(100);
    subject.flushed(50, 50, 0, flushNanos.applyAsLong(0, 50));
    long time = 0;
    int gathered = 0;
    for (int i = 0; i < batches; i++) {
      boolean gathers = subject.delayNanos(50) > 0;
      int carried = gathers ? 100 : 50;
      long start = time + (gathers ? back : 0);
      time = start + flushNanos.applyAsLong(i, carried);
      subject.flushed(carried, 100 - carried, start, time);
      gathered += gathers && i >= batches / 2 ? 1 : 0;
    }
    return gathered / (batches / 2.0);
  }

  @Test
  void whereAFlushCostsADevicesTimeBatchesGather() {
    assertTrue(play(4_000, MS / 2, (i, edits) -> 7 * MS) > 0.9);
  }

  @Test
  void whereAFlushCostsProcessorTimeHalvesTakeTurns() {
    assertTrue(play(4_000, MS / 2, (i, edits) -> edits * MS / 100) < 0.1);
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5})
  void aDeviceThatStallsNowAndThenStillGathers(long seed) {
    Random random = new Random(seed);
    assertTrue(play(8_000, MS / 2, (i, edits) -> random.nextInt(12) == 0 ? 80 * MS : MS) > 0.75);
  }

  @Test
  void aDeviceThatBecomesFastIsNoticed() {
    assertTrue(play(80_000, MS / 2, (i, e) -> i < 20_000 ? 7 * MS : e * MS / 100) < 0.1);
  }

  @Test
  void idleHoursDoNotCount() {
    GatherPolicy subject = new GatherPolicy(100);
    long time = 0;
    for (int i = 0; i < 2_000; i++) {
      boolean gathers = subject.delayNanos(50) > 0;
      time += i % 100 == 0 ? 3_600_000 * MS : MS / 2;
      subject.flushed(gathers ? 100 : 50, gathers ? 0 : 50, time, time + 7 * MS);
      time += 7 * MS;
    }
    assertTrue(subject.delayNanos(50) > 0);
  }

  @Test
  void editsThatComeAnywayAreNotWaitedFor() {
    // A hundred a flush's time, whatever is answered: a batch that waits carries more, later.
    GatherPolicy subject = new GatherPolicy(100);
    long time = 0;
    int waits = 0;
    for (int i = 0; i < 4_000; i++) {
      boolean gathers = subject.delayNanos(50) > 0;
      waits += gathers && i >= 2_000 ? 1 : 0;
      long start = time + (gathers ? 7 * MS : 0);
      subject.flushed(gathers ? 200 : 100, 0, start, start + 7 * MS);
      time = start + 7 * MS;
    }
    assertTrue(waits < 200, waits + " of 2000");
  }
}
