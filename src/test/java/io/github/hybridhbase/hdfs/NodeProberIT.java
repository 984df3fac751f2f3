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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** DataNodes probed while the SSD of one hangs. HDFS only, no HBase. */
@Tag("long")
class NodeProberIT {
  private static final Path DIRECTORY = new Path("/");
  private static final long BLOCK = 1 << 20;

  @Test
  void oneThatHangsIsToldFromTheOthers() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().dataNodes(5).startHdfs()) {
      StorageNamespace hdfs = HdfsNamespace.of(cluster.fs()).orElseThrow();
      List<DataNode> all = cluster.hdfs().getDataNodes();
      DatanodeInfo avoided = info(all.get(0));
      DatanodeInfo hangs = info(all.get(1));
      try (HungSsd hung = HungSsd.forNewFiles(all.get(1))) {
        // The NameNode names the one that hangs for one of three.
        Future<Probe> oneOfThree = meanwhile(() -> without(hdfs, avoided, info(all.get(4))));
        assertEquals(
            List.of(StorageType.SSD, StorageType.SSD, StorageType.SSD),
            without(hdfs, avoided, hangs).replicas());
        Probe found = oneOfThree.get();
        assertEquals(List.of(StorageType.SSD, StorageType.SSD), found.replicas());
        assertFalse(found.complete());
      }
    }
  }

  /** The NameNode then makes no file with one replica; who asks it need not know. */
  @Test
  void soAreTheyWhereTheNameNodeInsistsOnTwoReplicas() throws Exception {
    ClusterSpec spec = TypedCluster.spec().conf("dfs.namenode.replication.min", 2);
    try (TypedCluster cluster = spec.dataNodes(3).startHdfs();
        FileSystem one = setSsdNodes(1, cluster);
        FileSystem two = setSsdNodes(2, cluster)) {
      List<StorageNamespace> both =
          List.of(HdfsNamespace.of(one).orElseThrow(), HdfsNamespace.of(two).orElseThrow());
      List<DataNode> all = cluster.hdfs().getDataNodes();
      DatanodeInfo hangs = info(all.get(1));
      try (HungSsd hung = HungSsd.forNewFiles(all.get(1))) {
        for (StorageNamespace hdfs : both) {
          assertEquals(
              List.of(StorageType.SSD, StorageType.SSD),
              without(hdfs, hangs).replicas(),
              "neither shares its file with the one that hangs");
        }
      }
      assertEquals(List.of(), List.of(one.listStatus(DIRECTORY)), "nothing is left behind");
    }
  }

  /** A client whose configuration says that the NameNode insists on so many replicas. */
  private static FileSystem setSsdNodes(int replicas, TypedCluster cluster) throws IOException {
    Configuration conf = new Configuration(cluster.fs().getConf());
    conf.setInt("dfs.namenode.replication.min", replicas);
    return FileSystem.newInstance(cluster.fs().getUri(), conf);
  }

  /** On a thread of its own: HDFS's client takes some ten seconds to give up. */
  private static <T> Future<T> meanwhile(Callable<T> work) {
    FutureTask<T> task = new FutureTask<>(work);
    Thread thread = new Thread(task, "probe");
    thread.setDaemon(true);
    thread.start();
    return task;
  }

  private static DatanodeInfo info(DataNode node) {
    return new DatanodeInfo.DatanodeInfoBuilder().setNodeID(node.getDatanodeId()).build();
  }

  private static Probe without(StorageNamespace hdfs, DatanodeInfo... nodes) throws Exception {
    return hdfs.probeWithout(DIRECTORY, StoragePolicy.ALL_SSD, BLOCK, Set.of(nodes));
  }
}
