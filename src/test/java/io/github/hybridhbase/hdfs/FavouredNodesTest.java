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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.KnownSsdNodes.FavouredNodes;
import io.github.hybridhbase.hdfs.KnownSsdNodes.Node;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class FavouredNodesTest {
  private static Node node(String name, String rack, long lastUse) {
    return new Node(name, rack, false, false, lastUse);
  }

  private static List<String> choose(int perRack, int most, Node... nodes) {
    return FavouredNodes.choose(List.of(nodes), 3, perRack, most);
  }

  @Test
  void whoWasChosenLongestAgoComesFirst() {
    assertEquals(
        List.of("c", "a", "d", "b"),
        choose(
            3, 8, node("a", "/r", 2), node("b", "/r", 9), node("c", "/r", 1), node("d", "/r", 3)));
  }

  @Test
  void theLocalOneComesFirstUnlessItIsDoubtful() {
    Node local = new Node("l", "/r", true, false, 99);
    assertEquals("l", choose(3, 8, node("a", "/r", 1), node("b", "/r", 2), local).get(0));
    Node doubtful = new Node("l", "/r", true, true, 0);
    assertEquals(
        List.of("a", "b", "l"), choose(3, 8, node("a", "/r", 1), node("b", "/r", 2), doubtful));
  }

  @Test
  void notAllThreeShareOneOfTwoRacks() {
    assertEquals(
        List.of("a", "b", "d", "c"),
        choose(
            SsdNodes.perRack(3, 2),
            8,
            node("a", "/r1", 1),
            node("b", "/r1", 2),
            node("c", "/r1", 3),
            node("d", "/r2", 4)));
  }

  @Test
  @DisplayName(
      "one spare of a full rack is named, since each rejection is a line in the NameNode log")
  void fullRack_namesOneSpare() {
    assertEquals(
        3,
        choose(
                2,
                8,
                node("a", "/r1", 1),
                node("b", "/r1", 2),
                node("c", "/r1", 3),
                node("d", "/r1", 4))
            .size());
  }

  @Test
  void perRackIsAsHdfsCountsIt() {
    assertEquals(3, SsdNodes.perRack(3, 1));
    assertEquals(2, SsdNodes.perRack(3, 2));
    assertEquals(2, SsdNodes.perRack(3, 4));
    assertEquals(1, SsdNodes.perRack(2, 2)); // HDFS has 2, less one as both replicas
    assertEquals(1, SsdNodes.perRack(1, 9));
    assertEquals(3, SsdNodes.perRack(5, 3));
  }

  @Test
  void noneIsNamedWhereMostHaveSsdOrTooFewWouldBeLeftForDisk() {
    assertEquals(8, FavouredNodes.most(8, 40, 0, 3));
    assertEquals(0, FavouredNodes.most(3, 3, 0, 3));
    assertEquals(0, FavouredNodes.most(21, 40, 0, 3));
    assertEquals(1, FavouredNodes.most(2, 4, 0, 3));
    assertEquals(0, FavouredNodes.most(2, 4, 1, 3));
    assertEquals(2, FavouredNodes.most(3, 6, 1, 3));
    assertEquals(FavouredNodes.MOST, FavouredNodes.most(50, 500, 3, 3));
    assertEquals(0, FavouredNodes.most(0, 0, 0, 3));
  }

  /** Nodes in unequal racks, some of which come and go: all are used, and evenly in each rack. */
  @Test
  void manyChoicesAreEven() {
    Random random = new Random(7);
    List<String> racks = List.of("/r1", "/r1", "/r1", "/r1", "/r2", "/r2", "/r2", "/r2");
    Map<String, Long> lastUse = new TreeMap<>();
    Map<String, Integer> used = new TreeMap<>();
    for (int i = 0; i < racks.size(); i++) {
      lastUse.put("n" + i, -(long) random.nextInt(1_000) - 1);
    }
    long uses = 0;
    for (int wal = 0; wal < 400; wal++) {
      List<Node> nodes = new ArrayList<>();
      for (int i = 0; i < racks.size(); i++) {
        nodes.add(node("n" + i, racks.get(i), lastUse.get("n" + i)));
      }
      Collections.shuffle(nodes, random);
      List<String> chosen = FavouredNodes.choose(nodes, 3, 2, 8);
      for (String name : chosen.subList(0, 3)) {
        lastUse.put(name, ++uses);
        used.merge(name, 1, Integer::sum);
      }
    }
    assertEquals(8, used.size());
    assertTrue(Collections.max(used.values()) <= 1.05 * 150, used::toString);
  }
}
