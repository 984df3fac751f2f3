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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.server.mover.Mover;
import org.apache.hadoop.util.Tool;
import org.apache.hadoop.util.ToolRunner;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Who else touches a file that the SSD tier has written, HDFS's mover and satisfier, HBase's merges
 * and snapshots, a life without the plugin, and which kinds of families it serves: on blocks.
 */
@Tag("long")
@InterfaceAudience.Private
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TierFilesIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final long GIB = 1L << 30;
  private static final String CODED = "XOR-2-1-1024k";

  private static TypedCluster cluster;
  private static StoreFileMedia storeFiles;
  private static Random random;

  @BeforeAll
  static void start() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierFilesIT: seed " + seed);
    random = new Random(seed);
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("dfs.storage.policy.satisfier.mode", "external")
            // As with HBase's two minutes: longer than several turns of the SSD tier.
            .conf("hbase.hfile.compaction.discharger.interval", 5_000)
            .conf("hbase.catalogjanitor.interval", 1_000)
            .conf("hbase.master.hfilecleaner.ttl", 1_000)
            .conf("hbase.master.cleaner.interval", 1_000)
            .conf("hybrid.tests.period", 1)
            .conf(HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName())
            .conf(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase")
            .start();
    storeFiles = new StoreFileMedia(cluster);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** A table whose files stay on SSD for this many seconds. */
  private static Rows rows(String name, int maxAgeSeconds) throws Exception {
    Rows rows = Rows.create(cluster, name, "DEFAULT", null, random);
    setMaxAge(rows.table(), maxAgeSeconds);
    storeFiles.awaitOpen(rows.table());
    return rows;
  }

  private static void setMaxAge(TableName table, int seconds) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(table))
            .setValue(HybridKeys.TIER_MAX_AGE.name(), seconds + "s")
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  /** Has its files leave SSD from now on: whatever is asserted before takes its time. */
  private static void age(Rows rows) throws Exception {
    setMaxAge(rows.table(), 1);
  }

  private static void alterFamily(TableName table, String key, String value) throws Exception {
    cluster
        .connection()
        .getAdmin()
        .modifyColumnFamily(
            table,
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setConfiguration(key, value).build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  private static Rows flushed(String name, int maxAgeSeconds) throws Exception {
    Rows rows = rows(name, maxAgeSeconds);
    rows.put(60);
    cluster.flush(rows.table());
    assertTrue(
        storeFiles.allOn(rows.table(), StorageType.SSD),
        () -> storeFiles.files(rows.table()).toString());
    return rows;
  }

  private static List<Path> paths(TableName table) {
    return storeFiles.files(table).stream().map(file -> file.path).collect(Collectors.toList());
  }

  /** HDFS's mover over a table, as an admin runs it. */
  private static void runMover(TableName table) throws Exception {
    Class<?> mover = Class.forName(Mover.class.getName() + "$Cli");
    Configuration conf = new Configuration(cluster.conf());
    conf.setBoolean("fs.hdfs.impl.disable.cache", true);
    String directory = cluster.rootDir().toUri().getPath() + "/data/default/" + table;
    Tool tool = (Tool) mover.getDeclaredConstructor().newInstance();
    int exit = ToolRunner.run(conf, tool, new String[] {"-p", directory});
    assertEquals(0, exit, "the mover's exit");
  }

  @Test
  @Order(1)
  void anAdminsMoverLeavesATieredFileWhereItIs() throws Exception {
    Rows rows = flushed("mover", 3_600);
    runMover(rows.table());
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD));
    rows.assertAllThere();
  }

  @Test
  @Order(2)
  void aFileThatFellBackToDiskIsNotPulledUpByAMover() throws Exception {
    Rows rows = rows("fallen", 3_600);
    Ssds ssds = new Ssds(cluster);
    rows.put(60);
    ssds.capacity(1);
    try {
      cluster.flush(rows.table());
      storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
      storeFiles.awaitNothingSticky(rows.table());
    } finally {
      ssds.capacity(16 * GIB);
    }
    runMover(rows.table());
    assertTrue(storeFiles.allOn(rows.table(), StorageType.DISK));
    rows.assertAllThere();
  }

  @Test
  @Order(3)
  void aReplicaThatHdfsMakesAnewIsOnSsdAsWell() throws Exception {
    Rows rows = flushed("replicas", 3_600);
    for (short replicas : new short[] {2, 3}) {
      for (Path file : paths(rows.table())) {
        cluster.fs().setReplication(file, replicas);
      }
      cluster.await(
          replicas + " replicas",
          () -> storeFiles.files(rows.table()).stream().allMatch(file -> media(file) == replicas));
    }
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD));
  }

  /** Replicas that the DataNodes have reported. */
  private static int media(FileBlocks file) {
    try {
      return cluster.fs().getFileBlockLocations(file.path, 0, 1)[0].getStorageTypes().length;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  @Order(5)
  void aRestoredTableGoesOn() throws Exception {
    Rows rows = flushed("restored", 3_600);
    Admin admin = cluster.connection().getAdmin();
    admin.snapshot("kept", rows.table());
    Rows kept = rows.as("restored");
    rows.put(60);
    cluster.flush(rows.table());
    admin.disableTable(rows.table());
    admin.restoreSnapshot("kept");
    admin.enableTable(rows.table());
    kept.assertAllThere();
    storeFiles.awaitOpen(kept.table());
    kept.put(60);
    cluster.flush(kept.table());
    kept.assertAllThere();
    age(kept);
    storeFiles.awaitAllOn(kept.table(), StorageType.DISK);
    kept.assertAllThere();
    admin.deleteSnapshot("kept");
  }

  @Test
  @Order(6)
  void mergedRegionsGetTheirFilesOffSsd() throws Exception {
    Rows rows = flushed("merged", 3_600);
    Admin admin = cluster.connection().getAdmin();
    List<RegionInfo> regions = admin.getRegions(rows.table());
    admin
        .mergeRegionsAsync(
            new byte[][] {
              regions.get(0).getEncodedNameAsBytes(), regions.get(1).getEncodedNameAsBytes()
            },
            false)
        .get();
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    rows.assertAllThere();
    storeFiles.awaitOpen(rows.table());
    rows.put(60);
    cluster.flush(rows.table());
    age(rows);
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    assertEquals(2, admin.getRegions(rows.table()).size());
    rows.assertAllThere();
  }

  @Test
  @Order(7)
  void anEncryptedFamilyIsServed() throws Exception {
    Rows rows = rows("encrypted", 3_600);
    cluster
        .connection()
        .getAdmin()
        .modifyColumnFamily(
            rows.table(),
            ColumnFamilyDescriptorBuilder.newBuilder(FAMILY).setEncryptionType("AES").build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    storeFiles.awaitOpen(rows.table());
    rows.put(60);
    cluster.flush(rows.table());
    assertTrue(storeFiles.allOn(rows.table(), StorageType.SSD));
    age(rows);
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    rows.assertAllThere();
  }

  /** The last one: HBase runs without the plugin from here on. */
  @Test
  @Order(Integer.MAX_VALUE)
  void withoutThePluginHBaseReadsOnAndItsCompactionsGetAllOffSsd() throws Exception {
    Rows rows = flushed("after", 3_600);
    assertTrue(
        storeFiles.files(rows.table()).stream()
            .allMatch(file -> file.policy == StoragePolicy.ALL_SSD.id()));
    cluster.stopHBase();
    Configuration shipped = new Configuration(false);
    shipped.addResource(new Path(TypedCluster.shippedSite().toUri()));
    shipped.forEach(entry -> cluster.conf().unset(entry.getKey()));
    cluster.restartHBase();
    rows.assertAllThere();
    rows.put(60);
    cluster.flush(rows.table());
    cluster.compact(rows.table(), true);
    assertTrue(storeFiles.allOn(rows.table(), StorageType.DISK));
    assertTrue(storeFiles.nothingSticky(rows.table()));
    rows.assertAllThere();
  }
}
