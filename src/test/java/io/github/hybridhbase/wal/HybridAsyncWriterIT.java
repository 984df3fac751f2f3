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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.wal.sync.WalSyncStats;
import java.io.File;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** HBase's own write-ahead logs over the plugin's writers, on a real HDFS with typed volumes. */
@InterfaceAudience.Private
@Timeout(300)
class HybridAsyncWriterIT {
  private static final int DATA_NODES = 4;
  private static final int WRITERS = 20;

  /** Raise with {@code -Dwal.kills=N}. */
  private static final int KILLS = Integer.getInteger("wal.kills", 4);

  private static final long SEED = Long.getLong("wal.seed", System.nanoTime());

  @TempDir static File volumes;
  private static MiniDFSCluster cluster;

  private final AtomicLong flushes = new AtomicLong();
  private final AtomicLong syncs = new AtomicLong();
  private Configuration conf;
  private Path root;

  @BeforeAll
  static void startHdfs() throws IOException {
    System.out.println("-Dwal.seed=" + SEED);
    Configuration hdfs = new Configuration();
    hdfs.setInt("dfs.replication", 3);
    hdfs.setLong("dfs.blocksize", 16L << 20);
    hdfs.setInt("dfs.client.socket-timeout", 10_000);
    StorageType[] types = {StorageType.SSD, StorageType.DISK};
    cluster =
        new MiniDFSCluster.Builder(hdfs, volumes)
            .numDataNodes(DATA_NODES)
            .storagesPerDatanode(2)
            .storageTypes(new StorageType[][] {types, types, types, types})
            .build();
    cluster.waitActive();
  }

  @AfterAll
  static void stopHdfs() {
    cluster.shutdown(true);
  }

  @BeforeEach
  void configure(TestInfo test) throws IOException {
    root = new Path("/" + test.getTestMethod().orElseThrow().getName() + System.nanoTime());
    cluster.getFileSystem().mkdirs(root);
    conf = HBaseConfiguration.create(cluster.getFileSystem().getConf());
    CommonFSUtils.setRootDir(conf, root);
    conf.set(AsyncFSWALProvider.WRITER_IMPL, HybridAsyncWriter.class.getName());
    conf.set(FSHLogProvider.WRITER_IMPL, HybridLogWriter.class.getName());
    WalSyncStats.bind(
        new WalSyncStats() {
          @Override
          public void flushed(int answered, int edits, long bytes, boolean forced, long nanos) {
            flushes.incrementAndGet();
            syncs.addAndGet(answered);
          }
        });
  }

  private static void await(BooleanSupplier condition) throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
    while (!condition.getAsBoolean()) {
      assertTrue(System.nanoTime() < end, "Waited two minutes in vain");
      TimeUnit.MILLISECONDS.sleep(5);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "asyncfs, false",
    "asyncfs, true",
    "filesystem, true",
    "multiwal, true",
  })
  void everyAcknowledgedEditIsReadBackAfterRollsUnderLoad(String provider, boolean hsync)
      throws Exception {
    conf.set("hbase.wal.provider", provider);
    conf.setBoolean("hbase.wal.hsync", hsync);
    WalLoad load = new WalLoad(conf, WRITERS);
    for (int rolls = 1; rolls <= 8; rolls++) {
      long target = load.acknowledged() + 500;
      await(() -> load.acknowledged() >= target);
      load.roll();
    }
    load.stop();
    load.check();
    assertEquals(0, load.refused(), "no sync may fail on a healthy HDFS");
    if (hsync && !provider.equals("filesystem")) {
      assertTrue(flushes.get() < syncs.get(), flushes + " flushes for " + syncs + " syncs");
    } else {
      assertEquals(0, syncs.get(), "hflushes pass straight through");
    }
  }

  @Test
  void oneEventLoopForConsumerAndChannelsWorks() throws Exception {
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setBoolean("hbase.wal.hsync", true);
    conf.setBoolean("hbase.wal.async.use-shared-event-loop", true);
    WalLoad load = new WalLoad(conf, WRITERS);
    await(() -> load.acknowledged() >= 2_000);
    load.roll();
    await(() -> load.acknowledged() >= 4_000);
    load.stop();
    load.check();
  }

  @Test
  void theSyncedLengthIsNeverBeyondWhatReadersSee() throws Exception {
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setBoolean("hbase.wal.hsync", true);
    WalLoad load = new WalLoad(conf, WRITERS);
    CompletableFuture<Long> looked =
        CompletableFuture.supplyAsync(
            () -> {
              long looks = 0;
              while (load.acknowledged() < 10_000) {
                load.checkSyncedLength();
                looks++;
              }
              return looks;
            });
    for (int rolls = 1; rolls <= 4; rolls++) {
      long target = rolls * 2_500L;
      await(() -> load.acknowledged() >= target);
      load.roll();
    }
    assertTrue(looked.get() > 10);
    load.stop();
    load.check();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void noAcknowledgedEditIsLostWhenDataNodesDieAtRandomPoints(boolean hsync) throws Exception {
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setBoolean("hbase.wal.hsync", hsync);
    Random random = new Random(SEED);
    WalLoad load = new WalLoad(conf, WRITERS);
    for (int kill = 0; kill < KILLS; kill++) {
      long target = load.acknowledged() + 200 + random.nextInt(1_500);
      await(() -> load.acknowledged() >= target);
      TimeUnit.MICROSECONDS.sleep(random.nextInt(3_000));
      DataNodeProperties dead = cluster.stopDataNode(random.nextInt(DATA_NODES));
      long after = load.acknowledged() + 500;
      await(() -> load.acknowledged() >= after);
      if (random.nextBoolean()) {
        load.roll();
      }
      assertTrue(cluster.restartDataNode(dead, true));
      cluster.waitActive();
    }
    load.stop();
    load.check();
  }

  private static long fsyncs() {
    long sum = 0;
    for (DataNode dataNode : cluster.getDataNodes()) {
      sum +=
          MetricsAsserts.getLongCounter(
              "FsyncCount", MetricsAsserts.getMetrics(dataNode.getMetrics().name()));
    }
    return sum;
  }

  @ParameterizedTest
  @CsvSource({
    "asyncfs, ALL_SSD, auto, true",
    "asyncfs, ALL_SSD, stock, false",
    "asyncfs, ONE_SSD, auto, false",
    "asyncfs, HOT, auto, false",
    "filesystem, ALL_SSD, auto, true",
    "filesystem, ONE_SSD, auto, false",
  })
  void autoIsDurableWhereEveryReplicaIsOnSsd(
      String provider, String policy, String hsync, boolean durable) throws Exception {
    cluster.getFileSystem().setStoragePolicy(root, policy);
    conf.set("hbase.wal.provider", provider);
    conf.setBoolean("hbase.wal.hsync", false);
    conf.set(HybridKeys.WAL_HSYNC.name(), hsync);
    long before = fsyncs();
    WalLoad load = new WalLoad(conf, 2);
    load.useDefaultDurability();
    await(() -> load.acknowledged() >= 200);
    load.stop();
    load.check();
    // Three replicas, and the two writers share a flush at most.
    if (durable) {
      assertTrue(fsyncs() - before >= 200, fsyncs() - before + " fsyncs");
    } else {
      // None an edit; the log of the case before may be closed, with an fsync, only now.
      long found = fsyncs() - before;
      assertTrue(found <= 2 * DATA_NODES, found + " fsyncs");
    }
  }

  @Test
  void aLogOutsideOurRootIsWrittenAsStockDoes() throws Exception {
    Configuration elsewhere = new Configuration(conf);
    Path other = new Path(root, "../other" + System.nanoTime());
    cluster.getFileSystem().mkdirs(other);
    CommonFSUtils.setRootDir(elsewhere, other);
    assertFalse(WalOwner.isOurs(elsewhere, cluster.getFileSystem(), new Path(root, "WALs/s/w.1")));
    assertTrue(WalOwner.isOurs(conf, cluster.getFileSystem(), new Path(root, "WALs/s/w.1")));
    assertFalse(
        WalOwner.isOurs(conf, cluster.getFileSystem(), new Path(root.toString() + "2/WALs/s/w.1")));
  }
}
