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

import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StalledNodesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST = 30 * SECOND;
  private static final long MILLISECOND = TimeUnit.MILLISECONDS.toNanos(1);

  /** What is late, and after what HDFS goes on without a DataNode; milliseconds. */
  private static final long LATE = 200;

  private static final long TIMEOUT = 20_000;

  /** Times in an hour that one disk is left: pauses of 22 s to 6 minutes at least. */
  private static final int MOST_OF_ONE = 14;

  private final DatanodeInfo one = node(1);
  private final DatanodeInfo two = node(2);
  private final long seed = Long.getLong("hybrid.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private long now = 5;
  private final StalledNodes stalled = new StalledNodes(FIRST, () -> now);

  {
    stalled.first = Backoff.starting(FIRST, Jitter.of(random::nextDouble));
  }

  static DatanodeInfo node(int number) {
    DatanodeID id = new DatanodeID("127.0.0.1", "host", "uuid-" + number, 1000 + number, 1, 1, 1);
    DatanodeInfo node = new DatanodeInfoBuilder().setNodeID(id).build();
    return new DatanodeInfoWithStorage(node, "s" + number, StorageType.SSD);
  }

  private boolean leave(DatanodeInfo... nodes) {
    return stalled.leave(Set.of(nodes), 1);
  }

  @Test
  void oneThatStalledIsAvoidedUntilItIsBack() {
    assertEquals(List.of(), stalled.excluded());
    assertEquals(0, stalled.untilBack());
    assertTrue(leave(one));
    now += SECOND;
    assertTrue(leave(two));
    assertEquals(List.of(two, one), stalled.excluded(), "the last one first");
    assertEquals(Set.of("host:1001", "host:1002"), stalled.since().keySet());
    now += stalled.untilBack();
    assertEquals(1, stalled.excluded().size());
    now += FIRST;
    assertEquals(List.of(), stalled.excluded());
    assertEquals(Map.of(), stalled.since());
  }

  @Test
  void thePauseGrowsWithEachStall() {
    long before = 0;
    for (int stall = 0; stall < 3; stall++) {
      leave(one);
      long wait = stalled.untilBack();
      assertTrue(wait > before && wait <= FIRST << stall, wait + " after " + before);
      before = wait;
      now += wait;
    }
  }

  @Test
  void oneThatIsNeededIsUsedAndNotLeftAgainBeforeItsTime() {
    leave(one);
    stalled.reuse(List.of(one));
    assertEquals(List.of(), stalled.excluded());
    assertEquals(0, stalled.untilBack());
    assertFalse(leave(one));
    now += FIRST;
    assertTrue(leave(one));
  }

  @Test
  void manyWalsMayLeaveWhatOneHasLeft() {
    for (int wal = 0; wal < 100; wal++) {
      assertTrue(leave(one));
    }
    assertTrue(leave(two));
  }

  @Test
  void oneThatHangsIsLeftHoweverOftenOthersWereALittleLate() {
    for (int prompt = 0; prompt < StalledNodes.PROMPT_A_MINUTE; prompt++) {
      assertTrue(leave(node(prompt)));
    }
    DatanodeInfo hangs = node(77);
    assertFalse(leave(hangs));
    assertTrue(stalled.leave(Set.of(hangs), 2), "late for twice as long");
    assertFalse(stalled.leave(Set.of(node(78)), 3));
    assertTrue(stalled.leave(Set.of(node(78)), 4));
    now += 61 * SECOND;
    assertTrue(leave(node(79)), "a minute later it is as at first");
  }

  /** Most in a minute and in an hour, and the longest wait in milliseconds, in ten hours. */
  private final long[] most = new long[3];

  /** One of these stalls every few seconds while WALs are written; all in milliseconds. */
  private void play(int nodes, int bad) {
    List<Long> leaves = new ArrayList<>();
    long began = now;
    while (now - began < TimeUnit.HOURS.toNanos(10)) {
      now += MILLISECOND * (1_000 + random.nextInt(6_000));
      DatanodeInfo node = node(random.nextInt(bad));
      List<DatanodeInfo> avoided = stalled.excluded();
      if (!avoided.contains(node)) {
        long stall = Math.min(100L << random.nextInt(10), TIMEOUT); // 0.1 s to 20 s
        most[2] = Math.max(most[2], waits(node, stall, nodes - avoided.size() >= 3, leaves));
      }
    }
  }

  /** A WAL of three replicas leaves it as soon as it may; HDFS does in the end. */
  private long waits(DatanodeInfo node, long stall, boolean mayLeave, List<Long> leaves) {
    long began = now;
    for (long times = 1; mayLeave && times * LATE < stall; times++) {
      now += MILLISECOND * LATE;
      if (stalled.leave(Set.of(node), times)) {
        leaves.removeIf(before -> now - before >= TimeUnit.HOURS.toNanos(1));
        leaves.add(now);
        most[0] = Math.max(most[0], leaves.stream().filter(b -> now - b < 60 * SECOND).count());
        most[1] = Math.max(most[1], leaves.size());
        return times * LATE;
      }
    }
    now = began + MILLISECOND * stall;
    return stall;
  }

  /** As seeds of thousands of runs, these hold for each. */
  @ParameterizedTest
  @CsvSource({"3, 1", "6, 1", "3, 3", "6, 6", "100, 100"})
  void disksStallingForHours_causeBoundedRolls(int nodes, int bad) {
    play(nodes, bad);
    String how =
        String.format(
            "%d of %d stall -Dhybrid.seed=%d: %s", bad, nodes, seed, Arrays.toString(most));
    System.out.println(how);
    // 200 ms are late, and HDFS ends a wait of 20 s: for six times more one can be late for so
    // long.
    assertTrue(most[0] <= StalledNodes.PROMPT_A_MINUTE + 6, how);
    assertTrue(most[1] <= StalledNodes.PROMPT_AN_HOUR + 6, how);
    if (bad == 1) {
      assertTrue(most[1] <= MOST_OF_ONE, how);
      assertTrue(most[2] <= LATE, () -> "left promptly each time: " + how);
    } else if (nodes == 100) {
      assertTrue(most[1] > StalledNodes.PROMPT_AN_HOUR, "the limit is met");
    }
  }
}
