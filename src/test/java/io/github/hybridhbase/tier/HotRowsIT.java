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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hot.HotFiles;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.hfile.HFileScanner;
import org.apache.hadoop.hbase.regionserver.ConstantSizeRegionSplitPolicy;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Rows that clients read often get a file on SSD, by themselves, and keep it: on blocks. */
@InterfaceAudience.Private
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HotRowsIT {
  private static final TableName TABLE = TableName.valueOf("users");
  private static final byte[] FAMILY = TierCluster.FAMILY;
  private static final byte[] COLUMN = Bytes.toBytes("q");
  private static final int ROWS = 20_000;

  /** One row in so many is read. */
  private static final int ONE_IN = 50;

  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(
          spec ->
              spec.conf("hbase.hfile.compaction.discharger.interval", 1_000)
                  .conf("hbase.master.hfilecleaner.ttl", 1_000)
                  .conf("hbase.master.cleaner.interval", 1_000)
                  .conf("hbase.catalogjanitor.interval", 1_000)
                  .conf("hbase.table.sanity.checks", "false")
                  .conf(HybridKeys.TIER_MAX_AGE.name(), "8s"));

  private static TypedCluster cluster;
  private static StoreFileMedia storeFiles;
  private static int written;

  @BeforeAll
  static void createTable() throws Exception {
    cluster = TIER.cluster;
    storeFiles = TIER.files;
    TIER.admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setBlocksize(4_096)
                        .setBlockCacheEnabled(false)
                        .build())
                .setMemStoreFlushSize(1 << 19)
                .setRegionSplitPolicyClassName(ConstantSizeRegionSplitPolicy.class.getName())
                .setValue(HybridKeys.HOT_POLICY.name(), "ALL_SSD")
                .setValue(HybridKeys.HOT_SHARE.name(), "10")
                .build());
    storeFiles.awaitOpen(TABLE);
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format("%08d", number));
  }

  private static byte[] value(int number) {
    byte[] value = new byte[600];
    new Random(31L * written + number).nextBytes(value);
    return value;
  }

  private static void put(int oneIn) throws Exception {
    written++;
    List<Put> puts = new ArrayList<>();
    for (int i = 0; i < ROWS; i += oneIn) {
      puts.add(new Put(row(i)).addColumn(FAMILY, COLUMN, value(i)));
    }
    try (Table table = cluster.connection().getTable(TABLE)) {
      table.put(puts);
    }
    cluster.flush(TABLE);
  }

  /** Reads hot rows, each of which has its last value. */
  private static void read(int count) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int i = 0; i < count; i++) {
        int number = TIER.random.nextInt(ROWS / ONE_IN) * ONE_IN;
        Result found = table.get(new Get(row(number)));
        assertArrayEquals(value(number), found.getValue(FAMILY, COLUMN));
      }
    }
  }

  private static HStore store() {
    HRegion region = cluster.hbase().getRegions(TABLE).get(0);
    return region.getStores().get(0);
  }

  private static List<String> names(boolean hot) {
    return store().getStorefiles().stream()
        .filter(file -> HotFiles.isOn(file) == hot)
        .map(file -> file.getPath().getName())
        .collect(Collectors.toList());
  }

  /** To one file, or to a hot file and a cold one. */
  private static void compactAll() {
    cluster.await(
        "a compaction",
        () -> {
          HRegion region = cluster.hbase().getRegions(TABLE).get(0);
          try {
            region.compact(true);
            store().closeAndArchiveCompactedFiles();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
          return store().getStorefilesCount() <= 2;
        });
  }

  private static void assertAllOn(StorageType medium, List<String> names) {
    List<FileBlocks> files =
        storeFiles.files(TABLE).stream()
            .filter(file -> names.contains(file.path.getName()))
            .collect(Collectors.toList());
    assertEquals(names.size(), files.size());
    for (FileBlocks file : files) {
      assertEquals(file.replicas(), file.replicas(medium), file::toString);
      assertTrue(file.replicas() > 0, file::toString);
    }
  }

  private static void readUntil(String what, BooleanSupplier done) throws Exception {
    long start = System.nanoTime();
    while (!done.getAsBoolean()) {
      read(200);
      assertTrue(System.nanoTime() - start < 120_000_000_000L, () -> what + ": " + describe());
    }
  }

  private static String describe() {
    HybridStoreEngine engine = (HybridStoreEngine) store().getStoreEngine();
    return engine.tiered.hot + " " + store().getStorefiles() + " " + storeFiles.files(TABLE);
  }

  @Test
  @Order(1)
  void rowsThatAreReadOftenGetAFileOnSsd() throws Exception {
    put(1);
    cluster.compact(TABLE, true);
    assertEquals(List.of(), names(true), "nobody has read anything");
    long asked = HybridMetrics.get().value(Metric.HOT_COMPACTIONS);
    long splits = HybridMetrics.get().value(Metric.HOT_SPLITS);
    readUntil("a file of hot rows", () -> !names(true).isEmpty());
    assertEquals(1, names(true).size());
    assertEquals(1, names(false).size());
    assertAllOn(StorageType.SSD, names(true));
    assertAllOn(StorageType.DISK, names(false));
    assertEquals(asked + 1, HybridMetrics.get().value(Metric.HOT_COMPACTIONS));
    assertEquals(splits + 1, HybridMetrics.get().value(Metric.HOT_SPLITS));
    read(500);
  }

  @Test
  @Order(2)
  void theMetricsShowIt() throws Exception {
    readUntil("what is caught", () -> HybridMetrics.get().hot.value("hotGetsPercent") >= 90);
    // The first read of a row says that none is caught; half of the older reads count.
    readUntil("estimate", () -> HybridMetrics.get().hot.value("hotGetsOf5Percent") >= 90);
    assertEquals(
        Set.of(),
        Map.of(
                "hotGetsPercent", 90,
                "hotGetsOf5Percent", 90,
                "hotGetsOf10Percent", 90,
                "hotGetsOf2Percent", 10,
                "hotGetsOfHalfPercent", 1,
                "hotBytes", 1,
                "hotSketchBytes", 1,
                "hotDiskReads", 0,
                "hotPaybackSeconds", 0)
            .entrySet()
            .stream()
            .filter(least -> HybridMetrics.get().hot.value(least.getKey()) < least.getValue())
            .collect(Collectors.toSet()),
        "less than");
  }

  /** What the SSD tier compacts to DISK holds updates of hot rows. */
  @Test
  @Order(4)
  void updatesOfHotRowsStayOnSsd() throws Exception {
    put(10); // hot rows among them
    cluster.await(
        "the update's exit from SSD",
        () ->
            storeFiles.files(TABLE).stream()
                    .filter(file -> file.replicas(StorageType.SSD) > 0)
                    .map(file -> file.path.getName())
                    .filter(names(false)::contains)
                    .count()
                == 0);
    assertAllOn(StorageType.SSD, names(true));
    assertAllOn(StorageType.DISK, names(false));
    for (HStoreFile file : store().getStorefiles()) {
      if (!HotFiles.isOn(file)) {
        int held = 0;
        HFileScanner scanner = file.getReader().getScanner(false, true);
        for (boolean more = scanner.seekTo(); more; more = scanner.next()) {
          int number = Integer.parseInt(Bytes.toString(CellUtil.cloneRow(scanner.getCell())));
          held += number % ONE_IN == 0 ? 1 : 0;
        }
        assertTrue(held < ROWS / ONE_IN / 10, held + " hot rows in " + file);
      }
    }
    read(500);
  }

  /** Another server knows it by its mark, and which rows are hot by its Bloom filter. */
  @Test
  @Order(5)
  void aMovedRegionKeepsIt() throws Exception {
    Admin admin = TIER.admin();
    admin.move(cluster.hbase().getRegions(TABLE).get(0).getRegionInfo().getEncodedNameAsBytes());
    TIER.settle();
    storeFiles.awaitOpen(TABLE);
    assertTrue(!names(true).isEmpty(), HotRowsIT::describe);
    compactAll();
    assertEquals(1, names(true).size(), HotRowsIT::describe);
    assertAllOn(StorageType.SSD, names(true));
    assertAllOn(StorageType.DISK, names(false));
    read(500);
  }

  private static void assertAllThere() throws Exception {
    int found = 0;
    try (Table from = cluster.connection().getTable(TABLE);
        ResultScanner scanner = from.getScanner(new Scan().setCaching(1_000))) {
      for (Result row : scanner) {
        found++;
        assertTrue(row.getValue(FAMILY, COLUMN).length == 600);
      }
    }
    assertEquals(ROWS, found);
  }

  /**
   * The daughters refer to the hot file of their parent, whose filter tells them their hot rows.
   */
  @Tag("long")
  @Test
  @Order(7)
  void daughtersOfASplitHaveHotFilesOfTheirOwn() throws Exception {
    Admin admin = TIER.admin();
    admin.split(TABLE, row(ROWS / 2));
    cluster.await("the split", () -> cluster.hbase().getRegions(TABLE).size() == 2);
    TIER.settle();
    storeFiles.awaitOpen(TABLE);
    cluster.await(
        "the daughters' compactions",
        () ->
            cluster.hbase().getRegions(TABLE).stream()
                .flatMap(region -> region.getStores().stream())
                .noneMatch(HStore::hasReferences));
    assertAllThere();
    for (HRegion region : cluster.hbase().getRegions(TABLE)) {
      long hot = region.getStores().get(0).getStorefiles().stream().filter(HotFiles::isOn).count();
      assertEquals(1, hot, () -> region.getStores().get(0).getStorefiles().toString());
    }
    byte[][] regions =
        cluster.hbase().getRegions(TABLE).stream()
            .map(region -> region.getRegionInfo().getEncodedNameAsBytes())
            .toArray(byte[][]::new);
    admin.mergeRegionsAsync(regions, true).get();
    cluster.await("the merge", () -> cluster.hbase().getRegions(TABLE).size() == 1);
    storeFiles.awaitOpen(TABLE);
    assertAllThere();
    read(500);
  }

  /** Without the feature it is a file on SSD like any other, and too old. */
  @Tag("long")
  @Test
  @Order(8)
  void switchedOffItLeavesSsd() throws Exception {
    TIER.alter(TABLE, (table, family) -> table.setValue(HybridKeys.HOT_POLICY.name(), "NONE"));
    storeFiles.awaitOpen(TABLE);
    storeFiles.awaitAllOn(TABLE, StorageType.DISK);
    assertEquals(List.of(), names(true));
    read(500);
  }
}
