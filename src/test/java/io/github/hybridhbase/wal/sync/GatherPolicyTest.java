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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class GatherPolicyTest {
  private static final long MS = 1_000_000;
  private final GatherPolicy policy = new GatherPolicy(25);

  @Test
  void theFirstBatchAndThoseOfOneWriterNeverWait() {
    assertEquals(0, policy.delayNanos(1));
    for (int i = 0; i < 1_000; i++) {
      policy.flushed(1, 0, 20 * MS);
      assertEquals(0, policy.delayNanos(1));
    }
  }

  /** After a flush of fifty edits, with fifty more that wait. */
  @ParameterizedTest
  @CsvSource({
    "25,    8000000,  50, 2000000",
    "25,    8000000,  99, 2000000",
    "25,    8000000, 100,       0", // all are there
    "25,      99999,  50,       0", // a fast flush is not waited for
    "25,     100000,  50,   25000",
    "25, 1000000000,  50, 5000000", // the bound
    "25,    8000000,   0,       0", // a header or a trailer
    "0,   100000000,   1,       0",
    "25,   -8000000,  50,       0" // the clock went back
  })
  void halfTheWritersWaitForTheOtherHalf(int percent, long flushNanos, int edits, long delay) {
    GatherPolicy of = new GatherPolicy(percent);
    of.flushed(50, 50, flushNanos);
    assertEquals(delay, of.delayNanos(edits));
  }

  private int batchesUntilTheNextWait() {
    int batches = 0;
    while (policy.delayNanos(50) == 0) {
      batches++;
    }
    return batches;
  }

  @Test
  void waitsInVainMakeItTryMoreRarely_completeOnesMoreOften() {
    policy.flushed(50, 50, 16 * MS);
    for (int batches = 1; batches <= GatherPolicy.MAX_BACK_OFF; batches *= 2) {
      policy.waited(false);
      assertEquals(batches, batchesUntilTheNextWait());
    }
    policy.waited(false);
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
