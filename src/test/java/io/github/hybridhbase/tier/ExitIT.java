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
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.ToolRun;
import java.io.InterruptedIOException;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.regionserver.CompactSplit;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.InternalScanner;
import org.apache.hadoop.hbase.regionserver.ScanType;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequest;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Files leave SSD beside what admins do with compactions: switch, clear queues, ask for others. */
@InterfaceAudience.Private
class ExitIT {
  private static final long LONG_AGO_MILLIS = TimeUnit.DAYS.toMillis(30);

  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(spec -> spec.conf("hbase.hfile.compaction.discharger.interval", 1_000));

  private final TypedCluster cluster = TIER.cluster;
  private final StoreFileMedia storeFiles = TIER.files;
  private final CountDownLatch busy = new CountDownLatch(1);

  @AfterEach
  void free() throws Exception {
    busy.countDown();
    HeldCompactions.hold.countDown();
    TIER.admin().compactionSwitch(true, List.of());
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
  private Rows rows(String name) throws Exception {
    Rows rows = TIER.tiered(name, 3_600);
    TIER.alter(
        rows.table(), (table, family) -> table.setCoprocessor(HeldCompactions.class.getName()));
    storeFiles.awaitOpen(rows.table());
    TIER.flush(rows, 60);
    cluster.compact(rows.table(), true);
    TIER.flush(rows, 60);
    assertEquals(6, storeFiles.files(rows.table()).size());
    return rows;
  }

  /** Nobody compacts a disabled table: audit says so, and its remedy works. */
  @Test
  void filesOfADisabledTableAreFoundAndLeaveOnceItIsEnabled() throws Exception {
    Rows rows = rows("disabled");
    TIER.admin().disableTable(rows.table());
    for (FileBlocks file : storeFiles.files(rows.table())) {
      cluster.fs().setTimes(file.path, System.currentTimeMillis() - LONG_AGO_MILLIS, -1);
    }
    ToolRun audit = ToolRun.of(cluster.conf(), "check", "--blocks", "--json");
    assertTrue(audit.findings().contains("tier-overdue"), audit::toString);
    assertTrue(audit.toString().contains("disabled table"), audit::toString);
    TIER.admin().enableTable(rows.table());
    storeFiles.awaitOpen(rows.table());
    TIER.age(rows);
    audit = ToolRun.of(cluster.conf(), "check", "--blocks", "--json");
    assertFalse(audit.findings().contains("tier-overdue"), audit::toString);
  }

  private static CompactSplit compactions(RegionServerThread server) {
    return (CompactSplit) server.getRegionServer().getCompactionRequestor();
  }

  /** All of HBase's threads that compact have something else to do. */
  private void occupy() {
    for (RegionServerThread server : cluster.hbase().getRegionServerThreads()) {
      for (String pool : List.of("longCompactions", "shortCompactions")) {
        ThreadPoolExecutor threads =
            (ThreadPoolExecutor) field(CompactSplit.class, pool, compactions(server));
        for (int i = 0; i < threads.getCorePoolSize(); i++) {
          Future<?> unused =
              threads.submit(
                  () -> {
                    busy.await();
                    return null;
                  });
        }
      }
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
  private int compacting(TableName table) {
    return cluster.hbase().getRegions(table).stream()
        .flatMap(region -> region.getStores().stream())
        .mapToInt(store -> ((Collection<?>) field(HStore.class, "filesCompacting", store)).size())
        .sum();
  }

  private interface Command {
    void run(Admin admin) throws Exception;
  }

  /** Exits of all three regions are in HBase's queues, since its threads are busy. */
  private Rows whileExitsWait(String table, Command command) throws Exception {
    Rows rows = rows(table);
    occupy();
    TIER.maxAge(rows, 1);
    cluster.await(
        "exits",
        () ->
            cluster.hbase().getRegionServerThreads().stream()
                    .mapToInt(server -> compactions(server).getCompactionQueueSize())
                    .sum()
                >= 3);
    command.run(TIER.admin());
    busy.countDown();
    return rows;
  }

  private Rows whileAnExitRuns(String table, Command command) throws Exception {
    Rows rows = rows(table);
    HeldCompactions.hold = new CountDownLatch(1);
    TIER.maxAge(rows, 1);
    cluster.await("an exit", () -> compacting(rows.table()) > 0);
    command.run(TIER.admin());
    HeldCompactions.hold.countDown();
    return rows;
  }

  private void assertMajorIsMade(Rows rows) throws Exception {
    cluster.await("a major one", () -> storeFiles.files(rows.table()).size() == 3);
    rows.assertAllThere();
  }

  private void nothingIsStranded(Rows rows) throws Exception {
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    cluster.await("nothing selected", () -> compacting(rows.table()) == 0);
    TIER.flush(rows, 60);
    TIER.admin().majorCompact(rows.table());
    assertMajorIsMade(rows);
  }

  @Test
  void compactionSwitchStrandsNothing() throws Exception {
    nothingIsStranded(
        whileExitsWait(
            "switched",
            admin -> {
              admin.compactionSwitch(false, List.of());
              admin.compactionSwitch(true, List.of());
            }));
  }

  @Tag("long")
  @Test
  void clearCompactionQueuesStrandsNothing() throws Exception {
    nothingIsStranded(
        whileExitsWait(
            "cleared",
            admin -> {
              for (ServerName server : admin.getRegionServers()) {
                admin.clearCompactionQueues(server, Set.of("long", "short"));
              }
            }));
  }

  @Tag("long")
  @Test
  void compactionSwitchEndsAnExitThatRuns() throws Exception {
    TableName table = TableName.valueOf("running");
    Rows rows =
        whileAnExitRuns(
            table.getNameAsString(),
            admin -> {
              admin.compactionSwitch(false, List.of());
              cluster.await("nothing selected", () -> compacting(table) == 0);
            });
    TIER.admin().compactionSwitch(true, List.of());
    nothingIsStranded(rows);
  }

  @Test
  void aMajorCompactionIsMadeThoughExitsAreToBeMade() throws Exception {
    String table = "queued";
    assertMajorIsMade(whileExitsWait(table, admin -> admin.majorCompact(TableName.valueOf(table))));
  }

  @Tag("long")
  @Test
  void aMajorCompactionIsMadeThoughAnExitRuns() throws Exception {
    String table = "met";
    assertMajorIsMade(
        whileAnExitRuns(table, admin -> admin.majorCompact(TableName.valueOf(table))));
  }
}
