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
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Headroom;
import io.github.hybridhbase.placement.StartChecks;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import java.util.Arrays;
import java.util.List;
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
    Optional<SsdSpace> space =
        diagnosis.seen("SSD volumes", facts.space).map(seen -> named(seen, facts));
    space.ifPresent(
        seen ->
            seen.findings(facts.settings.watermarks(), facts.replication, facts.walBlockBytes)
                .forEach(diagnosis::add));
    diagnosis
        .seen("which servers fell back to DISK", facts.walServers)
        .ifPresent(
            servers -> {
              servers.finding(facts.wals).ifPresent(diagnosis::add);
              if (facts.settings.mode().observes()) {
                servers.canary(facts.wals).ifPresent(diagnosis::add);
              }
            });
    diagnosis
        .seen("which DataNodes servers exclude from their WALs", facts.reports)
        .ifPresent(
            reports -> {
              reports
                  .findings(space.map(one -> one.without()).orElse(List.of()))
                  .forEach(diagnosis::add);
              reports.unread().forEach(diagnosis::unchecked);
            });
    boolean explained = SsdNodeChecks.examine(facts, diagnosis);
    facts.capabilities.seen().ifPresent(seen -> rehearsed(facts, seen, explained, diagnosis));
    diagnosis
        .seen("the DataNodes' settings", facts.dataNode)
        .ifPresent(conf -> spare(conf, facts, space, diagnosis));
    facts.limits.quotas(facts.walBlockBytes * facts.replication, diagnosis);
    diagnosis
        .seen("HDFS snapshots", facts.snapshots)
        .ifPresent(snapshots -> snapshots(snapshots, diagnosis));
    if (facts.declaresOneSsd()) {
      diagnosis
          .seen("the NameNode's settings", facts.nameNode)
          .filter(conf -> Boolean.parseBoolean(conf.getOrDefault(StartChecks.TOPOLOGY, "true")))
          .ifPresent(
              conf ->
                  diagnosis.add(
                      FindingId.ONE_SSD_TOPOLOGY, StartChecks.TOPOLOGY, "on the NameNode"));
    }
  }

  private static void rehearsed(
      ClusterFacts facts, CapabilityProbe seen, boolean explained, Diagnosis diagnosis) {
    if (seen.refusal(Step.CREATE).isPresent() || seen.refusal(Step.POLICY).isPresent()) {
      return;
    }
    if (seen.refusal(Step.WRITE).isPresent()) {
      refuses(
          facts, "none (" + HdfsError.of(seen.refusal(Step.WRITE).get()).text() + ")", diagnosis);
    } else if (!explained
        && seen.replicas().stream().anyMatch(type -> type != StorageType.SSD)
        && facts.space.seen().map(s -> s.nodes() >= facts.replication).orElse(true)) {
      refuses(facts, seen.replicas(), diagnosis);
    }
  }

  private static void refuses(ClusterFacts facts, Object result, Diagnosis diagnosis) {
    diagnosis.add(
        FindingId.SSD_REFUSES,
        "a probe file",
        result,
        facts.space.seen().map(s -> s.nodesWithSpace(facts.walBlockBytes) + "").orElse("unknown"));
  }

  private static void spare(
      Map<String, String> conf, ClusterFacts facts, Optional<SsdSpace> space, Diagnosis diagnosis) {
    long spare = number(conf.get(Headroom.Estimate.SPARE), Headroom.Estimate.SPARE_DEFAULT);
    if (space.isEmpty() || space.get().nodes() == 0) {
      return;
    }
    long average = space.get().capacity() / space.get().nodes();
    if (spare > facts.walBlockBytes && spare * 20 > average) {
      diagnosis.add(
          FindingId.SPARE_SPACE, Headroom.Estimate.SPARE, Text.bytes(spare), Text.bytes(average));
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
                Text.count(count, "HDFS snapshot"),
                Text.quote(path)));
  }

  private static SsdSpace named(SsdSpace space, ClusterFacts facts) {
    return space.without().isEmpty()
        ? space.without(
            facts
                .dataNodes
                .seen()
                .map(all -> new SsdNodeChecks.SsdNodes(all).without())
                .orElse(List.of()))
        : space;
  }
}
