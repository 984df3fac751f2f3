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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreFileManager;
import org.apache.hadoop.hbase.regionserver.StoreFileWriter;
import org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Young store files are on SSD, old ones on DISK, on blocks, in a cluster where nothing moves
 * blocks; where the SSD tier is off nothing is on SSD.
 */
@InterfaceAudience.Private
class TierIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private static TypedCluster cluster;
  private static StoreFileMedia storeFiles;
  private static Random random;

  @BeforeAll
  static void start() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierIT: seed " + seed);
    random = new Random(seed);
    cluster =
        TypedCluster.spec()
            .plugin()
            .regionServers(2)
            // What was compacted away goes to the archive at once.
            .conf("hbase.hfile.compaction.discharger.interval", 1_000)
            // And so is a split parent that its daughters have compacted away.
            .conf("hbase.catalogjanitor.interval", 1_000)
            .conf("hybrid.tests.period", 1)
            // The SSD tier opens once the space on SSD has stood for this long.
            .start();
    storeFiles = new StoreFileMedia(cluster);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A table whose files are drained after this many seconds. */
  private static Rows rows(String name, int maxAgeSeconds) throws Exception {
    Rows rows = Rows.create(cluster, name, "DEFAULT", null, random);
    alter(rows.table(), HybridKeys.TIER_MAX_AGE.name(), maxAgeSeconds + "s");
    storeFiles.awaitOpen(rows.table());
    return rows;
  }

  private static void alter(TableName table, String key, String value) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    TableDescriptor now = admin.getDescriptor(table);
    admin.modifyTable(TableDescriptorBuilder.newBuilder(now).setValue(key, value).build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  @Test
  void whatIsYoungIsOnSsdAndWhatIsToStayOnDisk() throws Exception {
    Rows rows = rows("young", 3_600);
    long tiered = HybridMetrics.get().value(Metric.TIERED_FILES);
    for (int i = 0; i < 2; i++) {
      rows.put(60);
      cluster.flush(rows.table());
    }
    List<FileBlocks> flushed = storeFiles.files(rows.table());
    assertEquals(6, flushed.size(), flushed::toString);
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD), flushed::toString);
    rows.put(60);
    cluster.flush(rows.table());
    cluster.compact(rows.table(), false);
    cluster.await("minor compactions", () -> storeFiles.files(rows.table()).size() == 3);
    List<FileBlocks> compacted = storeFiles.files(rows.table());
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD), compacted::toString);
    assertEquals(12, HybridMetrics.get().value(Metric.TIERED_FILES) - tiered);
    rows.assertAllThere();

    cluster.compact(rows.table(), true);
    List<FileBlocks> major = storeFiles.files(rows.table());
    assertEquals(3, major.size(), major::toString);
    assertTrue(storeFiles.allOn(rows.table(), StorageType.DISK), major::toString);
    rows.assertAllThere();
  }

  @Tag("long")
  @Test
  void survivorsAreDrainedAndStayReadable() throws Exception {
    Rows rows = rows("aging", 8); // none is to go before the second flush, on a slow machine too
    long drained = HybridMetrics.get().value(Metric.TIER_REWRITTEN_BYTES);
    rows.put(100);
    cluster.flush(rows.table());
    rows.put(100);
    cluster.flush(rows.table());
    // On a slow machine the first have left, and are a little longer than what was counted.
    long bytes =
        storeFiles.files(rows.table()).stream()
            .filter(file -> file.replicas(StorageType.SSD) == file.replicas())
            .mapToLong(file -> file.length * 3)
            .sum();
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    assertTrue(storeFiles.nothingSticky(rows.table()));
    rows.assertAllThere();
    cluster.await(
        "the metric",
        () -> HybridMetrics.get().value(Metric.TIER_REWRITTEN_BYTES) - drained >= bytes);
  }

  /** A rewrite of some files keeps what deletes rows of the others. */
  @Tag("long")
  @Test
  void aDeleteSurvivesTheRewriteOfItsFile() throws Exception {
    Rows rows = rows("deletes", 3_600);
    rows.put(60);
    cluster.flush(rows.table());
    cluster.compact(rows.table(), true);
    rows.put(30);
    rows.delete(40);
    cluster.flush(rows.table());
    assertFalse(storeFiles.allOn(rows.table(), StorageType.DISK));
    alter(rows.table(), HybridKeys.TIER_MAX_AGE.name(), "1s");
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    assertEquals(6, storeFiles.files(rows.table()).size(), "each new file was rewritten alone");
    rows.assertAllThere();
    cluster.compact(rows.table(), true);
    assertEquals(3, storeFiles.files(rows.table()).size());
    rows.assertAllThere();
  }

  @Test
  void whoeverOpensAStoreNextGetsItsFilesOffSsd() throws Exception {
    Rows rows = rows("moved", 10);
    rows.put(100);
    cluster.flush(rows.table());
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD));
    Admin admin = cluster.connection().getAdmin();
    for (HRegionLocation at :
        cluster.connection().getRegionLocator(rows.table()).getAllRegionLocations()) {
      ServerName other =
          admin.getRegionServers().stream()
              .filter(server -> !server.equals(at.getServerName()))
              .findFirst()
              .orElseThrow();
      admin.move(at.getRegion().getEncodedNameAsBytes(), other);
    }
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    rows.assertAllThere();
  }

  /** HBase writes them under the name of its own engine only. */
  @Test
  void historicalFilesAreWrittenAsByHBasesOwnEngine() throws Exception {
    Rows rows = rows("history", 3_600);
    alter(rows.table(), "hbase.enable.historical.compaction.files", "true");
    cluster
        .connection()
        .getAdmin()
        .modifyColumnFamily(
            rows.table(),
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                .setMaxVersions(2)
                .setKeepDeletedCells(KeepDeletedCells.TRUE)
                .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    for (HRegion region : cluster.hbase().getRegions(rows.table())) {
      HStore store = region.getStores().get(0);
      assertTrue(store.getStoreEngine() instanceof HybridStoreEngine);
      assertTrue(
          StoreFileWriter.shouldEnableHistoricalCompactionFiles(store.getReadOnlyConfiguration()));
      assertEquals(
          4,
          store.getStoreEngine().getCompactionPolicy().getConf().getMinFilesToCompact(),
          "one more than HBase's default");
    }
    for (int version = 1; version <= 2; version++) {
      replace(rows, version);
      cluster.flush(rows.table());
    }
    for (HRegion region : cluster.hbase().getRegions(rows.table())) {
      region.compact(true);
      StoreFileManager files = region.getStores().get(0).getStoreEngine().getStoreFileManager();
      assertEquals(2, files.getStoreFiles().size());
      Collection<HStoreFile> latest =
          files.getFilesForScan(
              HConstants.EMPTY_START_ROW, true, HConstants.EMPTY_END_ROW, false, true);
      assertEquals(1, latest.size(), "scans of the latest version read the live file alone");
      assertFalse(latest.iterator().next().isHistorical());
    }
    rows.assertAllThere();
  }

  /** Deletes rows of all regions and puts them again. */
  private static void replace(Rows rows, int version) throws Exception {
    byte[] value = Bytes.toBytes("version" + version);
    try (Table to = cluster.connection().getTable(rows.table())) {
      for (int i = 0; i < 10; i++) {
        byte[] row = Bytes.toBytes(i + "0000000");
        to.delete(new Delete(row, 10 * version));
        to.put(new Put(row, 10 * version + 1).addColumn(FAMILY, Bytes.toBytes("q"), value));
        rows.remember(row, value);
      }
    }
  }

  @Tag("long")
  @Test
  void splitsSnapshotsAndClonesReadOn() throws Exception {
    Rows rows = rows("shared", 5);
    rows.put(200);
    cluster.flush(rows.table());
    Admin admin = cluster.connection().getAdmin();
    admin.snapshot("tiered", rows.table());
    admin.cloneSnapshot("tiered", TableName.valueOf("clone"));
    rows.as("clone").assertAllThere();

    RegionInfo first = admin.getRegions(rows.table()).get(0);
    admin.splitRegionAsync(first.getRegionName(), Bytes.toBytes("15")).get();
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    rows.assertAllThere();
    rows.put(200);
    storeFiles.awaitOpen(rows.table());
    cluster.flush(rows.table());
    rows.assertAllThere();
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    rows.assertAllThere();
    cluster.compact(rows.table(), true);
    rows.assertAllThere();
    admin.deleteSnapshot("tiered");
  }

  /** It carries no mark of the tier's. */
  @Test
  void bulkLoadedFilesOfAnSsdSourceAreTheirOwners() throws Exception {
    Rows rows = rows("fastbulk", 1);
    bulkLoad(rows, "ALL_SSD");
    Path loaded = storeFiles.files(rows.table()).get(0).path;
    rows.put(60);
    cluster.flush(rows.table());
    cluster.await("the flushed files on DISK", () -> isAloneOnSsd(rows, loaded));
    rows.assertAllThere();
  }

  private static boolean isAloneOnSsd(Rows rows, Path file) {
    return storeFiles.files(rows.table()).stream()
        .allMatch(one -> (one.bytes(StorageType.SSD) > 0) == one.path.equals(file));
  }

  /** As the DataNodes have reported so far: a moment after the file is closed it may be fewer. */
  private static List<StorageType> media(Path file) {
    try {
      return List.of(cluster.fs().getFileBlockLocations(file, 0, 1)[0].getStorageTypes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Loads one file into the table's second region, from a directory with this policy. */
  private static void bulkLoad(Rows rows, String policy) throws Exception {
    Path source = new Path("/bulk/" + rows.table());
    Path family = new Path(source, Bytes.toString(FAMILY));
    cluster.fs().mkdirs(family);
    cluster.fs().setStoragePolicy(source, policy);
    byte[] first = Bytes.toBytes("3500");
    byte[] last = Bytes.toBytes("3599");
    HFileTestUtil.createHFile(
        cluster.conf(),
        cluster.fs(),
        new Path(family, "h"),
        FAMILY,
        Bytes.toBytes("q"),
        first,
        last,
        100);
    StorageType medium = policy.equals("HOT") ? StorageType.DISK : StorageType.SSD;
    cluster.await(
        "three replicas on " + medium,
        () -> List.of(medium, medium, medium).equals(media(new Path(family, "h"))));
    assertEquals(1, BulkLoadHFiles.create(cluster.conf()).bulkLoad(rows.table(), source).size());
    // HBase's test utility makes each row its own value.
    for (byte[] key : Bytes.iterateOnSplits(first, last, 98)) {
      rows.remember(key, key);
    }
  }

  @Tag("long")
  @Test
  void whereTheTierIsOffNothingIsOnSsd() throws Exception {
    Rows file = Rows.create(cluster, "file", "FILE", null, random);
    Rows hot = Rows.create(cluster, "hot", "DEFAULT", "HOT", random);
    Rows none = Rows.create(cluster, "none", "DEFAULT", null, random);
    alter(none.table(), "hbase.hybrid.tier.policy", "NONE");
    Rows family = Rows.create(cluster, "nofamily", "DEFAULT", null, random);
    Rows fifo = Rows.create(cluster, "fifo", "DEFAULT", null, random);
    Admin admin = cluster.connection().getAdmin();
    admin.modifyColumnFamily(
        fifo.table(),
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setTimeToLive(86_400)
            .setConfiguration(
                "hbase.hstore.defaultengine.compactionpolicy.class",
                FIFOCompactionPolicy.class.getName())
            .setConfiguration("hbase.hstore.blockingStoreFiles", "1000")
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    Rows still = Rows.create(cluster, "still", "DEFAULT", null, random);
    alter(still.table(), "COMPACTION_ENABLED", "false");
    turnOff(family.table(), FAMILY);
    TableName mob = TableName.valueOf("mob");
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(mob)
                .setColumnFamily(
                    ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
                        .setMobEnabled(true)
                        .setMobThreshold(100)
                        .build())
                .build());
    Rows large = none.as("mob");
    for (Rows rows : List.of(file, hot, none, family, large, fifo, still)) {
      rows.put(60);
      cluster.flush(rows.table());
      cluster.compact(rows.table(), false);
      assertTrue(storeFiles.allOn(rows.table(), StorageType.DISK), rows.table()::toString);
      rows.assertAllThere();
    }
    for (FileBlocks found : storeFiles.all()) {
      if (found.path.toUri().getPath().contains("/mobdir/")) {
        assertEquals(0, found.replicas(StorageType.SSD), found::toString);
      }
    }
  }

  private static void turnOff(TableName table, byte[] family) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    admin.modifyColumnFamily(
        table,
        ColumnFamilyDescriptorBuilder.newBuilder(admin.getDescriptor(table).getColumnFamily(family))
            .setConfiguration("hbase.hybrid.tier.policy", "NONE")
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }
}
