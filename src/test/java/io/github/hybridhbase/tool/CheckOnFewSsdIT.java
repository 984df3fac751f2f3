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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeAdminManager;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Doctor on a real HDFS whose DataNodes do not all have SSD; HBase is down. */
@InterfaceAudience.Private
class CheckOnFewSsdIT {
  private static final int FILES = 24;

  private static TypedCluster cluster(int all, int ssd, int racks, int ssdRacks) throws Exception {
    return started(spec(all, ssd, racks, ssdRacks));
  }

  private static ClusterSpec spec(int all, int ssd, int racks, int ssdRacks) {
    return TypedCluster.spec()
        .dataNodes(all)
        .ssdOn(node -> node < ssd, node -> "/r" + node % (node < ssd ? ssdRacks : racks));
  }

  private static TypedCluster started(ClusterSpec spec) throws Exception {
    TypedCluster cluster = spec.startHdfs();
    cluster.fs().mkdirs(cluster.rootDir());
    cluster.fs().setPermission(cluster.rootDir(), new FsPermission("777"));
    return cluster;
  }

  private static ToolRun doctor(TypedCluster cluster) {
    Configuration conf = new Configuration(cluster.conf());
    conf.addResource(new Path(TypedCluster.shippedSite().toUri()));
    conf.set("hbase.zookeeper.property.clientPort", "1");
    conf.setInt("zookeeper.recovery.retry.intervalmill", 100);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.set("hbase.zookeeper.property.dataDir", "");
    return ToolRun.of(conf, "check", "--json");
  }

  /** What it finds on the DataNodes with SSD. */
  private static List<String> ssd(ToolRun run) {
    return run.findings().stream().filter(id -> id.contains("ssd")).collect(Collectors.toList());
  }

  private static List<FSDataOutputStream> open(TypedCluster cluster) throws IOException {
    Path directory = new Path(cluster.rootDir(), "load");
    cluster.fs().mkdirs(directory);
    cluster.fs().setStoragePolicy(directory, "ALL_SSD");
    List<FSDataOutputStream> files = new ArrayList<>();
    for (int i = 0; i < FILES; i++) {
      FSDataOutputStream file = cluster.fs().create(new Path(directory, "f" + i));
      file.write(1);
      file.hflush();
      files.add(file);
      // The NameNode learns of load by heartbeats.
      TypedHdfs.heartbeat(cluster.hdfs());
    }
    return files;
  }

  @Test
  @Tag("long")
  void allInOneOfSeveralRacksThenOutOfService() throws Exception {
    try (TypedCluster cluster = cluster(8, 4, 4, 1)) {
      assertEquals(List.of("ssd-racks"), ssd(doctor(cluster)));
      DatanodeManager nodes = cluster.hdfs().getNamesystem().getBlockManager().getDatanodeManager();
      DatanodeAdminManager admin = nodes.getDatanodeAdminManager();
      List<DataNode> running = cluster.hdfs().getDataNodes();
      admin.startDecommission(descriptor(nodes, running.get(0)));
      ToolRun run = doctor(cluster);
      assertEquals(List.of("ssd-racks"), ssd(run), run::toString);
      admin.startMaintenance(descriptor(nodes, running.get(1)), Long.MAX_VALUE);
      run = doctor(cluster);
      assertEquals(List.of("few-ssd-nodes"), ssd(run), run::toString);
    }
  }

  /** The probe names its DataNodes, as the plugin's files do. */
  @Tag("long") // the findings: DiagnosisTest
  @Test
  void loadKeepsNoProbeOffSsd() throws Exception {
    try (TypedCluster cluster = cluster(12, 3, 2, 2)) {
      assertEquals(List.of(), ssd(doctor(cluster)));
      List<FSDataOutputStream> files = open(cluster);
      ToolRun run = doctor(cluster);
      assertEquals(List.of(), ssd(run), run::toString);
      for (FSDataOutputStream file : files) {
        file.close();
      }
    }
  }

  private static DatanodeDescriptor descriptor(DatanodeManager nodes, DataNode node)
      throws IOException {
    return nodes.getDatanode(node.getDatanodeId());
  }
}
