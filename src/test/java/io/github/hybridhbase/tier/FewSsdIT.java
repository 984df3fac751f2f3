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

import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
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

  /** Looks at all open WALs so often, with a roll before each look; those with another medium. */
  private static List<String> rolls(TypedCluster cluster, int looks, List<Path> seen)
      throws Exception {
    Ssds ssds = new Ssds(cluster);
    List<String> notOnSsd = new ArrayList<>();
    for (int look = 0; look < looks; look++) {
      cluster.rollWals();
      cluster.hdfs().triggerHeartbeats();
      for (Path wal : cluster.openWals()) {
        seen.add(wal);
        List<StorageType> media = ssds.media(wal);
        if (!media.equals(onSsd())) {
          notOnSsd.add(wal.getName() + " " + media);
        }
      }
    }
    return notOnSsd;
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void walsAreOnSsdThroughRollsAndTheLossOfAnSsdDataNode(String delegate) throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .dataNodes(20)
            .regionServers(SERVERS)
            .ssdOn(node -> node < SSDS, node -> "/r" + node % 2)
            .plugin()
            .conf(HybridKeys.WAL_DELEGATE.name(), delegate)
            .conf(HybridKeys.MOVE_EXISTING.name(), "true")
            .conf(HybridKeys.SSD_PERIOD.name(), "1s")
            .conf(HybridKeys.SSD_DWELL.name(), "5s")
            .start()) {
      Rows rows = Rows.create(cluster, "few", "DEFAULT", null, new Random(1));
      rows.put(100);
      List<Path> seen = new ArrayList<>();
      List<String> notOnSsd = rolls(cluster, 4, seen);
      System.out.printf("%s: %d WALs, not on SSD: %s%n", delegate, seen.size(), notOnSsd);
      assertTrue(seen.size() >= 4 * SERVERS, seen::toString);
      assertTrue(notOnSsd.size() <= 0.05 * seen.size(), notOnSsd::toString);

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

      DataNodeProperties dead = cluster.hdfs().stopDataNode(0);
      rows.put(100);
      seen.clear();
      notOnSsd = rolls(cluster, 2, seen);
      rows.put(100);
      System.out.printf("%s: %d WALs without one, %s%n", delegate, seen.size(), notOnSsd);
      DataNodeRestart.restart(cluster.hdfs(), dead);
      cluster.hdfs().waitActive();
      seen.clear();
      notOnSsd = rolls(cluster, 2, seen);
      System.out.printf("%s: %d WALs with it back, %s%n", delegate, seen.size(), notOnSsd);
      assertTrue(notOnSsd.size() <= 0.05 * seen.size(), notOnSsd::toString);
      assertEquals(SERVERS, cluster.hbase().getLiveRegionServerThreads().size());
      rows.assertAllThere();
    }
  }
}
