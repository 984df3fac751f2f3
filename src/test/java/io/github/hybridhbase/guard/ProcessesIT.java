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
package io.github.hybridhbase.guard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.Waiter;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The first start of a whole cluster inside the 1 GiB gap, as separate processes on real file
 * systems of 900 MB: with HDFS's own settings, which MiniDFSCluster changes.
 */
@Tag("long")
class ProcessesIT {
  private static final int GAP = 900;

  /** Or the NameNode would soon hold the SSDs for full: see WalFallbackIT. */
  private static final Map<String, String> SMALL =
      Map.of("hbase.regionserver.hlog.blocksize", Integer.toString(8 << 20));

  private static void await(Processes cluster, String what, Callable<Boolean> condition)
      throws Exception {
    boolean held =
        Waiter.waitFor(
                cluster.conf(), TypedCluster.AWAIT_MILLIS, 200, false, () -> condition.call())
            >= 0;
    assertTrue(held, () -> what + "\n" + logs(cluster));
  }

  private static String logs(Processes cluster) {
    try {
      return cluster.log("master") + "\n" + cluster.log("regionserver");
    } catch (IOException e) {
      return e.toString();
    }
  }

  private static DistributedFileSystem hdfs(Processes cluster) throws Exception {
    cluster.startHdfs();
    DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(cluster.conf());
    await(cluster, "three DataNodes", () -> dataNodes(fs) == 3);
    return fs;
  }

  private static int dataNodes(DistributedFileSystem fs) {
    try {
      return fs.getDataNodeStats().length;
    } catch (IOException e) {
      return 0; // not up yet
    }
  }

  private static boolean isUp(Connection connection) {
    try {
      return connection.getAdmin().getClusterMetrics().getServersName().size() == 1;
    } catch (IOException e) {
      return false; // not yet
    }
  }

  /** The media of all WALs that are being written. */
  private static List<List<StorageType>> openWals(DistributedFileSystem fs) throws IOException {
    List<List<StorageType>> media = new ArrayList<>();
    for (String where : new String[] {"/hbase/WALs", "/hbase/MasterData/WALs"}) {
      RemoteIterator<LocatedFileStatus> files = fs.listFiles(new Path(where), true);
      while (files.hasNext()) {
        LocatedFileStatus file = files.next();
        if (!fs.isFileClosed(file.getPath())) {
          for (BlockLocation block : file.getBlockLocations()) {
            media.add(Arrays.asList(block.getStorageTypes()));
          }
        }
      }
    }
    return media;
  }

  private static boolean allOn(DistributedFileSystem fs, StorageType type) {
    try {
      List<List<StorageType>> wals = openWals(fs);
      return wals.size() >= 2
          && wals.stream().allMatch(on -> on.size() == 3 && on.stream().allMatch(t -> t == type));
    } catch (IOException e) {
      return false; // rolled away between two looks
    }
  }

  @Test
  void thePluginComesUpInTheGapAndGoesToSsdWhenThereIsRoom() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Map<String, String> quick = new HashMap<>(SMALL);
    for (String key : new String[] {"retry", "dwell", "period"}) {
      quick.put("hbase.hybrid.ssd." + key, "1");
    }
    quick.put("hbase.hybrid.repair.period", "1");
    try (Processes cluster = new Processes(GAP, quick, true);
        DistributedFileSystem fs = hdfs(cluster)) {
      cluster.startHBase();
      try (Connection connection = ConnectionFactory.createConnection(cluster.conf())) {
        await(cluster, "a RegionServer", () -> isUp(connection));
        connection
            .getAdmin()
            .createTable(
                TableDescriptorBuilder.newBuilder(Stage.TABLE)
                    .setColumnFamily(ColumnFamilyDescriptorBuilder.of("f"))
                    .build());
        try (SteadyClient client = new SteadyClient(cluster.conf(), Stage.TABLE)) {
          await(cluster, "writes", () -> client.acknowledged() > 100);
          await(cluster, "WALs on DISK", () -> allOn(fs, StorageType.DISK));
          cluster.resize(4 << 10);
          await(cluster, "WALs on SSD: " + openWals(fs), () -> allOn(fs, StorageType.SSD));
          client.finish();
          assertEquals(List.of(), client.failures());
          client.assertAllThere();
        }
      }
      assertTrue(cluster.isAlive("master"), () -> logs(cluster));
      assertTrue(cluster.isAlive("regionserver"), () -> logs(cluster));
    }
  }

  @Test
  void stocksMasterDoesNotComeUpInTheGap() throws Exception {
    assumeTrue("root".equals(System.getProperty("user.name")), "mounts need root");
    Map<String, String> pinned = new HashMap<>(SMALL);
    pinned.put("hbase.wal.storage.policy", "ALL_SSD");
    try (Processes cluster = new Processes(GAP, pinned, false);
        DistributedFileSystem fs = hdfs(cluster)) {
      cluster.startHBase();
      await(cluster, "the end of the master", () -> !cluster.isAlive("master"));
      assertTrue(cluster.said("master", "could only be written to 0 of"), logs(cluster));
      assertTrue(cluster.said("master", "HMaster Aborted"), logs(cluster));
    }
  }
}
