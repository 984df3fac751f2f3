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
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.FindingId.Severity;
import io.github.hybridhbase.testing.Ssds;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;

/** The facts of a cluster in which doctor finds nothing; tests plant one fault each. */
@InterfaceAudience.Private
abstract class HealthyFacts {
  static final long GIB = 1L << 30;

  Configuration conf;

  @BeforeEach
  void healthySite() {
    conf = new Configuration(false);
    conf.set("hbase.wal.provider", "io.github.hybridhbase.wal.HybridWALProvider");
    conf.set(
        "hbase.coprocessor.master.classes",
        "io.github.hybridhbase.coprocessor.HybridMasterObserver");
    conf.set(
        "hbase.coprocessor.region.classes",
        "io.github.hybridhbase.coprocessor.HybridRegionObserver");
    conf.setInt("hbase.hstore.flusher.count", 4);
  }

  static CapabilityProbe replicas(StorageType... types) {
    return new CapabilityProbe(List.of(types), Map.of());
  }

  static CapabilityProbe refusing(CapabilityProbe.Step step, IOException why) {
    return new CapabilityProbe(allSsd().replicas(), Map.of(step, why));
  }

  static CapabilityProbe allSsd() {
    return replicas(StorageType.SSD, StorageType.SSD, StorageType.SSD);
  }

  static ServerPlugin plugin(String server, String version) {
    return new ServerPlugin(server, Observed.at(Optional.ofNullable(version)), Observed.at(true));
  }

  /** A DataNode in service with SSD and DISK. */
  static DataNodeState ssdNode(String name, String rack) {
    return node(name, rack, "In Service", StorageType.SSD, StorageType.DISK);
  }

  static DataNodeState node(String name, String rack, String state, StorageType... types) {
    return Ssds.dataNode(name, rack, state, Set.copyOf(List.of(types)));
  }

  ClusterFacts healthy() {
    ClusterFacts facts = new ClusterFacts(conf);
    facts.dataNodes =
        Observed.at(List.of(ssdNode("a", "/r1"), ssdNode("b", "/r1"), ssdNode("c", "/r1")));
    facts.space = Observed.at(new SsdSpace(300 * GIB, GIB, 299 * GIB, 3, List.of()));
    facts.capabilities = Observed.at(allSsd());
    facts.policies = Observed.at(Map.of());
    facts.nameNode = Observed.at(Map.of());
    facts.dataNode = Observed.at(Map.of("dfs.datanode.synconclose", "true"));
    facts.families = Observed.at(List.of());
    facts.servers =
        Observed.at(
            List.of(
                new ClusterFacts.Server("a", "2.6.4", true, List.of("HybridRegionObserver")),
                new ClusterFacts.Server("b", "2.6.4", false, List.of())));
    facts.plugins =
        Observed.at(List.of(plugin("master", "1.0"), plugin("a", "1.0"), plugin("b", "1.0")));
    facts.masterCoprocessors = Observed.at(List.of("HybridMasterObserver"));
    facts.peers = Observed.at(List.of("peer"));
    facts.oldWals = Observed.at(new ClusterFacts.OldWals(3, 100, 600_000));
    return facts;
  }

  static List<String> ids(ClusterFacts facts) {
    return Doctor.examine(facts).findings().stream()
        .map(f -> f.id().id())
        .collect(Collectors.toList());
  }

  static void finds(ClusterFacts facts, FindingId... ids) {
    assertEquals(List.of(ids).stream().map(FindingId::id).collect(Collectors.toList()), ids(facts));
    for (Finding finding : Doctor.examine(facts).findings()) {
      // Audit sends its reader to doctor; doctor must not send anybody on.
      assertFalse(finding.remedy().contains("hbase-hybrid audit"), finding::toString);
      assertFalse(finding.remedy().contains("hbase-hybrid doctor"), finding::toString);
      assertTrue(
          !finding.remedy().isEmpty() || finding.id().severity == Severity.NOTE,
          finding + " names no remedy");
    }
  }
}
