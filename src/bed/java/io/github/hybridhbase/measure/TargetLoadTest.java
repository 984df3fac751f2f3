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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** A share of what all HDD does. */
@InterfaceAudience.Private
class TargetLoadTest {
  private static JsonNode measured(Cell cell, double rate) {
    ObjectNode node = new ObjectMapper().createObjectNode();
    for (Axis axis : Axis.values()) {
      node.put(axis.label(), cell.get(axis));
    }
    node.put("opsPerSecond", rate);
    return node;
  }

  @Test
  void aNumberIsItself() {
    assertEquals(0, TargetLoad.of(Cell.base(), List.of()));
    assertEquals(250, TargetLoad.of(Cell.base().with(Axis.TARGET, "250"), List.of()));
  }

  @Test
  void aShareIsOfTheMedianOfAllHddElseAlike() {
    Cell hdd = Cell.base();
    List<JsonNode> measured =
        List.of(
            measured(hdd, 100),
            measured(hdd.with(Axis.ROUND, "2"), 200),
            measured(hdd.with(Axis.ROUND, "3"), 400),
            measured(hdd.with(Axis.SETUP, "hybrid"), 9_000),
            measured(hdd.with(Axis.WORKLOAD, "C"), 9_000),
            measured(hdd.with(Axis.THREADS, "100"), 9_000));
    Cell cell = hdd.with(Axis.TARGET, "80%").with(Axis.SETUP, "hybrid").with(Axis.ROUND, "2");
    assertEquals(160, TargetLoad.of(cell, measured));
  }

  @Test
  void itSaysThatAllHddIsMissing() {
    Cell cell = Cell.base().with(Axis.TARGET, "80%");
    assertThrows(IllegalArgumentException.class, () -> TargetLoad.of(cell, List.of()));
  }
}
