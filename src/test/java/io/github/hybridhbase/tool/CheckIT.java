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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginFinder;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.doctor.ClusterFacts;
import io.github.hybridhbase.tool.doctor.Doctor;
import io.github.hybridhbase.tool.doctor.FactFinder;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.replication.ReplicationPeerConfig;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.zookeeper.ZKConfig;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Doctor finds nothing on a healthy cluster, and what is broken on a real one. */
@InterfaceAudience.Private
class CheckIT {
  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("dfs.datanode.synconclose", "true")
            .conf("dfs.datanode.failed.volumes.tolerated", 1)
            .conf(
                "dfs.datanode.round-robin-volume-choosing-policy.additional-available-space",
                128L << 20)
            .conf("hbase.hybrid.ssd.fallback.timeout", "20000ms") // or a slow start places nothing
            .conf("hbase.master.info.port", 0)
            .conf("hbase.regionserver.info.port", 0)
            .masters(2)
            .start();
    cluster.util().createTable(TableName.valueOf("t"), "cf").close();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static ToolRun doctor(String... more) {
    return ToolRun.of(
        conf(),
        Stream.concat(Stream.of("check", "--json"), Stream.of(more)).toArray(String[]::new));
  }

  /** Leaves out ZooKeeper's directories: they lie on whatever disk this machine has. */
  private static Configuration conf() {
    Configuration conf = new Configuration(cluster.conf());
    conf.set("hbase.zookeeper.property.dataDir", "");
    return conf;
  }

  @Test
  void aHealthyClusterHasNoFindingsAndNoProbeIsLeft() throws Exception {
    ToolRun run = doctor();
    assertEquals(List.of(), run.findings(), run::toString);
    assertEquals(Exit.FINE, run.exit());
    for (FileStatus file : cluster.fs().listStatus(cluster.rootDir())) {
      assertFalse(file.getPath().getName().contains("probe"), file::toString);
    }
    // The servers were asked for the plugin's version, by their web servers, and have one.
    String notChecked = run.json().getAsJsonArray("notChecked").toString();
    assertFalse(notChecked.contains("settings"), notChecked);
    assertFalse(notChecked.contains("active master"), notChecked);
    assertTrue(notChecked.contains("version on backup master"), notChecked);
    ToolRun text = ToolRun.of(conf(), "check");
    assertTrue(text.out().endsWith("\nOK: no findings\n"), text::toString);
    assertTrue(text.out().matches("(?s).*\n[^\n ]+ +([0-9]+ on SSD|not known).*"), text::toString);
  }

  @Test
  @DisplayName("servers publish their version, a backup master its configuration")
  void servers_publishVersionAndConfiguration() throws Exception {
    PluginFinder finder = new PluginFinder(conf());
    Optional<Optional<String>> ours = Optional.of(Optional.of(PluginVersion.get()));
    for (MasterThread thread : cluster.hbase().getMasterThreads()) {
      int port = thread.getMaster().getInfoServer().getPort();
      ServerPlugin plugin = finder.backup("b", Observed.at("http://localhost:" + port));
      assertEquals(ours, plugin.version.seen());
      assertEquals(Optional.of(true), plugin.configured.seen());
    }
    List<ServerPlugin> plugins = finder.find(cluster.connection().getAdmin().getClusterMetrics());
    assertEquals(3, plugins.size());
    for (ServerPlugin plugin : plugins.subList(0, 2)) {
      assertEquals(ours, plugin.version.seen(), plugin.version::why);
    }
  }

  @Test
  void whatBypassesTheTierIsReadFromTheTables() throws Exception {
    Admin admin = cluster.connection().getAdmin();
    TableName name = TableName.valueOf("defeats");
    admin.createTable(
        TableDescriptorBuilder.newBuilder(name)
            .setValue("hbase.store.file-tracker.impl", "FILE")
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("hot"))
                    .setStoragePolicy("HOT")
                    .build())
            .setColumnFamily(
                ColumnFamilyDescriptorBuilder.newBuilder(Bytes.toBytes("large"))
                    .setMobEnabled(true)
                    .build())
            .build());
    try {
      ClusterFacts facts = new ClusterFacts(conf());
      facts.tierDeclared = false;
      assertEquals(List.of(), FactFinder.families(admin, facts), "nobody asks without an SSD tier");
      facts.tierDeclared = true;
      facts.families = Observed.at(FactFinder.families(admin, facts));
      List<String> found = new ArrayList<>();
      Doctor.examine(facts).findings().forEach(f -> found.add(f.id().id() + " " + f.subject));
      assertEquals(
          List.of(
              "tier-bypassed defeats:hot",
              "tier-not-served defeats:hot",
              "tier-not-served defeats:large"),
          found);
    } finally {
      admin.disableTable(name);
      admin.deleteTable(name);
    }
  }

  @Test
  void whatAnAdminSetOnDirectoriesOfOursIsFound() throws Exception {
    DistributedFileSystem fs = cluster.fs();
    Path store = new Path(cluster.rootDir(), "MasterData");
    fs.setQuotaByStorageType(cluster.rootDir(), StorageType.SSD, 1);
    try {
      assertEquals(List.of("ssd-quota"), doctor().findings());
    } finally {
      fs.setQuotaByStorageType(cluster.rootDir(), StorageType.SSD, HdfsConstants.QUOTA_RESET);
    }
    fs.setStoragePolicy(store, "COLD");
    try {
      ToolRun run = doctor();
      assertEquals(List.of("policy-above"), run.findings());
      assertTrue(run.out().contains("/MasterData (COLD)"), run::toString);
    } finally {
      fs.unsetStoragePolicy(store);
    }
    fs.enableErasureCodingPolicy("XOR-2-1-1024k");
    fs.setErasureCodingPolicy(store, "XOR-2-1-1024k");
    try {
      assertEquals(List.of("policy-above"), doctor().findings());
    } finally {
      fs.unsetErasureCodingPolicy(store);
    }
  }

  @Test
  void whatThisSiteFileDeclaresIsHeldAgainstTheRealHdfs() throws Exception {
    assertEquals(
        List.of("few-ssd-nodes"), doctor("-D", "hbase.regionserver.hlog.replication=4").findings());
    ToolRun large = doctor("-D", "hbase.regionserver.hlog.blocksize=" + (20L << 30));
    assertTrue(large.findings().contains("ssd-space"), large::toString);
    assertEquals(
        List.of("one-ssd-topology", "declarations-differ"),
        doctor("-D", "hbase.hybrid.meta.policy=ONE_SSD").findings());
  }

  @Test
  void oldWalsThatALaggingPeerHoldsAreFound() throws Exception {
    Path old = new Path(cluster.walRoot(), "oldWALs/h%2C1%2C1.1");
    Admin admin = cluster.connection().getAdmin();
    String itself = ZKConfig.getZooKeeperClusterKey(cluster.conf());
    admin.addReplicationPeer(
        "lags",
        ReplicationPeerConfig.newBuilder()
            .setClusterKey(itself.substring(0, itself.lastIndexOf(':')) + ":/elsewhere")
            .build(),
        false);
    try {
      cluster.fs().create(old).close();
      cluster.fs().setTimes(old, 1, -1);
      assertEquals(List.of("old-wals-held"), doctor().findings());
    } finally {
      cluster.fs().delete(old, false);
      admin.removeReplicationPeer("lags");
    }
  }

  @Test
  void anHBaseThatIsDownIsSaidAndTheRestIsChecked() throws Exception {
    ToolRun run =
        doctor(
            "-D",
            "hbase.zookeeper.property.clientPort=1",
            "-D",
            "zookeeper.recovery.retry.intervalmill=100");
    assertEquals(List.of(), run.findings(), run::toString);
    assertEquals(Exit.UNREACHABLE, run.exit());
    assertTrue(
        run.json().getAsJsonArray("notChecked").toString().contains("HBase does not answer"),
        run::toString);
  }

  @Test
  void aUserWithoutRightsIsToldWhatWasNotChecked() throws Exception {
    cluster.fs().setPermission(cluster.rootDir(), new FsPermission("755"));
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    ToolRun run = nobody.doAs((PrivilegedExceptionAction<ToolRun>) () -> doctor());
    assertFalse(run.toString().contains("\tat "), run::toString);
    assertEquals(Exit.UNREACHABLE, run.exit(), run::toString);
    String notChecked = run.json().getAsJsonArray("notChecked").toString();
    assertTrue(notChecked.contains("as HBase's own user"), run::toString);
    assertTrue(notChecked.contains("DataNodes"), run::toString);
    assertEquals(List.of(), run.findings(), run::toString);
  }
}
