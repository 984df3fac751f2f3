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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What must hold with each delegate: system components on SSD, every acknowledged row there,
 * through rolls, flushes and the death of servers. One cluster, steps in order.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class WalPlacementContract {
  private static final long SEED = Long.getLong("hybrid.seed", System.nanoTime());

  private final String delegate;
  private final Map<Metric, Long> before = new EnumMap<>(Metric.class);
  final Random random = new Random(SEED);
  TypedCluster cluster;
  BlockProof proof;
  Rows plain;
  private Rows tracked;

  WalPlacementContract(String delegate) {
    this.delegate = delegate;
  }

  @BeforeAll
  void start() throws Exception {
    for (Metric metric : Metric.values()) {
      before.put(metric, HybridMetrics.get().value(metric));
    }
    System.out.println("seed: -Dhybrid.seed=" + SEED);
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hybrid.tier.policy", "NONE") // new store files: TierIT
            .conf("hbase.hybrid.wal.delegate", delegate)
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // a slow disk is no refusal
            .conf(CoprocessorHost.USER_REGION_COPROCESSOR_CONF_KEY, EditsSeen.class.getName())
            .regionServers(2)
            .start();
    proof = new BlockProof(cluster);
    plain = Rows.create(cluster, "plain", "DEFAULT", null, random);
    tracked = Rows.create(cluster, "tracked", "FILE", null, random);
  }

  @AfterAll
  void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  /** Counted since this cluster was started; the counters are the process's. */
  long counted(Metric metric) {
    return HybridMetrics.get().value(metric) - before.get(metric);
  }

  List<Rows> both() {
    return List.of(plain, tracked);
  }

  void putBoth() throws Exception {
    for (Rows rows : both()) {
      rows.put(150);
    }
  }

  void flushBoth() throws Exception {
    for (Rows rows : both()) {
      cluster.flush(rows.table());
    }
  }

  private void assertSystemOnSsd() throws Exception {
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.flushMasterStore();
    proof.assertPlaced(Part.USER_WAL);
    proof.assertPlaced(Part.META_WAL);
    proof.assertPlaced(Part.MASTER_WAL);
    proof.assertPlaced(Part.HBASE_META);
    proof.assertPlaced(Part.MASTER_STORE);
  }

  void assertUserOnDisk() {
    for (Rows rows : both()) {
      proof.assertPlaced(Part.USER_FILES, in(rows.table()));
    }
  }

  static java.util.function.Predicate<FileBlocks> in(TableName table) {
    return file -> file.path.toUri().getPath().contains("/" + table.getNameAsString() + "/");
  }

  void assertAllThere() throws Exception {
    for (Rows rows : both()) {
      rows.assertAllThere();
    }
  }

  Set<Path> paths(Part part) {
    return proof.files(part).stream().map(file -> file.path).collect(Collectors.toSet());
  }

  private void assertAllPlacedAndThere() throws Exception {
    assertSystemOnSsd();
    flushBoth();
    assertUserOnDisk();
    assertAllThere();
  }

  @Test
  @Order(1)
  void systemComponents_stayOnSsd_throughRollsAndFlushes() throws Exception {
    putBoth();
    assertSystemOnSsd();
    Set<Path> before = paths(Part.USER_WAL);
    cluster.rollWals();
    putBoth();
    assertFalse(before.containsAll(paths(Part.USER_WAL)), "no WAL was rolled");
    assertSystemOnSsd();
    assertTrue(
        proof.files(Part.HBASE_META).stream()
            .anyMatch(file -> file.path.getParent().getName().equals("info")),
        "no store file of hbase:meta was proven");
    assertTrue(
        proof.files(Part.MASTER_STORE).stream()
            .anyMatch(file -> file.path.getParent().getName().equals("proc")),
        "no store file of master:store was proven");
  }

  @Test
  @Order(7)
  void aRegionServerRestartKeepsThePlacementAndTheRows() throws Exception {
    putBoth();
    HRegionServer server = cluster.hbase().getRegionServer(0);
    cluster.restartRegionServer(server.getServerName());
    putBoth();
    assertAllPlacedAndThere();
  }

  @Test
  @Order(8)
  void crashedRegionServer_walsAreSplit_noRowIsMissing() throws Exception {
    putBoth();
    EditsSeen.MEDIA.clear();
    ServerName withMeta =
        cluster
            .hbase()
            .getServerHoldingRegion(
                TableName.META_TABLE_NAME,
                org.apache.hadoop.hbase.client.RegionInfoBuilder.FIRST_META_REGIONINFO
                    .getRegionName());
    cluster.killRegionServer(withMeta);
    assertAllThere();
    assertFalse(EditsSeen.MEDIA.isEmpty(), "no region replayed edits");
    EditsSeen.MEDIA.forEach((file, media) -> assertEquals(Set.of(StorageType.SSD), media, file));
    putBoth();
    assertAllPlacedAndThere();
  }

  @Test
  @Order(9)
  void aMasterFailoverKeepsThePlacementAndTheRows() throws Exception {
    cluster.failoverMaster();
    putBoth();
    cluster.flushMasterStore();
    assertAllPlacedAndThere();
  }

  /** Sees where a region's recovered edits are before it replays and deletes them. */
  public static final class EditsSeen implements RegionCoprocessor, RegionObserver {
    static final Map<String, Set<StorageType>> MEDIA = new ConcurrentHashMap<>();

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void preReplayWALs(
        ObserverContext<? extends RegionCoprocessorEnvironment> context,
        RegionInfo region,
        Path edits)
        throws IOException {
      FileSystem fs = edits.getFileSystem(context.getEnvironment().getConfiguration());
      FileBlocks blocks = StorageNamespace.of(fs).get().blocks(edits).get();
      MEDIA.put(
          edits.toString(),
          blocks.blocks.stream()
              .flatMap(block -> block.replicas.stream())
              .collect(Collectors.toSet()));
    }
  }
}
