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
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Several tables on one server's share of SSD. */
@Tag("long")
@InterfaceAudience.Private
class TierFairnessIT {
  private static final long MIB = 1L << 20;
  private static final long BUDGET = 48 * MIB;
  private static final int ROUNDS = 18;

  /**
   * Rows of a thousand bytes in a flush of the modest table: too large for the gaps between files
   * of the other, and in all rounds together less than half the budget.
   */
  private static final int MODEST = 400;

  private static final byte[] FAMILY = Bytes.toBytes("f");

  private int keys;

  @Test
  void aGreedyTableCannotKeepAnotherOffSsd() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierFairnessIT: seed " + seed);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    AtomicBoolean enough = new AtomicBoolean();
    try (TypedCluster cluster =
        TierLoadIT.spec().regionServers(1).conf(HybridKeys.TIER_BUDGET.name(), BUDGET).start()) {
      TableName greedy = create(cluster, "greedy", true);
      TableName modest = create(cluster, "modest", false);
      StoreFileMedia storeFiles = new StoreFileMedia(cluster);
      storeFiles.awaitOpen(greedy);
      storeFiles.awaitOpen(modest);
      BudgetSampler sampler = new BudgetSampler(cluster, storeFiles, BUDGET, greedy, modest);
      Future<?> sampling = threads.submit(sampler);
      AtomicLong loaded = new AtomicLong();
      Future<?> loading =
          threads.submit(
              () -> {
                Random random = new Random(seed);
                while (!enough.get()) {
                  put(cluster, greedy, random::nextInt, 200);
                  loaded.addAndGet(200 * 1_000);
                }
                return null;
              });
      long full = HybridMetrics.get().value(Metric.TIER_OVER_BUDGET);
      cluster.await(
          "a budget that the greedy table has filled",
          () -> HybridMetrics.get().value(Metric.TIER_OVER_BUDGET) > full);

      int tiered = 0;
      int placed = 0;
      Set<Path> known = new HashSet<>();
      for (int round = 0; round < ROUNDS; round++) {
        put(cluster, modest, () -> keys++, MODEST);
        cluster.flush(modest);
        for (FileBlocks file : storeFiles.files(modest)) {
          if (known.add(file.path())) {
            placed++;
            tiered += file.replicas(StorageType.SSD) == file.replicas() ? 1 : 0;
          }
        }
        long until = loaded.get() + 12 * MIB;
        cluster.await("more of the greedy table", () -> loaded.get() >= until);
      }
      enough.set(true);
      loading.get();
      sampler.stop();
      sampling.get();
      System.out.printf(
          "modest: %d of %d files went to SSD beside %d bytes of a greedy table; %s%n",
          tiered, placed, loaded.get(), sampler);
      assertTrue(placed >= ROUNDS, "written " + placed);
      assertEquals(placed, tiered);
      assertTrue(sampler.most() > BUDGET / 2, "most " + sampler.most());
      assertTrue(sampler.worst() <= 0, "over by " + sampler.worst());
      assertAllThere(cluster, modest);
    } finally {
      enough.set(true);
      threads.shutdownNow();
    }
  }

  private static TableName create(TypedCluster cluster, String name, boolean compacted)
      throws Exception {
    TableName table = TableName.valueOf(name);
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .setValue("hbase.hstore.compaction.min", compacted ? "3" : "100")
                .build());
    return table;
  }

  private static void put(TypedCluster cluster, TableName to, IntSupplier keys, int rows)
      throws Exception {
    try (Table table = cluster.connection().getTable(to)) {
      List<Put> puts = new ArrayList<>();
      for (int i = 0; i < rows; i++) {
        int key = keys.getAsInt();
        puts.add(new Put(Bytes.toBytes(key)).addColumn(FAMILY, FAMILY, UpdateLoad.value(key)));
      }
      table.put(puts);
    }
  }

  private void assertAllThere(TypedCluster cluster, TableName modest) throws Exception {
    int found = 0;
    try (Table table = cluster.connection().getTable(modest);
        ResultScanner rows = table.getScanner(FAMILY)) {
      for (Result row : rows) {
        assertArrayEquals(UpdateLoad.value(found), row.value(), "row " + found);
        found++;
      }
    }
    assertEquals(keys, found);
  }
}
