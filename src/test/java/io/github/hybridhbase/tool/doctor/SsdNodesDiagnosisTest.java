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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.testing.Ssds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What doctor finds if few DataNodes have SSD: racks, service; each planted. */
@InterfaceAudience.Private
public class SsdNodesDiagnosisTest extends HealthyFacts {
  private static final StorageType[] MIXED = {StorageType.SSD, StorageType.DISK, StorageType.DISK};

  /** SSD nodes over racks in turn, then DISK nodes. */
  private static List<DataNodeState> nodes(int all, int ssd, int racks, int ssdRacks) {
    List<DataNodeState> nodes = new ArrayList<>();
    for (int i = 0; i < all; i++) {
      boolean hasSsd = i < ssd;
      String rack = "/r" + i % (hasSsd ? ssdRacks : racks);
      nodes.add(
          hasSsd
              ? ssdNode("ssd" + i, rack)
              : node("disk" + i, rack, "In Service", StorageType.DISK));
    }
    return nodes;
  }

  private ClusterFacts with(List<DataNodeState> nodes, StorageType... probe) {
    ClusterFacts facts = healthy();
    facts.dataNodes = Observed.at(nodes);
    int serving = (int) nodes.stream().filter(node -> node.hasSsd() && node.inService()).count();
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
  void nodesWithoutAHeartbeatAreNamed() {
    ClusterFacts facts = with(nodes(3, 3, 1, 1));
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
  void allSsdInOneOfSeveralRacks() {
    ClusterFacts facts = with(nodes(12, 6, 4, 1), MIXED);
    finds(facts, FindingId.SSD_RACKS);
    Finding finding = only(facts);
    assertTrue(finding.seen().contains("{/r0=6}, of 4 racks"), finding::toString);
    assertTrue(finding.seen().contains("at most 2 of 3 replicas"), finding::toString);
  }

  @Test
  void twoRacksWithSsdAreEnough() {
    finds(with(nodes(12, 6, 4, 2)));
    finds(with(nodes(12, 6, 1, 1)));
    ClusterFacts one = with(nodes(12, 6, 4, 1));
    one.replication = 1;
    finds(one);
    one.replication = 2; // one rack may not hold both
    finds(one, FindingId.SSD_RACKS);
  }

  @Test
  void nodesOutOfServiceDoNotCount() {
    List<DataNodeState> nodes = nodes(8, 4, 1, 1);
    nodes.set(0, node("gone", "/r0", "Decommissioned", MIXED));
    finds(with(nodes));
    nodes.set(1, node("care", "/r0", "In Maintenance", MIXED));
    finds(with(nodes, MIXED), FindingId.FEW_SSD_NODES);
  }

  @Test
  void fewerNodesWithSsdThanReplicas() {
    finds(with(nodes(12, 2, 1, 1), MIXED), FindingId.FEW_SSD_NODES);
  }

  @Test
  void whatIsUnknownIsNeverFine() {
    List<DataNodeState> nodes = nodes(6, 3, 1, 1);
    nodes.set(5, Ssds.dataNode("silent", "/r0", "In Service", Set.of()));
    String notChecked = Doctor.examine(with(nodes)).notChecked().toString();
    assertTrue(notChecked.contains("media of 1 of 6 DataNodes"), notChecked);
    ClusterFacts facts = with(nodes(20, 4, 1, 1));
    facts.nameNode = Observed.unknown("no answer");
    finds(facts);
    notChecked = Doctor.examine(facts).notChecked().toString();
    assertTrue(notChecked.contains("HDFS's placement policy: no answer"), notChecked);
    facts.nameNode = Observed.at(Map.of("dfs.block.replicator.classname", "x.OtherPolicy"));
    notChecked = Doctor.examine(facts).notChecked().toString();
    assertTrue(notChecked.contains("another placement policy"), notChecked);
  }

  @Test
  void aProbePassedOverWithoutACauseDoesNotBlameSpaceThatIsFree() {
    ClusterFacts facts = with(nodes(3, 3, 1, 1), MIXED);
    finds(facts, FindingId.SSD_REFUSES);
    assertEquals(
        "Replicas of a probe block under ALL_SSD: [SSD, DISK, DISK]; SSD DataNodes with space for a"
            + " WAL block: 3.",
        only(facts).seen());
  }
}
