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
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeDescriptor;
import org.apache.hadoop.hdfs.server.blockmanagement.DatanodeManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Doctor on HDFS as it comes, without what it needs, and with few SSDs; HBase is down. */
@InterfaceAudience.Private
class CheckOnPoorHdfsIT {
  private static ToolRun doctor(TypedCluster cluster) {
    Configuration conf = new Configuration(cluster.conf());
    conf.addResource(new Path(TypedCluster.shippedSite().toUri()));
    conf.set("hbase.zookeeper.property.clientPort", "1");
    conf.setInt("zookeeper.recovery.retry.intervalmill", 100);
    conf.setInt("zookeeper.recovery.retry", 0);
    conf.set("hbase.zookeeper.property.dataDir", "");
    return ToolRun.of(conf, "check", "--json");
  }

  @Test
  void anHdfsWithoutSsdPoliciesAndXattrs() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .storageTypes(StorageType.DISK, StorageType.DISK)
            .conf("dfs.storage.policy.enabled", "false")
            .conf("dfs.namenode.xattrs.enabled", "false")
            .conf("dfs.datanode.synconclose", "true")
            .conf("dfs.datanode.failed.volumes.tolerated", 1)
            .startHdfs()) {
      cluster.fs().mkdirs(cluster.rootDir());
      ToolRun run = doctor(cluster);
      assertEquals(
          List.of("no-ssd", "policies-disabled", "xattrs-disabled"), run.findings(), run::toString);
      assertEquals(Exit.FINDINGS, run.exit());
      assertFalse(run.toString().contains("\tat "), run::toString);
    }
  }

  @Test
  void hdfsAsItComesAndPoliciesForTheSuperuserOnly() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .conf("dfs.storage.policy.permissions.superuser-only", "true")
            .startHdfs()) {
      cluster.fs().mkdirs(cluster.rootDir());
      cluster.fs().setPermission(cluster.rootDir(), new FsPermission("777"));
      ToolRun superuser = doctor(cluster);
      assertEquals(
          List.of("failed-volumes", "sync-on-close"), superuser.findings(), superuser::toString);
      ToolRun hbase =
          UserGroupInformation.createUserForTesting("hbase", new String[] {"none"})
              .doAs((PrivilegedExceptionAction<ToolRun>) () -> doctor(cluster));
      // A file is created with its policy without that right.
      assertEquals(superuser.findings(), hbase.findings(), hbase::toString);
      assertFalse(hbase.toString().contains("\tat "), hbase::toString);
    }
  }

  @Tag("long") // the findings: DiagnosisTest
  @Test
  void allSsdInOneOfSeveralRacksThenOutOfService() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .dataNodes(8)
            .ssdOn(node -> node < 4, node -> node < 4 ? "/r0" : "/r" + node % 4)
            .startHdfs()) {
      cluster.fs().mkdirs(cluster.rootDir());
      DatanodeManager nodes = cluster.hdfs().getNamesystem().getBlockManager().getDatanodeManager();
      List<DatanodeDescriptor> ssd = new ArrayList<>();
      for (DataNode node : cluster.hdfs().getDataNodes().subList(0, 2)) {
        ssd.add(nodes.getDatanode(node.getDatanodeId()));
      }
      assertEquals(List.of("ssd-racks"), onSsd(cluster));
      nodes.getDatanodeAdminManager().startDecommission(ssd.get(0));
      assertEquals(List.of("ssd-racks"), onSsd(cluster));
      nodes.getDatanodeAdminManager().startMaintenance(ssd.get(1), Long.MAX_VALUE);
      assertEquals(List.of("few-ssd-nodes"), onSsd(cluster));
    }
  }

  /** The probe names its DataNodes, as the plugin's files do: HDFS passes over those with load. */
  @Tag("long")
  @Test
  void loadKeepsNoProbeOffSsd() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .dataNodes(12)
            .ssdOn(node -> node < 3, node -> "/r" + node % 2)
            .startHdfs()) {
      Path load = new Path(cluster.rootDir(), "load");
      cluster.fs().mkdirs(load);
      cluster.fs().setStoragePolicy(load, "ALL_SSD");
      for (int file = 0; file < 24; file++) {
        FSDataOutputStream open = cluster.fs().create(new Path(load, "f" + file));
        open.write(1);
        open.hflush();
        TypedHdfs.heartbeat(cluster.hdfs()); // by which the NameNode learns of load
      }
      assertEquals(List.of(), onSsd(cluster));
    }
  }

  private static List<String> onSsd(TypedCluster cluster) {
    List<String> ids = doctor(cluster).findings();
    ids.removeIf(id -> !id.contains("ssd"));
    return ids;
  }
}
