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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.DefaultParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code apply} and {@code revert} that HDFS fails half-way: both report what they did. */
@InterfaceAudience.Private
class CutOffChangesTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String STORE = "/hbase/data/default/t/r/f/";

  private final Configuration conf = new Configuration(false);
  private final Layout layout = new Layout(ROOT, ROOT);
  private final FakeNamespace hdfs = new FakeNamespace().with("/hbase", 0);
  private String said;

  @BeforeEach
  void layOut() {
    layout
        .rules(HybridSettings.read(conf))
        .forEach(rule -> hdfs.with(rule.path().toUri().getPath(), 0));
    hdfs.file("/hbase/oldWALs/a", 10, StorageType.SSD, StorageType.SSD, StorageType.SSD);
  }

  private int run(Verb verb) throws Exception {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    Namespaces namespaces = FakeNamespace.namespaces(hdfs, ROOT);
    Session session =
        Session.over(
            namespaces,
            conf,
            layout,
            new PrintStream(out, true, StandardCharsets.UTF_8),
            new Stop());
    try {
      return verb.run(
          session, new DefaultParser().parse(verb.options(), new String[] {"--rate", "9"}));
    } finally {
      said = out.toString(StandardCharsets.UTF_8);
    }
  }

  private boolean isHeld() throws IOException {
    return !hdfs.read(Hold.RECORD, ROOT).isAbsent();
  }

  private void hold() {
    try {
      hdfs.write(Hold.RECORD, ROOT, new Hold("revert by a test"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void says(String text) {
    assertTrue(said.contains(text), () -> text + " in " + said);
  }

  private static IOException safeMode() {
    return new RemoteException(
        "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
        "Cannot satisfy storage policy. Name node is in safe mode.");
  }

  @Test
  void applyInSafeModeReportsTheHoldAndThePolicies() throws Exception {
    hold();
    hdfs.refusesMoves(safeMode());
    assertEquals(Exit.FINDINGS, run(new ApplyVerb()), said);
    says("Lifted the hold: revert by a test.");
    says("set  /hbase/WALs  ALL_SSD");
    says("1 misplaced closed file");
    says("Not done: the rest, since HDFS failed (Cannot satisfy");
    says("Stopped before the end; run it again to go on.");
    assertFalse(said.contains("Next:"), said);
    assertFalse(isHeld());
  }

  @Test
  void applyCutOffUnderANewHoldIsStillUndone() throws Exception {
    hdfs.refusesMoves(safeMode());
    hdfs.tell(
        what -> {
          if (what.startsWith("satisfy")) {
            hold();
          }
        });
    assertEquals(Exit.FINDINGS, run(new ApplyVerb()), said);
    says("Somebody reverted meanwhile");
    says("restore  /hbase/WALs");
    assertEquals(0, hdfs.own("/hbase/WALs"));
  }

  @Test
  void revertWhoseWalkFailsReportsTheHoldAndThePolicies() throws Exception {
    hdfs.delete("/hbase/oldWALs/a");
    assertEquals(Exit.FINE, run(new ApplyVerb()), said);
    hdfs.failsToList("/hbase/data", 1);
    assertEquals(Exit.FINDINGS, run(new RevertVerb()), said);
    says("Left a hold");
    says("restore  /hbase/WALs");
    says("the NameNode does not answer");
    says("Stopped before the end; run it again to go on.");
    assertFalse(said.contains("Next:"), said);
    assertTrue(isHeld());
  }

  @Test
  void anUnreadableDirectoryDoesNotEndRevert() throws Exception {
    hdfs.delete("/hbase/oldWALs/a");
    hdfs.file(STORE + "a", 10, StorageType.SSD, StorageType.SSD, StorageType.SSD);
    hdfs.setPolicy(new Path(STORE + "a"), StoragePolicy.ALL_SSD);
    hdfs.with("/hbase/data/default/a", 0).unreadable("/hbase/data/default/a");
    assertEquals(Exit.FINDINGS, run(new RevertVerb()), said);
    says("Store files that lost the policy the SSD tier wrote them under: 1.");
    says("Not done: 1 directory or file may not be read or changed by this user.");
    assertEquals(said.indexOf("Not done"), said.lastIndexOf("Not done"), said);
    says("Next: remove the plugin's keys");
  }

  @Test
  void theJsonOfACutOffVerbIsIncomplete() {
    ChangeReport report = new ChangeReport("apply", false);
    report.failed(HdfsError.of(safeMode()));
    assertEquals(false, report.json().get("complete"));
    assertEquals(Exit.FINDINGS, report.exit());
    assertTrue(report.json().get("troubles").toString().contains("Name node is in safe mode"));
  }
}
