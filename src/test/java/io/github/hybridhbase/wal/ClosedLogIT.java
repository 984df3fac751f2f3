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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.FileIoHook;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider.Writer;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is acknowledged and closed is never opened for writing: it can only lose replicas. */
@InterfaceAudience.Private
@Timeout(300)
class ClosedLogIT {
  private static final org.apache.hadoop.fs.Path ROOT = new org.apache.hadoop.fs.Path("/hbase");
  private static final org.apache.hadoop.fs.Path EDITS =
      new org.apache.hadoop.fs.Path(ROOT, "data/default/t/r/recovered.edits");

  @TempDir private Path volumes;

  private TypedHdfs hdfs;
  private Configuration conf;
  private AcknowledgedFiles files;

  @BeforeEach
  void start() throws IOException {
    Configuration of = new Configuration();
    of.setInt("dfs.heartbeat.interval", 1); // by which a DataNode is told to recover a block
    of.setLong("dfs.blocksize", 1L << 20);
    hdfs = TypedHdfs.start(of, volumes, 3, TypedHdfs.SSD_AND_DISK);
    files = AcknowledgedFiles.watch(hdfs.cluster());
    conf = HBaseConfiguration.create(hdfs.fs().getConf());
    CommonFSUtils.setRootDir(conf, ROOT);
    hdfs.fs().mkdirs(ROOT);
    PluginWriters.into(conf);
    conf.set(HybridKeys.WAL_HSYNC.name(), "auto");
    conf.set(HybridKeys.WAL_STALL.name(), "60s"); // the test itself gives up
    conf.setInt("hbase.lease.recovery.first.pause", 500);
    conf.setInt("hbase.lease.recovery.pause", 200);
  }

  @AfterEach
  void stop() {
    hdfs.close();
    assertEquals(List.of(), List.copyOf(files.touched()));
  }

  /** Longer than HDFS's clients wait for one DataNode, and shorter than DataNodes do. */
  @Tag("long")
  @Test
  void aFailedOverLogKeepsItsReplicasBesideASlowDisk() throws Exception {
    for (DataNode slow : hdfs.cluster().getDataNodes()) {
      failOverBeside(slow, true);
      hdfs.fs().delete(new org.apache.hadoop.fs.Path(ROOT, "WALs"), true);
    }
  }

  @Test
  void aFailedOverLogWhoseDataNodesCatchUpNeedsNoLeaseRecovery() throws Exception {
    long recoveries = HybridMetrics.get().value(Metric.WAL_RECOVERIES);
    failOverBeside(hdfs.cluster().getDataNodes().get(0), false);
    assertEquals(recoveries, HybridMetrics.get().value(Metric.WAL_RECOVERIES));
  }

  /**
   * @param isLong whether its fsync ends only after the file is closed
   */
  private void failOverBeside(DataNode slow, boolean isLong) throws Exception {
    WalLoad load = new WalLoad(conf, 3);
    load.awaitMore(50);
    CountDownLatch over = new CountDownLatch(1);
    FaultInjectorFileIoEvents before = FileIoHook.put(slow, new Syncs(() -> await(over, 13)));
    try {
      load.giveUp();
      if (isLong) {
        load.awaitEnded();
        assertWhole(load.ended());
      }
    } finally {
      over.countDown();
      FileIoHook.put(slow, before);
    }
    load.awaitEnded();
    assertWhole(load.ended());
    load.stop();
    load.check();
  }

  @Test
  void noFileWithAcknowledgedEditsIsCreatedAgain() throws Exception {
    WalLoad load = new WalLoad(conf, 3);
    for (int round = 0; round < 3; round++) {
      load.awaitMore(50);
      quota(1);
      load.roll();
      load.awaitMore(50);
      quota(HdfsConstants.QUOTA_RESET);
      load.roll();
    }
    load.stop();
    load.check();
    assertTrue(files.overwritten() > 0, "SSD has refused none");
  }

  @Test
  void noRecoveredEditsAreCreatedAgainAndTheirBlocksEndDurably() throws Exception {
    Configuration site = HBaseConfiguration.create(hdfs.fs().getConf());
    CommonFSUtils.setRootDir(site, ROOT);
    site.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
    WALFactory factory = new WALFactory(site, "rs.example.org,16020,1", mock(Abortable.class));
    hdfs.fs().mkdirs(new org.apache.hadoop.fs.Path(ROOT, "WALs"));
    hdfs.fs().mkdirs(EDITS);
    AtomicInteger syncs = new AtomicInteger();
    for (DataNode node : hdfs.cluster().getDataNodes()) {
      FileIoHook.put(node, new Syncs(syncs::incrementAndGet));
    }
    quota(1);
    write(factory, "refused", 10);
    assertTrue(files.overwritten() > 0);
    quota(HdfsConstants.QUOTA_RESET);
    syncs.set(0);
    write(factory, "plain", 2_500);
    int least = 3 * 3 * 2;
    assertTrue(syncs.get() >= least, syncs + " fsyncs of three blocks of three replicas");
    factory.close();
  }

  private void write(WALFactory factory, String name, int edits) throws IOException {
    var file = new org.apache.hadoop.fs.Path(EDITS, name);
    try (Writer writer = factory.createRecoveredEditsWriter(hdfs.fs(), file)) {
      for (int number = 0; number < edits; number++) {
        writer.append(WalEntries.entry(number, 1000));
      }
    }
  }

  private void quota(long bytes) throws IOException {
    hdfs.fs().setQuotaByStorageType(ROOT, StorageType.SSD, bytes);
  }

  /** An fsync cannot be interrupted. */
  private static void await(CountDownLatch over, int seconds) {
    boolean unused = Uninterruptibles.awaitUninterruptibly(over, seconds, TimeUnit.SECONDS);
    Thread.interrupted();
  }

  private void assertWhole(Set<org.apache.hadoop.fs.Path> logs) throws IOException {
    for (org.apache.hadoop.fs.Path log : logs) {
      String path = log.toUri().getPath();
      for (LocatedBlock block :
          hdfs.fs().getClient().getLocatedBlocks(path, 0).getLocatedBlocks()) {
        long replicas =
            hdfs.cluster().getDataNodes().stream()
                .filter(node -> node.getFSDataset().isValidBlock(block.getBlock()))
                .count();
        assertEquals(3, replicas, path);
      }
    }
  }

  private static class Syncs extends FaultInjectorFileIoEvents {
    private final Runnable onSync;

    Syncs(Runnable onSync) {
      super(null);
      this.onSync = onSync;
    }

    @Override
    public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
      if (op == OPERATION.SYNC) {
        onSync.run();
      }
    }
  }
}
