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

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.DataNodeRestart;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * All DataNodes lose their power at once, seconds after a roll: of every block file is left what it
 * was at its last fsync, in the directory where it was at that one's. What {@code auto} has
 * acknowledged must be there; and the same cut must be seen to lose edits that were only hflushed,
 * and logs that were closed without a sync, or this test would prove nothing. A log that ended by
 * the recovery of its lease must be there once the kernels have written it back.
 */
@InterfaceAudience.Private
@Timeout(900)
class PowerCutIT {
  private static final int CUTS = Integer.getInteger("wal.cuts", 3);

  @TempDir File volumes;

  /** How the first log ends, under load. */
  private interface Ending {
    void of(MiniDFSCluster cluster, WalLoad load) throws Exception;
  }

  private static final Ending ROLL =
      (cluster, load) -> {
        load.roll();
        load.awaitClosed(1);
      };

  /** HBase ends the file by recovering its lease. */
  private static final Ending BREAK =
      (cluster, load) -> {
        load.breakOff();
        load.awaitEnded();
      };

  private static final Ending DEAD_NODE =
      (cluster, load) -> {
        load.mark();
        DataNodeProperties dead = cluster.stopDataNode(0);
        load.awaitEnded();
        DataNodeRestart.restart(cluster, dead);
        cluster.waitActive();
      };

  private void cutDuringLoad(String provider, String hsync, boolean syncOnClose, long seed)
      throws Exception {
    cutDuringLoad(provider, hsync, syncOnClose, seed, ROLL, false);
  }

  /**
   * Cuts the power under load, soon after a log's end; fails where an acknowledged edit is gone.
   *
   * @param writtenBack whether the kernels have written back what was there at the log's end
   */
  private void cutDuringLoad(
      String provider,
      String hsync,
      boolean syncOnClose,
      long seed,
      Ending ending,
      boolean writtenBack)
      throws Exception {
    System.out.printf("%s, %s, %b, -Dwal.seed=%d%n", provider, hsync, syncOnClose, seed);
    Random random = new Random(seed);
    StorageType[] types = {StorageType.SSD};
    Configuration hdfs = new Configuration();
    hdfs.setLong("dfs.blocksize", 16L << 20);
    hdfs.setBoolean("dfs.datanode.synconclose", syncOnClose);
    hdfs.setInt("dfs.client.retry.window.base", 300);
    hdfs.setInt("dfs.heartbeat.interval", 1); // by which a DataNode is told to recover a block
    MiniDFSCluster cluster =
        new MiniDFSCluster.Builder(hdfs, new File(volumes, "" + seed))
            .numDataNodes(3)
            .storagesPerDatanode(1)
            .storageTypes(new StorageType[][] {types, types, types})
            .build();
    try {
      cluster.waitActive();
      FsyncCamera camera = new FsyncCamera();
      List<Path> disks = new ArrayList<>();
      for (DataNode dataNode : cluster.getDataNodes()) {
        camera.watch(dataNode);
        try (var all = dataNode.getFSDataset().getFsVolumeReferences()) {
          all.forEach(volume -> disks.add(Path.of(volume.getBaseURI())));
        }
      }
      Configuration conf = HBaseConfiguration.create(cluster.getFileSystem().getConf());
      CommonFSUtils.setRootDir(conf, new org.apache.hadoop.fs.Path("/hbase"));
      cluster.getFileSystem().mkdirs(new org.apache.hadoop.fs.Path("/hbase"));
      cluster.getFileSystem().setStoragePolicy(new org.apache.hadoop.fs.Path("/hbase"), "ALL_SSD");
      conf.set("hbase.wal.provider", provider);
      PluginWriters.into(conf);
      // No DataNode is that late: the test itself ends the log.
      conf.set(HybridKeys.WAL_STALL.name(), "5000ms");
      if (provider.equals("filesystem")) {
        // Its logs may have many blocks.
        conf.setLong("hbase.regionserver.hlog.blocksize", 1L << 20);
        conf.setFloat("hbase.regionserver.logroll.multiplier", 100);
      }
      conf.setBoolean(HRegion.WAL_HSYNC_CONF_KEY, hsync.equals("hbase's"));
      conf.set(HybridKeys.WAL_HSYNC.name(), hsync.equals("hbase's") ? "stock" : hsync);
      conf.setLong("hbase.regionserver.wal.sync.timeout", 3_000);
      // A block of which nothing is left is never recovered: the reader goes on without it.
      conf.setLong("hbase.lease.recovery.timeout", 40_000);
      conf.setLong("hbase.lease.recovery.dfs.timeout", 10_000);
      conf.setInt("hbase.lease.recovery.first.pause", 500);
      conf.setInt("hbase.lease.recovery.pause", 200);
      conf.setLong("hbase.hlog.open.timeout", 5_000);
      WalLoad load = new WalLoad(conf, 10);
      load.useDefaultDurability();
      long roll = 2_500 + random.nextInt(500);
      waitFor(load, roll);
      long recovered = HybridMetrics.get().value(Metric.WAL_RECOVERIES);
      long millis = HybridMetrics.get().value(Metric.WAL_RECOVERY_MILLIS);
      ending.of(cluster, load);
      if (ending != ROLL) {
        // At least that one: the metric is the JVM's, and under load others may break as well.
        assertTrue(HybridMetrics.get().value(Metric.WAL_RECOVERIES) > recovered);
        assertTrue(HybridMetrics.get().value(Metric.WAL_RECOVERY_MILLIS) > millis);
      }
      if (writtenBack) {
        disks.forEach(camera::writeBack);
      }
      waitFor(load, load.acknowledged() + random.nextInt(1_000));
      load.powerOff();
      cut(cluster, camera, disks, load::abandon);
      load.check();
    } finally {
      forgetOpenLogs(cluster.getFileSystem().getClient());
      cluster.shutdown(true);
    }
  }

  private interface Step {
    void run() throws Exception;
  }

  private static void cut(
      MiniDFSCluster cluster, FsyncCamera camera, List<Path> disks, Step whileDark)
      throws Exception {
    camera.freeze();
    List<DataNodeProperties> dark = new ArrayList<>();
    for (int i = cluster.getDataNodes().size(); i > 0; i--) {
      dark.add(cluster.stopDataNode(0));
    }
    whileDark.run();
    for (Path disk : disks) {
      camera.cut(disk);
    }
    camera.thaw();
    for (DataNodeProperties dataNode : dark) {
      DataNodeRestart.restart(cluster, dataNode);
    }
    cluster.waitActive();
    cluster.getDataNodes().forEach(camera::watch);
  }

  /** Logs are open still, with syncs that nobody will answer: their streams refuse to close. */
  private static void forgetOpenLogs(DFSClient client) {
    for (int logs = 0; logs < 10; logs++) {
      try {
        client.closeAllFilesBeingWritten(true);
        return;
      } catch (IllegalStateException e) {
        System.out.println("Left open: " + e.getMessage());
      }
    }
  }

  private static void waitFor(WalLoad load, long edits) throws InterruptedException {
    // With three fsyncs an edit a busy machine comes to some twenty a second.
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(300);
    while (load.acknowledged() < edits) {
      assertTrue(System.nanoTime() < deadline, () -> edits + " edits are not reached: " + load);
      TimeUnit.MILLISECONDS.sleep(1);
    }
  }

  private void assertLoses(String provider, String hsync, boolean syncOnClose) {
    assertLoses(provider, hsync, syncOnClose, ROLL);
  }

  private void assertLoses(String provider, String hsync, boolean syncOnClose, Ending ending) {
    AssertionError missing =
        assertThrows(
            AssertionError.class,
            () -> cutDuringLoad(provider, hsync, syncOnClose, seed(), ending, false));
    assertTrue(missing.getMessage().matches("(?s)\\d+ of \\d+ .*"), missing.getMessage());
    System.out.println("Lost: " + missing.getMessage().replaceAll("(?s) ==> .*", ""));
  }

  private static long seed() {
    return Long.getLong("wal.seed", System.nanoTime());
  }

  @Test
  void whatAutoAcknowledgedOutlivesAPowerCut() throws Exception {
    for (int i = 0; i < CUTS; i++) {
      cutDuringLoad("asyncfs", "auto", true, seed() + i);
    }
  }

  /** Of a block whose lease was recovered no DataNode fsyncs a directory, whatever is set. */
  @Tag("long")
  @Test
  void soDoesALogThatBrokeOnceItIsWrittenBack() throws Exception {
    cutDuringLoad("asyncfs", "auto", true, seed(), BREAK, true);
  }

  /** The window that docs/failures.md admits; without it the test above would prove nothing. */
  @Tag("long")
  @Test
  void beforeThatItMayBeLost() {
    assertLoses("asyncfs", "auto", true, BREAK);
  }

  @Test
  @Tag("long") // HDFS may ask the dead DataNode to recover the block, and wait a minute for it
  void andWhereADataNodeOfTheLogDied() throws Exception {
    cutDuringLoad("asyncfs", "auto", true, seed(), DEAD_NODE, true);
  }

  @Test
  void theSameCutLosesWhatWasOnlyFlushed() {
    assertLoses("asyncfs", "stock", true);
  }

  /** No packet that ends a block of asyncfs asks for a sync. */
  @Test
  void withoutSyncOnCloseAsyncfsLosesTheLogThatWasJustRolled() {
    assertLoses("asyncfs", "auto", false);
  }

  /** The control of the next one: where blocks end as HDFS ends them, the same cut loses. */
  @Tag("long")
  @Test
  void overFilesystemTheSameCutLosesWhatWasOnlyFlushed() {
    assertLoses("filesystem", "stock", false);
  }

  @Tag("long")
  @Test
  void overFilesystemEveryBlockEndsDurablyWithoutSyncOnClose() throws Exception {
    cutDuringLoad("filesystem", "auto", false, seed());
    cutDuringLoad("filesystem", "hbase's", false, seed());
  }
}
