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
package io.github.hybridhbase.wal.failover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecentSpreadTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** As {@link System#nanoTime()} it may be anything. */
  private static final long START = Long.MAX_VALUE - MINUTE;

  private final RecentSpread spread = new RecentSpread(START);

  @Test
  void isTheThirdLongestOfThisMinuteAndTheOneBefore() {
    spread.had(7, START + 1);
    spread.had(9, START + 2);
    assertEquals(0, spread.thirdLongest(START + 2), "one or two say nothing");
    spread.had(5, START + 3);
    spread.had(2, START + 4);
    assertEquals(5, spread.thirdLongest(START + 4));
    spread.had(8, START + MINUTE);
    assertEquals(7, spread.thirdLongest(START + MINUTE));
    assertEquals(7, spread.thirdLongest(START + 2 * MINUTE - 1));
    assertEquals(0, spread.thirdLongest(START + 2 * MINUTE), "of the one before there is one");
  }

  @Test
  void isForgottenWhereNothingWasWrittenForLong() {
    for (int flush = 0; flush < 3; flush++) {
      spread.had(7, START + MINUTE);
    }
    assertEquals(7, spread.thirdLongest(START + 3 * MINUTE - 1));
    assertEquals(0, spread.thirdLongest(START + 3 * MINUTE));
    assertEquals(0, spread.thirdLongest(START + 100 * MINUTE));
    for (int flush = 0; flush < 3; flush++) {
      spread.had(2, START + 100 * MINUTE);
    }
    assertEquals(2, spread.thirdLongest(START + 101 * MINUTE));
  }
}
