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

import io.github.hybridhbase.testing.MoveDaemon;
import io.github.hybridhbase.testing.TypedCluster;
import java.nio.file.Files;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Doctor finds nothing on a healthy cluster, and what is broken on a real one. */
@InterfaceAudience.Private
class DoctorIT {
  private static TypedCluster cluster;
  private static MoveDaemon mover;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("dfs.storage.policy.satisfier.mode", "external")
            .conf("dfs.datanode.synconclose", "true")
            .conf(SsdChecks.SPARE, 128L << 20)
            .conf("hbase.hstore.flusher.count", 4)
            .start();
    mover = new MoveDaemon(cluster.conf());
    cluster.util().createTable(TableName.valueOf("t"), "cf").close();
  }

  @AfterAll
  static void stop() throws Exception {
    mover.close();
    cluster.close();
  }

  private static ToolRun doctor(String... more) {
    String[] args = new String[more.length + 2];
    args[0] = "doctor";
    args[1] = "--json";
    System.arraycopy(more, 0, args, 2, more.length);
    return ToolRun.of(conf(), args);
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
    ToolRun text = ToolRun.of(conf(), "doctor");
    assertTrue(text.out().contains("No findings."), text::toString);
  }

  @Test
  void aQuotaOnSsdIsFound() throws Exception {
    cluster.fs().setQuotaByStorageType(cluster.rootDir(), StorageType.SSD, 64L << 30);
    try {
      assertEquals(List.of("ssd-quota"), doctor().findings());
    } finally {
      cluster
          .fs()
          .setQuotaByStorageType(cluster.rootDir(), StorageType.SSD, HdfsConstants.QUOTA_RESET);
    }
  }

  @Test
  void theSiteFromBeforeIsCompared() throws Exception {
    java.nio.file.Path before = cluster.directory().resolve("before.xml");
    Files.writeString(
        before,
        "<configuration><property><name>hbase.coprocessor.master.classes</name>"
            + "<value>org.apache.hadoop.hbase.security.access.AccessController</value>"
            + "</property></configuration>");
    assertEquals(List.of("coprocessor-lost"), doctor("--before", before.toString()).findings());
    assertEquals(Exit.USAGE, doctor("--before", "/no/such/file").exit());
  }

  @Test
  void anHBaseThatIsDownIsSaidAndTheRestIsChecked() throws Exception {
    ToolRun run = doctor("-D", "hbase.zookeeper.property.clientPort=1");
    assertEquals(List.of(), run.findings(), run::toString);
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
    assertTrue(run.exit() == Exit.FINE || run.exit() == Exit.FINDINGS, run::toString);
    String notChecked = run.json().getAsJsonArray("notChecked").toString();
    assertTrue(notChecked.contains("may not create a file"), run::toString);
    assertTrue(notChecked.contains("DataNodes"), run::toString);
    assertEquals(List.of(), run.findings(), run::toString);
  }
}
