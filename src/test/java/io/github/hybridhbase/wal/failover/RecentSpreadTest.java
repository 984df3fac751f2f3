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
  void isTheLongestOfThisMinuteAndTheOneBefore() {
    assertEquals(0, spread.longest(START));
    spread.had(7, START + 1);
    spread.had(5, START + 2);
    assertEquals(7, spread.longest(START + 2));
    spread.had(3, START + MINUTE);
    assertEquals(7, spread.longest(START + 2 * MINUTE - 1));
    assertEquals(3, spread.longest(START + 2 * MINUTE));
    assertEquals(0, spread.longest(START + 3 * MINUTE));
  }

  @Test
  void isForgottenWhereNothingWasWrittenForLong() {
    spread.had(7, START + MINUTE);
    assertEquals(0, spread.longest(START + 3 * MINUTE));
    assertEquals(0, spread.longest(START + 100 * MINUTE));
    spread.had(2, START + 100 * MINUTE);
    assertEquals(2, spread.longest(START + 101 * MINUTE));
  }
}
