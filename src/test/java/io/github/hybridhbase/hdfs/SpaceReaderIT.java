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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.net.URI;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;

/** SSD space as a real NameNode tells it. */
class SpaceReaderIT {
  private static final long GIB = 1L << 30;

  @Test
  void theSuperuserSeesEachDataNodeEverybodySeesTheSum() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().ssdCapacity(8 * GIB).startHdfs()) {
      Configuration conf = cluster.conf();
      URI hdfs = cluster.fs().getUri();
      SsdSpace space = new DataNodeReader(cluster.fs(), conf).space();
      assertEquals(24 * GIB, space.capacity);
      assertEquals(3, space.nodes);
      assertEquals(3, space.perNode.size());
      assertEquals(3, space.nodesWithSpace(7 * GIB));

      UserGroupInformation bob = UserGroupInformation.createRemoteUser("bob");
      DataNodeReader his =
          bob.doAs(
              (PrivilegedExceptionAction<DataNodeReader>)
                  () -> new DataNodeReader(FileSystem.newInstance(hdfs, conf), conf));
      SsdSpace seen = his.space();
      assertEquals(24 * GIB, seen.capacity);
      assertEquals(List.of(), seen.perNode);

      new Ssds(cluster).capacity(2 * GIB);
      assertEquals(6 * GIB, his.space().capacity);

      cluster.hdfs().shutdownNameNode(0);
      Configuration quick = new Configuration(conf);
      quick.setInt("ipc.client.connect.max.retries", 0);
      DataNodeReader alone = new DataNodeReader(FileSystem.newInstance(hdfs, quick), quick);
      assertThrows(IOException.class, alone::space);
    }
  }

  /** Looks, and checks that what is read is true of the DataNodes there are. */
  private static int nodes(DataNodeReader reader, List<String> seen) {
    try {
      SsdSpace space = reader.space();
      seen.add(space.toString());
      assertTrue(space.capacity > 0, seen::toString);
      assertEquals(space.nodes * 8 * GIB, space.capacity, seen::toString);
      return space.nodes;
    } catch (IOException e) {
      seen.add("nothing");
      return -1;
    }
  }

  /** While a NameNode restarts and its DataNodes come back one by one. */
  @Test
  void neverNoSsdAndNeverAWrongSum() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().ssdCapacity(8 * GIB).startHdfs()) {
      for (int i = 0; i < 5; i++) {
        DFSTestUtil.createFile(cluster.fs(), new Path("/f" + i), 1_000, (short) 3, 1);
      }
      DataNodeReader reader = new DataNodeReader(cluster.fs(), cluster.conf());
      List<String> seen = new ArrayList<>();
      assertEquals(3, nodes(reader, seen));

      MiniDFSCluster hdfs = cluster.hdfs();
      List<DataNodeProperties> away = List.of(hdfs.stopDataNode(0), hdfs.stopDataNode(0));
      hdfs.shutdownNameNode(0);
      FutureTask<Void> restart =
          new FutureTask<>(
              () -> {
                hdfs.restartNameNode(0, false);
                return null;
              });
      new Thread(restart, "restart").start();
      while (!restart.isDone()) {
        nodes(reader, seen);
      }
      restart.get();
      // One DataNode has a replica of each file: the NameNode leaves safe mode with it alone.
      cluster.await("one DataNode", () -> nodes(reader, seen) == 1);
      for (DataNodeProperties back : away) {
        DataNodeRestart.restart(hdfs, back);
        cluster.await("one more", () -> nodes(reader, seen) == hdfs.getDataNodes().size());
      }
      assertTrue(seen.contains("nothing"), seen::toString);
    }
  }
}
