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
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether HDFS's rules of racks, load and service state let DataNodes with SSD store all
 * replicas.
 */
@InterfaceAudience.Private
final class SsdNodeChecks {
  private SsdNodeChecks() {}

  /** True if a finding explains why replicas are not all on SSD. */
  static boolean examine(ClusterFacts facts, Diagnosis diagnosis) {
    Optional<SsdNodes> seen =
        diagnosis.seen("racks and load of the DataNodes", facts.dataNodes).map(SsdNodes::new);
    if (seen.isEmpty()) {
      return false;
    }
    SsdNodes nodes = seen.get();
    outOfService(nodes, diagnosis);
    if (!nodes.unknown().isEmpty()) {
      // Without them neither racks nor means can be judged.
      diagnosis.unchecked(
          "media and load of "
              + nodes.unknown().size()
              + " of "
              + nodes.inService().size()
              + " DataNodes, so whether racks or load keep replicas off SSD: their /jmx did not"
              + " answer in time; run this as HDFS's superuser");
      return false;
    }
    Optional<Map<String, String>> conf =
        diagnosis.seen("whether HDFS passes busy DataNodes over", facts.nameNode);
    if (nodes.serving().size() < facts.replication || conf.isEmpty()) {
      return false;
    }
    if (!SsdNodes.placesByDefault(conf.get())) {
      diagnosis.unchecked("racks and load of DataNodes: the NameNode has another placement policy");
      return false;
    }
    boolean racks = racks(facts, nodes, diagnosis);
    return load(facts, nodes, conf.get(), diagnosis) || racks;
  }

  private static void outOfService(SsdNodes nodes, Diagnosis diagnosis) {
    if (!nodes.outOfService().isEmpty()) {
      diagnosis.add(
          FindingId.SSD_OUT_OF_SERVICE,
          "DataNodes",
          nodes.outOfService().size(),
          SsdNodes.states(nodes.outOfService()),
          nodes.serving().size());
    }
  }

  private static boolean racks(ClusterFacts facts, SsdNodes nodes, Diagnosis diagnosis) {
    int replicas = facts.replication;
    long most = nodes.mostOnSsd(replicas);
    if (most >= replicas) {
      return false;
    }
    diagnosis.add(
        FindingId.SSD_RACKS,
        "DataNodes",
        nodes.serving().size(),
        SsdNodes.byRack(nodes.serving()),
        nodes.racks(),
        nodes.mostPerRack(replicas),
        replicas,
        most,
        probe(facts));
    return true;
  }

  private static boolean load(
      ClusterFacts facts, SsdNodes nodes, Map<String, String> conf, Diagnosis diagnosis) {
    if (!SsdNodes.considersLoad(conf)) {
      return false;
    }
    if (!nodes.canBeOverloaded(conf)) {
      return false;
    }
    int busy = nodes.overloaded(conf).size();
    // The NameNode's load is of the last heartbeats; the probe shows what HDFS did.
    boolean passed =
        passedOver(facts)
            && nodes.mostOnSsd(facts.replication) >= facts.replication
            && spaceIsFree(facts);
    boolean now = nodes.serving().size() - busy < facts.replication || passed;
    if (!now) {
      return false;
    }
    diagnosis.add(
        FindingId.SSD_OVERLOADED,
        SsdNodes.CONSIDER_LOAD,
        nodes,
        number(nodes.meanLoad()),
        SsdNodes.busiest(nodes.serving()),
        number(SsdNodes.factor(conf)),
        busy,
        probe(facts),
        nodes.enoughFactor());
    return true;
  }

  private static boolean passedOver(ClusterFacts facts) {
    return facts
        .capabilities
        .seen()
        .filter(seen -> seen.refusal(Step.WRITE).isEmpty())
        .map(CapabilityProbe::replicas)
        .filter(replicas -> replicas.stream().anyMatch(type -> type != StorageType.SSD))
        .isPresent();
  }

  static boolean spaceIsFree(ClusterFacts facts) {
    return facts
        .space
        .seen()
        .filter(space -> space.nodesWithSpace(facts.walBlockBytes) >= facts.replication)
        .isPresent();
  }

  private static String probe(ClusterFacts facts) {
    return facts
        .capabilities
        .seen()
        .filter(seen -> seen.refusal(Step.WRITE).isEmpty())
        .map(seen -> seen.replicas().toString())
        .orElse("unknown");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }

  /**
   * The DataNodes with SSD by HDFS's rules ({@code BlockPlacementPolicyDefault}). Immutable; pure.
   */
  static final class SsdNodes {
    static final String CONSIDER_LOAD = "dfs.namenode.redundancy.considerLoad";
    static final String BY_TYPE = "dfs.namenode.redundancy.considerLoadByStorageType";
    static final String FACTOR = "dfs.namenode.redundancy.considerLoad.factor";
    private static final String POLICY = "dfs.block.replicator.classname";
    private static final String DEFAULT_POLICY = ".BlockPlacementPolicyDefault";
    private static final double NEAR = 0.9;

    private final List<DataNodeState> all;
    private final List<DataNodeState> serving;

    SsdNodes(Collection<DataNodeState> live) {
      all = List.copyOf(live);
      serving =
          all.stream()
              .filter(node -> node.hasSsd() && node.inService())
              .collect(Collectors.toList());
    }

    List<DataNodeState> serving() {
      return serving;
    }

    List<DataNodeState> outOfService() {
      return all.stream()
          .filter(node -> node.hasSsd() && !node.inService())
          .collect(Collectors.toList());
    }

    List<DataNodeState> inService() {
      return all.stream().filter(DataNodeState::inService).collect(Collectors.toList());
    }

    List<DataNodeState> unknown() {
      return inService().stream()
          .filter(node -> node.types.isEmpty() || node.load.isEmpty())
          .collect(Collectors.toList());
    }

    static Map<String, Long> byRack(Collection<DataNodeState> nodes) {
      return nodes.stream()
          .collect(Collectors.groupingBy(node -> node.rack, TreeMap::new, Collectors.counting()));
    }

    int racks() {
      return byRack(all).size();
    }

    /** Whether HDFS has the default placement policy, whose rules are here. */
    static boolean placesByDefault(Map<String, String> nameNode) {
      return nameNode.getOrDefault(POLICY, DEFAULT_POLICY).endsWith(DEFAULT_POLICY);
    }

    /** HDFS's getMaxNodesPerRack. */
    int mostPerRack(int replicas) {
      int placed = Math.min(replicas, all.size());
      if (racks() <= 1 || placed <= 1) {
        return placed;
      }
      int most = (placed - 1) / racks() + 2;
      return most == placed ? most - 1 : most;
    }

    /** Under the rack rule. */
    long mostOnSsd(int replicas) {
      int most = mostPerRack(replicas);
      return byRack(serving).values().stream().mapToLong(nodes -> Math.min(nodes, most)).sum();
    }

    static boolean considersLoad(Map<String, String> nameNode) {
      return Boolean.parseBoolean(nameNode.getOrDefault(CONSIDER_LOAD, "true"));
    }

    static double factor(Map<String, String> nameNode) {
      try {
        return Double.parseDouble(nameNode.getOrDefault(FACTOR, "2.0"));
      } catch (NumberFormatException e) {
        return 2.0;
      }
    }

    /** Excludes unknown load. */
    double meanLoad() {
      return inService().stream()
          .filter(node -> node.load.isPresent())
          .mapToInt(node -> node.load.getAsInt())
          .average()
          .orElse(0);
    }

    /** HDFS fills them up to its load limit, then skips them, so that they stay just below. */
    List<DataNodeState> overloaded(Map<String, String> nameNode) {
      ToDoubleFunction<DataNodeState> load = node -> node.load.orElse(0);
      return serving.stream()
          .filter(
              node -> {
                double limit = limit(node, nameNode, load);
                return limit > 0 && load.applyAsDouble(node) >= NEAR * limit;
              })
          .collect(Collectors.toList());
    }

    /** Whether HDFS skips DataNodes with SSD when only these have open blocks. */
    boolean canBeOverloaded(Map<String, String> nameNode) {
      ToDoubleFunction<DataNodeState> load = node -> node.hasSsd() ? 1 : 0;
      return serving.stream().anyMatch(node -> 1 > limit(node, nameNode, load));
    }

    private double limit(
        DataNodeState node, Map<String, String> nameNode, ToDoubleFunction<DataNodeState> load) {
      boolean byType = Boolean.parseBoolean(nameNode.getOrDefault(BY_TYPE, "false"));
      return factor(nameNode) * mean(byType ? node : null, load);
    }

    private double mean(DataNodeState byTypesOf, ToDoubleFunction<DataNodeState> load) {
      double sum = 0;
      int nodes = 0;
      for (DataNodeState node : inService()) {
        long times =
            byTypesOf == null ? 1 : node.types.stream().filter(byTypesOf.types::contains).count();
        sum += times * load.applyAsDouble(node);
        nodes += times;
      }
      return nodes == 0 ? 0 : sum / nodes;
    }

    /** With this factor, HDFS does not skip DataNodes that have all open blocks. */
    long enoughFactor() {
      return (long) Math.ceil(1.5 * inService().size() / Math.max(1, serving.size()));
    }

    static String busiest(Collection<DataNodeState> nodes) {
      return Text.few(
          nodes.stream()
              .sorted((a, b) -> b.load.orElse(0) - a.load.orElse(0))
              .map(node -> node.name + " " + node.load.orElse(0))
              .collect(Collectors.toList()));
    }

    static String states(Collection<DataNodeState> nodes) {
      return Text.few(
          nodes.stream()
              .map(node -> node.name + " (" + node.state.toLowerCase(Locale.ROOT) + ")")
              .collect(Collectors.toList()));
    }

    @Override
    public String toString() {
      return serving.size() + " of " + Text.count(inService().size(), "DataNode");
    }
  }
}
