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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class DirectoryEnforcerTest {
  private static final int UNSET = StoragePolicy.UNSPECIFIED;
  private static final int HOT = StoragePolicy.HOT.id();
  private static final int ALL_SSD = StoragePolicy.ALL_SSD.id();
  private static final int LAZY_PERSIST = 15;
  private static final String WALS = "/hbase/WALs";
  private static final Layout LAYOUT = new Layout(new Path("/hbase"), new Path("/hbase"));

  private final FakeNamespace hdfs = new FakeNamespace().with("/hbase", UNSET).with(WALS, UNSET);

  private static List<DirectoryRule> wal(String policy) {
    Configuration conf = new Configuration(false);
    conf.set("hbase.hybrid.wal.policy", policy);
    return LAYOUT.walRules(HybridSettings.read(conf));
  }

  private DirectoryAction.Result keepWal(String policy) {
    return only(new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false).place(wal(policy)));
  }

  private DirectoryAction.Result proveWal(String policy) {
    return only(new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, true).place(wal(policy)));
  }

  private static DirectoryAction.Result only(List<DirectoryAction.Result> results) {
    assertEquals(1, results.size());
    return results.get(0);
  }

  @Test
  void probesFirstThenRecordsProvenanceThenPins() {
    assertEquals(DirectoryAction.Kind.SET, keepWal("ALL_SSD").kind());
    assertEquals(
        List.of(
            "probe /hbase/WALs ALL_SSD 256", "provenance /hbase/WALs", "set /hbase/WALs ALL_SSD"),
        hdfs.writes());
    assertEquals("v2 before=0 set=12 was=0", hdfs.provenanceOf(WALS).orElseThrow().toString());
  }

  @Test
  void aSecondLookWritesNothing() {
    keepWal("ALL_SSD");
    hdfs.writes().clear();
    assertEquals(DirectoryAction.Kind.RIGHT, keepWal("ALL_SSD").kind());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void aPolicyThatIsInForceByInheritanceIsNotSetAgain() {
    hdfs.with("/hbase", HOT);
    assertEquals(DirectoryAction.Kind.RIGHT, keepWal("HOT").kind());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void whereSsdDoesNotTakeTheProbeNothingIsPinned() {
    hdfs.probesGoTo(StorageType.DISK);
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.NO_SSD, result.kind());
    assertTrue(result.detail().contains("dfs.datanode.data.dir"), result.detail());
    assertEquals(UNSET, hdfs.own(WALS));
    assertEquals(Optional.empty(), hdfs.provenanceOf(WALS));
  }

  @Test
  void whereTheProbeIsRefusedNothingIsPinned() {
    hdfs.refusesProbes("could only be written to 0 of the 1 minReplication nodes");
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.NO_SSD, result.kind());
    assertTrue(result.detail().contains("could only be written to 0"), result.detail());
    assertEquals(UNSET, hdfs.own(WALS));
  }

  @Test
  void aPolicyForDiskNeedsNoProbe() {
    assertEquals(DirectoryAction.Kind.SET, keepWal("HOT").kind());
    assertEquals(List.of("provenance /hbase/WALs", "set /hbase/WALs HOT"), hdfs.writes());
  }

  @Test
  void anAdminsPolicyIsAConflictAndStays() {
    hdfs.with(WALS, LAZY_PERSIST);
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.CONFLICT, result.kind());
    assertTrue(result.detail().contains("policy#15"), result.detail());
    assertTrue(result.detail().contains("hbase.hybrid.wal.policy"), result.detail());
    assertTrue(result.detail().contains("-unsetStoragePolicy -path /hbase/WALs"));
    assertEquals(List.of(), hdfs.writes());
    assertEquals(LAZY_PERSIST, hdfs.own(WALS));
  }

  @Test
  void anAdminsPolicyOverOursIsAConflictAndStays() {
    keepWal("ALL_SSD");
    hdfs.with(WALS, StoragePolicy.COLD.id());
    hdfs.writes().clear();
    assertEquals(DirectoryAction.Kind.CONFLICT, keepWal("ALL_SSD").kind());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void provenanceWithoutItsPolicyIsRepaired() {
    hdfs.withProvenance(WALS, PolicyProvenance.first((byte) UNSET, StoragePolicy.ALL_SSD));
    assertEquals(DirectoryAction.Kind.SET, keepWal("ALL_SSD").kind());
    assertEquals(
        List.of("probe /hbase/WALs ALL_SSD 256", "set /hbase/WALs ALL_SSD"), hdfs.writes());
  }

  @Test
  void aChangedDeclarationIsFollowedAndWhatStoodBeforeStaysOnRecord() {
    keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.SET, keepWal("HOT").kind());
    assertEquals(HOT, hdfs.own(WALS));
    assertEquals("v2 before=0 set=7 was=7", hdfs.provenanceOf(WALS).orElseThrow().toString());
  }

  @Test
  void changedDeclaration_oldPolicyCountsAsAnAdmins() {
    keepWal("ALL_SSD");
    keepWal("HOT");
    hdfs.with(WALS, ALL_SSD);
    assertEquals(DirectoryAction.Kind.CONFLICT, keepWal("HOT").kind());
    assertEquals(ALL_SSD, hdfs.own(WALS));
  }

  @Test
  void adminsPolicyOnInnerDirectory_survivesChangesOfParents() {
    FakeNamespace emergency =
        new FakeNamespace()
            .with("/hbase", UNSET)
            .with("/hbase/data", UNSET)
            .with("/hbase/data/hbase", HOT);
    List<DirectoryRule> rules =
        LAYOUT.rules(HybridSettings.read(new Configuration(false))).stream()
            .filter(rule -> rule.path().toString().startsWith("/hbase/data"))
            .collect(Collectors.toList());
    DirectoryEnforcer enforcer = new DirectoryEnforcer(rule -> Optional.of(emergency), 0, false);
    for (int look = 0; look < 3; look++) {
      enforcer.place(rules);
      assertEquals(HOT, emergency.own("/hbase/data/hbase"), "look " + look);
    }
  }

  @Test
  void aPolicyThatWasTakenAwayIsSetAgainButNotInSilence() {
    keepWal("ALL_SSD");
    hdfs.with(WALS, UNSET);
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.SET, result.kind());
    assertTrue(result.detail().contains("hbase.hybrid.wal.policy"), result.detail());
  }

  /**
   * A server dies between any two writes, the next one must finish the work and see no conflict.
   */
  @Test
  void deathBetweenTwoWrites_leavesNoPolicyLikeAnAdmins() {
    for (int survived = 0; survived <= 4; survived++) {
      FakeNamespace dying = new FakeNamespace().with("/hbase", UNSET).with(WALS, UNSET);
      DirectoryEnforcer enforcer = new DirectoryEnforcer(rule -> Optional.of(dying), 0, false);
      enforcer.place(wal("HOT"));
      dying.writes().clear();
      dying.diesAfter(survived);
      enforcer.place(wal("ALL_SSD"));
      dying.diesAfter(Integer.MAX_VALUE);
      assertTrue(only(enforcer.place(wal("ALL_SSD"))).kind().holds(), "after " + survived);
      assertEquals(ALL_SSD, dying.own(WALS));
      assertEquals((byte) UNSET, dying.provenanceOf(WALS).orElseThrow().before());
    }
  }

  @Test
  void withoutXattrsNothingIsPlacedSinceNobodyCouldUndoIt() {
    hdfs.hasNoXattrs();
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.NO_XATTRS, result.kind());
    assertFalse(result.kind().holds(), "'require' refuses");
    assertTrue(result.detail().contains("dfs.namenode.xattrs.enabled=true"), result.detail());
    assertEquals(UNSET, hdfs.own(WALS));
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void aDirectoryThatHBaseHasNotMadeIsLeftUnmade() {
    FakeNamespace bare = new FakeNamespace().with("/hbase", UNSET);
    DirectoryEnforcer enforcer = new DirectoryEnforcer(rule -> Optional.of(bare), 0, false);
    assertEquals(DirectoryAction.Kind.ABSENT, only(enforcer.place(wal("ALL_SSD"))).kind());
    assertEquals(List.of(), bare.writes());
  }

  @Test
  void mastersStore_isCreatedBeforeItsFirstWal() {
    FakeNamespace bare = new FakeNamespace().with("/hbase", UNSET);
    List<DirectoryRule> rules =
        LAYOUT.masterRules(HybridSettings.read(new Configuration(false))).stream()
            .filter(DirectoryRule::create)
            .collect(Collectors.toList());
    new DirectoryEnforcer(rule -> Optional.of(bare), 0, false).place(rules);
    assertEquals(
        List.of(
            "mkdir /hbase/MasterData",
            "probe /hbase/MasterData ALL_SSD 256",
            "provenance /hbase/MasterData",
            "set /hbase/MasterData ALL_SSD"),
        bare.writes());
  }

  @Test
  void theWalBlockSizeInForceIsWhatTheProbeAsksSpaceFor() {
    new DirectoryEnforcer(rule -> Optional.of(hdfs), 4096, false).place(wal("ALL_SSD"));
    assertEquals("probe /hbase/WALs ALL_SSD 4096", hdfs.writes().get(0));
  }

  @Test
  void eachWayHdfsRefusesIsNamedWithItsRemedy() {
    hdfs.refusesPolicies(
        new IOException(
            "Failed to set storage policy since dfs.storage.policy.enabled is set to false."));
    assertRemedy("dfs.storage.policy.enabled=true");
    hdfs.refusesPolicies(new AccessControlException("Superuser privilege is required"));
    assertRemedy("dfs.storage.policy.permissions.superuser-only=false");
    hdfs.refusesPolicies(new AccessControlException("Permission denied: user=x, access=WRITE"));
    assertRemedy("-chown");
    hdfs.refusesPolicies(new IOException("Cannot set storage policy. Name node is in safe mode."));
    assertRemedy("safe mode");
    hdfs.refusesPolicies(new IOException((String) null));
    assertRemedy("tried again");
  }

  private void assertRemedy(String remedy) {
    DirectoryAction.Result result = keepWal("ALL_SSD");
    assertEquals(DirectoryAction.Kind.FAILED, result.kind());
    assertTrue(result.detail().contains(remedy), result.detail());
  }

  /** {@code revert} goes the same way, and {@code apply} is what failed already. */
  @Test
  void policiesReservedToTheSuperuser_nameTheKeyAndTheCommand() {
    hdfs.refusesPolicies(new AccessControlException("Superuser privilege is required"));
    assertRemedy("superuser-only=false on each NameNode");
    assertRemedy("'hbase-hybrid apply' as HDFS's superuser");
  }

  @Test
  void whatACommandMakesIsTheOwnersAndWhatAServerMakesItsOwn() {
    List<DirectoryRule> rules = LAYOUT.masterRules(HybridSettings.read(new Configuration(false)));
    FakeNamespace bare = new FakeNamespace().with("/hbase", UNSET);
    new DirectoryEnforcer(rule -> Optional.of(bare), 0, false).place(rules);
    assertTrue(bare.writes().contains("mkdir /hbase/MasterData"), bare.writes()::toString);
    FakeNamespace other = new FakeNamespace().with("/hbase", UNSET);
    DirectoryEnforcer.ofTool(rule -> Optional.of(other), 0).place(rules);
    assertTrue(
        other.writes().contains("mkdir for the owner /hbase/MasterData"), other.writes()::toString);
  }

  @Test
  void aFileSystemWithoutPoliciesIsSaidAndNothingElse() {
    DirectoryAction.Result result =
        only(new DirectoryEnforcer(rule -> Optional.empty(), 0, false).place(wal("ALL_SSD")));
    assertEquals(DirectoryAction.Kind.NO_POLICIES, result.kind());
  }

  @Test
  void whatEvenARuntimeExceptionSpoilsIsAnOutcome() {
    DirectoryAction.Result result =
        only(
            new DirectoryEnforcer(
                    rule -> {
                      throw new IllegalStateException("Filesystem closed");
                    },
                    0,
                    false)
                .place(wal("ALL_SSD")));
    assertEquals(DirectoryAction.Kind.FAILED, result.kind());
  }

  @Test
  void requireProvesAStandingPolicyToo() {
    keepWal("ALL_SSD");
    hdfs.writes().clear();
    assertEquals(DirectoryAction.Kind.RIGHT, proveWal("ALL_SSD").kind());
    assertEquals(List.of("probe /hbase/WALs ALL_SSD 256"), hdfs.writes());
    hdfs.refusesProbes("no space");
    assertEquals(DirectoryAction.Kind.NO_SSD, proveWal("ALL_SSD").kind());
    assertEquals(ALL_SSD, hdfs.own(WALS));
  }

  private DirectoryAction.Result serverKeepsWal(String policy) {
    return only(
        new DirectoryEnforcer(
                rule -> Optional.of(hdfs),
                0,
                false,
                ProbeBudget.unlimited(),
                DirectoryEnforcer.By.SERVER)
            .place(wal(policy)));
  }

  @Test
  void aServersOwnSiteFileTurnsNoDirectoryOfAll() {
    keepWal("ALL_SSD");
    hdfs.writes().clear();
    long conflicts = HybridMetrics.get().value(Metric.POLICY_CONFLICTS);
    DirectoryAction.Result result = serverKeepsWal("HOT");
    assertEquals(DirectoryAction.Kind.DECLARED_OTHERWISE, result.kind());
    assertFalse(result.kind().holds(), "require refuses the start");
    assertTrue(result.detail().contains("declares HOT, the cluster has ALL_SSD"), result.detail());
    assertTrue(result.detail().contains("hbase.hybrid.wal.policy"), result.detail());
    assertEquals(List.of(), hdfs.writes());
    assertEquals(conflicts + 1, HybridMetrics.get().value(Metric.POLICY_CONFLICTS));
    assertEquals(DirectoryAction.Kind.RIGHT, serverKeepsWal("ALL_SSD").kind());
    assertEquals(DirectoryAction.Kind.SET, keepWal("HOT").kind(), "the master's counts");
    assertEquals(DirectoryAction.Kind.DECLARED_OTHERWISE, serverKeepsWal("ALL_SSD").kind());
  }

  @Test
  void whereNothingIsOnRecordTheFirstServersDeclarationStands() {
    assertEquals(DirectoryAction.Kind.SET, serverKeepsWal("ALL_SSD").kind());
    assertEquals(DirectoryAction.Kind.DECLARED_OTHERWISE, serverKeepsWal("HOT").kind());
    assertEquals(ALL_SSD, hdfs.own(WALS));
    hdfs.with(WALS, UNSET);
    assertEquals(DirectoryAction.Kind.SET, serverKeepsWal("ALL_SSD").kind(), "what was lost");
  }

  @Test
  void whatTheSpaceMonitorDemotedAServerLeavesToo() throws IOException {
    keepWal("ALL_SSD");
    PolicyProvenance placed = hdfs.provenanceOf(WALS).orElseThrow();
    hdfs.withProvenance(WALS, placed.change(StoragePolicy.HOT).asDemoted());
    hdfs.with(WALS, HOT);
    hdfs.writes().clear();
    assertEquals(DirectoryAction.Kind.DEMOTED, serverKeepsWal("ALL_SSD").kind());
    assertEquals(DirectoryAction.Kind.DECLARED_OTHERWISE, serverKeepsWal("WARM").kind());
    assertEquals(List.of(), hdfs.writes());
  }

  /** Two masters of which the other one comes between the record and the policy of the first. */
  @Test
  void ofTwoThatSetAtOnceNoneLeavesAPolicyWithoutItsRecord() {
    boolean[] came = {false};
    hdfs.tell(
        what -> {
          if (what.startsWith("set ") && !came[0]) {
            came[0] = true;
            hdfs.withProvenance(WALS, PolicyProvenance.first((byte) 0, StoragePolicy.ALL_SSD));
            hdfs.with(WALS, ALL_SSD);
          }
        });
    keepWal("HOT");
    assertTrue(
        hdfs.provenanceOf(WALS).orElseThrow().explains(hdfs.own(WALS)),
        "not a policy that no record explains");
  }
}
