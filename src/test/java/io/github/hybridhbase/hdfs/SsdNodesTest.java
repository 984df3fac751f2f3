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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.Ssds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What the active master publishes of DataNodes. */
@InterfaceAudience.Private
class SsdNodesTest {
  private static DataNodeState node(int number, String state, StorageType... types) {
    return Ssds.dataNode(
        "dn" + number + ".example.org:9866",
        "/dc1/rack-" + number % 40,
        state,
        Set.of(types),
        "10.1." + number / 250 + "." + number % 250 + ":9866");
  }

  private static List<DataNodeState> nodes(int all, int ssd) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      nodes.add(node(i, "In Service", i < ssd ? StorageType.SSD : StorageType.DISK));
    }
    return nodes;
  }

  @Test
  void theTextIsReadAsItWasMeant() {
    List<DataNodeState> live = nodes(20, 3);
    live.add(node(20, "In Service"));
    live.add(node(21, "In Maintenance", StorageType.SSD));
    SsdNodes nodes = SsdNodes.of(live);
    assertEquals(
        "v1 21 3 1 22 /dc1/rack-0=10.1.0.0:9866 /dc1/rack-1=10.1.0.1:9866"
            + " /dc1/rack-2=10.1.0.2:9866",
        nodes.toString());
    SsdNodes read = SsdNodes.parse(nodes.toString()).orElseThrow();
    assertEquals(nodes.toString(), read.toString());
    assertEquals(nodes.rackOf, read.rackOf);
    assertFalse(read.isComplete(), "the media of one are unknown");
    assertTrue(SsdNodes.of(nodes(20, 3)).isComplete());
    assertEquals("v1 0 0 0 0", SsdNodes.of(List.of()).toString());
  }

  @Test
  void noneIsListedWhereNobodyIsNamed() {
    SsdNodes nodes = SsdNodes.of(nodes(5, 3));
    assertEquals("v1 5 3 0 5", nodes.toString());
    assertEquals(Map.of(), nodes.rackOf);
    assertFalse(nodes.isComplete());
  }

  @Test
  void aThousandFitIntoAnXattr() {
    SsdNodes nodes = SsdNodes.of(nodes(2_100, 1_000));
    String text = nodes.toString();
    assertTrue(text.length() < 16_000, () -> text.length() + " characters");
    SsdNodes read = SsdNodes.parse(text).orElseThrow();
    assertTrue(read.rackOf.size() > 500, () -> read.rackOf.size() + " DataNodes");
    assertEquals(1_000, read.withSsd);
    assertFalse(read.isComplete(), "what is left out must not be forgotten");
  }

  @Test
  void whatAnotherVersionWroteIsAbsent() {
    for (String text :
        new String[] {
          "",
          "v1",
          "v2 1 1 0 1",
          "v1 1 1 0",
          "v1 1 1 0 1 10.0.0.1:9866",
          "v1 1 1 0 1  /r=a",
          "v1 -1 1 0 1"
        }) {
      assertEquals(Optional.empty(), SsdNodes.parse(text), text);
    }
  }
}
