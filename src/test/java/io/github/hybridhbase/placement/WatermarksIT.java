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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.OutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.junit.jupiter.api.Test;

/** SSDs that really fill: components leave in order, and come back in order. */
class WatermarksIT {
  private static final int MIB = 1 << 20;
  private static final String META = "data/hbase";

  private static boolean is(TypedCluster cluster, String path, StoragePolicy policy) {
    try {
      return HdfsNamespace.of(cluster.fs())
              .orElseThrow()
              .policy(new Path(cluster.rootDir(), path))
              .orElseThrow()
              .effective()
          == policy.id();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private static void fill(TypedCluster cluster, String name, int mib) throws Exception {
    Path directory = new Path("/ballast");
    cluster.fs().mkdirs(directory);
    cluster.fs().setStoragePolicy(directory, "ALL_SSD");
    try (OutputStream out = cluster.fs().create(new Path(directory, name))) {
      byte[] chunk = new byte[MIB];
      for (int i = 0; i < mib; i++) {
        out.write(chunk);
      }
    }
    TypedHdfs.heartbeat(cluster.hdfs());
  }

  @Test
  void componentsLeaveOneByOneAsSsdFillsAndComeBackWhenItIsEmptied() throws Exception {
    ClusterSpec spec =
        TypedCluster.spec()
            .plugin()
            .ssdCapacity(1200L * MIB)
            .conf("dfs.blocksize", 4 * MIB)
            .conf("hbase.regionserver.hlog.blocksize", 4 * MIB)
            .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", 0)
            .conf("hbase.hybrid.ssd.low", 60)
            .conf("hbase.hybrid.ssd.high", 65)
            .conf("hbase.hybrid.ssd.dwell", "1s")
            .conf("hbase.hybrid.ssd.period", "1s")
            .conf("hbase.hybrid.ssd.retry", "1s")
            .conf("hbase.hybrid.placement.check.period", "1s");
    try (TypedCluster cluster = spec.start()) {
      cluster.util().createTable(TableName.valueOf("t"), "f");
      for (String path : new String[] {"WALs", "MasterData", META}) {
        cluster.await(path + " on SSD", () -> is(cluster, path, StoragePolicy.ALL_SSD));
      }
      // Large enough that what is written within a heartbeat does not reach the headroom.
      // META leaves below 60 percent free, MASTER below 40, the WAL below 20.
      fill(cluster, "one", 570);
      cluster.await("META away", () -> is(cluster, META, StoragePolicy.HOT));
      assertTrue(is(cluster, "MasterData", StoragePolicy.ALL_SSD));
      assertTrue(is(cluster, "WALs", StoragePolicy.ALL_SSD));
      fill(cluster, "two", 210);
      cluster.await("MASTER away", () -> is(cluster, "MasterData", StoragePolicy.HOT));
      assertTrue(is(cluster, "WALs", StoragePolicy.ALL_SSD));
      fill(cluster, "three", 210);
      cluster.await("WALs away", () -> is(cluster, "WALs", StoragePolicy.HOT));
      cluster.rollWals();
      Ssds ssds = new Ssds(cluster);
      assertTrue(ssds.allWalsOn(StorageType.DISK, 3), () -> "a WAL on SSD");

      cluster.failoverMaster();
      assertTrue(is(cluster, "WALs", StoragePolicy.HOT), "the new master took over");

      cluster.fs().delete(new Path("/ballast"), true);
      for (String path : new String[] {"WALs", "MasterData", META}) {
        cluster.await(path + " back on SSD", () -> is(cluster, path, StoragePolicy.ALL_SSD));
      }
      cluster.await("WALs back on SSD", () -> ssds.allWalsOn(StorageType.SSD, 3));
    }
  }
}
