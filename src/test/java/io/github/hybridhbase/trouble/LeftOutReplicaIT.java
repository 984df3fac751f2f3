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

import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.io.IOUtils;
import org.junit.jupiter.api.Test;

/**
 * What HDFS alone does, with no HBase: where there are as many DataNodes as replicas, a file that
 * was open as a DataNode restarted keeps two of three until that DataNode's next full block report.
 *
 * <p>The DataNode comes back with its replica as one that waits to be recovered. Recovery prefers
 * those that are still being written ({@code BlockRecoveryWorker}), gives them the next generation
 * stamp, and leaves it out. The NameNode does not know of what was left out, chooses this DataNode
 * for the third replica, and it refuses ({@code ReplicaAlreadyExistsException} in {@code
 * FsDatasetImpl.createTemporary}). Only a full block report tells, by default every six hours.
 */
class LeftOutReplicaIT {
  /** So often the NameNode must have asked in vain. */
  private static final int IN_VAIN = 3;

  @Test
  void isInTheWayUntilTheNextFullBlockReport() throws Exception {
    var spec = TypedCluster.spec().conf("dfs.namenode.reconstruction.pending.timeout-sec", 1);
    try (TypedCluster cluster = spec.startHdfs()) {
      MiniDFSCluster hdfs = cluster.hdfs();
      Ssds ssds = new Ssds(cluster);
      Path file = new Path("/open");
      FSDataOutputStream out = cluster.fs().create(file);
      try {
        out.write("edit".getBytes(StandardCharsets.UTF_8));
        out.hflush();
        assertEquals(3, ssds.media(file).size());

        DataNodeRestart.restart(hdfs, 0);
        hdfs.waitActive();
        // Or its first report may come when the replica has been left out, and tell of it.
        hdfs.triggerBlockReports();
        cluster.await("recovery", () -> isRecovered(cluster, file));
        cluster.await(
            "tries in vain",
            () -> hdfs.getNamesystem().getNumTimedOutPendingReconstructions() >= IN_VAIN);
        assertEquals(2, ssds.media(file).size());

        hdfs.triggerBlockReports(); // as "hdfs dfsadmin -triggerBlockReport" does
        cluster.await("the third replica", () -> isWhole(ssds, file));
      } finally {
        IOUtils.closeStream(out); // quietly: the file was closed in its stead
      }
    }
  }

  /** Closes the file in its writer's stead, as HBase does with a WAL that broke. */
  private static boolean isRecovered(TypedCluster cluster, Path file) {
    try {
      return cluster.fs().recoverLease(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isWhole(Ssds ssds, Path file) {
    try {
      return ssds.media(file).size() == 3;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
