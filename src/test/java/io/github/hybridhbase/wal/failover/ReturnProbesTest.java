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

import io.github.hybridhbase.hdfs.NodeProber;
import io.github.hybridhbase.wal.failover.StalledNodes.ReturnProbes;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.junit.jupiter.api.Test;

/** When DataNodes that were left out are asked; the time is the test's. */
class ReturnProbesTest {
  private static final long FIRST = TimeUnit.SECONDS.toNanos(30);

  private final DatanodeInfo one = StalledNodesTest.node(1);
  private final DatanodeInfo two = StalledNodesTest.node(2);
  private final PriorityQueue<TimedTask> looks = TimedTask.queue();
  private final List<DatanodeInfo> asked = new ArrayList<>();
  private final StalledNodes stalled = new StalledNodes(FIRST);
  private final ReturnProbes probes =
      new ReturnProbes(
          stalled,
          (look, nanos) -> looks.add(new TimedTask(now() + nanos, look)),
          this::now,
          node -> {});
  private NodeProber.Answer found = NodeProber.Answer.SLOW;
  private long now = 1;

  private final LogDirectory directory =
      new LogDirectory() {
        @Override
        public boolean takesFiles() {
          return true;
        }

        @Override
        public NodeProber.Answer probe(DatanodeInfo node, Verdict verdict) {
          asked.add(node);
          return found;
        }

        @Override
        public void publishExcluded(Collection<DatanodeInfo> nodes) {}
      };

  private long now() {
    return now;
  }

  private void leave(DatanodeInfo node) {
    stalled.leave(Set.of(node), now, 1);
    probes.expect(new Verdict(Set.of(node), 7, 200, 200, true, false), directory);
  }

  private void pass(long seconds) {
    long end = now + TimeUnit.SECONDS.toNanos(seconds);
    while (!looks.isEmpty() && looks.peek().at <= end) {
      TimedTask look = looks.remove();
      now = look.at;
      look.run.run();
    }
    now = end;
  }

  @Test
  void eachIsAskedWhenItsOwnPauseIsOver() {
    leave(one);
    while (stalled.untilProbe(one, now).getAsLong() < 8 * FIRST) {
      pass(10);
    }
    asked.clear();
    leave(two);
    pass(30);
    assertEquals(List.of(two), asked, "the other one's pause is minutes long");
    found = NodeProber.Answer.QUICK;
    pass(60);
    assertEquals(List.of(two, two), asked);
    assertEquals(List.of(one), stalled.excluded());
    pass(TimeUnit.MINUTES.toSeconds(10));
    assertEquals(List.of(two, two, one), asked);
    assertEquals(List.of(), stalled.excluded());
    pass(TimeUnit.HOURS.toSeconds(1));
    assertEquals(3, asked.size(), "nobody is asked any more");
  }

  @Test
  void howeverManyWalsLeaveItAndHoweverOftenItIsAskedOnce() {
    found = NodeProber.Answer.QUICK;
    leave(one);
    leave(one);
    stalled.reuse(List.of(one)); // and is due anew after twice the pause
    pass(31);
    assertEquals(List.of(), asked, "a WAL is written to it");
    leave(one);
    leave(one);
    pass(31);
    assertEquals(List.of(), asked, "too early");
    pass(31);
    assertEquals(List.of(one), asked);
    pass(TimeUnit.HOURS.toSeconds(1));
    assertEquals(List.of(one), asked);
  }
}
