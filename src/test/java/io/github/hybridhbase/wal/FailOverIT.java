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
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import javax.management.JMException;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A DataNode whose SSD hangs under open WALs. HDFS and HBase would wait ten minutes for it, so what
 * ends before {@link TypedCluster#await} gives up has not waited.
 */
@Tag("long") // minutes
class FailOverIT {
  private static final TableName FIRST = TableName.valueOf("first");
  private static final TableName SECOND = TableName.valueOf("second");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final List<StorageType> TWO = List.of(StorageType.SSD, StorageType.SSD);

  @ParameterizedTest
  @CsvSource({"stock, 1", "auto, 2"})
  void allWalsGoOnWithoutItAndItComesBack(String hsync, int fewestReplicas) throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .dataNodes(3)
            .conf("dfs.client.socket-timeout", 60_000)
            .conf("dfs.namenode.replication.min", fewestReplicas)
            .conf("hbase.hybrid.wal.hsync", hsync)
            .conf("hbase.hybrid.wal.stall", "2000ms") // a machine that does much else is no stall
            .conf("hbase.hybrid.ssd.retry", "60s") // it is left while it hangs
            .start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.util().createTable(FIRST, FAMILY);
      whole(cluster, ssds);
      put(cluster, FIRST, 0);
      HybridMetrics metrics = HybridMetrics.get();
      whole(cluster, ssds);
      long fallbacks = metrics.value(Metric.WAL_FALLBACKS);
      long before = metrics.value(Metric.WAL_FAILOVERS);
      HRegionServer server = cluster.hbase().getRegionServer(0);
      DataNode node = cluster.hdfs().getDataNodes().get(0);
      try (HungSsd hung = HungSsd.forAllFiles(node)) {
        put(cluster, FIRST, 1);
        Path wal = AbstractFSWALProvider.getCurrentFileName(server.getWALs().get(0));
        assertEquals(TWO, ssds.media(wal), "a replica on DISK would be on the same DataNode");
        // The master's store and hbase:meta are written for this.
        cluster.util().createTable(SECOND, FAMILY);
        put(cluster, SECOND, 2);
        long after = metrics.value(Metric.WAL_FAILOVERS) - before;
        assertEquals(3, after, "the server's WAL, that of hbase:meta and the master's store");
        String name = node.getDatanodeId().getHostName() + ":" + node.getXferPort();
        cluster.await("it is shown", () -> leftOut().equals(Set.of(name)));
      }
      whole(cluster, ssds);
      put(cluster, FIRST, 3);
      assertEquals(fallbacks, metrics.value(Metric.WAL_FALLBACKS), "SSD is not blamed");
      assertTrue(metrics.value(Metric.WAL_FAILOVER_WAIT) > 0);
      assertFalse(server.isAborted());
      for (int row : new int[] {0, 1, 3}) {
        assertEquals(row, get(cluster, FIRST, row));
      }
      assertEquals(2, get(cluster, SECOND, 2));
    }
  }

  /** No step begins before what the one before left is over. */
  private static void whole(TypedCluster cluster, Ssds ssds) throws Exception {
    cluster.await("WALs of three replicas", () -> ssds.allWalsOn(StorageType.SSD, 3));
    cluster.await("no DataNode left out", () -> leftOut().isEmpty());
  }

  private static Set<?> leftOut() {
    try {
      TabularData nodes =
          (TabularData)
              ManagementFactory.getPlatformMBeanServer()
                  .getAttribute(new ObjectName(PluginVersion.BEAN), "ExcludedDataNodes");
      return nodes.values().stream()
          .map(row -> ((CompositeData) row).get("key"))
          .collect(Collectors.toSet());
    } catch (JMException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void put(TypedCluster cluster, TableName name, int row) throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      table.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(row)));
    }
  }

  private static int get(TypedCluster cluster, TableName name, int row) throws Exception {
    try (Table table = cluster.connection().getTable(name)) {
      return Bytes.toInt(table.get(new Get(Bytes.toBytes(row))).value());
    }
  }
}
