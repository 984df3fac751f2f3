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
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The server of hbase:meta dies while SSD refuses every block. Its recovered edits are written in
 * the region's directory, below {@code data/hbase}, which is declared for SSD: they end on DISK
 * only if the plugin's writer of them leaves SSD, or the directory is turned.
 */
@Tag("long")
class MetaRecoveryIT {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int ROWS = 50;

  /** A recovery asks for a handful of blocks. */
  private static final int TRIES = 100;

  private static ClusterSpec spec() {
    return TypedCluster.spec().regionServers(2).conf("hbase.regionserver.hlog.blocksize", 8L << 20);
  }

  private static ServerName strike(TypedCluster cluster) throws Exception {
    cluster.util().createTable(TABLE, FAMILY);
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int row = 0; row < ROWS; row++) {
        table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(row)));
      }
    }
    // Edits of hbase:meta that are in its WAL only: the table's. SSD refuses from here on.
    new Ssds(cluster).capacity(Stage.GAP);
    return cluster.hbase().getServerHoldingMeta();
  }

  /** With HBase's and the plugin's own periods. */
  @Test
  void metaComesBackFromDisk() throws Exception {
    try (TypedCluster cluster = spec().plugin().start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.await("WALs on SSD", () -> ssds.allWalsOn(StorageType.SSD, 3));
      ServerName meta = strike(cluster);
      cluster.killRegionServer(meta);
      assertTrue(cluster.util().getAdmin().tableExists(TABLE));
      try (Table table = cluster.connection().getTable(TABLE)) {
        for (int row = 0; row < ROWS; row++) {
          assertEquals(row, Bytes.toInt(table.get(new Get(Bytes.toBytes(row))).value()));
        }
      }
      assertFalse(cluster.activeMaster().isAborted());
      assertEquals(1, cluster.hbase().getLiveRegionServerThreads().size());
      cluster.rollWals();
      assertTrue(ssds.allWalsOn(StorageType.DISK, 3), "WALs " + ssds.openWals());
    }
  }

  /** Split after split is tried and refused; only space on SSD ends it. */
  @Test
  void onStockMetaIsGoneForAsLongAsSsdRefuses() throws Exception {
    try (TypedCluster cluster = spec().conf("hbase.wal.storage.policy", "ALL_SSD").start()) {
      ServerName meta = strike(cluster);
      long before = blocksAsked(cluster);
      cluster.hbase().killRegionServer(meta);
      cluster.await("many tries", () -> blocksAsked(cluster) > before + TRIES);
      assertTrue(cluster.activeMaster().getServerManager().areDeadServersInProgress());
      new Ssds(cluster).capacity(Stage.ROOM);
      cluster.await(
          "the end of the recovery",
          () ->
              cluster.activeMaster().getServerManager().isServerDead(meta)
                  && !cluster.activeMaster().getServerManager().areDeadServersInProgress());
    }
  }

  /** Blocks that the NameNode was asked for so far. */
  private static long blocksAsked(TypedCluster cluster) {
    return new NameNodeCalls(cluster, "AddBlock").soFar().get("AddBlock");
  }
}
