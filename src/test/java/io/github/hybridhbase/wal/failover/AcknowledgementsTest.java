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

import io.github.hybridhbase.wal.failover.Acknowledgements.FlushTimes;
import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

class AcknowledgementsTest {
  private final DatanodeInfo[] nodes = {
    StalledNodesTest.node(1), StalledNodesTest.node(2), StalledNodesTest.node(3)
  };
  private final Acknowledgements acknowledgements = new Acknowledgements(nodes, 200);
  private final RecentSpread spread = new RecentSpread(1);

  /**
   * @param spread milliseconds behind the previous replica
   */
  private static void record(
      Acknowledgements by, DatanodeInfo node, long millis, int unfinished, long spread) {
    by.record(node, 1, millis, 1, unfinished, 1 + spread);
  }

  private long spreadMillis() {
    acknowledgements.spreadsTo(spread, 1);
    return TimeUnit.NANOSECONDS.toMillis(spread.secondLongest(1));
  }

  @Test
  void theTimesAreThoseOfHalfOfTheReplicas() {
    record(acknowledgements, nodes[1], 2, 2, 0);
    record(acknowledgements, nodes[0], 8, 1, 0);
    record(acknowledgements, nodes[2], 500, 0, 492);
    FlushTimes times = acknowledgements.times(5);
    assertEquals(8, TimeUnit.NANOSECONDS.toMillis(times.last));
    assertEquals(1, TimeUnit.NANOSECONDS.toMillis(times.usual), "an eighth of it");
    assertEquals(5, times.spread);
  }

  /** HBase takes times by the wall clock; the fail-over would be off for dozens of flushes. */
  @Test
  void aClockThatIsSetDoesNotMakeHoursUsual() {
    record(acknowledgements, nodes[0], 3_600_000, 1, 0);
    record(acknowledgements, nodes[0], -3_600_000, 1, 0);
    long usual = TimeUnit.NANOSECONDS.toMillis(acknowledgements.times(0).usual);
    assertTrue(usual >= 0 && usual < 1_000, usual + " ms");
    Acknowledgements patient = new Acknowledgements(nodes, 20_000);
    record(patient, nodes[0], 80_000, 1, 0);
    assertEquals(10_000, TimeUnit.NANOSECONDS.toMillis(patient.times(0).usual), "an eighth");
  }

  @Test
  void theLongestSpreadOfEachReplicaIsToldOnce() {
    record(acknowledgements, nodes[0], 40, 0, 30);
    record(acknowledgements, nodes[0], 30, 0, 20);
    record(acknowledgements, nodes[1], 60, 0, 50);
    assertEquals(30, spreadMillis());
    RecentSpread another = new RecentSpread(1);
    acknowledgements.spreadsTo(another, 1);
    assertEquals(0, another.secondLongest(1));
  }

  @Test
  void theSpreadIsFromTheReplicaBeforeToTheLastOneOfTheSamePacket() {
    acknowledgements.record(nodes[0], 1, 4, -1, 2, 1_004);
    acknowledgements.record(nodes[1], 1, 6, 1_004, 1, 1_006);
    acknowledgements.record(nodes[2], 1, 106, 1_006, 0, 1_106);
    acknowledgements.record(nodes[2], 1, 4, -1, 2, 2_004);
    acknowledgements.record(nodes[1], 1, 6, 2_004, 1, 2_006);
    acknowledgements.record(nodes[0], 1, 86, 2_006, 0, 2_086);
    assertEquals(80, spreadMillis());
  }

  @Test
  void oneReplicaHasNoneToBeApartFrom() {
    acknowledgements.record(nodes[0], 1, 400, -1, 0, 1_400);
    acknowledgements.record(nodes[1], 1, 400, -1, 0, 1_400);
    assertEquals(0, spreadMillis());
  }

  @Test
  void whatComesAfterTheOutputWasGivenUpIsNoSpread() {
    record(acknowledgements, nodes[0], 40, 0, 30);
    acknowledgements.end();
    record(acknowledgements, nodes[1], 10_000, 0, 9_990);
    assertEquals(0, spreadMillis());
  }

  @Test
  void theEndOfTheBlockCountsAsAPacketAndNotAsATime() {
    acknowledgements.record(nodes[1], 0, 500, 7, 0, 507);
    acknowledgements.record(nodes[0], 0, 900, 7, 0, 907);
    assertEquals(0, spreadMillis());
    assertEquals(0, acknowledgements.times(0).last);
    assertTrue(acknowledgements.areBehind(List.of(nodes[2]), 1));
    assertFalse(acknowledgements.areBehind(List.of(nodes[1]), 1));
  }
}
