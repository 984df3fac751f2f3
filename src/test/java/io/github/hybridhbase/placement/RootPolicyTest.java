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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.MisplacedFileMover;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A policy that an admin gave hbase.rootdir, or a directory above it, is the admin's word. */
@InterfaceAudience.Private
class RootPolicyTest {
  private static final Path ROOT = new Path("/hbase");
  private static final byte UNSET = StoragePolicy.UNSPECIFIED;
  private static final byte HOT = StoragePolicy.HOT.id();
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final List<String> SYSTEM =
      List.of("/hbase/WALs", "/hbase/MasterData", "/hbase/data/hbase");
  private static final List<String> FOLLOWING =
      List.of(
          "/hbase/data",
          "/hbase/archive",
          "/hbase/oldWALs",
          "/hbase/corrupt",
          "/hbase/.hbase-snapshot",
          "/hbase/mobdir",
          "/hbase/staging");
  private static final List<String> BETWEEN =
      List.of(
          "/hbase/data/hbase/slowlog", "/hbase/MasterData/oldWALs", "/hbase/MasterData/archive");

  private final Layout layout = new Layout(ROOT, ROOT);
  private final Configuration conf = new Configuration(false);
  private final FakeNamespace hdfs = new FakeNamespace().with("/", UNSET).with("/hbase", UNSET);

  RootPolicyTest() {
    Stream.of(SYSTEM, FOLLOWING, BETWEEN)
        .flatMap(List::stream)
        .forEach(path -> hdfs.with(path, UNSET));
  }

  static Stream<org.junit.jupiter.params.provider.Arguments> above() {
    List<org.junit.jupiter.params.provider.Arguments> all = new ArrayList<>();
    for (String where : List.of("/hbase", "/")) {
      for (StoragePolicy policy :
          List.of(
              StoragePolicy.COLD,
              StoragePolicy.WARM,
              StoragePolicy.ONE_SSD,
              StoragePolicy.ALL_SSD)) {
        all.add(org.junit.jupiter.params.provider.Arguments.of(where, policy));
      }
    }
    return all.stream();
  }

  private HybridSettings settings() {
    return HybridSettings.read(conf);
  }

  private List<DirectoryAction.Result> place() {
    List<DirectoryRule> rules = layout.rules(settings());
    return new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false).place(rules);
  }

  private void assertFollowed(StoragePolicy policy) {
    FOLLOWING.forEach(path -> assertEquals(UNSET, hdfs.own(path), path));
    FOLLOWING.forEach(path -> assertEquals(Optional.empty(), hdfs.provenanceOf(path), path));
    for (String path : BETWEEN) {
      boolean same = policy == StoragePolicy.ALL_SSD;
      byte own = hdfs.own(path);
      assertTrue(own == policy.id() || (same && own == UNSET), path + " has " + own);
    }
  }

  @ParameterizedTest
  @MethodSource("above")
  void userDataAndArchiveFollowItAndSystemComponentsDoNot(String where, StoragePolicy policy) {
    hdfs.with(where, policy.id());
    for (int look = 0; look < 3; look++) {
      for (DirectoryAction.Result result : place()) {
        assertTrue(result.kind().holds(), result::toString);
      }
      assertFollowed(policy);
      for (String path : SYSTEM) {
        byte own = hdfs.own(path);
        assertTrue(own == ALL_SSD || (policy == StoragePolicy.ALL_SSD && own == UNSET), path);
      }
    }
    hdfs.writes().clear();
    place();
    assertEquals(List.of(), hdfs.writes(), "it ends");
  }

  @ParameterizedTest
  @MethodSource("above")
  void whatThePluginHadSetYieldsToIt(String where, StoragePolicy policy) {
    place();
    assertEquals(HOT, hdfs.own("/hbase/data"));
    hdfs.with(where, policy.id());
    place();
    assertFollowed(policy);
    hdfs.with(where, UNSET);
    place();
    assertEquals(HOT, hdfs.own("/hbase/data"), "it went again");
    assertEquals(HOT, hdfs.own("/hbase/data/hbase/slowlog"));
  }

  @ParameterizedTest
  @MethodSource("above")
  void noneOfItsFilesIsMoved(String where, StoragePolicy policy) throws IOException {
    hdfs.file("/hbase/data/default/t/r/cf/disk", 10, StorageType.DISK, StorageType.DISK)
        .file("/hbase/data/default/t/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/data/default/t/r/.tmp/cf/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/data/hbase/slowlog/r/cf/disk", 10, StorageType.DISK, StorageType.DISK)
        .file("/hbase/oldWALs/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/archive/data/default/t/r/cf/disk", 10, StorageType.DISK, StorageType.DISK)
        .file("/hbase/WALs/s/disk", 10, StorageType.DISK, StorageType.DISK);
    hdfs.with(where, policy.id());
    place();
    List<DirectoryState> found =
        new DirectoryReader(layout, path -> Optional.of(hdfs)).look(settings(), false);
    Expectation expectation = Expectation.of(settings(), false, found);
    List<Path> asked = new ArrayList<>();
    MisplacedFileMover moves =
        new MisplacedFileMover(expectation::of, (file, unset) -> asked.add(file), 1000, () -> true);
    new BlockScanner(layout, path -> Optional.of(hdfs)).walk(moves);
    assertEquals(List.of(new Path("/hbase/WALs/s/disk")), asked);
  }

  /** Apply, revert and the placers of the servers come to the same end. */
  @ParameterizedTest
  @MethodSource("above")
  void applyDoesWhatThePlacerDoes(String where, StoragePolicy policy) throws IOException {
    for (boolean placedBefore : new boolean[] {false, true}) {
      if (placedBefore) {
        place();
      }
      hdfs.with(where, policy.id());
      apply();
      assertFollowed(policy);
      assertEquals(List.of(), DirectoryPlan.of(look(), false).changes());
      hdfs.writes().clear();
      place();
      assertEquals(List.of(), hdfs.writes());
      enforcer().carryOut(DirectoryPlan.toRevert(look()).changes(), () -> false);
      SYSTEM.forEach(path -> assertEquals(UNSET, hdfs.own(path), path));
      BETWEEN.forEach(path -> assertEquals(UNSET, hdfs.own(path), path));
      hdfs.with(where, UNSET);
    }
  }

  private void apply() throws IOException {
    enforcer().carryOut(DirectoryPlan.of(look(), false).changes(), () -> false);
  }

  private DirectoryEnforcer enforcer() {
    return new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false);
  }

  private List<DirectoryState> look() throws IOException {
    return new DirectoryReader(layout, path -> Optional.of(hdfs)).look(settings(), false);
  }

  @ParameterizedTest
  @MethodSource("above")
  void whatAnAdminGaveTheDirectoryItselfStays(String where, StoragePolicy policy) {
    hdfs.with(where, policy.id());
    // By hand, as declared: nobody's business.
    hdfs.with("/hbase/data", HOT);
    StoragePolicy other = policy == StoragePolicy.COLD ? StoragePolicy.WARM : StoragePolicy.COLD;
    hdfs.with("/hbase/archive", other.id());
    List<DirectoryAction.Result> results = place();
    assertEquals(HOT, hdfs.own("/hbase/data"));
    assertEquals(other.id(), hdfs.own("/hbase/archive"));
    assertEquals(DirectoryAction.Kind.RIGHT, of(results, "/hbase/data").kind());
    assertEquals(DirectoryAction.Kind.CONFLICT, of(results, "/hbase/archive").kind());
  }

  private static DirectoryAction.Result of(List<DirectoryAction.Result> results, String path) {
    return results.stream()
        .filter(result -> result.rule().path().equals(new Path(path)))
        .findFirst()
        .orElseThrow();
  }

  /** Cut off between any two writes, the next look ends as the others do. */
  @ParameterizedTest
  @MethodSource("above")
  void yieldingMayBeCutOffAnywhere(String where, StoragePolicy policy) {
    for (int survived = 0; survived < 12; survived++) {
      hdfs.with(where, UNSET);
      place();
      hdfs.with(where, policy.id());
      hdfs.diesAfter(hdfs.writes().size() + survived);
      place();
      hdfs.diesAfter(Integer.MAX_VALUE);
      place();
      FOLLOWING.forEach(path -> assertEquals(UNSET, hdfs.own(path), path));
    }
  }

  @ParameterizedTest
  @MethodSource("above")
  void withoutXattrsNobodyKnowsWhosePolicyStandsSoItStays(String where, StoragePolicy policy) {
    hdfs.hasNoXattrs();
    hdfs.with("/hbase/data", HOT).with(where, policy.id());
    place();
    assertEquals(HOT, hdfs.own("/hbase/data"));
    assertEquals(UNSET, hdfs.own("/hbase/archive"));
  }

  @ParameterizedTest
  @MethodSource("above")
  void aDeclarationThatAgreesWithItIsNoFinding(String where, StoragePolicy policy)
      throws IOException {
    hdfs.with(where, policy.id());
    conf.set("hbase.hybrid.user.policy", policy.name());
    conf.set("hbase.hybrid.archive.policy", policy.name());
    for (DirectoryAction.Result result : place()) {
      assertEquals(
          "", result.kind() == DirectoryAction.Kind.SET ? "" : result.detail(), result::toString);
    }
    assertEquals(UNSET, hdfs.own("/hbase/data"));
    assertEquals(Optional.<PolicyProvenance>empty(), hdfs.provenanceOf("/hbase/data"));
  }

  /** As {@code dfs.storage.default.policy}: nothing is specified, and yet it is an admin's word. */
  @Test
  void aDefaultPolicyOfHdfsThatIsNotHotIsFollowedToo() throws IOException {
    hdfs.defaultsTo(StoragePolicy.ALL_SSD);
    hdfs.file("/hbase/data/default/t/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD);
    place();
    assertEquals(UNSET, hdfs.own("/hbase/data"));
    assertEquals(UNSET, hdfs.own("/hbase/archive"));
    Expectation expectation = Expectation.of(settings(), false, look());
    List<Path> asked = new ArrayList<>();
    new BlockScanner(layout, path -> Optional.of(hdfs))
        .walk(
            new MisplacedFileMover(
                expectation::of, (file, unset) -> asked.add(file), 1000, () -> true));
    assertEquals(List.of(), asked);
    assertEquals(
        List.of(ROOT), RootPolicy.roots(layout, path -> Optional.of(hdfs)), "of revert too");
  }

  @Test
  void whatIsInForceOnTheRootIsAnAdminsUnlessItIsHdfssOwn() {
    byte cold = StoragePolicy.COLD.id();
    assertEquals(Optional.empty(), RootPolicy.of(UNSET, HOT));
    assertEquals(Optional.empty(), RootPolicy.of(HOT, HOT));
    assertEquals(Optional.of(cold), RootPolicy.of(cold, HOT));
    assertEquals(Optional.of(cold), RootPolicy.of(UNSET, cold));
    assertEquals(Optional.of(HOT), RootPolicy.of(HOT, cold));
  }

  /** A policy that the plugin cannot name is followed where it is inherited. */
  @Test
  void aPolicyWithoutANameHereIsFollowedAsWell() {
    hdfs.with("/hbase", 14);
    for (int look = 0; look < 2; look++) {
      place();
      assertEquals(UNSET, hdfs.own("/hbase/data"));
      assertEquals(HOT, hdfs.own("/hbase/data/hbase/slowlog"), "it cannot be named");
    }
    hdfs.writes().clear();
    place();
    assertEquals(List.of(), hdfs.writes());
  }

  /** What HDFS shows of data/hbase once data follows must not hide whose its policy is. */
  @Test
  void yieldingDoesNotHideAConflictFurtherDown() throws IOException {
    place();
    hdfs.remove(PolicyProvenance.RECORD, new Path("/hbase/data/hbase"));
    hdfs.with("/hbase/data/hbase", StoragePolicy.ONE_SSD.id());
    hdfs.with("/hbase", StoragePolicy.ONE_SSD.id());
    for (int look = 0; look < 3; look++) {
      place();
      assertEquals(StoragePolicy.ONE_SSD.id(), hdfs.own("/hbase/data/hbase"), "look " + look);
      apply();
      assertEquals(StoragePolicy.ONE_SSD.id(), hdfs.own("/hbase/data/hbase"), "apply " + look);
    }
  }

  /** The root of the WALs has its own word: hbase.wal.dir may be on another HDFS. */
  @Test
  void eachRootHasItsOwn() {
    Path walRoot = new Path("/wal");
    Layout apart = new Layout(ROOT, walRoot);
    hdfs.with("/wal", StoragePolicy.WARM.id()).with("/wal/oldWALs", UNSET).with("/wal/data", UNSET);
    new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false).place(apart.rules(settings()));
    assertEquals(UNSET, hdfs.own("/wal/oldWALs"));
    assertEquals(UNSET, hdfs.own("/wal/data"));
    assertEquals(HOT, hdfs.own("/hbase/data"));
    assertEquals(HOT, hdfs.own("/hbase/archive"));
  }

  /**
   * User data that was declared to be on SSD, and follows an admin, is none of the space monitor's.
   */
  @Test
  void theGuardTurnsNothingThatFollows() throws IOException {
    conf.set("hbase.hybrid.user.policy", "ALL_SSD");
    hdfs.with("/", StoragePolicy.ALL_SSD.id());
    SsdDemoter demoter = new SsdDemoter(rule -> Optional.of(hdfs), 0);
    for (DirectoryRule rule : layout.rules(settings())) {
      boolean user = rule.component() == io.github.hybridhbase.runtime.Component.USER;
      if (rule.policy().wantsSsd() && hdfs.policy(rule.path()).isPresent()) {
        assertEquals(!user, demoter.demote(rule), rule::toString);
      }
    }
    assertEquals(UNSET, hdfs.own("/hbase/data"));
  }

  /** Declared HOT, HOT by an admin's hand, below COLD: the declaration holds there, only there. */
  @Test
  void whatAnAdminGaveTheDirectoryAsDeclaredDoesNotFollow() throws IOException {
    hdfs.with("/hbase", StoragePolicy.COLD.id()).with("/hbase/data", HOT);
    hdfs.file("/hbase/data/default/t/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/mobdir/data/default/t/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/.tmp/data/default/t/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD)
        .file("/hbase/data/hbase/slowlog/r/cf/ssd", 10, StorageType.SSD, StorageType.SSD);
    place();
    List<DirectoryState> found = look();
    assertFalse(DirectoryPlan.follows(at(found, "/hbase/data")));
    assertTrue(DirectoryPlan.follows(at(found, "/hbase/mobdir")));
    Expectation expectation = Expectation.of(settings(), false, found);
    List<Path> asked = new ArrayList<>();
    new BlockScanner(layout, path -> Optional.of(hdfs))
        .walk(
            new MisplacedFileMover(
                expectation::of, (file, unset) -> asked.add(file), 1000, () -> true));
    assertTrue(asked.contains(new Path("/hbase/data/default/t/r/cf/ssd")), asked::toString);
    assertFalse(asked.toString().contains("mobdir"), asked::toString);
    assertFalse(asked.toString().contains(".tmp"), asked::toString);
    hdfs.with("/hbase/data", UNSET);
    place();
    assertNotEquals(
        expectation.declaration(),
        Expectation.of(settings(), false, look()).declaration(),
        "to move what followed until now is asked for again");
  }

  /** In conflict is not following: it has one finding, not two. */
  @Test
  void aConflictDoesNotFollow() throws IOException {
    hdfs.with("/hbase", ALL_SSD).with("/hbase/archive", StoragePolicy.COLD.id());
    place();
    assertFalse(DirectoryPlan.follows(at(look(), "/hbase/archive")));
    assertTrue(DirectoryPlan.follows(at(look(), "/hbase/oldWALs")));
  }

  private static DirectoryState at(List<DirectoryState> found, String path) {
    return found.stream()
        .filter(one -> one.path().equals(new Path(path)))
        .findFirst()
        .orElseThrow();
  }

  /** On two HDFS, with the same path. */
  @Test
  void rootsOfTheSamePathAreNotMixedUp() throws IOException {
    Layout apart = new Layout(new Path("hdfs://a/hbase"), new Path("hdfs://b/hbase"));
    FakeNamespace both =
        new FakeNamespace()
            .with("hdfs://a/hbase", UNSET)
            .with("hdfs://b/hbase", StoragePolicy.COLD.id())
            .with("hdfs://a/hbase/archive", HOT)
            .with("hdfs://a/hbase/data", HOT)
            .with("hdfs://b/hbase/data", UNSET)
            .with("hdfs://b/hbase/oldWALs", UNSET)
            .file("hdfs://a/hbase/archive/data/default/t/r/cf/f", 10, StorageType.SSD)
            .file("hdfs://a/hbase/data/default/t/r/cf/f", 10, StorageType.SSD)
            .file("hdfs://b/hbase/oldWALs/f", 10, StorageType.SSD);
    List<DirectoryState> found =
        new DirectoryReader(apart, path -> Optional.of(both)).look(settings(), false);
    Expectation expectation = Expectation.of(settings(), false, found);
    List<Path> asked = new ArrayList<>();
    new BlockScanner(apart, path -> Optional.of(both))
        .walk(
            new MisplacedFileMover(
                expectation::of, (file, unset) -> asked.add(file), 1000, () -> true));
    assertEquals(
        List.of(
            new Path("hdfs://a/hbase/archive/data/default/t/r/cf/f"),
            new Path("hdfs://a/hbase/data/default/t/r/cf/f")),
        asked.stream().sorted().collect(java.util.stream.Collectors.toList()));
    List<Path> admins = RootPolicy.roots(apart, path -> Optional.of(both));
    assertEquals(List.of(new Path("hdfs://b/hbase")), admins);
    assertFalse(
        DirectoryState.below(
            admins, io.github.hybridhbase.runtime.Component.ARCHIVE, asked.get(0)));
  }

  /** The finding's own advice is NONE. */
  @ParameterizedTest
  @MethodSource("above")
  void revertMovesNothingThatFollowsOrIsDeclaredNone(String where, StoragePolicy policy)
      throws IOException {
    for (String declared : List.of("HOT", "NONE")) {
      conf.set("hbase.hybrid.user.policy", declared);
      conf.set("hbase.hybrid.archive.policy", declared);
      for (byte above : new byte[] {policy.id(), UNSET}) {
        if (declared.equals("HOT") && above == UNSET) {
          continue;
        }
        hdfs.with(where, above)
            .with("/hbase/data/default/t", StoragePolicy.WARM.id())
            .file("/hbase/data/default/t/r/cf/disk", 10, StorageType.DISK, StorageType.SSD)
            .file("/hbase/data/default/u/r/cf/mixed", 10, StorageType.DISK, StorageType.SSD)
            .file("/hbase/archive/data/default/t/r/cf/a", 10, StorageType.DISK, StorageType.SSD);
        List<Path> admins = RootPolicy.roots(layout, path -> Optional.of(hdfs));
        List<Path> asked = new ArrayList<>();
        new BlockScanner(layout, path -> Optional.of(hdfs))
            .walk(
                new MisplacedFileMover(
                    (place, file) -> Expectation.afterRevert(settings(), admins, place, file),
                    (file, unset) -> asked.add(file),
                    1000,
                    () -> true));
        assertEquals(List.of(), asked);
      }
    }
  }
}
