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
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.ToolRun;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files leave SSD beside what admins do with compactions: switch, clear queues, ask for others. */
@InterfaceAudience.Private
class ExitIT {
  private static final long LONG_AGO_MILLIS = TimeUnit.DAYS.toMillis(30);

  private static TypedCluster cluster;
  private static StoreFileMedia storeFiles;
  private static Random random;

  private final CountDownLatch busy = new CountDownLatch(1);

  @BeforeAll
  static void start() throws Exception {
    long seed = System.nanoTime();
    System.out.println("ExitIT: seed " + seed);
    random = new Random(seed);
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hfile.compaction.discharger.interval", 1_000)
            .conf("hybrid.tests.period", 1)
            .start();
    storeFiles = new StoreFileMedia(cluster);
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  @AfterEach
  void free() throws Exception {
    busy.countDown();
    HeldCompactions.hold = new CountDownLatch(0);
    cluster.connection().getAdmin().compactionSwitch(true, List.of());
  }

  /** Holds compactions of its table. */
  public static final class HeldCompactions implements RegionCoprocessor, RegionObserver {
    static volatile CountDownLatch hold = new CountDownLatch(0);

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public InternalScanner preCompact(
        ObserverContext<RegionCoprocessorEnvironment> context,
        Store store,
        InternalScanner scanner,
        ScanType type,
        CompactionLifeCycleTracker tracker,
        CompactionRequest request)
        throws InterruptedIOException {
      try {
        hold.await();
      } catch (InterruptedException e) {
        throw new InterruptedIOException("test");
      }
      return scanner;
    }
  }

  /** Three regions with a file on DISK and a younger one on SSD each. */
  private static Rows rows(String name) throws Exception {
    Rows rows = Rows.create(cluster, name, "DEFAULT", null, random);
    Admin admin = cluster.connection().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(rows.table()))
            .setValue(HybridKeys.TIER_MAX_AGE.name(), "3600s")
            .setCoprocessor(HeldCompactions.class.getName())
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
    storeFiles.awaitOpen(rows.table());
    rows.put(60);
    cluster.flush(rows.table());
    cluster.compact(rows.table(), true);
    rows.put(60);
    cluster.flush(rows.table());
    assertEquals(6, storeFiles.files(rows.table()).size());
    return rows;
  }

  private static void comeDue(Rows rows) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    admin.modifyTable(
        TableDescriptorBuilder.newBuilder(admin.getDescriptor(rows.table()))
            .setValue(HybridKeys.TIER_MAX_AGE.name(), "1s")
            .build());
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  /** Nobody compacts a disabled table: audit says so, and its remedy works. */
  @Test
  void filesOfADisabledTableAreFoundAndLeaveOnceItIsEnabled() throws Exception {
    Rows rows = rows("disabled");
    Admin admin = cluster.connection().getAdmin();
    admin.disableTable(rows.table());
    for (FileBlocks file : storeFiles.files(rows.table())) {
      cluster.fs().setTimes(file.path, System.currentTimeMillis() - LONG_AGO_MILLIS, -1);
    }
    ToolRun audit = ToolRun.of(cluster.conf(), "check", "--blocks", "--json");
    assertTrue(audit.findings().contains("tier-overdue"), audit::toString);
    assertTrue(audit.toString().contains("disabled table"), audit::toString);
    admin.enableTable(rows.table());
    storeFiles.awaitOpen(rows.table());
    comeDue(rows);
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    audit = ToolRun.of(cluster.conf(), "check", "--blocks", "--json");
    assertFalse(audit.findings().contains("tier-overdue"), audit::toString);
    rows.assertAllThere();
  }

  private static CompactSplit compactions(RegionServerThread server) {
    return (CompactSplit) server.getRegionServer().getCompactionRequestor();
  }

  /** All of HBase's threads that compact have something else to do. */
  private void occupy() throws Exception {
    for (RegionServerThread server : cluster.hbase().getRegionServerThreads()) {
      for (String pool : List.of("longCompactions", "shortCompactions")) {
        ThreadPoolExecutor threads =
            (ThreadPoolExecutor) field(CompactSplit.class, pool, compactions(server));
        for (int i = 0; i < threads.getCorePoolSize(); i++) {
          threads.execute(this::keepBusy);
        }
      }
    }
  }

  private void keepBusy() {
    try {
      busy.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Object field(Class<?> type, String name, Object of) {
    try {
      java.lang.reflect.Field field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field.get(of);
    } catch (ReflectiveOperationException e) {
      throw new AssertionError(e);
    }
  }

  /** Files of the table that are being compacted, or are selected for it. */
  private static int compacting(Rows rows) {
    int files = 0;
    for (HRegion region : cluster.hbase().getRegions(rows.table())) {
      for (HStore store : region.getStores()) {
        files += ((Collection<?>) field(HStore.class, "filesCompacting", store)).size();
      }
    }
    return files;
  }

  /** Requests in HBase's queues, of the cluster's three regions. */
  private static int queued() {
    return cluster.hbase().getRegionServerThreads().stream()
        .mapToInt(server -> compactions(server).getCompactionQueueSize())
        .sum();
  }

  private static boolean onDisk(Rows rows) {
    return storeFiles.allOn(rows.table(), StorageType.DISK);
  }

  private interface Command {
    void run(Admin admin) throws Exception;
  }

  /** Exits are requested while HBase's threads are busy; then the queues are emptied. */
  private void nothingIsStranded(String table, Command command) throws Exception {
    Rows rows = rows(table);
    occupy();
    comeDue(rows);
    cluster.await("exits", () -> queued() >= 3);
    command.run(cluster.connection().getAdmin());
    busy.countDown();
    cluster.await("all on DISK", () -> onDisk(rows));
    cluster.await("nothing selected", () -> compacting(rows) == 0);
    rows.put(60);
    cluster.flush(rows.table());
    cluster.connection().getAdmin().majorCompact(rows.table());
    cluster.await("a major one", () -> storeFiles.files(rows.table()).size() == 3);
    rows.assertAllThere();
  }

  @Test
  void compactionSwitchStrandsNothing() throws Exception {
    nothingIsStranded(
        "switched",
        admin -> {
          admin.compactionSwitch(false, List.of());
          admin.compactionSwitch(true, List.of());
        });
  }

  @Tag("long")
  @Test
  void clearCompactionQueuesStrandsNothing() throws Exception {
    nothingIsStranded(
        "cleared",
        admin -> {
          for (ServerName server : admin.getRegionServers()) {
            admin.clearCompactionQueues(server, Set.of("long", "short"));
          }
        });
  }

  @Tag("long")
  @Test
  void compactionSwitchEndsAnExitThatRuns() throws Exception {
    Rows rows = rows("running");
    HeldCompactions.hold = new CountDownLatch(1);
    comeDue(rows);
    cluster.await("an exit", () -> compacting(rows) > 0);
    Admin admin = cluster.connection().getAdmin();
    admin.compactionSwitch(false, List.of());
    cluster.await("nothing selected", () -> compacting(rows) == 0);
    HeldCompactions.hold = new CountDownLatch(0);
    admin.compactionSwitch(true, List.of());
    cluster.await("all on DISK", () -> onDisk(rows));
    rows.assertAllThere();
  }

  @Test
  void aMajorCompactionIsMadeThoughExitsAreToBeMade() throws Exception {
    Rows rows = rows("queued");
    occupy();
    comeDue(rows);
    cluster.await("exits", () -> queued() >= 3);
    cluster.connection().getAdmin().majorCompact(rows.table());
    busy.countDown();
    cluster.await("a major one", () -> storeFiles.files(rows.table()).size() == 3);
    rows.assertAllThere();
  }

  @Tag("long")
  @Test
  void aMajorCompactionIsMadeThoughAnExitRuns() throws Exception {
    Rows rows = rows("met");
    CountDownLatch hold = new CountDownLatch(1);
    HeldCompactions.hold = hold;
    comeDue(rows);
    cluster.await("an exit", () -> compacting(rows) > 0);
    cluster.connection().getAdmin().majorCompact(rows.table());
    hold.countDown();
    cluster.await("a major one", () -> storeFiles.files(rows.table()).size() == 3);
    rows.assertAllThere();
  }
}
