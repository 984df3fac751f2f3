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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.VolumeMeter;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The SSD tier under a write-heavy load with small flushes, and under trouble. */
@Tag("long")
@InterfaceAudience.Private
class TierLoadIT {
  private static final TableName TABLE = TableName.valueOf("load");
  private static final long MIB = 1L << 20;

  /** Small flushes, quick cleaners, quick turns of the SSD tier. */
  static ClusterSpec spec() {
    return TypedCluster.spec()
        .plugin()
        .regionServers(2)
        .conf("hbase.hregion.memstore.flush.size", MIB)
        .conf("hbase.hstore.blockingStoreFiles", 100)
        .conf("hbase.master.hfilecleaner.ttl", 1_000)
        .conf("hbase.master.cleaner.interval", 2_000)
        .conf("hbase.hfile.compaction.discharger.interval", 1_000)
        .conf("hbase.catalogjanitor.interval", 1_000)
        .conf("hbase.hybrid.ssd.retry", "1s")
        .conf("hybrid.tests.period", 1)
        .conf("hybrid.tests.period", 1);
  }

  /** Bytes on DISK volumes for a byte loaded, once survivors are on DISK. */
  private double diskBytesPerByte(String policy, long seed) throws Exception {
    try (TypedCluster cluster =
        spec()
            .conf("hbase.hybrid.tier.policy", policy)
            .conf(HybridKeys.TIER_MAX_AGE.name(), "30s")
            .start()) {
      UpdateLoad load = UpdateLoad.create(cluster, TABLE);
      StoreFileMedia storeFiles = new StoreFileMedia(cluster);
      if (!policy.equals("NONE")) {
        storeFiles.awaitOpen(TABLE);
      }
      VolumeMeter meter = VolumeMeter.of(cluster.hdfs());
      load.write(120 * MIB, new Random(seed));
      cluster.flush(TABLE);
      storeFiles.awaitAllOn(TABLE, StorageType.DISK);
      double perByte = (double) meter.written(StorageType.DISK) / load.bytes();
      System.out.printf(
          "tier.policy=%s: loaded %d bytes, DISK volumes %d (moved there %d), SSD volumes %d,"
              + " DISK per byte %.2f%n",
          policy,
          load.bytes(),
          meter.written(StorageType.DISK),
          meter.moved(),
          meter.written(StorageType.SSD),
          perByte);
      load.assertAllThere();
      return perByte;
    }
  }

  @Test
  void diskSeesAtMostHalfTheBytes() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierLoadIT: seed " + seed);
    double off = diskBytesPerByte("NONE", seed);
    double on = diskBytesPerByte("ALL_SSD", seed);
    System.out.printf("DISK bytes per byte loaded: off %.2f, on %.2f%n", off, on);
    assertTrue(on <= off / 2, "on " + on + ", off " + off);
  }

  @Test
  void theBudgetHoldsThroughSplitsCrashesAndTrouble() throws Exception {
    long seed = System.nanoTime();
    System.out.println("TierLoadIT: seed " + seed);
    Random random = new Random(seed);
    long budget = 48 * MIB;
    ExecutorService threads = Executors.newFixedThreadPool(2);
    try (TypedCluster cluster =
        spec()
            .conf(HybridKeys.TIER_BUDGET.name(), budget)
            .conf(HybridKeys.TIER_MAX_AGE.name(), "20s")
            .start()) {
      UpdateLoad load = UpdateLoad.create(cluster, TABLE);
      StoreFileMedia storeFiles = new StoreFileMedia(cluster);
      storeFiles.awaitOpen(TABLE);
      BudgetSampler sampler = new BudgetSampler(cluster, storeFiles, budget, TABLE);
      Future<?> sampling = threads.submit(sampler);
      AtomicBoolean enough = new AtomicBoolean();
      Random keys = new Random(seed + 1);
      Future<?> loading =
          threads.submit(
              () -> {
                load.writeUntil(enough::get, keys);
                return null;
              });
      long step = 12 * MIB;
      load.await(step);
      split(cluster, random);
      load.await(step);
      load.await(step);
      cluster.hbase().startRegionServer();
      cluster.killRegionServer(cluster.hbase().getRegionServer(0).getServerName());
      load.await(step);
      Ssds ssds = new Ssds(cluster);
      ssds.capacity(900 * MIB);
      load.await(step);
      ssds.capacity(16L << 30);
      load.await(step);
      enough.set(true);
      loading.get();
      cluster.flush(TABLE);
      storeFiles.awaitAllOn(TABLE, StorageType.DISK);
      sampler.stop();
      sampling.get();
      System.out.printf(
          "%s, loaded %d, tiered files %d, over budget %d, refused %d, drain asked %d%n",
          sampler,
          load.bytes(),
          HybridMetrics.get().value(Metric.TIERED_FILES),
          HybridMetrics.get().value(Metric.TIER_OVER_BUDGET),
          HybridMetrics.get().value(Metric.TIER_REFUSED),
          HybridMetrics.get().value(Metric.DRAIN_REQUESTED));
      assertTrue(sampler.most() > 0);
      assertTrue(sampler.worst() <= 0, "over by " + sampler.worst());
      load.assertAllThere();
    } finally {
      threads.shutdownNow();
    }
  }

  /** Splits some region; one that HBase has split just now must be compacted first. */
  private static void split(TypedCluster cluster, Random random) throws Exception {
    Admin admin = cluster.connection().getAdmin();
    cluster.await(
        "a split",
        () -> {
          byte[] point = Bytes.toBytes(1 + random.nextInt(UpdateLoad.KEYS - 1));
          try (RegionLocator locator = cluster.connection().getRegionLocator(TABLE)) {
            RegionInfo region = locator.getRegionLocation(point, true).getRegion();
            admin.splitRegionAsync(region.getRegionName(), point).get();
            return true;
          } catch (IOException | ExecutionException e) {
            return false;
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
    cluster.util().waitUntilNoRegionsInTransition(TypedCluster.AWAIT_MILLIS);
  }

  @Test
  void aFlushThatSsdRefusesIsWrittenOnDisk() throws Exception {
    long refused = HybridMetrics.get().value(Metric.TIER_REFUSED);
    Random random = new Random(1);
    try (TypedCluster cluster = spec().regionServers(1).conf("hybrid.tests.period", 5).start()) {
      UpdateLoad load = UpdateLoad.create(cluster, TABLE);
      StoreFileMedia storeFiles = new StoreFileMedia(cluster);
      Ssds ssds = new Ssds(cluster);
      for (int tries = 0; HybridMetrics.get().value(Metric.TIER_REFUSED) == refused; tries++) {
        assertTrue(tries < 10, "the master was always faster");
        ssds.capacity(16L << 30);
        storeFiles.awaitOpen(TABLE);
        load.write(MIB / 4, random);
        for (DataNode node : cluster.hdfs().getDataNodes()) {
          Ssds.capacity(node, 900 * MIB);
        }
        cluster.flush(TABLE);
      }
      for (HRegion region : cluster.hbase().getRegions(TABLE)) {
        for (HStore store : region.getStores()) {
          assertEquals(0, store.getMemStoreSize().getDataSize());
        }
      }
      load.assertAllThere();
    }
  }
}
