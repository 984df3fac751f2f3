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

import io.github.hybridhbase.hdfs.CapabilityProbe;
import io.github.hybridhbase.hdfs.CapabilityProbe.Step;
import io.github.hybridhbase.report.FindingId;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether HDFS's rules of racks, load and service state let the DataNodes with SSD store
 * all replicas.
 */
@InterfaceAudience.Private
final class SsdNodeChecks {
  private SsdNodeChecks() {}

  /** Returns true if the findings explain why a block's replicas are not all on SSD. */
  static boolean examine(ClusterFacts facts, Diagnosis diagnosis) {
    Optional<SsdNodes> seen =
        diagnosis.seen("racks and load of the DataNodes", facts.dataNodes).map(SsdNodes::new);
    if (seen.isEmpty()) {
      return false;
    }
    SsdNodes nodes = seen.get();
    if (!nodes.unknown().isEmpty()) {
      diagnosis.unchecked(
          "media and load of "
              + nodes.unknown().size()
              + " of "
              + nodes.inService().size()
              + " DataNodes: their /jmx does not answer; run this as HDFS's superuser");
    }
    outOfService(nodes, diagnosis);
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
    // The NameNode's load figures are as old as the last heartbeats; the probe shows what HDFS did.
    boolean passed =
        passedOver(facts)
            && nodes.mostOnSsd(facts.replication) >= facts.replication
            && spaceIsFree(facts);
    boolean now = nodes.serving().size() - busy < facts.replication || passed;
    diagnosis.add(
        now ? FindingId.SSD_OVERLOADED : FindingId.SSD_LOAD_LIMIT,
        SsdNodes.CONSIDER_LOAD,
        nodes,
        number(nodes.meanLoad()),
        SsdNodes.busiest(nodes.serving()),
        number(SsdNodes.factor(conf)),
        busy,
        probe(facts),
        nodes.enoughFactor());
    return now;
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
}
