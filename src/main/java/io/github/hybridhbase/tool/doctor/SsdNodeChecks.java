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

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdNodes;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.report.FindingId;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether HDFS's rule of racks ({@code BlockPlacementPolicyDefault}) lets DataNodes with
 * SSD store all replicas. Load needs no check: the plugin's files name their DataNodes.
 */
@InterfaceAudience.Private
final class SsdNodeChecks {
  private static final String POLICY = "dfs.block.replicator.classname";
  private static final String DEFAULT_POLICY = ".BlockPlacementPolicyDefault";

  private SsdNodeChecks() {}

  /** True if a finding explains why replicas are not all on SSD. */
  static boolean examine(ClusterFacts facts, Diagnosis diagnosis) {
    Optional<List<DataNodeState>> live = diagnosis.seen("racks of the DataNodes", facts.dataNodes);
    Optional<Map<String, String>> conf = diagnosis.seen("HDFS's placement policy", facts.nameNode);
    if (live.isEmpty() || conf.isEmpty()) {
      return false;
    }
    long unknown =
        live.get().stream().filter(node -> node.inService() && node.types.isEmpty()).count();
    if (unknown > 0) {
      diagnosis.unchecked(
          "media of "
              + unknown
              + " of "
              + live.get().size()
              + " DataNodes, so whether racks keep replicas off SSD: their /jmx did not answer in"
              + " time; run this as HDFS's superuser");
      return false;
    }
    if (!conf.get().getOrDefault(POLICY, DEFAULT_POLICY).endsWith(DEFAULT_POLICY)) {
      diagnosis.unchecked("racks of DataNodes: the NameNode has another placement policy");
      return false;
    }
    List<DataNodeState> ssd =
        live.get().stream()
            .filter(node -> node.hasSsd() && node.inService())
            .collect(Collectors.toList());
    int replicas = facts.replication;
    int racks = byRack(live.get()).size();
    int perRack = SsdNodes.perRack(Math.min(replicas, live.get().size()), racks);
    long most = byRack(ssd).values().stream().mapToLong(nodes -> Math.min(nodes, perRack)).sum();
    if (ssd.size() < replicas || most >= replicas) {
      return false;
    }
    diagnosis.add(
        FindingId.SSD_RACKS, "DataNodes", ssd.size(), byRack(ssd), racks, perRack, replicas, most);
    return true;
  }

  private static Map<String, Long> byRack(Collection<DataNodeState> nodes) {
    return nodes.stream()
        .collect(Collectors.groupingBy(node -> node.rack, TreeMap::new, Collectors.counting()));
  }
}
