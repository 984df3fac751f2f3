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

  /** Adds findings; returns true if they explain why a block's replicas are not all on SSD. */
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
          nodes.outOfService().size()
              + " with SSD take no new blocks: "
              + SsdNodes.states(nodes.outOfService())
              + "; "
              + nodes.serving().size()
              + " with SSD are in service.",
          "If it was not meant to last: take them out of dfs.hosts.exclude, or end their maintenance,"
              + " and run 'hdfs dfsadmin -refreshNodes'.");
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
        "The "
            + nodes.serving().size()
            + " with SSD are by rack: "
            + SsdNodes.byRack(nodes.serving())
            + ", of "
            + nodes.racks()
            + " racks; HDFS puts at most "
            + nodes.mostPerRack(replicas)
            + " of "
            + replicas
            + " replicas into one rack, so at most "
            + most
            + " are on SSD"
            + probe(facts)
            + ".",
        "Put SSD into DataNodes of another rack too, so that no rack must take more than "
            + nodes.mostPerRack(replicas)
            + " replicas. Until then ALL_SSD waits for DISK as ONE_SSD does.");
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
    String numbers =
        nodes
            + " in service have SSD; transfer threads: mean of all "
            + number(nodes.meanLoad())
            + ", with SSD "
            + SsdNodes.busiest(nodes.serving())
            + "; limit "
            + number(SsdNodes.factor(conf))
            + " times the mean. ";
    diagnosis.add(
        now ? FindingId.SSD_OVERLOADED : FindingId.SSD_LOAD_LIMIT,
        SsdNodes.CONSIDER_LOAD,
        numbers + busy + " with SSD are at it or above" + (now ? probe(facts) : "") + ".",
        remedy(nodes));
    return now;
  }

  private static String remedy(SsdNodes nodes) {
    return "On the NameNodes set "
        + SsdNodes.FACTOR
        + "="
        + nodes.enoughFactor()
        + " (or "
        + SsdNodes.CONSIDER_LOAD
        + "=false) and restart them, one after the other if there are two: HDFS reads it at their"
        + " start only. It counts for every client of this HDFS: busy DataNodes get new blocks as"
        + " others do. "
        + SsdNodes.BY_TYPE
        + (nodes.mixed()
            ? " helps little, since these DataNodes have DISK too."
            : "=true is enough too, since these DataNodes have SSD only.");
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
    return passedOver(facts)
        ? "; the replicas of a probe file went to " + facts.capabilities.seen().get().replicas()
        : "";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
