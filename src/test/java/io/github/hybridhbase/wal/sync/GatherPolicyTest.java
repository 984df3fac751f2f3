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
package io.github.hybridhbase.wal.sync;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class GatherPolicyTest {
  private static final long MS = 1_000_000;
  private final GatherPolicy policy = new GatherPolicy(25);

  @Test
  void theFirstBatchNeverWaits() {
    assertEquals(0, policy.delayNanos(1));
  }

  @Test
  void oneWriterNeverWaits() {
    for (int i = 0; i < 1_000; i++) {
      policy.flushed(1, 0, 20 * MS);
      assertEquals(0, policy.delayNanos(1));
    }
  }

  @Test
  void halfTheWritersWaitForTheOtherHalf() {
    policy.flushed(50, 50, 8 * MS);
    assertEquals(2 * MS, policy.delayNanos(50));
    assertEquals(2 * MS, policy.delayNanos(99));
    assertEquals(0, policy.delayNanos(100));
  }

  @Test
  void aFastFlushIsNotWaitedFor() {
    policy.flushed(50, 50, GatherPolicy.MIN_LATENCY_NANOS - 1);
    assertEquals(0, policy.delayNanos(50));
  }

  @Test
  void noBatchWaitsLongerThanTheBound() {
    policy.flushed(50, 50, 1_000 * MS);
    assertEquals(GatherPolicy.MAX_DELAY_NANOS, policy.delayNanos(50));
  }

  @Test
  void headersAndTrailersNeverWait() {
    policy.flushed(50, 50, 8 * MS);
    assertEquals(0, policy.delayNanos(0));
  }

  @Test
  void zeroPercentNeverWaits() {
    GatherPolicy never = new GatherPolicy(0);
    never.flushed(50, 50, 100 * MS);
    assertEquals(0, never.delayNanos(1));
  }

  @Test
  void aClockThatGoesBackIsHarmless() {
    policy.flushed(50, 50, -8 * MS);
    assertEquals(0, policy.delayNanos(50));
  }

  private int batchesUntilTheNextWait() {
    int batches = 0;
    while (policy.delayNanos(50) == 0) {
      batches++;
    }
    return batches;
  }

  @Test
  void afterWaitsInVainEverMoreBatchesLeaveAtOnce() {
    policy.flushed(50, 50, 16 * MS);
    for (int batches = 1; batches <= GatherPolicy.MAX_BACK_OFF; batches *= 2) {
      policy.waited(false);
      assertEquals(batches, batchesUntilTheNextWait());
    }
    policy.waited(false);
    assertEquals(GatherPolicy.MAX_BACK_OFF, batchesUntilTheNextWait());
  }

  @Test
  void completeCompanyMakesItTryMoreOften() {
    policy.flushed(50, 50, 16 * MS);
    for (int i = 0; i < 20; i++) {
      policy.waited(false);
    }
    assertEquals(GatherPolicy.MAX_BACK_OFF, batchesUntilTheNextWait());
    for (int i = 0; i < 9; i++) {
      policy.waited(true);
      assertEquals(0, batchesUntilTheNextWait());
    }
    policy.waited(false);
    assertEquals(1, batchesUntilTheNextWait());
  }

  @Test
  void aDropOfTheLoadCostsOneWait() {
    policy.flushed(99, 1, 8 * MS);
    assertTrue(policy.delayNanos(1) > 0);
    policy.waited(false);
    policy.flushed(1, 0, 8 * MS);
    assertEquals(0, policy.delayNanos(1));
  }
}
