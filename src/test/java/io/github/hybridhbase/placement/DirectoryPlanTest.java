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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class DirectoryPlanTest {
  private static final Path ROOT = new Path("/hbase");
  private static final List<String> DIRECTORIES =
      List.of(
          "/hbase",
          "/hbase/WALs",
          "/hbase/WALs/h,1,1",
          "/hbase/MasterData",
          "/hbase/MasterData/oldWALs",
          "/hbase/data",
          "/hbase/data/hbase",
          "/hbase/data/hbase/slowlog",
          "/hbase/oldWALs",
          "/hbase/archive");

  private final Layout layout = new Layout(ROOT, ROOT);
  private final FakeNamespace hdfs = new FakeNamespace();
  private final Configuration conf = new Configuration(false);

  DirectoryPlanTest() {
    DIRECTORIES.forEach(path -> hdfs.with(path, StoragePolicy.UNSPECIFIED));
  }

  private List<DirectoryState> look() throws IOException {
    return new DirectoryReader(layout, path -> Optional.of(hdfs)).look(settings(), true);
  }

  private List<DirectoryAction> toApply() throws IOException {
    return DirectoryPlan.of(look(), false).changes();
  }

  private HybridSettings settings() {
    return HybridSettings.read(conf);
  }

  private List<DirectoryAction.Result> carryOut(List<DirectoryAction> actions) {
    return new DirectoryEnforcer(path -> Optional.of(hdfs), 0, false)
        .carryOut(actions, () -> false);
  }

  private List<Byte> policies() {
    return DIRECTORIES.stream().map(hdfs::own).collect(Collectors.toList());
  }

  @Test
  void applyDoesAllThatIsMissingAndThenNothing() throws IOException {
    carryOut(toApply());
    assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own("/hbase/WALs"));
    assertEquals(StoragePolicy.HOT.id(), hdfs.own("/hbase/data"));
    assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own("/hbase/data/hbase"));
    assertEquals(StoragePolicy.HOT.id(), hdfs.own("/hbase/data/hbase/slowlog"));
    assertEquals(List.of(), toApply());
  }

  @Test
  void applyLeavesSomebodyElsesPolicyAlone() throws IOException {
    hdfs.with("/hbase/oldWALs", StoragePolicy.COLD.id());
    assertTrue(toApply().stream().noneMatch(a -> a.path().equals(new Path("/hbase/oldWALs"))));
  }

  @Test
  void applyDoesNotHideAnInnerConflictBehindAnOuterPolicy() throws IOException {
    // Somebody gave data/hbase what data is declared to have: then data/hbase would seem to
    // inherit.
    hdfs.with("/hbase/data/hbase", StoragePolicy.HOT.id());
    for (int run = 0; run < 2; run++) {
      carryOut(toApply());
      assertEquals(StoragePolicy.HOT.id(), hdfs.own("/hbase/data/hbase"));
      assertEquals(StoragePolicy.UNSPECIFIED, hdfs.own("/hbase/data"));
      assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own("/hbase/WALs"));
    }
    DirectoryPlan plan = DirectoryPlan.of(look(), false);
    assertEquals(
        Optional.of(new Path("/hbase/data/hbase")),
        plan.of(new Path("/hbase/data")).orElseThrow().hides());
    DirectoryAction inner = plan.of(new Path("/hbase/data/hbase")).orElseThrow();
    assertEquals(DirectoryAction.Kind.CONFLICT, inner.kind());
    assertEquals(Optional.empty(), inner.hides());
  }

  /** Apply and the placers that run in the servers come to the same end from any start. */
  @Test
  void applyDoesWhatThePlacerDoes() throws IOException {
    List<StoragePolicy> given =
        List.of(StoragePolicy.HOT, StoragePolicy.ALL_SSD, StoragePolicy.COLD);
    List<String> where = DIRECTORIES.subList(3, DIRECTORIES.size());
    for (String first : where) {
      for (String second : where) {
        for (StoragePolicy one : given) {
          for (StoragePolicy other : given) {
            DIRECTORIES.forEach(path -> hdfs.with(path, StoragePolicy.UNSPECIFIED));
            hdfs.with(first, one.id());
            hdfs.with(second, other.id());
            forgetProvenance();
            new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false)
                .place(layout.rules(settings()));
            List<Byte> kept = policies();
            DIRECTORIES.forEach(path -> hdfs.with(path, StoragePolicy.UNSPECIFIED));
            hdfs.with(first, one.id());
            hdfs.with(second, other.id());
            forgetProvenance();
            carryOut(toApply());
            assertEquals(kept, policies(), first + " " + one + ", " + second + " " + other);
          }
        }
      }
    }
  }

  private void forgetProvenance() throws IOException {
    for (String path : DIRECTORIES) {
      hdfs.remove(PolicyProvenance.RECORD, new Path(path));
    }
  }

  @Test
  void applyPutsBackWhatIsNoLongerDeclared() throws IOException {
    carryOut(toApply());
    conf.set("hbase.hybrid.archive.policy", "NONE");
    List<DirectoryAction> actions = toApply();
    assertTrue(
        actions.stream().allMatch(a -> a.kind() == DirectoryAction.Kind.RESTORE),
        actions::toString);
    carryOut(actions);
    assertEquals(StoragePolicy.UNSPECIFIED, hdfs.own("/hbase/oldWALs"));
    assertEquals(Optional.empty(), hdfs.provenanceOf("/hbase/oldWALs"));
    assertEquals(List.of(), toApply());
  }

  @Test
  void whatTheOuterPolicyHidIsJudgedOnceThatIsPutBack() throws IOException {
    conf.set("hbase.hybrid.user.policy", "ALL_SSD");
    conf.set("hbase.hybrid.meta.policy", "NONE");
    carryOut(toApply());
    // Somebody's own policy, which seems to be inherited as long as the outer one is the same.
    hdfs.with("/hbase/data/hbase", StoragePolicy.ALL_SSD.id());
    conf.set("hbase.hybrid.user.policy", "NONE");
    conf.set("hbase.hybrid.meta.policy", "HOT");
    for (int run = 0; run < 2; run++) {
      carryOut(toApply());
      assertEquals(StoragePolicy.UNSPECIFIED, hdfs.own("/hbase/data"));
      assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own("/hbase/data/hbase"));
    }
    assertEquals(
        DirectoryAction.Kind.CONFLICT,
        DirectoryPlan.of(look(), false).of(new Path("/hbase/data/hbase")).orElseThrow().kind());
  }

  @Test
  void revertPutsEveryPolicyBackAndThenHasNothingToDo() throws IOException {
    List<Byte> before = policies();
    carryOut(toApply());
    carryOut(DirectoryPlan.toRevert(look()).changes());
    assertEquals(before, policies());
    assertEquals(List.of(), DirectoryPlan.toRevert(look()).changes());
  }

  @Test
  void revertFindsWhatTheSpaceMonitorRecordedOnAServersOwnDirectory() throws IOException {
    hdfs.with("/hbase/WALs/h,1,1", StoragePolicy.HOT.id());
    hdfs.withProvenance(
        "/hbase/WALs/h,1,1",
        PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.ALL_SSD)
            .change(StoragePolicy.HOT));
    carryOut(DirectoryPlan.toRevert(look()).changes());
    assertEquals(StoragePolicy.UNSPECIFIED, hdfs.own("/hbase/WALs/h,1,1"));
    assertEquals(Optional.empty(), hdfs.provenanceOf("/hbase/WALs/h,1,1"));
  }

  @Test
  void revertKeepsWhatSomebodySetAfterThePlugin() throws IOException {
    carryOut(toApply());
    hdfs.with("/hbase/archive", StoragePolicy.COLD.id());
    carryOut(DirectoryPlan.toRevert(look()).changes());
    assertEquals(StoragePolicy.COLD.id(), hdfs.own("/hbase/archive"));
    assertEquals(Optional.empty(), hdfs.provenanceOf("/hbase/archive"));
  }

  @Test
  void revertCutOffAnywhereAndRunAgainEndsRight() throws IOException {
    List<Byte> before = policies();
    carryOut(toApply());
    int writes = hdfs.writes().size();
    int cut = 0;
    do {
      carryOut(toApply());
      hdfs.diesAfter(hdfs.writes().size() + cut);
      carryOut(DirectoryPlan.toRevert(look()).changes());
      hdfs.diesAfter(Integer.MAX_VALUE);
      carryOut(DirectoryPlan.toRevert(look()).changes());
      assertEquals(before, policies(), "cut off after " + cut + " writes");
      assertEquals(List.of(), DirectoryPlan.toRevert(look()).changes());
    } while (++cut < 2 * writes);
  }

  @Test
  void applyCutOffAnywhereAndRunAgainEndsRight() throws IOException {
    List<Byte> before = policies();
    for (int cut = 0; cut < 3 * DIRECTORIES.size(); cut++) {
      hdfs.diesAfter(hdfs.writes().size() + cut);
      carryOut(toApply());
      hdfs.diesAfter(Integer.MAX_VALUE);
      carryOut(toApply());
      assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own("/hbase/data/hbase"));
      assertEquals(List.of(), toApply());
      carryOut(DirectoryPlan.toRevert(look()).changes());
      assertEquals(before, policies(), "cut off after " + cut + " writes");
    }
  }
}
