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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * SSD trouble that {@link TroubleTableIT} has not: again and again, at the flushes of hbase:meta
 * and of the master's store, and without the space monitor.
 */
@Tag("long")
class SsdTroubleIT {
  private static final Logger LOG = LoggerFactory.getLogger(SsdTroubleIT.class);
  private static final long GIB = 1L << 30;
  private static final long ROOM = 16 * GIB;

  /** The NameNode sees space for a block, every DataNode refuses it. */
  private static final long GAP = 900L << 20;

  /** Small, or the NameNode would soon hold the SSDs for full: see WalFallbackIT. */
  private static final long BLOCK = 8L << 20;

  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private int rows;

  private static ClusterSpec plugin() {
    return TypedCluster.spec()
        .plugin()
        .conf("hbase.regionserver.hlog.blocksize", BLOCK)
        .conf("dfs.blocksize", BLOCK)
        .conf("hbase.hybrid.ssd.retry", "1s")
        .conf("hybrid.tests.period", 1)
        // HDFS tries again soon what a DataNode did not carry out while the NameNode was away.
        .conf("dfs.namenode.reconstruction.pending.timeout-sec", 5);
  }

  private void put(TypedCluster cluster) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(rows)).addColumn(FAMILY, FAMILY, Bytes.toBytes(rows)));
    }
    rows++;
  }

  /** All that was acknowledged can be read, nobody died, every WAL is whole. */
  private void assertUnharmed(TypedCluster cluster, int replicas) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int row = 0; row < rows; row++) {
        assertEquals(row, Bytes.toInt(table.get(new Get(Bytes.toBytes(row))).value()));
      }
    }
    assertFalse(cluster.activeMaster().isAborted());
    assertTrue(cluster.activeMaster().isInitialized());
    assertEquals(1, cluster.hbase().getLiveRegionServerThreads().size());
    assertFalse(cluster.hbase().getRegionServer(0).isAborted());
    try {
      cluster.await("whole WALs", () -> underReplicatedBlocks(cluster, replicas).isEmpty());
    } catch (AssertionError e) {
      throw new AssertionError("short: " + underReplicatedBlocks(cluster, replicas), e);
    }
  }

  private static List<String> underReplicatedBlocks(TypedCluster cluster, int replicas) {
    List<String> underReplicated = new ArrayList<>();
    try {
      RemoteIterator<LocatedFileStatus> files =
          cluster.fs().listFiles(new Path(cluster.rootDir(), "WALs"), true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        for (BlockLocation block : file.getBlockLocations()) {
          if (block.getStorageTypes().length < replicas) {
            underReplicated.add(file.getPath() + Arrays.toString(block.getStorageTypes()));
          }
        }
      }
    } catch (IOException e) {
      underReplicated.add(e.toString()); // a file went meanwhile
    }
    return underReplicated;
  }

  private static void awaitAllBack(TypedCluster cluster) {
    Ssds ssds = new Ssds(cluster);
    cluster.await("WALs back on SSD", () -> ssds.allWalsOn(StorageType.SSD, 3));
  }

  @Test
  void ssdsInTheGapOrFullBeforeAStartOfAClusterThatLivesOnThem() throws Exception {
    try (TypedCluster cluster = plugin().start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(TABLE, FAMILY);
      put(cluster);
      awaitAllBack(cluster);
      for (long capacity : new long[] {GAP, 1L << 20}) {
        cluster.stopHBase();
        ssds.capacity(capacity);
        cluster.startHBase();
        cluster.util().waitTableAvailable(TABLE);
        put(cluster);
        cluster.flush(TableName.META_TABLE_NAME);
        cluster.flushMasterStore();
        cluster.rollWals();
        put(cluster);
        assertTrue(ssds.allWalsOn(StorageType.DISK, 3), "WALs " + ssds.openWals());
        ssds.capacity(ROOM);
        awaitAllBack(cluster);
        assertUnharmed(cluster, 3);
      }
    }
  }

  @Test
  void anSsdThatFillsAndEmptiesAllTheWhileFailsNoneOf200Rolls() throws Exception {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    LOG.info("-Dhybrid.seed={}", seed);
    Random random = new Random(seed);
    try (TypedCluster cluster = plugin().start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(TABLE, FAMILY);
      long[] capacities = {ROOM, ROOM, GAP, 1L << 20, GIB + GIB / 4};
      for (int roll = 0; roll < 200; roll++) {
        if (random.nextInt(3) == 0) {
          for (DataNode node : cluster.hdfs().getDataNodes()) {
            Ssds.capacity(node, capacities[random.nextInt(capacities.length)]);
          }
          if (random.nextBoolean()) {
            // Else the NameNode's knowledge is old.
            TypedHdfs.heartbeat(cluster.hdfs());
          }
        }
        cluster.rollWals();
        put(cluster);
      }
      ssds.capacity(ROOM);
      awaitAllBack(cluster);
      assertUnharmed(cluster, 3);
    }
  }
}
