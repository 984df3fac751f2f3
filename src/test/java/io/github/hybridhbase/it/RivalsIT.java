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
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tier.StoreFileMedia;
import io.github.hybridhbase.wal.HybridWALProvider;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * The same load and the same assertions without the plugin, with half of it, and with it. Shows
 * that the placement assertions can fail, and makes the table of docs/dev/measured.md of who places
 * what.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
@Tag("long")
class RivalsIT {

  private static final String PERIOD = "hybrid.tests.period";
  private static final String NEW_FILES = "user store files, flushed";

  private final Map<String, String> stock = new LinkedHashMap<>();
  private final Map<String, String> stockWithKey = new LinkedHashMap<>();
  private final Map<String, String> plugin = new LinkedHashMap<>();

  /** Runs the load and answers the parts whose assertion is red; notes where each part was. */
  private static Set<Part> red(ClusterSpec spec, Map<String, String> found) throws Exception {
    Set<Part> red = EnumSet.noneOf(Part.class);
    try (TypedCluster cluster = spec.start()) {
      Rows rows = Rows.create(cluster, "rows", "DEFAULT", null, new Random(1));
      if (cluster.conf().get(PERIOD) != null) {
        new StoreFileMedia(cluster).awaitOpen(rows.table());
      }
      rows.put(100);
      // All tables, or an edit of a catalog's keeps the WAL from being archived.
      cluster.util().flush();
      cluster.flushMasterStore();
      cluster.rollWals();
      rows.put(100);
      cluster.flush(rows.table());
      BlockProof proof = new BlockProof(cluster);
      String flushed = mediumOf(proof.files(Part.USER_FILES));
      cluster.compact(rows.table(), true);
      cluster.await("archived WALs", () -> !proof.files(Part.OLD_WALS).isEmpty());
      for (Part part : Part.values()) {
        if (part == Part.USER_FILES) {
          found.put(NEW_FILES, flushed);
        }
        found.put(part.label(), mediumOf(proof.files(part)));
      }
      for (Part part : Part.SYSTEM) {
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

  private static Set<Part> red(ClusterSpec spec) throws Exception {
    return red(spec, new LinkedHashMap<>());
  }

  /** The plugin as it ships. */
  private static ClusterSpec tiered() {
    return TypedCluster.spec()
        .plugin()
        .conf(HybridKeys.SSD_FALLBACK_TIMEOUT.name(), "20000ms") // a slow disk is no refusal
        .conf(PERIOD, 1);
  }

  private static String mediumOf(List<FileBlocks> files) {
    Set<StorageType> media =
        files.stream()
            .flatMap(file -> file.blocks.stream())
            .flatMap(block -> block.replicas.stream())
            .collect(Collectors.toSet());
    return media.isEmpty()
        ? "-"
        : media.stream().map(Enum::name).sorted().collect(Collectors.joining(" and "));
  }

  @Test
  @Order(1)
  void onStockEverySystemAssertionIsRed() throws Exception {
    assertEquals(Part.SYSTEM, red(TypedCluster.spec(), stock));
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
    assertEquals(EnumSet.noneOf(Part.class), red(tiered(), plugin));
    assertEquals("SSD", plugin.get(NEW_FILES));
    assertEquals("DISK", plugin.get(Part.USER_FILES.label()));
  }

  @Test
  @Order(4)
  void theTableInTheDocumentsIsWhatTheBlocksSay() throws Exception {
    StringBuilder table =
        new StringBuilder(
                "| | stock HBase | stock, `hbase.wal.storage.policy=ALL_SSD` | plugin |\n")
            .append("| --- | --- | --- | --- |\n");
    for (String what : stock.keySet()) {
      table.append(
          String.format(
              "| %s | %s | %s | %s |%n",
              what, stock.get(what), stockWithKey.get(what), plugin.get(what)));
    }
    Path base = TypedCluster.baseDirectory();
    Files.writeString(base.resolve("target").resolve("placement-table.md"), table);
    String page = Files.readString(base.resolve("docs/dev/measured.md"), StandardCharsets.UTF_8);
    assertTrue(
        page.contains(table),
        "docs/dev/measured.md does not hold target/placement-table.md:\n" + table);
  }

  /** {@link ProviderAloneIT} with HBase's own provider: what it finds on SSD is not there. */
  @Test
  @Order(5)
  void whatTheProviderAlonePlacesIsRedWithoutIt() throws Exception {
    ClusterSpec spec = TypedCluster.spec().plugin().conf("hbase.coprocessor.enabled", "false");
    assertEquals(Part.SYSTEM, red(spec.conf("hbase.wal.provider", "asyncfs")));
  }

  @Test
  @Order(6)
  void switchedOffThePluginLeavesStock() throws Exception {
    assertEquals(Part.SYSTEM, red(TypedCluster.spec().plugin().conf("hbase.hybrid.mode", "off")));
  }

  @Test
  @Order(7)
  void asDelegateOfStockMultiwalItPlacesAll() throws Exception {
    String delegate = "hbase.wal.regiongrouping.delegate.provider";
    ClusterSpec spec = TypedCluster.spec().plugin().conf("hbase.wal.provider", "multiwal");
    assertEquals(Set.of(), red(spec.conf(delegate, HybridWALProvider.class.getName())));
  }
}
