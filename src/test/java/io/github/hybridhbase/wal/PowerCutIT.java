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
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.testing.VolumeLayout;
import java.nio.file.Path;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

  @TempDir Path volumes;

  /** How the first log ends, under load. */
  private enum Ending {
    ROLL,
    /** HBase ends the file by recovering its lease. */
    BREAK,
    DEAD_NODE;

    void of(MiniDFSCluster cluster, WalLoad load) throws Exception {
      if (this == ROLL) {
        load.roll();
        load.awaitClosed(1);
      } else if (this == BREAK) {
        load.breakOff();
        load.awaitEnded();
      } else {
        load.mark();
        DataNodeProperties dead = cluster.stopDataNode(0);
        load.awaitEnded();
        DataNodeRestart.restart(cluster, dead);
        cluster.waitActive();
      }
    }
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
    Configuration of = new Configuration();
    of.setLong("dfs.blocksize", 16L << 20);
    of.setBoolean("dfs.datanode.synconclose", syncOnClose);
    of.setInt("dfs.client.retry.window.base", 300);
    of.setInt("dfs.heartbeat.interval", 1); // by which a DataNode is told to recover a block
    TypedHdfs hdfs =
        TypedHdfs.start(of, volumes.resolve("" + seed), 3, VolumeLayout.of(StorageType.SSD));
    MiniDFSCluster cluster = hdfs.cluster();
    try {
      FsyncCamera camera = new FsyncCamera();
      camera.watch(cluster);
      Configuration conf = HBaseConfiguration.create(hdfs.fs().getConf());
      CommonFSUtils.setRootDir(conf, hdfs.directory("hbase", "ALL_SSD"));
      conf.set("hbase.wal.provider", provider);
      PluginWriters.into(conf);
      // No DataNode is that late: the test itself ends the log.
      conf.set(HybridKeys.WAL_STALL.name(), "5000ms");
      if (provider.equals("filesystem")) {
        // Its logs may have many blocks.
        conf.setLong("hbase.regionserver.hlog.blocksize", 1L << 20);
        conf.setFloat("hbase.regionserver.logroll.multiplier", 100);
      }
      conf.setBoolean(HRegion.WAL_HSYNC_CONF_KEY, hsync.equals("hbase"));
      conf.set(HybridKeys.WAL_HSYNC.name(), hsync.equals("hbase") ? "stock" : hsync);
      conf.setLong("hbase.regionserver.wal.sync.timeout", 3_000);
      // A block of which nothing is left is never recovered: the reader goes on without it.
      conf.setLong("hbase.lease.recovery.timeout", 40_000);
      conf.setLong("hbase.lease.recovery.dfs.timeout", 10_000);
      conf.setInt("hbase.lease.recovery.first.pause", 500);
      conf.setInt("hbase.lease.recovery.pause", 200);
      conf.setLong("hbase.hlog.open.timeout", 5_000);
      WalLoad load = new WalLoad(conf, 10);
      load.useDefaultDurability();
      load.awaitMore(2_500 + random.nextInt(500));
      long recovered = HybridMetrics.get().value(Metric.WAL_RECOVERIES);
      long millis = HybridMetrics.get().value(Metric.WAL_RECOVERY_MILLIS);
      ending.of(cluster, load);
      if (ending != Ending.ROLL) {
        // At least that one: the metric is the JVM's, and under load others may break as well.
        assertTrue(HybridMetrics.get().value(Metric.WAL_RECOVERIES) > recovered);
        assertTrue(HybridMetrics.get().value(Metric.WAL_RECOVERY_MILLIS) > millis);
      }
      if (writtenBack) {
        camera.writeBack();
      }
      load.awaitMore(random.nextInt(1_000));
      load.powerOff();
      camera.cut(
          cluster,
          () -> {
            load.abandon();
            return null;
          });
      load.check();
    } finally {
      forgetOpenLogs(hdfs.fs().getClient());
      hdfs.close();
    }
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
      cutDuringLoad("asyncfs", "auto", true, seed() + i, Ending.ROLL, false);
    }
  }

  /**
   * A log that broke once it is written back: of a block whose lease was recovered no DataNode
   * fsyncs a directory, whatever is set. HDFS may ask the dead DataNode to recover the block, and
   * wait a minute for it. Over filesystem every block ends durably without syncOnClose.
   */
  @Tag("long")
  @ParameterizedTest
  @CsvSource({
    "asyncfs, auto, true, BREAK",
    "asyncfs, auto, true, DEAD_NODE",
    "filesystem, auto, false, ROLL",
    "filesystem, hbase, false, ROLL"
  })
  void soDoesALogThatEndsOtherwise(
      String provider, String hsync, boolean syncOnClose, Ending ending) throws Exception {
    cutDuringLoad(provider, hsync, syncOnClose, seed(), ending, ending != Ending.ROLL);
  }

  /** No packet that ends a block of asyncfs asks for a sync. */
  @ParameterizedTest
  @CsvSource({"stock, true", "auto, false"})
  void theSameCutLosesWhatWasOnlyFlushed_orWithoutSyncOnCloseJustRolled(
      String hsync, boolean syncOnClose) {
    assertLoses("asyncfs", hsync, syncOnClose, Ending.ROLL);
  }

  /**
   * The window that docs/failures.md admits, before a broken log is written back; and over
   * filesystem, where blocks end as HDFS ends them.
   */
  @Tag("long")
  @ParameterizedTest
  @CsvSource({"asyncfs, auto, true, BREAK", "filesystem, stock, false, ROLL"})
  void soDoesTheCutOfALogThatEndsOtherwise(
      String provider, String hsync, boolean syncOnClose, Ending ending) {
    assertLoses(provider, hsync, syncOnClose, ending);
  }
}
