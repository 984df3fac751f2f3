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

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class KnownSsdNodesTest {
  private static final long BLOCK = 100;

  private long now;
  private final KnownSsdNodes known = new KnownSsdNodes(() -> now, address -> false);

  private static DataNodeState node(int number, String state, long free, StorageType... types) {
    return new DataNodeState(
            "h" + number + ":9866", "/r" + number % 2, state, Set.of(types), OptionalInt.empty())
        .at(address(number));
  }

  private static String address(int number) {
    return "10.0.0." + number + ":9866";
  }

  /** Twenty DataNodes, of which these many have SSD. */
  private static List<DataNodeState> nodes(int ssd) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      nodes.add(node(i, "In Service", 1_000, i < ssd ? StorageType.SSD : StorageType.DISK));
    }
    return nodes;
  }

  private static BlockLocation block(StorageType type, String... addresses) {
    String[] paths = new String[addresses.length];
    StorageType[] types = new StorageType[addresses.length];
    for (int i = 0; i < addresses.length; i++) {
      int number = Integer.parseInt(addresses[i].replaceAll("10.0.0.|:9866", ""));
      paths[i] = "/r" + number % 2 + "/" + addresses[i];
      types[i] = type;
    }
    return new BlockLocation(
        addresses, addresses, new String[0], paths, new String[0], types, 0, 1, false);
  }

  private List<String> name(String... excluded) {
    return known.name(3, 3, BLOCK, false, List.of(excluded));
  }

  private String taken(List<String> named, String... addresses) throws IOException {
    return known.answered(named, 3, 3, BLOCK, List.of(), block(StorageType.SSD, addresses));
  }

  @Test
  void nothingIsNamedBeforeAnythingIsKnown() {
    assertEquals(List.of(), name());
  }

  @Test
  void allOfFourAreNamedAndTheThreeFirstChange() {
    known.looked(nodes(4));
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
    known.looked(nodes(4));
    assertFalse(name(address(1)).contains(address(1)));
    assertEquals(address(1), name().get(3));
    assertEquals(address(1), name().get(3));
    now += KnownSsdNodes.DOUBT_NANOS;
    assertTrue(name().indexOf(address(1)) < 3);
  }

  @Test
  void whomTheNameNodePassesOverIsASpareForAWhile() throws Exception {
    known.looked(nodes(4));
    List<String> named = name();
    taken(named, named.get(0), named.get(2), named.get(3));
    assertEquals(named.get(1), name().get(3));
    now += KnownSsdNodes.DOUBT_NANOS;
    assertTrue(name().indexOf(named.get(1)) < 3);
  }

  @Test
  void aSpareThatWasNotNeededIsNotDoubted() throws Exception {
    known.looked(nodes(4));
    List<String> named = name();
    taken(named, named.get(0), named.get(1), named.get(2));
    assertEquals(named.get(3), name().get(0));
  }

  @Test
  void whoIsNotInServiceOrHasNoSsdAnyMoreIsForgotten() {
    known.looked(nodes(6));
    List<DataNodeState> nodes = nodes(6);
    nodes.set(0, node(0, "Decommission In Progress", 1_000, StorageType.SSD));
    nodes.set(1, node(1, "In Service", 0, StorageType.DISK));
    nodes.set(2, node(2, "In Service", 0)); // its media cannot be read
    nodes.remove(3);
    known.looked(nodes);
    assertEquals(
        Set.of(address(2), address(4), address(5)), new TreeSet<>(name()), known::toString);
  }

  @Test
  void withoutALookItLearnsFromBlocks() throws Exception {
    taken(List.of(), address(1), address(2), address(3));
    assertEquals(List.of(), name(), "all DataNodes that were seen have SSD");
    known.seen(block(StorageType.DISK, address(7), address(8), address(9)));
    assertEquals(3, name().size());
  }

  @Test
  void whoNeverTakesABlockIsForgottenAndLearntAgain() throws Exception {
    known.looked(nodes(4));
    for (int wal = 0; wal < 20; wal++) {
      List<String> named = name();
      taken(named, named.stream().filter(name -> !name.equals(address(0))).toArray(String[]::new));
      now += KnownSsdNodes.DOUBT_NANOS;
    }
    assertEquals(3, known.size());
    known.seen(block(StorageType.SSD, address(0)));
    assertEquals(4, known.size());
  }

  /** As when the space monitor has turned the WALs to HOT. */
  @Test
  void whereThePolicyInForceIsForDiskNobodyIsNamedForAWhile() throws Exception {
    known.looked(nodes(4));
    List<String> named = name();
    assertEquals(
        "the storage policy in force is for DISK",
        known.answered(
            named,
            3,
            3,
            BLOCK,
            List.of(),
            block(StorageType.DISK, named.get(0), named.get(1), named.get(2))));
    assertEquals(List.of(), name());
    now += KnownSsdNodes.PAUSE_NANOS;
    assertEquals(4, name().size());
  }

  /** A DataNode more than belong on SSD would take a replica that belongs on DISK. */
  @Test
  void underOneSsdOneIsNamed() {
    known.looked(nodes(4));
    Set<String> firsts = new TreeSet<>();
    for (int wal = 0; wal < 4; wal++) {
      List<String> named = known.name(3, 1, BLOCK, false, List.of());
      assertEquals(1, named.size());
      firsts.addAll(named);
    }
    assertEquals(4, firsts.size());
  }

  @Test
  void theLocalOneIsFirstUnlessHBaseWantsNoLocalReplica() {
    KnownSsdNodes here = new KnownSsdNodes(() -> now, address(2)::equals);
    here.looked(nodes(4));
    for (int wal = 0; wal < 4; wal++) {
      assertEquals(address(2), here.name(3, 3, BLOCK, false, List.of()).get(0));
      assertFalse(here.name(3, 3, BLOCK, true, List.of()).contains(address(2)));
    }
  }

  @Test
  void anAddressOfThisHostIsLocal() {
    KnownSsdNodes real = new KnownSsdNodes();
    List<DataNodeState> nodes = nodes(4);
    nodes.set(
        3,
        new DataNodeState(
                "h3:9866", "/r1", "In Service", Set.of(StorageType.SSD), OptionalInt.empty())
            .at("127.0.0.1:9866"));
    real.looked(nodes);
    assertEquals("127.0.0.1:9866", real.name(3, 3, BLOCK, false, List.of()).get(0));
  }
}
