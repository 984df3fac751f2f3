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
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfoWithStorage;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class KnownSsdNodesTest {
  private long now;
  private final KnownSsdNodes known = new KnownSsdNodes(() -> now, address -> false);

  private static DataNodeState node(int number, String state, StorageType... types) {
    return Ssds.dataNode(
        "h" + number + ":9866", "/r" + number % 2, state, Set.of(types), address(number));
  }

  private static String address(int number) {
    return "10.0.0." + number + ":9866";
  }

  /** Twenty DataNodes, of which these many have SSD. */
  static List<DataNodeState> nodes(int ssd) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      nodes.add(node(i, "In Service", i < ssd ? StorageType.SSD : StorageType.DISK));
    }
    return nodes;
  }

  static DatanodeInfo info(int number) {
    return new DatanodeInfo.DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("10.0.0." + number, "h", "u" + number, 9866, 1, 1, 1))
        .setNetworkLocation("/r" + number % 2)
        .build();
  }

  /** A block on these DataNodes, of which those below a number have it on SSD. */
  static LocatedBlock block(int ssd, int... numbers) {
    DatanodeInfoWithStorage[] nodes = new DatanodeInfoWithStorage[numbers.length];
    String[] ids = new String[numbers.length];
    StorageType[] types = new StorageType[numbers.length];
    for (int i = 0; i < numbers.length; i++) {
      ids[i] = "s" + numbers[i];
      types[i] = numbers[i] < ssd ? StorageType.SSD : StorageType.DISK;
      nodes[i] = new DatanodeInfoWithStorage(info(numbers[i]), ids[i], types[i]);
    }
    return new LocatedBlock(new ExtendedBlock("p", 1), nodes, ids, types);
  }

  private List<String> name(String... excluded) {
    return known.name(3, 3, false, List.of(excluded));
  }

  private void taken(List<String> named, int... by) {
    known.answered(named, 3, block(20, by));
  }

  private static int number(String address) {
    return Integer.parseInt(address.replaceAll("10.0.0.|:9866", ""));
  }

  private void looked(List<DataNodeState> live) {
    known.looked(SsdNodes.parse(SsdNodes.of(live).toString()).orElseThrow());
  }

  private void fallen(int... numbers) {
    known.answered(List.of(), 3, block(0, numbers));
  }

  @Test
  void allOfFourAreNamedAndTheThreeFirstChange() {
    looked(nodes(4));
    Set<String> lastOnes = new TreeSet<>();
    for (int wal = 0; wal < 4; wal++) {
      List<String> named = name();
      assertEquals(4, named.size());
      lastOnes.add(named.get(3));
    }
    assertEquals(4, lastOnes.size(), "one is a spare more often than the others");
  }

  @Test
  void whoIsExcludedIsNotNamedAndLastForAWhile() {
    looked(nodes(4));
    assertFalse(name(address(1)).contains(address(1)));
    assertEquals(address(1), name().get(3));
    assertEquals(address(1), name().get(3));
    now += KnownSsdNodes.DOUBT_NANOS;
    assertTrue(name().indexOf(address(1)) < 3);
  }

  @Test
  void whomTheNameNodePassesOverIsASpareForAWhile() {
    looked(nodes(4));
    List<String> named = name();
    taken(named, number(named.get(0)), number(named.get(2)), number(named.get(3)));
    assertEquals(named.get(1), name().get(3));
    now += KnownSsdNodes.DOUBT_NANOS;
    assertTrue(name().indexOf(named.get(1)) < 3);
  }

  @Test
  void aSpareThatWasNotNeededIsNotDoubted() {
    looked(nodes(4));
    List<String> named = name();
    taken(named, number(named.get(0)), number(named.get(1)), number(named.get(2)));
    assertEquals(named.get(3), name().get(0));
  }

  @Test
  void whoIsNotInServiceOrHasNoSsdAnyMoreIsForgotten() {
    looked(nodes(6));
    List<DataNodeState> nodes = nodes(6);
    nodes.set(0, node(0, "Decommission In Progress", StorageType.SSD));
    nodes.set(1, node(1, "In Service", StorageType.DISK));
    nodes.remove(3);
    looked(nodes);
    assertEquals(
        Set.of(address(2), address(4), address(5)), new TreeSet<>(name()), known::toString);
  }

  @Test
  void whoseMediaTheMasterDoesNotKnowIsNotForgotten() {
    looked(nodes(4));
    List<DataNodeState> nodes = nodes(4);
    nodes.set(2, node(2, "In Service"));
    looked(nodes);
    assertEquals(4, known.size());
  }

  @Test
  void whereMostHaveSsdNobodyIsNamedWhoeverWasSeen() {
    looked(nodes(11));
    taken(List.of(), 1, 2, 3);
    fallen(17, 18, 19);
    assertEquals(List.of(), name());
  }

  @Test
  void withoutAListItLearnsFromItsOwnBlocks() {
    taken(List.of(), 1, 2, 3);
    assertEquals(List.of(), name(), "HDFS alone has put all on SSD so far");
    fallen(7, 8, 1);
    assertTrue(known.fallsShort());
    assertEquals(3, name().size());
    taken(name(), 1, 2, 3);
    assertFalse(known.fallsShort());
    assertEquals(3, name().size(), "still, since HDFS alone would not");
  }

  @Test
  void whoNeverTakesABlockIsForgottenAndLearntAgain() {
    looked(nodes(4));
    for (int wal = 0; wal < 20; wal++) {
      List<String> named = name();
      taken(named, named.stream().mapToInt(KnownSsdNodesTest::number).filter(n -> n > 0).toArray());
      now += KnownSsdNodes.DOUBT_NANOS;
    }
    assertEquals(3, known.size());
    taken(List.of(), 0);
    assertEquals(4, known.size());
  }

  /** A DataNode more than belong on SSD would take a replica that belongs on DISK. */
  @Test
  void underOneSsdOneIsNamed() {
    looked(nodes(4));
    Set<String> firsts = new TreeSet<>();
    for (int wal = 0; wal < 4; wal++) {
      List<String> named = known.name(3, 1, false, List.of());
      assertEquals(1, named.size());
      firsts.addAll(named);
    }
    assertEquals(4, firsts.size());
  }

  @Test
  void theLocalOneIsFirstUnlessHBaseWantsNoLocalReplica() {
    KnownSsdNodes here = new KnownSsdNodes(() -> now, address(2)::equals);
    here.looked(SsdNodes.of(nodes(4)));
    for (int wal = 0; wal < 4; wal++) {
      assertEquals(address(2), here.name(3, 3, false, List.of()).get(0));
      assertFalse(here.name(3, 3, true, List.of()).contains(address(2)));
    }
  }

  @Test
  void anAddressOfThisHostIsLocal() {
    KnownSsdNodes real = new KnownSsdNodes();
    List<DataNodeState> nodes = nodes(4);
    nodes.set(
        3,
        Ssds.dataNode("h3:9866", "/r1", "In Service", Set.of(StorageType.SSD), "127.0.0.1:9866"));
    real.looked(SsdNodes.of(nodes));
    assertEquals("127.0.0.1:9866", real.name(3, 3, false, List.of()).get(0));
  }
}
