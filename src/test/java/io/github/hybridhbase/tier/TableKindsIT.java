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

import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Kinds of tables that HBase has beside the plain one, with the whole plugin: what is written is
 * read back after flushes, compactions and the death of a server, and no hook fails.
 */
@InterfaceAudience.Private
@Tag("long")
class TableKindsIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final String ENGINE = "hbase.hstore.engine.class";

  private static TypedCluster cluster;
  private static StoreFileMedia storeFiles;
  private static Random random;
  private static long failures;

  @BeforeAll
  static void start() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TableKindsIT: seed " + seed);
    random = new Random(seed);
    cluster =
        TypedCluster.spec()
            .plugin()
            .regionServers(3)
            .conf("hybrid.tests.period", 1)
            .conf("dfs.namenode.ec.system.default.policy", "XOR-2-1-1024k")
            .start();
    storeFiles = new StoreFileMedia(cluster);
    failures = HybridMetrics.get().value(Metric.HOOK_FAILURES);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void noHookFailed() {
    assertEquals(failures, HybridMetrics.get().value(Metric.HOOK_FAILURES));
  }

  /** What changes a family. */
  private interface Change {
    void of(ColumnFamilyDescriptorBuilder family);
  }

  private static Rows rows(String name, Change change) throws Exception {
    Rows rows = Rows.create(cluster, name, "DEFAULT", null, random);
    Admin admin = cluster.connection().getAdmin();
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(
            admin.getDescriptor(rows.table()).getColumnFamily(FAMILY));
    change.of(family);
    admin.modifyColumnFamily(rows.table(), family.build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    return rows;
  }

  /** Flushes and compactions, and what is only in WALs when a server dies. */
  private static void use(Rows rows) throws Exception {
    for (int i = 0; i < 4; i++) {
      rows.put(60);
      cluster.flush(rows.table());
    }
    cluster.connection().getAdmin().compact(rows.table());
    rows.put(60);
    rows.assertAllThere();
  }

  private static void serverDies(Rows rows) throws Exception {
    cluster.hbase().startRegionServerAndWait(TypedCluster.AWAIT_MILLIS);
    cluster.killRegionServer(
        cluster
            .connection()
            .getRegionLocator(rows.table())
            .getAllRegionLocations()
            .get(0)
            .getServerName());
    rows.assertAllThere();
  }

  private static void onDisk(Rows rows) {
    assertTrue(
        storeFiles.allOn(rows.table(), StorageType.DISK),
        () -> storeFiles.files(rows.table()).toString());
  }

  @Test
  void stripes() throws Exception {
    Rows rows =
        rows(
            "stripes",
            family ->
                family.setConfiguration(
                    ENGINE, "org.apache.hadoop.hbase.regionserver.StripeStoreEngine"));
    use(rows);
    onDisk(rows); // its engine is its own, so that nothing of it is the SSD tier's
    serverDies(rows);
  }

  @Test
  void dateTiers() throws Exception {
    Rows rows =
        rows(
            "dates",
            family ->
                family.setConfiguration(
                    ENGINE, "org.apache.hadoop.hbase.regionserver.DateTieredStoreEngine"));
    use(rows);
    onDisk(rows);
    serverDies(rows);
  }

  @Test
  void mob() throws Exception {
    Rows rows = rows("mob", family -> family.setMobEnabled(true).setMobThreshold(100));
    use(rows);
    onDisk(rows);
    serverDies(rows);
  }

  @Test
  void inMemoryCompaction() throws Exception {
    for (MemoryCompactionPolicy policy :
        new MemoryCompactionPolicy[] {
          MemoryCompactionPolicy.ADAPTIVE, MemoryCompactionPolicy.EAGER
        }) {
      Rows rows = rows("memory-" + policy, family -> family.setInMemoryCompaction(policy));
      storeFiles.awaitOpen(rows.table());
      use(rows);
      assertTrue(
          storeFiles.files(rows.table()).stream()
              .anyMatch(file -> file.replicas(StorageType.SSD) > 0),
          "the SSD tier serves it");
      serverDies(rows);
    }
  }

  /** The remedy of the finding tier-bypassed: NONE alone leaves the old policy on directories. */
  @Test
  void aPolicyOfTheFamilyIsTakenAway() throws Exception {
    Rows rows = rows("bypassed", family -> family.setStoragePolicy("ALL_SSD"));
    use(rows);
    policy(rows, "NONE");
    assertEquals("ALL_SSD", policyOfDirectory(rows));
    policy(rows, "HOT");
    policy(rows, "NONE");
    assertEquals("HOT", policyOfDirectory(rows));
    storeFiles.awaitOpen(rows.table());
    use(rows);
    assertTrue(
        storeFiles.files(rows.table()).stream().anyMatch(file -> file.policy == 12),
        "the SSD tier serves it");
  }

  private static void policy(Rows rows, String policy) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    admin.modifyColumnFamily(
        rows.table(),
        ColumnFamilyDescriptorBuilder.newBuilder(
                admin.getDescriptor(rows.table()).getColumnFamily(FAMILY))
            .setStoragePolicy(policy)
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  private static String policyOfDirectory(Rows rows) throws Exception {
    String region =
        cluster.connection().getAdmin().getRegions(rows.table()).get(0).getEncodedName();
    Path table = new Path(cluster.rootDir(), "data/default/" + rows.table());
    return cluster.fs().getStoragePolicy(new Path(table, region + "/f")).getName();
  }

  @Test
  void erasureCoded() throws Exception {
    cluster.fs().enableErasureCodingPolicy("XOR-2-1-1024k");
    Rows rows = rows("coded", family -> {});
    storeFiles.awaitOpen(rows.table());
    Path directory = new Path(cluster.rootDir(), "data/default/coded");
    cluster.fs().setErasureCodingPolicy(directory, "XOR-2-1-1024k");
    cluster.connection().getAdmin().disableTable(rows.table());
    cluster.connection().getAdmin().enableTable(rows.table());
    storeFiles.awaitOpen(rows.table());
    use(rows);
    assertFalse(
        storeFiles.files(rows.table()).stream().anyMatch(file -> file.policy == 12),
        "no policy is set on what is coded");
    serverDies(rows);
  }

  /** Each copy of hbase:meta is a region of a system table on a server of its own. */
  @Test
  void severalReplicasOfMeta() throws Exception {
    Admin admin = cluster.connection().getAdmin();
    TableDescriptor meta = admin.getDescriptor(TableName.META_TABLE_NAME);
    admin.modifyTable(TableDescriptorBuilder.newBuilder(meta).setRegionReplication(3).build());
    cluster.await("three replicas of hbase:meta", () -> replicasOfMeta() == 3);
    Rows rows = rows("beside-meta", family -> {});
    use(rows);
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.killRegionServer(cluster.hbase().getServerHoldingMeta());
    rows.assertAllThere();
    cluster.flush(TableName.META_TABLE_NAME);
  }

  private static int replicasOfMeta() {
    return cluster.hbase().getRegions(TableName.META_TABLE_NAME).size();
  }

  @Test
  void serialReplication() throws Exception {
    LaggingPeer.letGo();
    Rows rows = rows("serial", family -> family.setScope(1));
    Rows.create(cluster, LaggingPeer.copyOf(rows.table()), "DEFAULT", "HOT", random);
    cluster
        .connection()
        .getAdmin()
        .addReplicationPeer(
            "serial",
            ReplicationPeerConfig.newBuilder()
                .setReplicationEndpointImpl(LaggingPeer.class.getName())
                .setReplicateAllUserTables(false)
                .setTableCFsMap(java.util.Map.of(rows.table(), java.util.List.of()))
                .setSerial(true)
                .build());
    use(rows);
    cluster.rollWals();
    serverDies(rows); // serial: what the dead server had must come first
    rows.put(60);
    Rows copy = rows.as(LaggingPeer.copyOf(rows.table()));
    cluster.await("every row at the peer", () -> allThere(copy));
    cluster.connection().getAdmin().removeReplicationPeer("serial");
  }

  private static boolean allThere(Rows rows) {
    try {
      rows.assertAllThere();
      return true;
    } catch (AssertionError e) {
      return false;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
