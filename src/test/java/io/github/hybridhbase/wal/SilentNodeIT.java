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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.Collections;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A DataNode whose SSD neither takes nor refuses a block. HBase waits for it as long as {@code
 * dfs.client.socket-timeout} says, here ten minutes: a roll or a write that ends at all before
 * {@link TypedCluster#await} gives up has not waited for it.
 */
@Tag("long")
class SilentNodeIT {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void aRollDoesNotWaitForADataNodeThatDoesNotAnswer(int dataNodes) throws Exception {
    try (TypedCluster cluster = patient(dataNodes).start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(TABLE, FAMILY);
      assertTrue(ssds.allWalsOn(StorageType.SSD, 3), "WALs " + ssds.openWals());
      HRegionServer server = cluster.hbase().getRegionServer(0);
      AtomicInteger rolls = new AtomicInteger();
      server.getWALs().get(0).registerWALActionsListener(counting(rolls));
      long fallbacks = HybridMetrics.get().value(Metric.WAL_FALLBACKS);
      try (HungSsd hung = HungSsd.forNewFiles(cluster.hdfs().getDataNodes().get(0))) {
        for (int roll = 0; roll < 3; roll++) {
          int ended = rolls.get();
          server.getWalRoller().requestRollAll();
          cluster.await("the end of a roll", () -> rolls.get() > ended);
          put(cluster, roll);
          // Only what the silent one owes is missing: SSD is not left, and auto stays durable.
          Path wal = AbstractFSWALProvider.getCurrentFileName(server.getWALs().get(0));
          assertEquals(
              Collections.nCopies(Math.min(3, dataNodes - 1), StorageType.SSD), ssds.media(wal));
        }
      }
      assertEquals(fallbacks, HybridMetrics.get().value(Metric.WAL_FALLBACKS));
      assertFalse(server.isAborted());
      assertRows(cluster, 3);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {3, 4})
  void openWal_isRolledOffSilentDataNode(int dataNodes) throws Exception {
    try (TypedCluster cluster = patient(dataNodes).start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(TABLE, FAMILY);
      assertTrue(ssds.allWalsOn(StorageType.SSD, 3), "WALs " + ssds.openWals());
      put(cluster, 0);
      HRegionServer server = cluster.hbase().getRegionServer(0);
      AtomicInteger rolls = new AtomicInteger();
      server.getWALs().get(0).registerWALActionsListener(counting(rolls));
      try (HungSsd hung = HungSsd.forAllFiles(nodeOf(cluster, server.getWALs().get(0)))) {
        CompletableFuture<Void> write =
            CompletableFuture.runAsync(
                () -> {
                  try {
                    put(cluster, 1);
                  } catch (Exception e) {
                    throw new CompletionException(e);
                  }
                });
        cluster.await("the end of a write", write::isDone);
        write.get();
        assertTrue(rolls.get() > 0, "acknowledged by a WAL on a hung SSD");
      }
      assertFalse(server.isAborted());
      assertRows(cluster, 2);
    }
  }

  private static ClusterSpec patient(int dataNodes) {
    return TypedCluster.spec()
        .plugin()
        .dataNodes(dataNodes)
        .conf("dfs.client.socket-timeout", 600_000)
        .conf("hbase.hybrid.ssd.fallback.timeout", "2000ms")
        .conf("hbase.hybrid.ssd.retry", "3600s");
  }

  /** A DataNode that has a replica of what a WAL writes now. */
  private static DataNode nodeOf(TypedCluster cluster, WAL wal) throws IOException {
    String file = AbstractFSWALProvider.getCurrentFileName(wal).toUri().getPath();
    DatanodeInfo first =
        cluster.fs().getClient().getLocatedBlocks(file, 0).get(0).getLocations()[0];
    return cluster.hdfs().getDataNodes().stream()
        .filter(node -> node.getDatanodeUuid().equals(first.getDatanodeUuid()))
        .findFirst()
        .orElseThrow();
  }

  private static void assertRows(TypedCluster cluster, int rows) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int row = 0; row < rows; row++) {
        assertEquals(row, Bytes.toInt(table.get(new Get(Bytes.toBytes(row))).value()));
      }
    }
  }

  private static WALActionsListener counting(AtomicInteger rolls) {
    return new WALActionsListener() {
      @Override
      public void postLogRoll(Path from, Path to) {
        rolls.incrementAndGet();
      }
    };
  }

  private static void put(TypedCluster cluster, int row) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(row)));
    }
  }
}
