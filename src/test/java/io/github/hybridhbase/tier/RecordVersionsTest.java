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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.placement.DirectoryEnforcer;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.placement.SsdDemoter;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import java.io.IOException;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Records of an older, this and a newer version, against each thing that is done with them. */
@InterfaceAudience.Private
class RecordVersionsTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String WALS = "/hbase/WALs";
  private static final String SERVER = WALS + "/a,1,1";
  private static final int ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final int HOT = StoragePolicy.HOT.id();

  private final Configuration conf = new Configuration(false);
  private final Layout layout = new Layout(ROOT, ROOT);
  private final FakeNamespace hdfs = new FakeNamespace().with("/hbase", 0).with(SERVER, 0);
  private final Namespaces namespaces = FakeNamespace.namespaces(hdfs, ROOT);

  /** What a version writes that this one cannot read. */
  private static Stream<String> foreign() {
    return Stream.of(
        "v0 before=0 set=12 was=0",
        "v9 before=0 set=12 was=0",
        "v1 before=0 set=12 was=12",
        "v9 given wal=ALL_SSD;",
        "v9 open 1 2 3 master",
        "");
  }

  private HybridSettings settings() {
    return HybridSettings.read(conf);
  }

  private DirectoryRule wals() {
    return layout.walRules(settings()).get(0);
  }

  private FakeNamespace wals(int own, String record) {
    return hdfs.with(WALS, own).withForeign(WALS, PolicyProvenance.XATTR, record);
  }

  private void isUntouched(int own, String record) throws IOException {
    assertEquals(own, hdfs.own(WALS));
    assertEquals(Found.foreign(record), hdfs.read(PolicyProvenance.RECORD, new Path(WALS)));
    List<String> writes =
        hdfs.writes().stream().filter(one -> !one.startsWith("probe")).collect(Collectors.toList());
    assertEquals(List.of(), writes);
  }

  private List<DirectoryState> found() throws IOException {
    return new DirectoryReader(layout, namespaces).look(settings(), true);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void placesNothing(String record) throws IOException {
    for (int own : new int[] {0, HOT, 7}) {
      wals(own, record);
      DirectoryAction.Result result =
          new DirectoryEnforcer(namespaces, 0, false).place(List.of(wals())).get(0);
      assertEquals(Kind.FAILED, result.kind());
      assertTrue(result.detail().contains("written by another version"), result::toString);
      isUntouched(own, record);
    }
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void requireRefuses(String record) throws IOException {
    conf.set("hbase.hybrid.mode", "require");
    wals(0, record);
    ServerPlacement placement =
        new ServerPlacement(settings(), layout, namespaces, conf, new LogOnChange());
    IOException refused = assertThrows(IOException.class, () -> placement.start(List.of(wals())));
    assertTrue(refused.getMessage().contains("written by another version"), refused.getMessage());
    isUntouched(0, record);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void demotesAndReturnsNothing(String record) throws IOException {
    SsdDemoter demoter = new SsdDemoter(namespaces, 0);
    wals(ALL_SSD, record);
    assertFalse(demoter.demote(wals()));
    isUntouched(ALL_SSD, record);
    wals(HOT, record);
    assertFalse(demoter.isDemoted(wals()));
    assertFalse(demoter.restore(wals()));
    demoter.settle(wals());
    isUntouched(HOT, record);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void revertChangesNothingAndNamesIt(String record) throws IOException {
    wals(ALL_SSD, record).withForeign(SERVER, ExcludedNodes.XATTR, record);
    hdfs.withForeign("/hbase", MoveConsent.XATTR, record);
    hdfs.withForeign("/hbase", "user.hbase.hybrid.tier", record);
    assertEquals(List.of(), DirectoryPlan.toRevert(found()).changes());
    assertEquals(
        List.of(
            "user.hbase.hybrid.moves on /hbase",
            "user.hbase.hybrid.tier on /hbase",
            "user.hbase.hybrid.placed on " + WALS,
            "user.hbase.hybrid.wal.leftout on " + SERVER),
        new DirectoryReader(layout, namespaces)
            .foreignRecords().stream()
                .map(one -> one.seen().split(" was written")[0])
                .collect(Collectors.toList()));
    isUntouched(ALL_SSD, record);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void applyFailsOverIt(String record) throws IOException {
    wals(7, record);
    DirectoryPlan plan = DirectoryPlan.of(found(), false);
    assertEquals(Kind.FAILED, plan.of(new Path(WALS)).get().kind());
    DirectoryEnforcer.ofTool(namespaces, 0).carryOut(plan.changes(), () -> false);
    assertEquals(7, hdfs.own(WALS));
    assertEquals(Found.foreign(record), hdfs.read(PolicyProvenance.RECORD, new Path(WALS)));
  }

  /** It appears between the look and the write. */
  @ParameterizedTest
  @MethodSource("foreign")
  void placesNothingOverOneThatCameMeanwhile(String record) throws IOException {
    hdfs.with(WALS, 0);
    DirectoryPlan plan = DirectoryPlan.of(found(), false);
    assertEquals(Kind.SET, plan.of(new Path(WALS)).get().kind());
    hdfs.withForeign(WALS, PolicyProvenance.XATTR, record);
    DirectoryAction.Result result =
        DirectoryEnforcer.ofTool(namespaces, 0)
            .carryOut(List.of(plan.of(new Path(WALS)).get()), () -> false)
            .get(0);
    assertEquals(Kind.FAILED, result.kind());
    isUntouched(0, record);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void auditAndScanLeaveItsFilesAlone(String record) throws IOException {
    wals(HOT, record);
    assertEquals(StoragePolicy.NONE, expected());
    wals(ALL_SSD, record);
    assertEquals(StoragePolicy.ALL_SSD, expected(), "as declared");
  }

  private StoragePolicy expected() throws IOException {
    return Expectation.of(settings(), false, found()).of(Component.WAL);
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void aScanNeitherGivesNorOverwritesConsent(String record) throws IOException {
    hdfs.withForeign("/hbase", MoveConsent.XATTR, record);
    assertEquals(
        0,
        new ScanChore(
                layout,
                settings(),
                namespaces,
                () -> new TierFiles(layout, Long.MAX_VALUE, Long.MAX_VALUE),
                () -> TierTotals.now(settings(), conf),
                () -> false,
                ScanPace.of(1_000))
            .doWork());
    assertEquals(Found.foreign(record), hdfs.read(MoveConsent.RECORD, ROOT));
    assertThrows(
        ForeignRecordException.class,
        () -> hdfs.write(MoveConsent.RECORD, ROOT, MoveConsent.given("wal=HOT")));
  }

  @ParameterizedTest
  @MethodSource("foreign")
  void aGrantIsNeitherTrustedNorDrainedForNorOverwritten(String record) throws IOException {
    hdfs.withForeign("/hbase", TierState.XATTR, record);
    TierState followed = TierState.followed(TierState.on(hdfs, ROOT));
    assertFalse(followed.open() || followed.drains());
    conf.set("hbase.hybrid.tier.policy", "ALL_SSD");
    // It asks the view for nothing.
    TierController controller = new TierController(settings(), hdfs, ROOT, null, null, () -> 0);
    controller.doWork();
    assertFalse(controller.last().get().drains());
    assertEquals(Found.foreign(record), TierState.on(hdfs, ROOT));
  }

  @Test
  void anyHoldIsObeyed() throws IOException {
    hdfs.with(WALS, 0).withForeign("/hbase", Hold.XATTR, "v9 somebody");
    assertEquals(
        Kind.HELD,
        new DirectoryEnforcer(namespaces, 0, false).place(List.of(wals())).get(0).kind());
    assertThrows(ForeignRecordException.class, () -> hdfs.write(Hold.RECORD, ROOT, new Hold("me")));
    assertThrows(ForeignRecordException.class, () -> hdfs.remove(Hold.RECORD, ROOT));
    assertEquals("user.hbase.hybrid.wal.leftout", ExcludedNodes.XATTR);
  }

  /** This version's own are read: placed, demoted, returned and put back. */
  @Test
  void doesAllOfItWithThisVersionsRecords() throws IOException {
    hdfs.with(WALS, 0);
    assertEquals(
        Kind.SET, new DirectoryEnforcer(namespaces, 0, false).place(List.of(wals())).get(0).kind());
    SsdDemoter demoter = new SsdDemoter(namespaces, 0);
    assertTrue(demoter.demote(wals()));
    assertTrue(demoter.restore(wals()));
    DirectoryEnforcer.ofTool(namespaces, 0)
        .carryOut(DirectoryPlan.toRevert(found()).changes(), () -> false);
    assertEquals(0, hdfs.own(WALS));
    assertTrue(hdfs.read(PolicyProvenance.RECORD, new Path(WALS)).isAbsent());
    assertEquals(List.of(), new DirectoryReader(layout, namespaces).foreignRecords());
  }

  /** A form that changes without its version would be misread by the versions before it. */
  @Test
  void theFormsOfThisVersionStayAsTheyAre() {
    PolicyProvenance placed = PolicyProvenance.first((byte) 7, StoragePolicy.ALL_SSD);
    assertEquals("v2 before=7 set=12 was=7", placed.toString());
    assertEquals("v2 before=7 set=12 was=7 by=space", placed.asDemoted().toString());
    assertEquals("v1 given wal=HOT;", MoveConsent.given("wal=HOT").toString());
    assertEquals(
        "v1 waiting wal=HOT;7 files", MoveConsent.waiting("wal=HOT", "7 files").toString());
    assertEquals("v2 open 1 -2 3 m", TierState.open(1, -2, 3, "m").toString());
    assertEquals("v2 closed no", TierState.closed("no").toString());
    assertEquals("v2 paused no", TierState.paused("no").toString());
    assertEquals("v1", ExcludedNodes.of(List.of()).toString());
  }

  /** The master's own directory of WALs is one of those that 'revert' looks at. */
  @Test
  void revertSeesAMastersOwnDirectory() throws IOException {
    String own = "/hbase/MasterData/WALs/m,1,1";
    hdfs.with("/hbase/MasterData", 0).with("/hbase/MasterData/WALs", 0).with(own, HOT);
    hdfs.withProvenance(
        own, PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.HOT).asDemoted());
    assertEquals(
        List.of("RESTORE " + own + " unspecified"),
        DirectoryPlan.toRevert(found()).changes().stream()
            .map(action -> action.toString())
            .collect(Collectors.toList()));
  }
}
