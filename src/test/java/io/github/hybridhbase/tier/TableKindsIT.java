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
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.MemoryCompactionPolicy;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.io.crypto.KeyProviderForTesting;
import org.apache.hadoop.hbase.regionserver.compactions.FIFOCompactionPolicy;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Kinds of tables that HBase has beside the plain one, and those that the SSD tier does not serve,
 * with the whole plugin: what is written is read back after flushes, compactions and the death of
 * servers, and no hook fails.
 */
@InterfaceAudience.Private
@Tag("long")
class TableKindsIT {
  private static final String ENGINE = "hbase.hstore.engine.class";
  private static final String POLICY = "hbase.hybrid.tier.policy";
  private static final String CODED = "XOR-2-1-1024k";

  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(
          spec ->
              spec.regionServers(3)
                  .conf("dfs.namenode.ec.system.default.policy", CODED)
                  .conf(
                      HConstants.CRYPTO_KEYPROVIDER_CONF_KEY, KeyProviderForTesting.class.getName())
                  .conf(HConstants.CRYPTO_MASTERKEY_NAME_CONF_KEY, "hbase"));

  private static long failures;

  private final TypedCluster cluster = TIER.cluster;
  private final StoreFileMedia storeFiles = TIER.files;

  @BeforeAll
  static void failuresSoFar() {
    failures = HybridMetrics.get().value(Metric.HOOK_FAILURES);
  }

  @AfterEach
  void noHookFailed() {
    assertEquals(failures, HybridMetrics.get().value(Metric.HOOK_FAILURES));
  }

  private static Rows rows(String name, TierCluster.Change change) throws Exception {
    Rows rows = TIER.rows(name);
    TIER.alter(rows.table(), change);
    return rows;
  }

  /** Flushes and compactions, and what is only in WALs when a server dies. */
  private void use(Rows rows) throws Exception {
    for (int i = 0; i < 4; i++) {
      TIER.flush(rows, 60);
    }
    TIER.admin().compact(rows.table());
    rows.put(60);
    rows.assertAllThere();
  }

  private void serverDies(Rows rows) throws Exception {
    serverDies(
        cluster
            .connection()
            .getRegionLocator(rows.table())
            .getAllRegionLocations()
            .get(0)
            .getServerName());
    rows.assertAllThere();
  }

  private void serverDies(ServerName server) throws Exception {
    cluster.hbase().startRegionServerAndWait(TypedCluster.AWAIT_MILLIS);
    cluster.killRegionServer(server);
  }

  /** Those with an engine or a policy of their own, and those that no compaction would rewrite. */
  private static Map<String, TierCluster.Change> onDisk() {
    String engines = "org.apache.hadoop.hbase.regionserver.";
    Map<String, TierCluster.Change> kinds = new LinkedHashMap<>();
    kinds.put(
        "stripes",
        (table, family) -> family.setConfiguration(ENGINE, engines + "StripeStoreEngine"));
    kinds.put(
        "dates",
        (table, family) -> family.setConfiguration(ENGINE, engines + "DateTieredStoreEngine"));
    kinds.put("mob", (table, family) -> family.setMobEnabled(true).setMobThreshold(100));
    kinds.put("file", (table, family) -> {});
    kinds.put("hot", (table, family) -> family.setStoragePolicy("HOT"));
    kinds.put("none", (table, family) -> table.setValue(POLICY, "NONE"));
    kinds.put("nofamily", (table, family) -> family.setConfiguration(POLICY, "NONE"));
    kinds.put(
        "fifo",
        (table, family) ->
            family
                .setTimeToLive(86_400)
                .setConfiguration(
                    "hbase.hstore.defaultengine.compactionpolicy.class",
                    FIFOCompactionPolicy.class.getName())
                .setConfiguration("hbase.hstore.blockingStoreFiles", "1000"));
    kinds.put("still", (table, family) -> table.setCompactionEnabled(false));
    return kinds;
  }

  private static Map<String, TierCluster.Change> onSsd() {
    return Map.of(
        "adaptive",
        (table, family) -> family.setInMemoryCompaction(MemoryCompactionPolicy.ADAPTIVE),
        "eager",
        (table, family) -> family.setInMemoryCompaction(MemoryCompactionPolicy.EAGER),
        "encrypted",
        (table, family) -> family.setEncryptionType("AES"));
  }

  @Test
  @Timeout(1_200)
  void eachKindIsReadBackAndServedOrNot() throws Exception {
    List<Rows> all = new ArrayList<>();
    for (Map.Entry<String, TierCluster.Change> kind : onSsd().entrySet()) {
      Rows rows = rows(kind.getKey(), kind.getValue());
      storeFiles.awaitOpen(rows.table());
      TIER.flush(rows, 60);
      TIER.assertOn(rows, StorageType.SSD);
      TIER.age(rows);
      use(rows);
      all.add(rows);
    }
    for (Map.Entry<String, TierCluster.Change> kind : onDisk().entrySet()) {
      String tracker = kind.getKey().equals("file") ? "FILE" : "DEFAULT";
      Rows rows = Rows.create(cluster, kind.getKey(), tracker, null, TIER.random);
      TIER.alter(rows.table(), kind.getValue());
      use(rows);
      TIER.assertOn(rows, StorageType.DISK);
      all.add(rows);
    }
    for (FileBlocks found : storeFiles.all()) {
      if (found.path.toUri().getPath().contains("/mobdir/")) {
        assertEquals(0, found.replicas(StorageType.SSD), found::toString);
      }
    }
    for (ServerName server : TIER.admin().getRegionServers()) {
      serverDies(server);
    }
    for (Rows rows : all) {
      rows.assertAllThere();
    }
  }

  /** The remedy of the finding tier-bypassed: NONE alone leaves the old policy on directories. */
  @Test
  void aPolicyOfTheFamilyIsTakenAway() throws Exception {
    Rows rows = rows("bypassed", (table, family) -> family.setStoragePolicy("ALL_SSD"));
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
    TIER.alter(rows.table(), (table, family) -> family.setStoragePolicy(policy));
  }

  private String policyOfDirectory(Rows rows) throws Exception {
    String region = TIER.admin().getRegions(rows.table()).get(0).getEncodedName();
    Path table = new Path(cluster.rootDir(), "data/default/" + rows.table());
    return cluster.fs().getStoragePolicy(new Path(table, region + "/f")).getName();
  }

  @Test
  void erasureCoded() throws Exception {
    cluster.fs().enableErasureCodingPolicy(CODED);
    Rows rows = TIER.rows("coded");
    cluster.fs().setErasureCodingPolicy(new Path(cluster.rootDir(), "data/default/coded"), CODED);
    TIER.admin().disableTable(rows.table());
    TIER.admin().enableTable(rows.table());
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
    TableDescriptor meta = TIER.admin().getDescriptor(TableName.META_TABLE_NAME);
    TIER.admin()
        .modifyTable(TableDescriptorBuilder.newBuilder(meta).setRegionReplication(3).build());
    cluster.await(
        "three replicas of hbase:meta",
        () -> cluster.hbase().getRegions(TableName.META_TABLE_NAME).size() == 3);
    Rows rows = TIER.rows("beside-meta");
    use(rows);
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.killRegionServer(cluster.hbase().getServerHoldingMeta());
    rows.assertAllThere();
    cluster.flush(TableName.META_TABLE_NAME);
  }

  @Test
  void serialReplication() throws Exception {
    Rows rows = rows("serial", (table, family) -> family.setScope(1));
    Rows.create(cluster, CopyingPeer.copyOf(rows.table()), "DEFAULT", "HOT", TIER.random);
    TIER.admin()
        .addReplicationPeer(
            "serial",
            ReplicationPeerConfig.newBuilder()
                .setReplicationEndpointImpl(CopyingPeer.class.getName())
                .setReplicateAllUserTables(false)
                .setTableCFsMap(Map.of(rows.table(), List.of()))
                .setSerial(true)
                .build());
    use(rows);
    cluster.rollWals();
    serverDies(rows); // serial: what the dead server had must come first
    rows.put(60);
    Rows copy = rows.as(CopyingPeer.copyOf(rows.table()));
    cluster.await("every row at the peer", () -> allThere(copy));
    TIER.admin().removeReplicationPeer("serial");
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
