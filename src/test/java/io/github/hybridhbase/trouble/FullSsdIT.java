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

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.SteadyClient;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** SSD trouble that {@link TroubleTableIT} has not: again and again, and as hbase:meta recovers. */
@InterfaceAudience.Private
@Tag("long")
@Timeout(value = 45, unit = TimeUnit.MINUTES)
class FullSsdIT {
  private static final long BLOCK = 8L << 20;

  private static ClusterSpec plugin() {
    return TypedCluster.spec()
        .plugin()
        .conf("hbase.regionserver.hlog.blocksize", BLOCK)
        .conf("dfs.blocksize", BLOCK);
  }

  /**
   * SSD has space for 0 to 3 blocks, is in the gap or is free, all the while, as other users of
   * HDFS leave it: no roll fails, no server aborts, no row is lost. Prints the share of rolls after
   * which a WAL has a replica on DISK; {@code -Dhybrid.minutes} says how long, {@code
   * -Dhybrid.seed} how SSD fills.
   */
  @Test
  void serversWriteOnWhileSsdFillsAndEmpties() throws Exception {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    System.out.println("-Dhybrid.seed=" + seed);
    Random random = new Random(seed);
    try (TypedCluster cluster = plugin().conf("hbase.hybrid.ssd.retry", "1s").start()) {
      cluster.util().createTable(Stage.TABLE, "f");
      Stage stage = new Stage(cluster);
      try (SteadyClient client = new SteadyClient(cluster.conf(), Stage.TABLE)) {
        stage.play(client);
        int rolls = 0;
        int onDisk = 0;
        long end =
            System.nanoTime() + TimeUnit.MINUTES.toNanos(Integer.getInteger("hybrid.minutes", 5));
        while (System.nanoTime() < end) {
          if (rolls++ % 3 == 0) {
            leaveSomeSpace(cluster, random);
          }
          stage.roll();
          assertFalse(stage.dead(), "no server may die");
          stage.awaitWrite();
          onDisk += stage.allWalsAs(StoragePolicy.ALL_SSD) ? 0 : 1;
        }
        stage.ssds.capacity(Stage.ROOM);
        cluster.await("WALs back on SSD", () -> stage.allWalsAs(StoragePolicy.ALL_SSD));
        cluster.await("whole blocks", stage::allIsWhole);
        client.finish();
        System.out.printf(
            "%d of %d rolls left DISK in a WAL; %d puts, the longest took %d ms%n",
            onDisk, rolls, client.acknowledged(), client.longestMillis());
        assertEquals(List.of(), client.failures());
        client.assertAllThere();
        assertFalse(stage.dead(), "no server may die");
      }
    }
  }

  private static void leaveSomeSpace(TypedCluster cluster, Random random) throws IOException {
    long[] capacities = {Stage.ROOM, Stage.GAP, Stage.FULL, Stage.GIB + Stage.GIB / 4};
    boolean free = random.nextInt(3) == 0;
    for (DataNode node : cluster.hdfs().getDataNodes()) {
      FsVolumeImpl ssd = Ssds.of(node).get(0);
      long used = ssd.getDfsUsed() + ssd.getReservedForReplicas();
      long some =
          random.nextBoolean()
              ? used + random.nextInt(4) * BLOCK
              : capacities[random.nextInt(capacities.length)];
      ssd.setCapacityForTesting(free ? Stage.ROOM : some);
    }
    if (random.nextBoolean()) {
      TypedHdfs.heartbeat(cluster.hdfs()); // else the NameNode's knowledge is old
    }
  }

  /**
   * The server of hbase:meta dies while SSD refuses every block. Its recovered edits are written in
   * the region's directory, below {@code data/hbase}, which is declared for SSD. With HBase's and
   * the plugin's own periods.
   */
  @Test
  void metaComesBackFromDisk() throws Exception {
    try (TypedCluster cluster = plugin().regionServers(2).start()) {
      Ssds ssds = new Ssds(cluster);
      cluster.await("WALs on SSD", () -> ssds.allWalsOn(StorageType.SSD, 3));
      try (Table table = cluster.util().createTable(Stage.TABLE, "f")) {
        cluster.util().loadNumericRows(table, Bytes.toBytes("f"), 0, 50);
      }
      // Edits of hbase:meta that are in its WAL only: the table's. SSD refuses from here on.
      ssds.capacity(Stage.GAP);
      ServerName meta = cluster.hbase().getServerHoldingMeta();
      cluster.killRegionServer(meta);
      assertEquals(50, cluster.util().countRows(Stage.TABLE));
      assertFalse(cluster.activeMaster().isAborted());
      assertEquals(1, cluster.hbase().getLiveRegionServerThreads().size());
      cluster.rollWals();
      assertTrue(ssds.allWalsOn(StorageType.DISK, 3), "WALs " + ssds.openWals());
    }
  }
}
