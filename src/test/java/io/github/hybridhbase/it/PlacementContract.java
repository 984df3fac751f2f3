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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * What must hold with each delegate: system components on SSD, user data on DISK and every
 * acknowledged row there, through rolls, flushes, compactions, splits, bulk loads, snapshots and
 * the death of servers. One cluster, steps in order.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
abstract class PlacementContract {
  private static final long SEED = Long.getLong("hybrid.seed", System.nanoTime());

  private static final byte[] FIRST = Bytes.toBytes("5000");
  private static final byte[] LAST = Bytes.toBytes("5999");

  private final String delegate;
  private final long failuresBefore = failures();
  private final Random random = new Random(SEED);
  private TypedCluster cluster;
  private BlockProof proof;
  private Rows plain;
  private Rows tracked;

  PlacementContract(String delegate) {
    this.delegate = delegate;
  }

  @BeforeAll
  void start() throws Exception {
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

  /** The counter is the process's. */
  private static long failures() {
    return HybridMetrics.get().value(Metric.HOOK_FAILURES);
  }

  private List<Rows> both() {
    return List.of(plain, tracked);
  }

  private void putBoth() throws Exception {
    for (Rows rows : both()) {
      rows.put(150);
    }
  }

  private void flushBoth() throws Exception {
    for (Rows rows : both()) {
      cluster.flush(rows.table());
    }
  }

  private void assertUserOnDisk() {
    for (Rows rows : both()) {
      proof.assertPlaced(Part.USER_FILES, in(rows.table()));
    }
  }

  private static Predicate<FileBlocks> in(TableName table) {
    return file -> file.path.toUri().getPath().contains("/" + table.getNameAsString() + "/");
  }

  private void assertAllThere() throws Exception {
    for (Rows rows : both()) {
      rows.assertAllThere();
    }
  }

  private Set<Path> paths(Part part) {
    return proof.files(part).stream().map(file -> file.path).collect(Collectors.toSet());
  }

  private void assertAllPlacedAndThere() throws Exception {
    proof.assertSystemOnSsd();
    flushBoth();
    assertUserOnDisk();
    assertAllThere();
  }

  @Test
  @Order(1)
  void systemComponents_stayOnSsd_throughRollsAndFlushes() throws Exception {
    putBoth();
    proof.assertSystemOnSsd();
    Set<Path> before = paths(Part.USER_WAL);
    cluster.rollWals();
    putBoth();
    assertFalse(before.containsAll(paths(Part.USER_WAL)), "no WAL was rolled");
    proof.assertSystemOnSsd();
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
  @Order(2)
  void userStoreFiles_areOnDisk_afterFlushAndCompactions() throws Exception {
    for (int i = 0; i < 4; i++) {
      putBoth();
      flushBoth();
      assertUserOnDisk();
    }
    for (boolean major : new boolean[] {false, true}) {
      putBoth();
      flushBoth();
      Set<Path> before = paths(Part.USER_FILES);
      for (Rows rows : both()) {
        cluster.compact(rows.table(), major);
      }
      Set<Path> born = paths(Part.USER_FILES);
      born.removeAll(before);
      assertFalse(born.isEmpty(), "nothing was compacted, major=" + major);
      assertUserOnDisk();
    }
    assertAllThere();
  }

  @Test
  @Order(3)
  void noHookFailed() {
    assertEquals(failuresBefore, failures());
  }

  @Test
  @Order(4)
  void splitMergeAndMoveLeaveUserDataOnDisk() throws Exception {
    Admin admin = cluster.connection().getAdmin();
    for (Rows rows : both()) {
      int regions = admin.getRegions(rows.table()).size();
      RegionInfo first = admin.getRegions(rows.table()).get(0);
      admin.splitRegionAsync(first.getRegionName(), Bytes.toBytes("1")).get();
      assertEquals(regions + 1, admin.getRegions(rows.table()).size());
      rows.put(100);
      cluster.flush(rows.table());
      cluster.compact(rows.table(), true);
      assertUserOnDisk();

      List<RegionInfo> now = admin.getRegions(rows.table());
      admin
          .mergeRegionsAsync(
              new byte[][] {now.get(2).getRegionName(), now.get(3).getRegionName()}, false)
          .get();
      assertEquals(regions, admin.getRegions(rows.table()).size());
      rows.put(100);
      cluster.flush(rows.table());
      cluster.compact(rows.table(), true);
      assertUserOnDisk();

      RegionInfo moved = admin.getRegions(rows.table()).get(0);
      ServerName from = cluster.hbase().getServerHoldingRegion(rows.table(), moved.getRegionName());
      ServerName to =
          admin.getRegionServers().stream().filter(s -> !s.equals(from)).findAny().orElseThrow();
      admin.move(moved.getEncodedNameAsBytes(), to);
      cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
      assertEquals(to, cluster.hbase().getServerHoldingRegion(rows.table(), moved.getRegionName()));
      rows.put(100);
      cluster.flush(rows.table());
    }
    assertUserOnDisk();
    proof.assertPlaced(Part.ARCHIVED_FILES);
    assertAllThere();
  }

  @Test
  @Order(5)
  void bulkLoadedFilesKeepTheDiskOfTheirSource() throws Exception {
    for (Rows rows : both()) {
      Path source = new Path("/bulk/" + rows.table());
      Path family = new Path(source, Bytes.toString(Rows.FAMILY));
      HFileTestUtil.createHFile(
          cluster.conf(),
          cluster.fs(),
          new Path(family, "h"),
          Rows.FAMILY,
          Rows.QUALIFIER,
          FIRST,
          LAST,
          100);
      int loaded = BulkLoadHFiles.create(cluster.conf()).bulkLoad(rows.table(), source).size();
      assertEquals(1, loaded);
      // HBase's test utility makes each row its own value.
      for (byte[] key : Bytes.iterateOnSplits(FIRST, LAST, 98)) {
        rows.remember(key, key);
      }
    }
    assertTrue(
        proof.files(Part.USER_FILES).stream()
            .anyMatch(file -> file.path.getName().contains("SeqId")),
        "no bulk loaded file was proven");
    assertUserOnDisk();
    assertAllThere();
  }

  @Test
  @Order(6)
  void snapshotsCloneAndRestoreWorkAndKeepTheirPlace() throws Exception {
    Admin admin = cluster.connection().getAdmin();
    for (Rows rows : both()) {
      String snapshot = "snap-" + rows.table();
      admin.snapshot(snapshot, rows.table());
      Rows clone = rows.as("clone-" + rows.table());
      admin.cloneSnapshot(snapshot, clone.table());
      clone.assertAllThere();
      clone.put(50);
      cluster.flush(clone.table());
      proof.assertPlaced(Part.USER_FILES, in(clone.table()));
      clone.assertAllThere();
    }
    // Not the FILE tracker's table: stock HBase 2.6.4 cannot restore one in place
    // (docs/failures.md#limits).
    Rows asOfSnapshot = plain.as(plain.table().getNameAsString());
    plain.put(30);
    admin.disableTable(plain.table());
    admin.restoreSnapshot("snap-" + plain.table());
    admin.enableTable(plain.table());
    asOfSnapshot.assertAllThere();
    plain = asOfSnapshot;
    putBoth();
    flushBoth();
    assertUserOnDisk();
    assertAllThere();
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
    ServerName withMeta = cluster.hbase().getServerHoldingMeta();
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

  /** The proof that DISK is asserted on user data and could fail. */
  @Test
  @Order(10)
  void aFamilysOwnPolicyIsRespectedAndTheDiskAssertionTurnsRedOnIt() throws Exception {
    Rows pinned = Rows.create(cluster, "pinned", "DEFAULT", "ALL_SSD", random);
    pinned.put(60);
    cluster.flush(pinned.table());
    AssertionError red =
        assertThrows(
            AssertionError.class, () -> proof.assertPlaced(Part.USER_FILES, in(pinned.table())));
    assertTrue(red.getMessage().contains("not on DISK"), red.getMessage());
    List<FileBlocks> files = proof.files(Part.USER_FILES, in(pinned.table()));
    assertEquals(
        Collections.nCopies(files.size(), 0L),
        files.stream()
            .map(file -> file.replicas() - file.replicas(StorageType.SSD))
            .collect(Collectors.toList()));
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
