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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.SsdFault;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.tool.ToolRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * HBase where 4 of 20 DataNodes have SSD, in two racks, and the NameNode considers load, as HDFS
 * does by default: ten RegionServers with the shipped site file.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(1_500)
class FewSsdIT {
  private static final int SSDS = 4;
  private static final int SERVERS = 10;

  private static List<StorageType> onSsd() {
    return List.of(StorageType.SSD, StorageType.SSD, StorageType.SSD);
  }

  /** Rolls all WALs, and answers those of them with a replica off SSD. */
  private static List<String> rolled(TypedCluster cluster, List<Path> seen) throws Exception {
    Ssds ssds = new Ssds(cluster);
    cluster.rollWals();
    TypedHdfs.heartbeat(cluster.hdfs());
    List<String> notOnSsd = new ArrayList<>();
    for (Path wal : cluster.openWals()) {
      seen.add(wal);
      List<StorageType> media = ssds.media(wal);
      if (!media.equals(onSsd())) {
        notOnSsd.add(wal.getName() + " " + media);
      }
    }
    return notOnSsd;
  }

  /** Looks at all open WALs so often, with a roll before each look; how many those were. */
  private static int look(TypedCluster cluster, String when, int looks) throws Exception {
    List<Path> seen = new ArrayList<>();
    List<String> notOnSsd = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      notOnSsd.addAll(rolled(cluster, seen));
    }
    System.out.printf("%s: %d WALs, not on SSD: %s%n", when, seen.size(), notOnSsd);
    assertTrue(notOnSsd.size() <= 0.05 * seen.size(), () -> when + notOnSsd);
    return seen.size();
  }

  /** Within a minute at least 95 % are on SSD. */
  private static void awaitOnSsd(TypedCluster cluster, String when) throws Exception {
    long began = System.nanoTime();
    while (true) {
      List<Path> seen = new ArrayList<>();
      List<String> notOnSsd = rolled(cluster, seen);
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
      if (notOnSsd.size() <= 0.05 * seen.size()) {
        System.out.printf("%s: %d WALs on SSD after %d ms%n", when, seen.size(), millis);
        return;
      }
      assertTrue(millis < 60_000, () -> when + notOnSsd);
      TimeUnit.SECONDS.sleep(1);
    }
  }

  /** Each RegionServer in turn, and a DataNode with SSD in the middle, while rows are written. */
  private static void restartServersAndOneDataNode(TypedCluster cluster, Rows rows)
      throws Exception {
    int server = 0;
    for (RegionServerThread thread : cluster.hbase().getLiveRegionServerThreads()) {
      if (server++ == SERVERS / 2) {
        String node = SsdFault.nodeWithSsd(cluster.hdfs()).getDatanodeId().getXferAddr();
        DataNodeRestart.restart(cluster.hdfs(), cluster.hdfs().stopDataNode(node));
      }
      rows.put(10);
      cluster.restartRegionServer(thread.getRegionServer().getServerName());
    }
    cluster.hdfs().waitActive();
    rows.put(10);
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void walsAreOnSsdThroughRollsFaultsAndRestarts(String delegate) throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .dataNodes(20)
            .regionServers(SERVERS)
            .ssdOn(node -> node < SSDS, node -> "/r" + node % 2)
            .plugin()
            .conf(HybridKeys.WAL_DELEGATE.name(), delegate)
            .conf("hybrid.tests.period", 1)
            .start()) {
      Rows rows = Rows.create(cluster, "few", "DEFAULT", null, new Random(1));
      rows.put(100);
      assertTrue(look(cluster, delegate, 4) >= 4 * SERVERS, "WALs");

      ToolRun check = ToolRun.of(cluster.conf(), "check", "--json");
      assertTrue(check.findings().stream().noneMatch(id -> id.startsWith("ssd-")), check::toString);
      for (int flush = 0; flush < 4; flush++) {
        cluster.flush(TableName.META_TABLE_NAME);
      }
      ToolRun walk = ToolRun.of(cluster.conf(), "check", "--blocks", "--json");
      JsonObject meta = walk.component("meta").getAsJsonObject("closed");
      assertTrue(meta.get("files").getAsInt() > 0, walk::toString);
      assertEquals(0, meta.get("misplacedFiles").getAsLong(), walk::toString);

      StoreFileMedia files = new StoreFileMedia(cluster);
      files.awaitOpen(rows.table());
      for (int flush = 0; flush < 4; flush++) {
        rows.put(50);
        cluster.flush(rows.table());
      }
      List<FileBlocks> flushed = files.files(rows.table());
      long all =
          flushed.stream()
              .filter(file -> file.replicas(StorageType.SSD) == file.replicas())
              .count();
      System.out.printf("%s: %d of %d flushed files on SSD%n", delegate, all, flushed.size());
      assertTrue(all >= 0.95 * flushed.size(), flushed::toString);

      for (SsdFault fault : SsdFault.values()) {
        DataNode node = SsdFault.nodeWithSsd(cluster.hdfs());
        try (AutoCloseable end = fault.begin(cluster.hdfs(), node)) {
          rows.put(50);
          look(cluster, delegate + ", " + fault, 2);
          rows.put(50);
        }
        awaitOnSsd(cluster, delegate + ", after " + fault);
        rows.put(50);
      }
      restartServersAndOneDataNode(cluster, rows);
      awaitOnSsd(cluster, delegate + ", after the restarts");
      assertEquals(SERVERS, cluster.hbase().getLiveRegionServerThreads().size());
      rows.assertAllThere();
    }
  }
}
