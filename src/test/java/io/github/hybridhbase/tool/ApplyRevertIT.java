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
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Apply and revert against a running HBase with the plugin, where only HDFS's superuser may set.
 */
@InterfaceAudience.Private
class ApplyRevertIT {
  private static final TableName TABLE = TableName.valueOf("t");

  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("dfs.storage.policy.permissions.superuser-only", "true")
            .conf("hbase.hybrid.scan.period", 0)
            .conf("hbase.hfile.compaction.discharger.interval", 500)
            .conf("hbase.hybrid.tier.policy", "NONE")
            .start();
    try (Table table = cluster.util().createTable(TABLE, "cf")) {
      cluster.util().loadTable(table, Bytes.toBytes("cf"));
    }
    cluster.flush(TABLE);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static ToolRun run(String... args) {
    return ToolRun.of(new Configuration(cluster.conf()), args);
  }

  private static StorageNamespace hdfs() throws IOException {
    return StorageNamespace.of(cluster.fs()).orElseThrow();
  }

  private static List<FileBlocks> storeFiles() throws IOException {
    List<FileBlocks> files = new ArrayList<>();
    Path region = new Path(cluster.rootDir(), "data/default/t/*/cf/*");
    for (FileStatus file : cluster.fs().globStatus(region)) {
      files.add(hdfs().blocks(file.getPath()).orElseThrow());
    }
    return files;
  }

  /** Gives the table's files a policy that their blocks do not follow. */
  private static void misplace() throws IOException {
    for (FileBlocks file : storeFiles()) {
      cluster.fs().setStoragePolicy(file.path, "ALL_SSD");
    }
  }

  @Test
  void applyRewritesWhatIsMisplaced_andADryRunDoesNot() throws Exception {
    misplace();
    List<Path> before = paths();
    ToolRun dry = run("apply", "--dry-run", "--json");
    assertEquals(Exit.FINE, dry.exit(), dry::toString);
    assertEquals(1, dry.json().getAsJsonArray("regions").size(), dry::toString);
    assertEquals(0, dry.json().getAsJsonArray("compacted").size(), dry::toString);
    assertEquals(before, paths());
    ToolRun applied = run("apply");
    assertEquals(Exit.FINE, applied.exit(), applied::toString);
    assertTrue(applied.out().contains("Compacted: 1 region."), applied::toString);
    assertFalse(paths().equals(before));
    // HBase archives what a compaction has replaced a while later.
    cluster.await("all in place", ApplyRevertIT::allIsInPlace);
    JsonObject again = run("apply", "--json").json();
    assertEquals(0, again.getAsJsonArray("regions").size(), again::toString);
    assertEquals(0, again.getAsJsonArray("servers").size(), again::toString);
  }

  private static boolean allIsInPlace() {
    return !run("check", "--blocks", "--json").findings().contains("misplaced");
  }

  private static List<Path> paths() throws IOException {
    return storeFiles().stream().map(file -> file.path).collect(Collectors.toList());
  }

  @Test
  void openWalOnTheWrongMedium_isRolled() throws Exception {
    cluster.rollWals(); // a revert has left the last ones without a policy
    // As of a server whose declaration differs: the tool's own asks for DISK.
    ToolRun applied = run("apply", "--json", "-D", "hbase.hybrid.wal.policy=HOT");
    assertEquals(0, applied.json().getAsJsonArray("servers").size(), applied::toString);
    List<Path> before = wals();
    for (Path wal : before) {
      cluster.fs().setStoragePolicy(wal, "HOT");
    }
    applied = run("apply", "--json", "-D", "hbase.hybrid.wal.policy=HOT");
    assertEquals(Exit.FINE, applied.exit(), applied::toString);
    assertEquals(1, applied.json().getAsJsonArray("rolled").size(), applied::toString);
    cluster.await("the rolls", () -> areRolled(before));
  }

  private static boolean areRolled(List<Path> before) {
    try {
      return wals().stream().noneMatch(before::contains);
    } catch (IOException e) {
      return false; // archived between the two looks
    }
  }

  /** Open ones of the RegionServer: no call rolls the master's. */
  private static List<Path> wals() throws IOException {
    List<Path> wals = new ArrayList<>(cluster.openWals());
    wals.removeIf(wal -> wal.toString().contains("/MasterData/"));
    return wals;
  }

  @Test
  void applyRefuses_withModeOff() {
    ToolRun off = run("apply", "-D", "hbase.hybrid.mode=off");
    assertEquals(Exit.FINDINGS, off.exit(), off::toString);
    assertTrue(off.out().contains("hbase.hybrid.mode=off: nothing is placed"), off::toString);
  }

  @Test
  void revertUnsetsWhatItMay_andNamesTheCommandForTheRest() throws Exception {
    misplace();
    Path held = new Path(cluster.rootDir(), "archive/data/default/t/r/cf/abc");
    DFSTestUtil.createFile(cluster.fs(), held, 1_000, (short) 3, 1);
    cluster.fs().setStoragePolicy(held, "ALL_SSD");
    UserGroupInformation user =
        UserGroupInformation.createUserForTesting("hbase-user", new String[] {"none"});
    ToolRun dry = run("revert", "--dry-run");
    assertTrue(dry.out().contains("would lose the policy for SSD"), dry::toString);
    assertTrue(dry.out().contains("The active master still runs the plugin"), dry::toString);
    assertTrue(dry.out().contains("Servers that still write for SSD"), dry::toString);
    ToolRun denied = user.doAs((PrivilegedExceptionAction<ToolRun>) () -> run("revert"));
    assertEquals(Exit.FINDINGS, denied.exit(), denied::toString);
    assertTrue(denied.out().contains("sudo -u hdfs hbase-hybrid revert"), denied::toString);
    assertFalse(denied.toString().contains("\tat "), denied::toString);
    assertEquals(StoragePolicy.ALL_SSD.id(), policy(held));

    ToolRun reverted = run("revert", "--json");
    assertEquals(Exit.FINE, reverted.exit(), reverted::toString);
    assertEquals(1, reverted.json().getAsJsonArray("rolled").size(), reverted::toString);
    assertEquals(0, policy(held));
    for (FileBlocks file : storeFiles()) {
      assertEquals(0, file.replicas(StorageType.SSD), file.path::toString);
    }
    cluster.fs().delete(held, false);
  }

  private static byte policy(Path file) throws IOException {
    return hdfs().blocks(file).orElseThrow().policy;
  }

  @Test
  void stoppedAtAnyStepAndRunAgain_itEndsRight() throws Exception {
    for (int at : new int[] {0, 1, 5, 40}) {
      misplace();
      AtomicInteger asked = new AtomicInteger();
      Stop stop = mock(Stop.class);
      when(stop.requested()).thenAnswer(call -> asked.getAndIncrement() >= at);
      ToolRun cut = ToolRun.of(new Configuration(cluster.conf()), stop, "apply", "--json");
      assertEquals(Exit.STOPPED, cut.exit(), cut::toString);
      if (!cut.out().isEmpty()) { // it had begun
        assertFalse(cut.json().get("complete").getAsBoolean(), cut::toString);
      }
    }
    // What was begun goes on in HBase, also under files that were misplaced meanwhile.
    cluster.await("all in place", () -> run("apply").exit() == Exit.FINE && allIsInPlace());
  }
}
