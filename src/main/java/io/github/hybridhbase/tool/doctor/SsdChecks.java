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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.Obstacle;
import io.github.hybridhbase.hdfs.CapabilityProbe;
import io.github.hybridhbase.hdfs.CapabilityProbe.Step;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import io.github.hybridhbase.space.HeadroomEstimate;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A check whether there is SSD and whether it accepts what is declared for it. */
@InterfaceAudience.Private
final class SsdChecks {
  private SsdChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    if (Arrays.stream(Component.values()).noneMatch(c -> facts.settings.policy(c).wantsSsd())) {
      return;
    }
    Optional<SsdSpace> space = diagnosis.seen("SSD volumes", facts.space);
    space.ifPresent(seen -> volumes(facts, seen, diagnosis));
    boolean explained = SsdNodeChecks.examine(facts, diagnosis);
    facts.capabilities.seen().ifPresent(seen -> rehearsed(facts, seen, explained, diagnosis));
    diagnosis
        .seen("the DataNodes' settings", facts.dataNode)
        .ifPresent(conf -> spare(conf, facts, space, diagnosis));
    diagnosis.seen("quotas", facts.ssdQuotas).ifPresent(quotas -> quotas(quotas, diagnosis));
    if (!facts.quotasDenied.isEmpty()) {
      diagnosis.unchecked(
          "quotas of "
              + String.join(", ", facts.quotasDenied)
              + ": HDFS adds up what lies there, and this user may not read all of it");
    }
    diagnosis
        .seen("HDFS snapshots", facts.snapshots)
        .ifPresent(snapshots -> snapshots(snapshots, diagnosis));
    if (facts.settings.declares(StoragePolicy.ONE_SSD)) {
      diagnosis
          .seen("the NameNode's settings", facts.nameNode)
          .map(conf -> Boolean.parseBoolean(conf.getOrDefault(Obstacle.TOPOLOGY, "true")))
          .flatMap(topology -> Obstacle.oneSsd(topology, "on the NameNode"))
          .ifPresent(diagnosis::add);
    }
  }

  private static void volumes(ClusterFacts facts, SsdSpace space, Diagnosis diagnosis) {
    String first =
        facts
            .dataNodes
            .seen()
            .filter(nodes -> !new SsdNodes(nodes).outOfService().isEmpty())
            .map(nodes -> "Put those back in service that ssd-out-of-service names; or: ")
            .orElse("");
    if (space.nodes() == 0) {
      diagnosis.add(
          FindingId.NO_SSD,
          "DataNodes",
          "No DataNode in service reports an SSD volume.",
          first
              + "Tag the directories on SSD in dfs.datanode.data.dir, as [SSD]file:///mnt/ssd0/dfs, and"
              + " restart the DataNodes.");
      return;
    }
    if (space.nodes() < facts.replication) {
      diagnosis.add(
          FindingId.FEW_SSD_NODES,
          "DataNodes",
          space.nodes() + " have SSD, but files have " + facts.replication + " replicas.",
          first
              + "Tag SSD volumes on "
              + facts.replication
              + " DataNodes at least (dfs.datanode.data.dir).");
    }
    if (space.nodesWithSpace(facts.walBlockBytes) < Math.min(facts.replication, space.nodes())) {
      diagnosis.add(
          FindingId.SSD_SPACE,
          "DataNodes",
          "Only "
              + space.nodesWithSpace(facts.walBlockBytes)
              + " have space for a whole WAL block of "
              + Text.bytes(facts.walBlockBytes)
              + " on SSD.",
          "Free SSD ('hbase-hybrid apply' drains what does not belong there), add SSD, or lower"
              + " hbase.regionserver.hlog.blocksize.");
    }
  }

  private static void rehearsed(
      ClusterFacts facts, CapabilityProbe seen, boolean explained, Diagnosis diagnosis) {
    if (seen.refusal(Step.CREATE).isPresent() || seen.refusal(Step.POLICY).isPresent()) {
      return;
    }
    String remedy =
        "Look for SSD volumes, their space, quotas, and "
            + HeadroomEstimate.SPARE
            + " ('hdfs dfsadmin -report', the findings of this report).";
    if (seen.refusal(Step.WRITE).isPresent()) {
      diagnosis.add(
          FindingId.SSD_REFUSES,
          "a probe file",
          "HDFS refused the block: " + HdfsError.of(seen.refusal(Step.WRITE).get()).text(),
          remedy);
    } else if (!explained
        && seen.replicas().stream().anyMatch(type -> type != StorageType.SSD)
        && facts.space.seen().map(s -> s.nodes() >= facts.replication).orElse(true)) {
      diagnosis.add(
          FindingId.SSD_REFUSES,
          "a probe file",
          "Its replicas went to " + seen.replicas() + ".",
          SsdNodeChecks.spaceIsFree(facts)
              ? "SSD has space, so look for load: compare 'Xceivers' of 'hdfs dfsadmin -report' with "
                  + SsdNodes.FACTOR
                  + " times their mean, and look for stale or slow DataNodes on the NameNode's page."
              : remedy);
    }
  }

  private static void spare(
      Map<String, String> conf, ClusterFacts facts, Optional<SsdSpace> space, Diagnosis diagnosis) {
    long spare = number(conf.get(HeadroomEstimate.SPARE), HeadroomEstimate.SPARE_DEFAULT);
    if (space.isEmpty() || space.get().nodes() == 0) {
      return;
    }
    long average = space.get().capacity() / space.get().nodes();
    if (spare > facts.walBlockBytes && spare * 20 > average) {
      diagnosis.add(
          FindingId.SPARE_SPACE,
          HeadroomEstimate.SPARE,
          Text.bytes(spare)
              + " of each SSD volume can never be used; a DataNode has "
              + Text.bytes(average)
              + " of SSD on average.",
          "Set "
              + HeadroomEstimate.SPARE
              + "=134217728 in the DataNodes' and HBase's own hdfs-site.xml.");
    }
  }

  private static long number(String text, long otherwise) {
    try {
      return text == null ? otherwise : Long.parseLong(text.trim());
    } catch (NumberFormatException e) {
      return otherwise;
    }
  }

  private static void snapshots(Map<String, Integer> snapshots, Diagnosis diagnosis) {
    snapshots.forEach(
        (path, count) ->
            diagnosis.add(
                FindingId.HDFS_SNAPSHOTS,
                path,
                Text.count(count, "HDFS snapshot") + " of it.",
                "Delete those that are not needed: hdfs dfs -deleteSnapshot "
                    + Text.quote(path)
                    + " NAME. Do without the SSD tier (hbase.hybrid.tier.policy=NONE) if there are to be"
                    + " such snapshots every day."));
  }

  private static void quotas(Map<String, Long> quotas, Diagnosis diagnosis) {
    quotas.forEach(
        (path, left) ->
            diagnosis.add(
                Obstacle.ssdQuota(path, Text.quote(path), Text.bytes(left) + " are left")));
  }
}
