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

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.CheckAndMutate;
import org.apache.hadoop.hbase.client.CheckAndMutateResult;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.coprocessor.CoprocessorHost;
import org.apache.hadoop.hbase.coprocessor.ObserverContext;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessor;
import org.apache.hadoop.hbase.coprocessor.RegionCoprocessorEnvironment;
import org.apache.hadoop.hbase.coprocessor.RegionObserver;
import org.apache.hadoop.hbase.io.util.MemorySizeUtil;
import org.apache.hadoop.hbase.regionserver.FlushLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Real calls to a region whose memstore is nearly as large as HBase lets it be: which wait, and
 * where in HBase they do. How long depends on figures only, see {@code WriteDelayTest}.
 */
@InterfaceAudience.Private
class WriteDelayIT {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final byte[] ROW = Bytes.toBytes("row");
  private static final long FLUSH = 1 << 20;

  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(
          spec ->
              spec.conf(HybridKeys.TIER_WRITE_DELAY.name(), "3000ms")
                  .conf("hbase.hstore.blockingWaitTime", 3_600_000));

  private final TypedCluster cluster = TIER.cluster;

  /** Holds the flushes of some tables up, and looks when a checked row is locked. */
  public static final class HeldFlush implements RegionCoprocessor, RegionObserver {
    private static final Set<TableName> HELD = ConcurrentHashMap.newKeySet();

    private static volatile long delayedWhenLocked;

    static void letGo() {
      synchronized (HELD) {
        HELD.clear();
        HELD.notifyAll();
      }
    }

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    /** HBase has locked the row. */
    @Override
    public CheckAndMutateResult preCheckAndMutateAfterRowLock(
        ObserverContext<RegionCoprocessorEnvironment> c,
        CheckAndMutate checkAndMutate,
        CheckAndMutateResult result) {
      delayedWhenLocked = delayed();
      return result;
    }

    @Override
    public void preFlush(
        ObserverContext<RegionCoprocessorEnvironment> c, FlushLifeCycleTracker tracker) {
      synchronized (HELD) {
        while (HELD.contains(c.getEnvironment().getRegionInfo().getTable())) {
          try {
            HELD.wait();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
          }
        }
      }
    }
  }

  /** Has a table's calls wait until something but time ends that, each of them an hour at most. */
  public static final class EndlessDelay implements RegionCoprocessor, RegionObserver {
    private static volatile WriteCalls calls;
    private static volatile boolean ended;

    private volatile WriteDelay delay;

    @Override
    public Optional<RegionObserver> getRegionObserver() {
      return Optional.of(this);
    }

    @Override
    public void postOpen(ObserverContext<RegionCoprocessorEnvironment> c) {
      HRegion region = (HRegion) c.getEnvironment().getRegion();
      calls =
          new WriteCalls(
              c.getEnvironment().getConfiguration(),
              (RegionServerServices) c.getEnvironment().getOnlineRegions()) {
            @Override
            boolean isStopping() {
              return ended;
            }
          };
      delay = new WriteDelay(region, store -> true, Integer.MAX_VALUE, calls, System::nanoTime);
    }

    @Override
    public void prePut(ObserverContext<RegionCoprocessorEnvironment> c, Put put, WALEdit edit) {
      delay.before(true);
    }
  }

  /** What the first table to open says of itself must not be taken for the server's. */
  @BeforeAll
  static void openFirstTable() throws Exception {
    TIER.admin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TableName.valueOf("first"))
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setValue(HybridKeys.policy(Component.TIER).name(), "NONE")
                .setValue(HybridKeys.TIER_WRITE_DELAY.name(), "0")
                .build());
  }

  @AfterEach
  void letGo() {
    HeldFlush.letGo();
  }

  /**
   * A table of one region with a store file, which is one too many, and a memstore of more than two
   * flushes: so few that by itself a flush under way has nothing wait.
   */
  private Table crowded(String name) throws Exception {
    return crowded(name, "10000", 0, 22, HeldFlush.class); // more than the site's
  }

  /** Of so many rows in memory, ten to a flush. */
  private Table crowded(
      String name, String delay, int mostFiles, int rows, Class<?>... coprocessors)
      throws Exception {
    TableName table = TableName.valueOf(name);
    TableDescriptorBuilder described =
        TableDescriptorBuilder.newBuilder(table)
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .setMemStoreFlushSize(FLUSH)
            .setValue("hbase.hstore.blockingStoreFiles", String.valueOf(mostFiles))
            .setValue(HybridKeys.TIER_WRITE_DELAY.name(), delay);
    for (Class<?> coprocessor : coprocessors) {
      described.setCoprocessor(coprocessor.getName());
    }
    TIER.admin().createTable(described.build());
    TIER.files.awaitOpen(table);
    Table to = cluster.connection().getTable(table);
    to.put(put(1));
    cluster.flush(table);
    cluster.await(
        "the tier serves it", () -> HybridStoreEngine.isServed(region(table).getStores().get(0)));
    HeldFlush.HELD.add(table);
    List<Put> many = new ArrayList<>();
    for (int i = 0; i < rows; i++) {
      many.add(new Put(Bytes.toBytes(i)).addColumn(FAMILY, ROW, new byte[100 << 10]));
    }
    to.put(many);
    assertTrue(
        region(table).getMemStoreHeapSize() > (rows - 2) / 10.0 * FLUSH, "the flush is held up");
    return to;
  }

  private static Put put(int bytes) {
    return new Put(ROW).addColumn(FAMILY, ROW, new byte[bytes]);
  }

  private HRegion region(TableName table) {
    return cluster.hbase().getRegions(table).get(0);
  }

  private static long delayed() {
    return HybridMetrics.get().value(Metric.WRITES_DELAYED);
  }

  @Test
  void aClientsWriteIsDelayedOnceBeforeItsRowIsLocked() throws Exception {
    try (Table table = crowded("waits")) {
      long before = delayed();
      table.put(put(1));
      assertEquals(1, delayed() - before);
      table.put(List.of(put(1), put(2), put(3)));
      assertEquals(2, delayed() - before, "a call of many writes");
      table.put(put(1).setClusterIds(List.of(new UUID(1, 2))));
      assertEquals(2, delayed() - before, "a replicated one");
      assertTrue(
          table
              .checkAndMutate(
                  CheckAndMutate.newBuilder(ROW).ifEquals(FAMILY, ROW, new byte[1]).build(put(2)))
              .isSuccess());
      assertEquals(3, HeldFlush.delayedWhenLocked - before, "before the row was locked");
      assertEquals(3, delayed() - before, "and not again");

      // HBase loads coprocessors anew if the list of them has changed.
      Configuration more = new Configuration(cluster.hbase().getRegionServer(0).getConfiguration());
      more.set(
          CoprocessorHost.REGION_COPROCESSOR_CONF_KEY,
          more.get(CoprocessorHost.REGION_COPROCESSOR_CONF_KEY) + "," + Other.class.getName());
      region(table.getName()).onConfigurationChange(more);
      assertTrue(
          region(table.getName()).getCoprocessorHost().getCoprocessors().contains("Other"),
          "HBase has loaded its coprocessors anew");
      table.put(put(1));
      assertEquals(4, delayed() - before);
    }
  }

  /** One coprocessor more. */
  public static final class Other implements RegionCoprocessor {}

  /** Though its region's own memstore has none wait. */
  @Test
  void aWriteWaitsWhereItsServersMemstoresAreNearTheirLimitTogether() throws Exception {
    for (HRegion other : cluster.hbase().getRegionServer(0).getRegions()) {
      other.flush(true); // or it would be while this looks
    }
    try (Table table = crowded("together", "10000", 100, 22, HeldFlush.class)) {
      RegionServerServices server = cluster.hbase().getRegionServer(0);
      long before = delayed();
      table.put(put(1));
      assertEquals(0, delayed() - before);
      long all = server.getRegionServerAccounting().getGlobalMemStoreHeapSize();
      try {
        server.getFlushRequester().setGlobalMemStoreLimit((long) (all / 0.98));
        table.put(put(1));
        assertEquals(1, delayed() - before);
      } finally {
        long usual = MemorySizeUtil.getGlobalMemStoreSize(cluster.conf()).getFirst();
        server.getFlushRequester().setGlobalMemStoreLimit(usual);
      }
    }
  }

  /**
   * Three times as many writers as handlers, which would wait for an hour and their clients as
   * long: those that may wait leave handlers free, and what is queued all the same ends the waits.
   * Either would do here; {@code WriteDelayTest} has each of the two alone.
   */
  @Test
  void aHotTablesWritersDoNotHoldUpAnotherTable() throws Exception {
    TableName calm = TableName.valueOf("calm");
    cluster.util().createTable(calm, FAMILY);
    try (Table loaded = crowded("hot", "0", 0, 36, HeldFlush.class, EndlessDelay.class);
        Table other =
            cluster.connection().getTableBuilder(calm, null).setOperationTimeout(120_000).build()) {
      int handlers = cluster.conf().getInt(HConstants.REGION_SERVER_HANDLER_COUNT, 30);
      ExecutorService writers = Executors.newCachedThreadPool();
      try {
        List<Future<?>> waiting = new ArrayList<>();
        for (int i = 0; i < 3 * handlers; i++) {
          waiting.add(writers.submit(() -> writeOnce(loaded.getName())));
          if (i == handlers / 4) { // one queue has a handler for each of so many
            cluster.await("as many wait", () -> EndlessDelay.calls.waiting.get() > handlers / 4);
          }
        }
        for (int i = 0; i < 200; i++) {
          other.put(put(i));
          assertEquals(i, other.get(new Get(ROW)).value().length);
        }
        EndlessDelay.ended = true;
        for (Future<?> one : waiting) {
          one.get();
        }
      } finally {
        EndlessDelay.ended = true;
        writers.shutdownNow();
      }
    }
  }

  private Void writeOnce(TableName table) throws IOException {
    int hours = (int) TimeUnit.HOURS.toMillis(2);
    try (Table to =
        cluster
            .connection()
            .getTableBuilder(table, null)
            .setOperationTimeout(hours)
            .setWriteRpcTimeout(hours)
            .setRpcTimeout(hours)
            .build()) {
      to.put(put(1));
    }
    return null;
  }
}
