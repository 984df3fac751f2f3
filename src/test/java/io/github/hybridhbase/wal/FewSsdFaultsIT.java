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

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One of four DataNodes with SSD fails: every roll meanwhile succeeds, on the SSDs of the others,
 * and within a minute of its end the DataNode has WALs again.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(600)
class FewSsdFaultsIT {
  private static final int SERVERS = 10;
  private static final long GIB = 1L << 30;

  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = FewSsdWalsIT.twentyWithFour().startHdfs();
    cluster.fs().setPermission(new Path("/"), new FsPermission("777"));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Begins a fault of a DataNode, and answers what ends it. */
  private interface Fault {
    AutoCloseable begin(DataNode node) throws Exception;
  }

  private static DataNode withSsd() throws IOException {
    for (DataNode node : cluster.hdfs().getDataNodes()) {
      try (var volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          if (volume.getStorageType() == StorageType.SSD) {
            return node;
          }
        }
      }
    }
    throw new AssertionError("no SSD");
  }

  /**
   * Rolls during a fault and after it.
   *
   * @param returns whether the DataNode itself has WALs again within a minute
   */
  private static void through(String provider, boolean returns, Fault fault) throws Exception {
    try (OpenedWals wals = new OpenedWals(cluster, cluster.fs(), provider)) {
      wals.rollAll(SERVERS);
      wals.forget();
      DataNode node = withSsd();
      String address = node.getDatanodeId().getXferAddr();
      AutoCloseable end = fault.begin(node);
      try {
        wals.rollAll(SERVERS);
        wals.rollAll(SERVERS);
        System.out.println("Without " + address + ": " + wals);
        assertTrue(wals.notOnSsd().size() <= 0.05 * wals.opened(), wals::toString);
      } finally {
        end.close();
      }
      long ended = System.nanoTime();
      while (true) {
        wals.forget();
        wals.rollAll(SERVERS);
        if (wals.notOnSsd().isEmpty() && (!returns || wals.replicasOn(address) > 0)) {
          break;
        }
        assertTrue(System.nanoTime() - ended < TimeUnit.SECONDS.toNanos(60), wals::toString);
        TimeUnit.SECONDS.sleep(1);
      }
      System.out.printf(
          "Back after %d ms: %s%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ended), wals);
    }
  }

  /** The NameNode takes it for alive for ten minutes more. */
  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void killedAndRestarted(String provider) throws Exception {
    through(
        provider,
        true,
        node -> {
          DataNodeProperties dead = cluster.hdfs().stopDataNode(node.getDatanodeId().getXferAddr());
          return () -> {
            DataNodeRestart.restart(cluster.hdfs(), dead);
            cluster.hdfs().waitActive();
          };
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void decommissioned(String provider) throws Exception {
    DatanodeManager nodes = cluster.hdfs().getNamesystem().getBlockManager().getDatanodeManager();
    DatanodeAdminManager admin = nodes.getDatanodeAdminManager();
    through(
        provider,
        true,
        node -> {
          DatanodeDescriptor descriptor = nodes.getDatanode(node.getDatanodeId());
          admin.startDecommission(descriptor);
          return () -> admin.stopDecommission(descriptor);
        });
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void full(String provider) throws Exception {
    through(
        provider,
        true,
        node -> {
          Ssds.capacity(node, 1);
          cluster.hdfs().triggerHeartbeats();
          return () -> {
            Ssds.capacity(node, 16 * GIB);
            cluster.hdfs().triggerHeartbeats();
          };
        });
  }

  /**
   * It takes no block and answers nothing, as one that is stopped by a signal. HBase's own list of
   * slow DataNodes keeps it from WALs for longer than a minute.
   */
  @ParameterizedTest
  @ValueSource(strings = "asyncfs")
  void stalled(String provider) throws Exception {
    through(provider, false, HungSsd::forNewFiles);
  }
}
