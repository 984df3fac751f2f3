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

import java.util.Collection;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

class StalledNodesTest {
  private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
  private static final long FIRST = 30 * SECOND;

  private final DatanodeInfo one = node(1);
  private final DatanodeInfo two = node(2);
  private final StalledNodes stalled = new StalledNodes(FIRST);
  private long now = 5;

  static DatanodeInfo node(int number) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("127.0.0.1", "host", "uuid-" + number, 1000 + number, 1, 1, 1))
        .build();
  }

  private boolean leave(DatanodeInfo... nodes) {
    return stalled.leave(Set.of(nodes), now, 1);
  }

  @Test
  void oneThatStalledIsAvoidedUntilItIsBack() {
    assertEquals(List.of(), stalled.avoided());
    assertEquals(OptionalLong.empty(), stalled.nextProbe(now));
    assertTrue(leave(one));
    now += SECOND;
    assertTrue(leave(two));
    assertEquals(List.of(two, one), stalled.avoided(), "the last one first");
    assertEquals(List.of(), stalled.due(now));
    now += FIRST;
    assertEquals(Set.of(one, two), Set.copyOf(stalled.due(now)));
    assertEquals(FIRST + SECOND, stalled.back(one, now));
    assertEquals(List.of(two), stalled.avoided());
  }

  @Test
  void thePauseBeforeTheProbeGrowsWithEachStallAndEachSlowProbe() {
    long before = 0;
    for (int stall = 0; stall < 3; stall++) {
      leave(one);
      long wait = stalled.nextProbe(now).getAsLong();
      assertTrue(wait > before && wait <= FIRST << stall, wait + " after " + before);
      before = wait;
      now += wait;
      stalled.back(one, now);
    }
    leave(one);
    now += stalled.nextProbe(now).getAsLong();
    stalled.notYet(one, now);
    assertTrue(stalled.nextProbe(now).getAsLong() > 8 * before / 4);
    assertEquals(List.of(one), stalled.avoided());
  }

  @Test
  void oneThatIsNeededIsUsedAndNotLeftAgainBeforeItsTime() {
    leave(one);
    stalled.needed(List.of(one));
    assertEquals(List.of(), stalled.avoided());
    assertEquals(OptionalLong.empty(), stalled.nextProbe(now));
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
    assertTrue(stalled.leave(Set.of(hangs), now, 2), "late for twice as long");
    assertFalse(stalled.leave(Set.of(node(78)), now, 3));
    assertTrue(stalled.leave(Set.of(node(78)), now, 4));
    now += 61 * SECOND;
    assertTrue(leave(node(79)), "a minute later it is as at first");
  }

  @Test
  void whateverTheDisksDoTheTimesInAMinuteAreBounded() {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    System.out.println("StalledNodesTest -Dhybrid.seed=" + seed);
    Random random = new Random(seed);
    // 200 ms are late: with eleven times in a minute one is late for 26 s.
    int most = StalledNodes.PROMPT_A_MINUTE + 7;
    long[] last = new long[most];
    int left = 0;
    int prompt = 0;
    for (int step = 0; step < 100_000; step++) {
      int times = 1 << random.nextInt(9);
      now += (200L * times + random.nextInt(2_000)) * TimeUnit.MILLISECONDS.toNanos(1);
      DatanodeInfo node = node(random.nextInt(30));
      Collection<DatanodeInfo> before = stalled.avoided();
      if (!before.contains(node) && stalled.leave(Set.of(node), now, times)) {
        prompt += times == 1 ? 1 : 0;
        int slot = left++ % last.length;
        assertTrue(left <= last.length || now - last[slot] >= 60 * SECOND, "step " + step);
        last[slot] = now;
      }
      stalled
          .due(now)
          .forEach(
              due -> {
                if (random.nextBoolean()) {
                  stalled.back(due, now);
                } else {
                  stalled.notYet(due, now);
                }
              });
    }
    assertTrue(left > last.length && prompt < left, prompt + " of " + left);
  }
}
