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

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.ProbeFile;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.MoveDaemon;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Apply makes it so on a real HDFS, with real moves; revert puts everything back. */
@InterfaceAudience.Private
class ApplyRevertIT {
  private static final int LENGTH = 10_000;

  private static TypedCluster cluster;
  private static MoveDaemon mover;
  private HBaseOnHdfs hbase;

  @BeforeAll
  static void start() throws Exception {
    cluster = TypedCluster.spec().conf("dfs.storage.policy.satisfier.mode", "external").startHdfs();
    mover = new MoveDaemon(cluster.conf());
  }

  @AfterAll
  static void stop() throws Exception {
    mover.close();
    cluster.close();
  }

  @BeforeEach
  void layOut() throws Exception {
    hbase = new HBaseOnHdfs(cluster);
    HdfsNamespace.of(hbase.fs()).orElseThrow().remove(Hold.RECORD, new Path("/hbase"));
  }

  private ToolRun run(String... args) {
    return ToolRun.of(hbase.conf(), args);
  }

  /** Policy and provenance of every directory and file, as HDFS reports them. */
  private Map<String, String> snapshot() throws IOException {
    Map<String, String> all = new TreeMap<>();
    snapshot(new Path("/hbase"), all);
    return all;
  }

  private void snapshot(Path at, Map<String, String> into) throws IOException {
    into.put(
        at.toUri().getPath(),
        ((HdfsFileStatus) hbase.fs().getFileStatus(at)).getStoragePolicy()
            + (hbase.fs().getXAttrs(at).containsKey(PolicyProvenance.XATTR) ? " marked" : ""));
    for (FileStatus child : hbase.fs().listStatus(at)) {
      if (child.isDirectory()) {
        snapshot(child.getPath(), into);
      } else {
        into.put(
            child.getPath().toUri().getPath(),
            Byte.toString(((HdfsFileStatus) child).getStoragePolicy()));
      }
    }
  }

  private void stockFiles() throws Exception {
    hbase.file(HBaseOnHdfs.WAL, LENGTH, StoragePolicy.HOT);
    hbase.file(HBaseOnHdfs.META + "a", LENGTH, StoragePolicy.HOT);
    hbase.file(HBaseOnHdfs.STORE + "/proc/a", LENGTH, StoragePolicy.HOT);
    hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.HOT);
  }

  @Test
  void afterApplyAuditIsCleanAndRevertPutsAllBack() throws Exception {
    stockFiles();
    hbase.policy("/hbase/staging", StoragePolicy.WARM);
    hbase.policy(HBaseOnHdfs.TABLE, StoragePolicy.HOT);
    Map<String, String> before = snapshot();

    ToolRun applied = run("apply");
    assertEquals(Exit.FINE, applied.exit(), applied::toString);
    assertTrue(applied.out().contains("Next: 'hbase-hybrid audit'"), applied::toString);
    cluster.await("moves to SSD", () -> !run("audit").out().contains("misplaced-"));
    assertEquals(List.of("policy-conflict"), run("audit", "--json").findings());
    Map<String, String> placed = snapshot();
    assertEquals(Exit.FINE, run("apply").exit());
    assertEquals(placed, snapshot());

    ToolRun reverted = run("revert");
    assertEquals(Exit.FINE, reverted.exit(), reverted::toString);
    assertTrue(reverted.out().contains("Next: remove the plugin's keys"), reverted::toString);
    assertEquals(before, snapshot());
    cluster.await("moves to DISK", () -> onSsd() == 0);
    ToolRun again = run("revert", "--json");
    assertEquals(0, again.json().getAsJsonArray("actions").size(), again::toString);
    assertEquals(0, again.json().getAsJsonObject("moves").get("files").getAsInt());
    assertEquals(before, snapshot());
  }

  /** As the SSD tier leaves it: with a policy of its own. */
  @Test
  void revertFreesTieredFilesAndHasThemMoved() throws Exception {
    hbase.placed();
    Path tiered = hbase.file(HBaseOnHdfs.TABLE + "a", LENGTH, StoragePolicy.ALL_SSD);
    hbase.fs().setStoragePolicy(tiered, "ALL_SSD");
    String edits = "/hbase/data/default/t/r/recovered.edits/1-of-a-dead-worker.temp";
    hbase.fs().setStoragePolicy(hbase.file(edits, LENGTH, StoragePolicy.ALL_SSD), "ALL_SSD");
    ToolRun dry = run("revert", "--dry-run");
    assertTrue(dry.out().contains("would lose the policy"), dry::toString);
    ToolRun reverted = run("revert");
    assertEquals(Exit.FINE, reverted.exit(), reverted::toString);
    assertTrue(reverted.out().contains("SSD tier wrote them under: 2"), reverted::toString);
    assertEquals("0", snapshot().get(HBaseOnHdfs.TABLE + "a"));
    assertEquals("0", snapshot().get(edits));
    cluster.await("its move to DISK", () -> onSsd() == 0);
  }

  private long onSsd() {
    long bytes = 0;
    ToolRun audit = run("audit", "--json");
    for (String component : List.of("wal", "master", "meta", "user")) {
      bytes += audit.component(component).getAsJsonObject("closed").get("ssdBytes").getAsLong();
    }
    return bytes;
  }

  @Test
  void aDryRunChangesNothingAndSaysWhatItWould() throws Exception {
    stockFiles();
    Map<String, String> before = snapshot();
    ToolRun dry = run("apply", "--dry-run");
    assertTrue(dry.out().contains("set  /hbase/WALs  ALL_SSD"), dry::toString);
    assertEquals(before, snapshot());
    hbase.placed();
    Map<String, String> placed = snapshot();
    dry = run("revert", "--dry-run");
    assertTrue(dry.out().contains("Would leave a hold"), dry::toString);
    assertTrue(dry.out().contains("restore  /hbase/WALs  unspecified"), dry::toString);
    assertEquals(placed, snapshot());
  }

  @Test
  void whoeverKeepsDirectoriesObeysTheHoldUntilApplyLiftsIt() throws Exception {
    Map<String, String> before = snapshot();
    hbase.placed();
    assertEquals(Exit.FINE, run("revert").exit());
    HybridSettings settings = HybridSettings.read(hbase.conf());
    ServerPlacement placement = ServerPlacement.of(hbase.conf(), settings);
    for (DirectoryAction.Result result : placement.place(placement.layout().rules(settings))) {
      assertEquals(DirectoryAction.Kind.HELD, result.kind(), result::toString);
    }
    placement.start(placement.layout().rules(settings));
    assertEquals(before, snapshot());
    assertEquals(List.of("held"), run("audit", "--json").findings());

    assertEquals(Exit.FINE, run("apply").exit());
    assertEquals(List.of(), run("audit", "--json").findings());
  }

  @Test
  void revertStoppedAtAnyStepAndRunAgainEndsRight() throws Exception {
    stockFiles();
    Map<String, String> before = snapshot();
    int steps = 0;
    while (true) {
      assertEquals(Exit.FINE, run("apply", "--rate", "0").exit());
      int at = steps;
      Stop stop =
          new Stop() {
            private int asked;

            @Override
            public boolean requested() {
              return asked++ >= at;
            }
          };
      ToolRun cut = ToolRun.of(hbase.conf(), stop, "revert", "--rate", "0");
      ToolRun again = run("revert", "--rate", "0");
      assertEquals(Exit.FINE, again.exit(), again::toString);
      assertEquals(before, snapshot(), "stopped at step " + at);
      if (cut.exit() != Exit.STOPPED) {
        break;
      }
      steps += 17;
    }
    assertTrue(steps > 17, "it was never stopped");
  }

  @Test
  void killedInTheMiddleAndRunAgainItEndsRight() throws Exception {
    stockFiles();
    // Enough that it does not end before it is killed, at one a second.
    for (int i = 0; i < 20; i++) {
      hbase.file("/hbase/corrupt/" + i, 10, StoragePolicy.ALL_SSD);
    }
    Map<String, String> before = snapshot();
    try (ForkedTool tool =
        new ForkedTool(
            cluster.directory(),
            256,
            "apply",
            "--rate",
            "1",
            "-D",
            "hbase.rootdir=" + cluster.rootDir())) {
      cluster.await("its first policy", () -> watermarks() > 0 || !tool.isAlive());
      tool.kill();
      assertEquals(128 + 9, tool.await(), () -> tool.out() + tool.err());
    }
    assertEquals(Exit.FINE, run("apply", "--rate", "0").exit());
    assertFalse(run("audit").out().contains("policy-missing"));
    assertEquals(Exit.FINE, run("revert", "--rate", "0").exit());
    Map<String, String> after = snapshot();
    // Killed while it probed, it could not delete its probe file.
    after.keySet().removeIf(path -> path.contains("/" + ProbeFile.PREFIX));
    assertEquals(before, after);
  }

  private long watermarks() {
    try {
      return snapshot().values().stream().filter(at -> at.endsWith(" marked")).count();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Test
  void hostileNamesDoNoHarm() throws Exception {
    Path server = new Path("/hbase/WALs/--help $(reboot)'\"\u001b[2J\u202e\n");
    hbase.fs().mkdirs(server);
    hbase.placed();
    HdfsNamespace.of(hbase.fs())
        .orElseThrow()
        .write(
            PolicyProvenance.RECORD,
            server,
            PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.HOT).asDemoted());
    hbase.fs().setStoragePolicy(server, "HOT");
    ToolRun run = run("revert");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().contains("\\u001b[2J\\u202e\\u000a"), run::toString);
    assertFalse(run.out().contains("\u001b"), run::toString);
    assertFalse(hbase.fs().getXAttrs(server).containsKey(PolicyProvenance.XATTR));
  }

  @Test
  void aUserWithoutRightsIsToldWhatCouldNotBeDone() throws Exception {
    stockFiles();
    Map<String, String> before = snapshot();
    hbase.fs().setPermission(new Path("/hbase"), new FsPermission("755"));
    UserGroupInformation nobody =
        UserGroupInformation.createUserForTesting("nobody", new String[] {"none"});
    for (String verb : List.of("apply", "revert")) {
      ToolRun run = nobody.doAs((PrivilegedExceptionAction<ToolRun>) () -> run(verb));
      assertEquals(Exit.FINDINGS, run.exit(), run::toString);
      assertFalse(run.toString().contains("\tat "), run::toString);
      assertTrue(run.toString().contains("WRITE"), run::toString);
      assertEquals(before, snapshot());
    }
  }

  @Test
  void ctrlCEndsItAtTheNextStepAndTheNextRunGoesOn() throws Exception {
    for (int i = 0; i < 60; i++) {
      hbase.file("/hbase/corrupt/" + i, 10, StoragePolicy.ALL_SSD);
    }
    try (ForkedTool tool =
        new ForkedTool(
            cluster.directory(),
            256,
            "apply",
            "--json",
            "--rate",
            "1",
            "-D",
            "hbase.rootdir=" + cluster.rootDir())) {
      cluster.await(
          "its progress", () -> tool.err().contains("looking for files") || !tool.isAlive());
      tool.interrupt();
      assertEquals(Exit.STOPPED, tool.await(), () -> tool.out() + tool.err());
      assertTrue(tool.out().contains("\"complete\": false"), tool.out() + tool.err());
      assertFalse(tool.err().contains("\tat "), tool.err());
    }
    assertEquals(Exit.FINE, run("apply", "--rate", "1000").exit());
    cluster.await("all to be moved", () -> run("audit").exit() == Exit.FINE);
  }
}
