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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The same load and the same assertions without the plugin, with half of it, and with it. Shows
 * that the placement assertions can fail, and makes the table of docs/benchmarks.md of who places
 * what.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class RivalsIT {
  private static final Set<Part> SYSTEM =
      EnumSet.of(Part.USER_WAL, Part.META_WAL, Part.MASTER_WAL, Part.HBASE_META, Part.MASTER_STORE);

  private final Map<Part, String> stock = new EnumMap<>(Part.class);
  private final Map<Part, String> stockWithKey = new EnumMap<>(Part.class);
  private final Map<Part, String> plugin = new EnumMap<>(Part.class);

  /** Runs the load and answers the parts whose assertion is red; notes where each part was. */
  private static Set<Part> red(ClusterSpec spec, Map<Part, String> found) throws Exception {
    Set<Part> red = EnumSet.noneOf(Part.class);
    try (TypedCluster cluster = spec.start()) {
      Rows rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
      rows.put(100);
      // All tables, or an edit of a catalog's keeps the WAL from being archived.
      cluster.util().flush();
      cluster.flushMasterStore();
      cluster.rollWals();
      rows.put(100);
      cluster.flush(rows.table());
      cluster.compact(rows.table(), true);
      BlockProof proof = new BlockProof(cluster);
      cluster.await("archived WALs", () -> !proof.files(Part.OLD_WALS).isEmpty());
      for (Part part : Part.values()) {
        found.put(part, mediumOf(proof.files(part)));
      }
      for (Part part : SYSTEM) {
        try {
          proof.assertPlaced(part);
        } catch (AssertionError e) {
          assertTrue(e.getMessage().contains("are not on SSD"), e.getMessage());
          red.add(part);
        }
      }
    }
    return red;
  }

  private static String mediumOf(List<FileBlocks> files) {
    Set<StorageType> media =
        files.stream()
            .flatMap(file -> file.blocks().stream())
            .flatMap(block -> block.replicas().stream())
            .collect(Collectors.toSet());
    return media.isEmpty()
        ? "-"
        : media.stream().map(Enum::name).sorted().collect(Collectors.joining(" and "));
  }

  @Test
  @Order(1)
  void onStockEverySystemAssertionIsRed() throws Exception {
    assertEquals(SYSTEM, red(TypedCluster.spec(), stock));
  }

  @Test
  @Order(2)
  void stocksOwnWalKeyLeavesMetaAndTheMastersStoreOnDisk() throws Exception {
    assertEquals(
        EnumSet.of(Part.HBASE_META, Part.MASTER_STORE),
        red(TypedCluster.spec().conf("hbase.wal.storage.policy", "ALL_SSD"), stockWithKey));
  }

  @Test
  @Order(3)
  void withThePluginNoAssertionIsRed() throws Exception {
    assertEquals(EnumSet.noneOf(Part.class), red(TypedCluster.spec().plugin(), plugin));
  }

  @Test
  @Order(4)
  void theTableInTheDocumentsIsWhatTheBlocksSay() throws Exception {
    StringBuilder table =
        new StringBuilder(
                "| | stock HBase | stock, `hbase.wal.storage.policy=ALL_SSD` | plugin |\n")
            .append("| --- | --- | --- | --- |\n");
    for (Part part : Part.values()) {
      table.append(
          String.format(
              "| %s | %s | %s | %s |%n",
              part.label(), stock.get(part), stockWithKey.get(part), plugin.get(part)));
    }
    Path base = TypedCluster.baseDirectory();
    Files.writeString(base.resolve("target").resolve("placement-table.md"), table);
    String page = Files.readString(base.resolve("docs/benchmarks.md"), StandardCharsets.UTF_8);
    assertTrue(
        page.contains(table),
        "docs/benchmarks.md does not hold target/placement-table.md:\n" + table);
  }

  /** {@link ProviderAloneIT} with HBase's own provider: what it finds on SSD is not there. */
  @Test
  @Order(5)
  void whatTheProviderAlonePlacesIsRedWithoutIt() throws Exception {
    assertEquals(
        SYSTEM,
        red(
            TypedCluster.spec()
                .plugin()
                .conf("hbase.coprocessor.enabled", "false")
                .conf("hbase.wal.provider", "asyncfs"),
            new EnumMap<>(Part.class)));
  }

  @Test
  @Order(6)
  void switchedOffThePluginLeavesStock() throws Exception {
    assertEquals(
        SYSTEM,
        red(
            TypedCluster.spec().plugin().conf("hbase.hybrid.mode", "off"),
            new EnumMap<>(Part.class)));
  }

  /** The groups are made at the first WAL, when the master has written its store's descriptor. */
  @Test
  @Order(7)
  void asTheDelegateOfAStockMultiwalItPlacesAllButTheMastersFirstFiles() throws Exception {
    assertEquals(
        EnumSet.of(Part.MASTER_STORE),
        red(
            TypedCluster.spec()
                .plugin()
                .conf("hbase.wal.provider", "multiwal")
                .conf(
                    "hbase.wal.regiongrouping.delegate.provider",
                    HybridWALProvider.class.getName()),
            new EnumMap<>(Part.class)));
  }
}
