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
import static org.junit.jupiter.api.Assertions.fail;

import io.github.hybridhbase.wal.failover.FailOverSchedule.Event;
import io.github.hybridhbase.wal.failover.ModelLog.Fault;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Fail-overs at every step of a log's life, under thousands of random schedules: nothing that was
 * acknowledged is lost, nothing is acknowledged twice or out of turn, every edit is answered, every
 * file is closed or recovered, rolls are bounded, and no DataNode is left out for ever.
 */
class FailOverScheduleTest {
  private static final int SCHEDULES = 2_000;

  /** Override with {@code -Dhybrid.seed=N} to repeat one. */
  private static final Long ONLY = Long.getLong("hybrid.seed");

  @Test
  void everyScheduleKeepsTheContractAndAllStepsAreMet() {
    long base = ONLY != null ? ONLY : System.nanoTime();
    EnumMap<Event, Integer> events = new EnumMap<>(Event.class);
    for (long seed = base; seed < base + (ONLY != null ? 1 : SCHEDULES); seed++) {
      long number = seed;
      assertEquals(
          List.of(),
          FailOverSchedule.play(seed, events, Fault.NONE),
          () -> "-Dhybrid.seed=" + number);
    }
    System.out.println("FailOverScheduleTest -Dhybrid.seed=" + base + " and on: " + events);
    if (ONLY == null) {
      assertEquals(EnumSet.allOf(Event.class), events.keySet());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "HEARS_OLD_FILES, not every replica has it",
    "FORGETS, not every replica has it",
    "ANSWERS_EARLY, not every replica has it",
    "KNOWS_NO_LIMIT, times in a minute"
  })
  void aLogThatBreaksTheContractIsCaught(Fault fault, String by) {
    long base = System.nanoTime();
    for (long seed = base; seed < base + SCHEDULES; seed++) {
      for (String found : FailOverSchedule.play(seed, new EnumMap<>(Event.class), fault)) {
        if (found.contains(by)) {
          return;
        }
      }
    }
    fail("No schedule noticed it; seeds from " + base);
  }
}
