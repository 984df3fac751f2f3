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

import io.github.hybridhbase.testing.Seeds;
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
  private static final Seeds SEEDS = Seeds.of("hybrid.seed");

  @Test
  void everyScheduleKeepsTheContractAndAllStepsAreMet() {
    EnumMap<Event, Integer> events = new EnumMap<>(Event.class);
    for (long seed : SEEDS.orElse(SCHEDULES)) {
      assertEquals(
          List.of(), FailOverSchedule.play(seed, events, Fault.NONE), () -> SEEDS.repeat(seed));
    }
    System.out.println("FailOverScheduleTest, " + SEEDS + ": " + events);
    if (!SEEDS.isOne()) {
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
    SEEDS.assertNoticed(
        by, SCHEDULES, seed -> FailOverSchedule.play(seed, new EnumMap<>(Event.class), fault));
  }
}
