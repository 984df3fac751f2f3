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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private static final long START = 7 * MINUTE;

  private final DatanodeInfo[] nodes = {
    StalledNodesTest.node(1), StalledNodesTest.node(2), StalledNodesTest.node(3)
  };
  private final Acknowledgements acknowledgements = new Acknowledgements(nodes, 200);
  private final RecentSpread spread = new RecentSpread();

  /**
   * @param spread milliseconds behind the previous replica
   */
  private void record(int node, long millis, int unfinished, long spread) {
    acknowledgements.record(nodes[node], 1, millis, 1, unfinished, 1 + spread);
  }

  private long spreadMillis() {
    return TimeUnit.NANOSECONDS.toMillis(acknowledgements.spread(spread, START));
  }

  @Test
  void theTimesAreThoseOfHalfOfTheReplicas() {
    record(1, 2, 2, 0);
    record(0, 8, 1, 0);
    record(2, 500, 0, 492);
    assertEquals(8, TimeUnit.NANOSECONDS.toMillis(acknowledgements.lastNanos));
    assertEquals(1, TimeUnit.NANOSECONDS.toMillis(acknowledgements.usualNanos), "an eighth of it");
  }

  /** HBase takes times by the wall clock; the fail-over would be off for dozens of flushes. */
  @Test
  void aClockThatIsSetDoesNotMakeHoursUsual() {
    record(0, 3_600_000, 1, 0);
    record(0, -3_600_000, 1, 0);
    long usual = TimeUnit.NANOSECONDS.toMillis(acknowledgements.usualNanos);
    assertTrue(usual >= 0 && usual < 1_000, usual + " ms");
    Acknowledgements patient = new Acknowledgements(nodes, 20_000);
    patient.record(nodes[0], 1, 80_000, 1, 1, 1);
    assertEquals(10_000, TimeUnit.NANOSECONDS.toMillis(patient.usualNanos), "an eighth");
  }

  @Test
  void theLongestSpreadOfEachReplicaIsToldOnce() {
    record(0, 40, 0, 30);
    record(0, 30, 0, 20);
    record(1, 60, 0, 50);
    assertEquals(30, spreadMillis());
    assertEquals(0, acknowledgements.spread(new RecentSpread(), START));
  }

  /** Not one replica alone, the end of a block, or what comes after the output was given up. */
  @Test
  void theSpreadIsFromTheReplicaBeforeToTheLastOneOfTheSamePacket() {
    acknowledgements.record(nodes[0], 1, 400, -1, 0, 1_400);
    acknowledgements.record(nodes[1], 1, 400, -1, 0, 1_400);
    acknowledgements.record(nodes[1], 0, 500, 7, 0, 507);
    acknowledgements.record(nodes[0], 0, 900, 7, 0, 907);
    assertEquals(0, spreadMillis());
    acknowledgements.record(nodes[0], 1, 4, -1, 2, 1_004);
    acknowledgements.record(nodes[1], 1, 6, 1_004, 1, 1_006);
    acknowledgements.record(nodes[2], 1, 106, 1_006, 0, 1_106);
    acknowledgements.record(nodes[2], 1, 4, -1, 2, 2_004);
    acknowledgements.record(nodes[1], 1, 6, 2_004, 1, 2_006);
    acknowledgements.record(nodes[0], 1, 86, 2_006, 0, 2_086);
    assertEquals(80, spreadMillis());
    acknowledgements.over = true;
    record(1, 10_000, 0, 9_990);
    assertEquals(80, spreadMillis());
  }

  @Test
  void theEndOfTheBlockCountsAsAPacketAndNotAsATime() {
    acknowledgements.record(nodes[0], 0, 900, 7, 1, 907);
    assertEquals(0, acknowledgements.lastNanos);
    assertTrue(acknowledgements.areBehind(0b100, 1));
    assertFalse(acknowledgements.areBehind(0b001, 1));
  }

  @Test
  void recentSpread_isTheSecondLongestOfThoseInThisMinuteAndTheOneBefore() {
    spread.record("one", 7, START + 1);
    spread.record("one", 9, START + 1);
    assertEquals(0, spread.secondLongest(START + 1), "one that is late all by itself");
    spread.record("two", 3, START + 2);
    spread.record("two", 5, START + 3);
    spread.record("three", 4, START + 3);
    assertEquals(5, spread.secondLongest(START + 3));
    spread.record("three", 8, START + MINUTE);
    assertEquals(8, spread.secondLongest(START + 2 * MINUTE - 1));
    assertEquals(0, spread.secondLongest(START + 2 * MINUTE), "of the one before there is one");
  }

  @Test
  void recentSpread_ofOneThatIsLateByItselfInBothMinutes_isNone() {
    spread.record("one", 7, START + 1);
    spread.record("one", 9, START + MINUTE);
    assertEquals(0, spread.secondLongest(START + MINUTE));
  }

  @Test
  void recentSpread_isForgottenIfNothingWasWrittenForLong() {
    spread.record("one", 7, START + MINUTE);
    spread.record("two", 7, START + MINUTE);
    assertEquals(7, spread.secondLongest(START + 3 * MINUTE - 1));
    assertEquals(0, spread.secondLongest(START + 3 * MINUTE));
    spread.record("one", 2, START + 100 * MINUTE);
    spread.record("two", 2, START + 100 * MINUTE);
    assertEquals(2, spread.secondLongest(START + 101 * MINUTE));
  }
}
