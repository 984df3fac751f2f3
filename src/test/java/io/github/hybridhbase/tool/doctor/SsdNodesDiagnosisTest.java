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

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.tool.doctor.SsdNodeChecks.SsdNodes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What doctor finds if few DataNodes have SSD: load, racks, service; each planted. */
@InterfaceAudience.Private
public class SsdNodesDiagnosisTest extends HealthyFacts {
  private static final StorageType[] MIXED = {StorageType.SSD, StorageType.DISK, StorageType.DISK};

  /** SSD nodes of this load over racks in turn, then DISK nodes. */
  private static List<DataNodeState> nodes(
      int all, int ssd, int racks, int ssdRacks, int ssdLoad, int diskLoad) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      boolean hasSsd = i < ssd;
      String rack = "/r" + i % (hasSsd ? ssdRacks : racks);
      nodes.add(
          hasSsd
              ? ssdNode("ssd" + i, rack, ssdLoad)
              : node("disk" + i, rack, "In Service", diskLoad, StorageType.DISK));
    }
    return nodes;
  }

  private ClusterFacts with(List<DataNodeState> nodes, StorageType... probe) {
    ClusterFacts facts = healthy();
    facts.dataNodes = Observed.at(nodes);
    int serving = new SsdNodes(nodes).serving().size();
    facts.space =
        Observed.at(new SsdSpace(serving * 100 * GIB, GIB, serving * 99 * GIB, serving, List.of()));
    if (probe.length > 0) {
      facts.capabilities = Observed.at(HealthyFacts.replicas(probe));
    }
    return facts;
  }

  private static Finding only(ClusterFacts facts) {
    List<Finding> findings = Doctor.examine(facts).findings();
    assertEquals(1, findings.size(), findings::toString);
    return findings.get(0);
  }

  @Test
  void fewNodesThatAreBusyAreNamedWithNumbersAndARemedy() {
    ClusterFacts facts = with(nodes(20, 4, 1, 1, 33, 2), MIXED);
    finds(facts, FindingId.SSD_OVERLOADED);
    Finding finding = only(facts);
    // (4 x 33 + 16 x 2) / 20 = 8.2
    assertTrue(finding.seen().contains("4 of 20 DataNodes"), finding::toString);
    assertTrue(finding.seen().contains("8.2 on average over all"), finding::toString);
    assertTrue(finding.seen().contains("ssd0 33"), finding::toString);
    assertTrue(finding.seen().contains("more than 2.0 times the average"), finding::toString);
    assertTrue(finding.seen().contains("4 of those with SSD"), finding::toString);
    assertTrue(finding.seen().contains("[SSD, DISK, DISK]"), finding::toString);
    // 1.5 x 20 / 4
    assertTrue(finding.remedy().contains("considerLoad.factor=8 "), finding::toString);
    assertTrue(finding.remedy().contains("restart"), finding::toString);
    assertFalse(finding.remedy().contains("space"), finding::toString);
  }

  @Test
  void nodesThatCouldBeBusyAreNoFinding() {
    finds(with(nodes(20, 4, 2, 2, 2, 2)));
    // The probe was passed over, though the load has gone since: space is free, load it was.
    finds(with(nodes(20, 4, 2, 2, 2, 2), MIXED), FindingId.SSD_OVERLOADED);
  }

  @Test
  void nodesAtTheLimitCountTooSinceHdfsKeepsThemThere() {
    // As seen on HDFS with 24 open files: 24 threads with SSD, a mean of 12.
    finds(with(nodes(12, 3, 1, 1, 24, 8)), FindingId.SSD_OVERLOADED);
    // Three of eight have reached it; five are enough for three replicas.
    List<DataNodeState> some = nodes(40, 8, 1, 1, 4, 4);
    for (int i = 0; i < 3; i++) {
      some.set(i, ssdNode("busy" + i, "/r0", 20));
    }
    finds(with(some));
  }

  @Test
  void nodesWithoutAHeartbeatAreNamed() {
    ClusterFacts facts = with(nodes(3, 3, 1, 1, 2, 2));
    facts.silent = Observed.at(List.of("dn1:9866 (dead)"));
    finds(facts, FindingId.DATANODE_SILENT);
    assertTrue(only(facts).seen().contains("dn1:9866 (dead)"));
    facts.silent = Observed.at(List.of());
    DataNodeState silent = Ssds.dataNode("dn2:9866", 1L << 40, 1L << 40, 1L << 40, 31);
    facts.space =
        Observed.at(new SsdSpace(3L << 40, 0, 3L << 40, 3, List.of(silent, silent, silent)));
    finds(facts, FindingId.DATANODE_SILENT);
  }

  @Test
  void halfOfTheNodesCannotBeTooBusy() {
    finds(with(nodes(20, 10, 4, 4, 30, 1)));
    finds(with(nodes(3, 3, 1, 1, 30, 0)));
  }

  @Test
  void settingsThatHelpAreNoFinding() {
    ClusterFacts facts = with(nodes(20, 4, 1, 1, 33, 2));
    facts.nameNode = Observed.at(Map.of(SsdNodes.CONSIDER_LOAD, "false"));
    finds(facts);
    facts.nameNode = Observed.at(Map.of(SsdNodes.FACTOR, "8"));
    finds(facts);
    facts.nameNode = Observed.at(Map.of(SsdNodes.FACTOR, "4"));
    finds(facts, FindingId.SSD_OVERLOADED);
  }

  @Test
  void loadByStorageTypeHelpsOnlyNodesWithoutDisk() {
    ClusterFacts facts = with(nodes(40, 8, 1, 1, 60, 0));
    facts.nameNode = Observed.at(Map.of(SsdNodes.BY_TYPE, "true"));
    finds(facts, FindingId.SSD_OVERLOADED);
    List<DataNodeState> apart = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      apart.add(
          node(
              "n" + i,
              "/r",
              "In Service",
              i < 8 ? 60 : 0,
              i < 8 ? StorageType.SSD : StorageType.DISK));
    }
    facts.dataNodes = Observed.at(apart);
    finds(facts);
    facts.nameNode = Observed.at(Map.of());
    assertTrue(only(facts).remedy().contains("ByStorageType=true is enough"));
  }

  @Test
  void allSsdInOneOfSeveralRacks() {
    ClusterFacts facts = with(nodes(12, 6, 4, 1, 2, 2), MIXED);
    finds(facts, FindingId.SSD_RACKS);
    Finding finding = only(facts);
    assertTrue(finding.seen().contains("{/r0=6}, of 4 racks"), finding::toString);
    assertTrue(finding.seen().contains("at most 2 of 3 replicas"), finding::toString);
  }

  @Test
  void twoRacksWithSsdAreEnough() {
    finds(with(nodes(12, 6, 4, 2, 2, 2)));
    finds(with(nodes(12, 6, 1, 1, 2, 2)));
    ClusterFacts one = with(nodes(12, 6, 4, 1, 2, 2));
    one.replication = 1;
    finds(one);
    one.replication = 2; // one rack may not hold both
    finds(one, FindingId.SSD_RACKS);
  }

  @Test
  void fewerNodesWithSsdThanReplicas() {
    finds(with(nodes(12, 2, 1, 1, 2, 2), MIXED), FindingId.FEW_SSD_NODES);
  }

  @Test
  void nodesOutOfServiceAreNamedAlsoAsCauseOfTooFew() {
    List<DataNodeState> nodes = nodes(8, 4, 1, 1, 2, 2);
    nodes.set(0, node("gone", "/r0", "Decommissioned", 0, MIXED));
    finds(with(nodes), FindingId.SSD_OUT_OF_SERVICE);
    nodes.set(1, node("care", "/r0", "In Maintenance", 0, MIXED));
    ClusterFacts facts = with(nodes, MIXED);
    finds(facts, FindingId.FEW_SSD_NODES, FindingId.SSD_OUT_OF_SERVICE);
    List<Finding> findings = Doctor.examine(facts).findings();
    assertTrue(findings.get(0).remedy().contains("ssd-out-of-service"), findings::toString);
    assertTrue(
        findings.get(1).seen().contains("gone (decommissioned), care (in maintenance)"),
        findings::toString);
  }

  @Test
  void noneInService() {
    List<DataNodeState> nodes = nodes(8, 0, 1, 1, 2, 2);
    nodes.set(0, node("care", "/r0", "Entering Maintenance", 0, MIXED));
    finds(with(nodes), FindingId.NO_SSD, FindingId.SSD_OUT_OF_SERVICE);
  }

  @Test
  void whatIsUnknownIsNeverFine() {
    List<DataNodeState> nodes = nodes(6, 3, 1, 1, 2, 2);
    nodes.set(5, Ssds.dataNode("silent", "/r0", "In Service", Set.of(), OptionalInt.empty()));
    String notChecked = Doctor.examine(with(nodes)).notChecked().toString();
    assertTrue(notChecked.contains("media and load of 1 of 6 DataNodes"), notChecked);
    ClusterFacts facts = with(nodes(20, 4, 1, 1, 33, 2));
    facts.nameNode = Observed.unknown("no answer");
    finds(facts);
    notChecked = Doctor.examine(facts).notChecked().toString();
    assertTrue(
        notChecked.contains("whether HDFS passes busy DataNodes over: no answer"), notChecked);
    facts.nameNode = Observed.at(Map.of("dfs.block.replicator.classname", "x.OtherPolicy"));
    notChecked = Doctor.examine(facts).notChecked().toString();
    assertTrue(notChecked.contains("another placement policy"), notChecked);
  }

  /** The rest may have SSD and load: neither a limit of load nor a factor can be told. */
  @Test
  void aPollThatMostDataNodesDidNotAnswerGivesNoAdvice() {
    List<DataNodeState> nodes = nodes(200, 40, 10, 1, 60, 0);
    assertEquals(2, Doctor.examine(with(nodes)).findings().size());
    for (int i = 0; i < 300; i++) {
      nodes.add(
          Ssds.dataNode("silent" + i, "/r" + i % 10, "In Service", Set.of(), OptionalInt.empty()));
    }
    finds(with(nodes));
    String notChecked = Doctor.examine(with(nodes)).notChecked().toString();
    assertTrue(notChecked.contains("media and load of 300 of 500 DataNodes"), notChecked);
  }

  @Test
  void aProbePassedOverWithoutACauseDoesNotBlameSpaceThatIsFree() {
    ClusterFacts facts = with(nodes(3, 3, 1, 1, 2, 2), MIXED);
    finds(facts, FindingId.SSD_REFUSES);
    assertEquals(
        "Replicas of a probe block under ALL_SSD: [SSD, DISK, DISK]; SSD DataNodes with space for a"
            + " WAL block: 3.",
        only(facts).seen());
  }
}
