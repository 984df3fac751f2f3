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

import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class RecentSpreadTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  /** As {@link System#nanoTime()} it may be anything. */
  private static final long START = Long.MAX_VALUE - MINUTE;

  private final RecentSpread spread = new RecentSpread(START);

  @Test
  void aDataNodeThatIsLateAllByItselfMakesNone() {
    spread.record("one", 7, START + 1);
    spread.record("one", 9, START + MINUTE);
    assertEquals(0, spread.secondLongest(START + MINUTE));
  }

  @Test
  void isTheSecondLongestOfThoseInThisMinuteAndTheOneBefore() {
    spread.record("one", 9, START + 1);
    spread.record("two", 3, START + 2);
    spread.record("two", 5, START + 3);
    spread.record("three", 4, START + 3);
    assertEquals(5, spread.secondLongest(START + 3));
    spread.record("three", 8, START + MINUTE);
    assertEquals(8, spread.secondLongest(START + 2 * MINUTE - 1));
    assertEquals(0, spread.secondLongest(START + 2 * MINUTE), "of the one before there is one");
  }

  @Test
  void isForgottenWhereNothingWasWrittenForLong() {
    spread.record("one", 7, START + MINUTE);
    spread.record("two", 7, START + MINUTE);
    assertEquals(7, spread.secondLongest(START + 3 * MINUTE - 1));
    assertEquals(0, spread.secondLongest(START + 3 * MINUTE));
    spread.record("one", 2, START + 100 * MINUTE);
    spread.record("two", 2, START + 100 * MINUTE);
    assertEquals(2, spread.secondLongest(START + 101 * MINUTE));
  }
}
