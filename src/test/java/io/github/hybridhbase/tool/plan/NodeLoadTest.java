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
package io.github.hybridhbase.tool.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.plan.PlanReport.NodeLoad;
import io.github.hybridhbase.tool.plan.Workload.Input;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What a DataNode with SSD carries if there are few. */
@InterfaceAudience.Private
class NodeLoadTest {
  private static Workload eightOfForty() {
    return Workload.empty()
        .with(Input.SERVERS, 40, "")
        .with(Input.DATA_NODES, 8, "")
        .with(Input.WRITE_RATE, 200e6, "")
        .with(Input.WAL_REPLICATION, 3, "")
        .with(Input.REPLICATION, 3, "")
        .with(Input.NETWORK, 1.25e9, "")
        .with(Input.IOPS, 20_000, "")
        .with(Input.SYNCS, 100, "");
  }

  @Test
  void eachOfEightCarriesThreeEighthsOfTheEdits() {
    NodeLoad load = new NodeLoad(eightOfForty());
    assertEquals(200e6 * 3 / 8, load.received());
    assertEquals(200e6 * 2 / 8, load.sent());
    assertEquals(40 * 100 * 3 * 2 / 8, load.requests());
    assertEquals(0.06, load.networkShare(), 1e-9);
    assertEquals(0.15, load.iopsShare(), 1e-9);
    assertEquals(266, load.mostServers()); // 40 / 0.15
    assertFalse(load.saturates());
  }

  @Test
  void theTierAddsFlushesAndCompactions() {
    NodeLoad load = new NodeLoad(eightOfForty().with(Input.TIER, 10, ""));
    assertEquals(200e6 * 9 / 8, load.received());
    assertEquals(200e6 * 8 / 8, load.sent());
  }

  @Test
  void theFirstThatIsFullCounts() {
    NodeLoad network = new NodeLoad(eightOfForty().with(Input.NETWORK, 60e6, ""));
    assertTrue(network.saturates());
    assertEquals(32, network.mostServers()); // 40 * 60 / 75
    NodeLoad idle =
        new NodeLoad(eightOfForty().with(Input.WRITE_RATE, 0, "").with(Input.SYNCS, 0, ""));
    assertFalse(idle.saturates());
    assertTrue(Double.isInfinite(idle.mostServers()));
  }
}
