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
package io.github.hybridhbase.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.QuotaByStorageTypeExceededException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Each finding of doctor on HDFS and the site file, planted. */
@InterfaceAudience.Private
public class DiagnosisTest extends HealthyFacts {
  @Test
  void aDataNodeThatEndsWithItsFirstDeadVolume() {
    ClusterFacts facts = healthy();
    Map<String, String> conf = new HashMap<>(facts.dataNode.seen().orElseThrow());
    conf.put("dfs.datanode.data.dir", "[SSD]file:///ssd,[DISK]file:///hdd");
    facts.dataNode = Observed.at(conf);
    finds(facts, FindingId.FAILED_VOLUMES);
    conf.put("dfs.datanode.data.dir", "[disk]/hdd, [ssd]/ssd"); // HDFS accepts any case
    finds(facts, FindingId.FAILED_VOLUMES);
    conf.put(HdfsChecks.FAILED_VOLUMES, "1");
    finds(facts);
    conf.put(HdfsChecks.FAILED_VOLUMES, "-1"); // as long as one volume is left
    finds(facts);
    conf.put(HdfsChecks.FAILED_VOLUMES, "0");
    conf.put("dfs.datanode.data.dir", "[SSD]file:///ssd");
    finds(facts);
  }

  @Test
  void aHealthyClusterHasNoneAndEverythingWasChecked() {
    finds(healthy());
    assertEquals(List.of(), Doctor.examine(healthy()).notChecked());
  }

  @Test
  void aUserWhoMayNotProbeGetsNoVerdict() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(HealthyFacts.refusing(Step.CREATE, new AccessControlException("no")));
    finds(facts);
    assertEquals("unknown", Doctor.examine(facts).report("").verdict().level());
  }

  @Test
  void whatWasNotSeenIsSaidWithItsReason() {
    ClusterFacts facts = new ClusterFacts(conf);
    assertEquals(List.of(), ids(facts));
    List<String> notChecked = Doctor.examine(facts).notChecked();
    assertTrue(notChecked.get(0).endsWith("version on each server: it was not looked at"));
    assertEquals(10, notChecked.get(0).split(", ", -1).length, notChecked::toString);
    assertEquals(3, Doctor.examine(facts).missing().size());
    assertEquals(List.of(), Doctor.examine(healthy()).missing());
  }

  @Test
  void verdict_isNotKnown_ifHBaseDoesNotAnswer() {
    ClusterFacts facts = healthy();
    facts.servers = Observed.unknown("HBase does not answer (refused)");
    Diagnosis diagnosis = Doctor.examine(facts);
    String line = diagnosis.report("").verdict().line();
    assertTrue(line.startsWith("NOT KNOWN"), line);
    assertTrue(line.contains("HBase does not answer"), line);
  }

  /** One above the root is one finding, not one for each directory that inherits it. */
  @Test
  void policyOfAnAdmin_isReportedWhereItBegins() {
    ClusterFacts facts = healthy();
    PolicyStatus cold = status(StoragePolicy.COLD);
    facts.policies =
        Observed.at(
            new TreeMap<>(
                Map.of(
                    "/hbase", cold,
                    "/hbase/WALs", cold,
                    "/hbase/data/hbase", status(StoragePolicy.ONE_SSD))));
    finds(facts, FindingId.POLICY_ABOVE);
    assertEquals(
        "Storage policies that win over the declared one: 2"
            + " (/hbase (COLD), /hbase/data/hbase (ONE_SSD)).",
        Doctor.examine(facts).findings().get(0).seen());
  }

  @Test
  void policiesThatLeaveTheFilesTheirOwn_areNoFinding() {
    ClusterFacts facts = healthy();
    facts.policies =
        Observed.at(
            Map.of(
                "/hbase",
                new PolicyStatus(StoragePolicy.UNSPECIFIED, false),
                "/hbase/WALs",
                status(StoragePolicy.HOT),
                "/hbase/MasterData",
                status(StoragePolicy.ALL_SSD)));
    finds(facts);
  }

  private static PolicyStatus status(StoragePolicy policy) {
    return new PolicyStatus(policy.id(), false);
  }

  @Test
  void erasureCodedDirectory_isReportedWhereItBegins() {
    ClusterFacts facts = healthy();
    PolicyStatus coded = new PolicyStatus(StoragePolicy.UNSPECIFIED, true);
    facts.policies = Observed.at(Map.of("/hbase/WALs", coded, "/hbase/WALs/x", coded));
    finds(facts, FindingId.POLICY_ABOVE);
  }

  @Test
  void noSsdAtAll() {
    ClusterFacts facts = healthy();
    facts.space = Observed.at(new SsdSpace(0, 0, 0, 0, List.of()));
    facts.capabilities =
        Observed.at(HealthyFacts.replicas(StorageType.DISK, StorageType.DISK, StorageType.DISK));
    finds(facts, FindingId.NO_SSD);
  }

  @Test
  void fewerNodesWithSsdThanReplicas() {
    ClusterFacts facts = healthy();
    facts.space = Observed.at(new SsdSpace(100 * GIB, 0, 100 * GIB, 2, List.of()));
    facts.capabilities =
        Observed.at(HealthyFacts.replicas(StorageType.SSD, StorageType.SSD, StorageType.DISK));
    finds(facts, FindingId.FEW_SSD_NODES);
  }

  @Test
  void dataNodesWithoutSsdAreNamed() {
    ClusterFacts facts = healthy();
    facts.space = Observed.at(new SsdSpace(100 * GIB, 0, 100 * GIB, 2, List.of()));
    facts.dataNodes =
        Observed.at(
            List.of(
                ssdNode("a", "/r"),
                ssdNode("b", "/r"),
                node("c", "/r", "In Service", StorageType.DISK)));
    assertEquals(
        "2 of 3 DataNodes have SSD, but files have 3 replicas; without SSD: c.",
        Doctor.examine(facts).findings().get(0).seen());
  }

  @Test
  void noSpaceForAWholeWalBlock() {
    ClusterFacts facts = healthy();
    facts.space = Observed.at(new SsdSpace(300 * GIB, 299 * GIB, 3 << 20, 3, List.of()));
    finds(facts, FindingId.SSD_SPACE);
  }

  @Test
  void ssdThatRefusesOrIsPassedBy() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(HealthyFacts.refusing(Step.WRITE, new IOException("0 of 3 nodes")));
    finds(facts, FindingId.SSD_REFUSES);
    facts.capabilities =
        Observed.at(HealthyFacts.replicas(StorageType.SSD, StorageType.DISK, StorageType.SSD));
    finds(facts, FindingId.SSD_REFUSES);
  }

  @Test
  void policiesDisabled() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(
            HealthyFacts.refusing(
                Step.POLICY, new IOException("since dfs.storage.policy.enabled is set to false.")));
    finds(facts, FindingId.POLICIES_DISABLED);
  }

  @Test
  void aUserThatMayNotWriteIsToldSo() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(HealthyFacts.refusing(Step.CREATE, new AccessControlException("denied")));
    finds(facts);
    assertTrue(Doctor.examine(facts).notChecked().get(0).contains("as HBase's own user"));
  }

  @Test
  void anHdfsThatTakesNoFileIsNotBlamedOnTheUser() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(
            HealthyFacts.refusing(
                Step.CREATE,
                new RemoteException(
                    "org.apache.hadoop.hdfs.server.namenode.SafeModeException",
                    "Cannot create file. Name node is in safe mode.")));
    String safeMode = Doctor.examine(facts).notChecked().get(0);
    assertTrue(safeMode.contains("run this again once HDFS takes writes"), safeMode);
    assertTrue(safeMode.contains("Name node is in safe mode"), safeMode);
    assertFalse(safeMode.contains("own user"), safeMode);
    facts.capabilities =
        Observed.at(
            HealthyFacts.refusing(
                Step.CREATE, new NSQuotaExceededException("The NameSpace quota is exceeded")));
    String quota = Doctor.examine(facts).notChecked().get(0);
    assertTrue(quota.contains("The NameSpace quota is exceeded"), quota);
    assertFalse(quota.contains("own user"), quota);
  }

  @Test
  void xattrsDisabled() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(
            HealthyFacts.refusing(Step.XATTR, new IOException("dfs.namenode.xattrs.enabled")));
    finds(facts, FindingId.XATTRS_DISABLED);
  }

  @Test
  void aQuotaForSsd() {
    ClusterFacts facts = healthy();
    facts.capabilities =
        Observed.at(
            HealthyFacts.refusing(
                Step.WRITE, new QuotaByStorageTypeExceededException(1, 2, StorageType.SSD)));
    finds(facts, FindingId.SSD_REFUSES);
    QuotaByStorageTypeExceededException named =
        new QuotaByStorageTypeExceededException(1, 2, StorageType.SSD);
    named.setPathName("/hbase");
    facts.capabilities = Observed.at(HealthyFacts.refusing(Step.WRITE, named));
    finds(facts, FindingId.SSD_QUOTA);
  }

  @Test
  void oneSsdOnTheDefaultTopology() {
    conf.set("hbase.hybrid.meta.policy", "ONE_SSD");
    finds(healthy(), FindingId.ONE_SSD_TOPOLOGY);
    ClusterFacts facts = healthy();
    facts.nameNode = Observed.at(Map.of(HdfsChecks.TOPOLOGY, "false"));
    finds(facts);
  }

  @Test
  void noSyncOnClose() {
    ClusterFacts facts = healthy();
    facts.dataNode = Observed.at(Map.<String, String>of());
    finds(facts, FindingId.SYNC_ON_CLOSE);
    // Its fsync is not of the directories that a replica is renamed between.
    conf.setBoolean("hbase.hfile.hsync", true);
    finds(facts, FindingId.SYNC_ON_CLOSE);
    // A whole WAL of edits that were called durable may be lost.
    conf.setBoolean("hbase.hfile.hsync", false);
    conf.set("hbase.hybrid.wal.hsync", "auto");
    for (String delegate : new String[] {"asyncfs", "multiwal"}) {
      conf.set("hbase.hybrid.wal.delegate", delegate);
      facts = healthy();
      facts.dataNode = Observed.at(Map.<String, String>of());
      finds(facts, FindingId.AUTO_WITHOUT_SYNC_ON_CLOSE);
    }
    conf.set("hbase.hybrid.wal.delegate", "filesystem"); // SYNC_BLOCK
    facts = healthy();
    facts.dataNode = Observed.at(Map.<String, String>of());
    finds(facts, FindingId.SYNC_ON_CLOSE);
    facts.dataNode = Observed.at(Map.of(HdfsChecks.SYNC_ON_CLOSE, "true"));
    finds(facts);
  }

  @Test
  void hbasesOwnPolicyKeys() {
    conf.set("hbase.hstore.block.storage.policy", "HOT");
    conf.set("hbase.hregion.block.storage.policy", "HOT");
    conf.set("hbase.wal.storage.policy", "ONE_SSD");
    finds(healthy(), FindingId.POLICY_ABOVE);
    conf.set("hbase.hstore.block.storage.policy", "NONE");
    conf.set("hbase.hregion.block.storage.policy", "");
    conf.set("hbase.wal.storage.policy", "NONE");
    finds(healthy());
  }

  @Test
  void misspelledKeysAndValues() {
    conf.set("hbase.hybrid.wal.polcy", "HOT");
    conf.set("hbase.hybrid.mode", "maybe");
    finds(healthy(), FindingId.SETTING_WRONG, FindingId.SETTING_WRONG);
    List<String> subjects =
        Doctor.examine(healthy()).findings().stream()
            .map(one -> one.subject)
            .collect(Collectors.toList());
    assertEquals(List.of("hbase.hybrid.mode", "hbase.hybrid.wal.polcy"), subjects);
  }

  @Test
  void aSiteThatDoesNotEnableIt() {
    conf.unset("hbase.wal.provider");
    finds(healthy(), FindingId.NOT_INSTALLED);
    conf.set("hbase.hybrid.mode", "off");
    finds(healthy(), FindingId.NOT_INSTALLED);
  }

  @Test
  void theProviderOfTheGroupsOfMultiwalIsEnabledToo() {
    String ours = conf.get("hbase.wal.provider");
    conf.set("hbase.wal.provider", "multiwal");
    finds(healthy(), FindingId.NOT_INSTALLED);
    conf.set("hbase.wal.regiongrouping.delegate.provider", ours);
    finds(healthy());
    ClusterFacts facts = healthy();
    facts.plugins = Observed.at(List.of(plugin("no regions yet", null)));
    finds(facts);
    assertEquals(1, Doctor.examine(facts).notChecked().size());
  }

  @Test
  void anotherStoreEngine() {
    conf.set("hbase.hstore.engine.class", "x.Engine");
    finds(healthy(), FindingId.TIER_NOT_IN_FORCE);
  }

  @Test
  void aRootOnAnotherFileSystem() {
    ClusterFacts facts = healthy();
    facts.otherRoots = List.of(new Path("s3a://bucket/hbase"));
    finds(facts, FindingId.ROOT_NOT_ON_HDFS);
  }

  @Test
  void zooKeeperOnARotatingDisk() {
    ClusterFacts facts = healthy();
    facts.zooKeeperDisks = Set.of("zk:/hdd/zk");
    finds(facts, FindingId.ZOOKEEPER_ON_DISK);
  }
}
