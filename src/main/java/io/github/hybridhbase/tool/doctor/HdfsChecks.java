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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import io.github.hybridhbase.wal.DelegateProvider;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** Checks whether HDFS has SSD for what is declared, and permits what the plugin does. */
@InterfaceAudience.Private
final class HdfsChecks {
  static final String SYNC_ON_CLOSE = "dfs.datanode.synconclose";
  static final String FAILED_VOLUMES = "dfs.datanode.failed.volumes.tolerated";

  /** The NameNode's key that keeps it from repairing blocks of ONE_SSD; true by default. */
  static final String TOPOLOGY = "dfs.use.dfs.network.topology";

  /** {@code QuotaByStorageTypeExceededException}. */
  private static final Pattern QUOTA =
      Pattern.compile("Quota by storage type ?: ?SSD on path ?: ?(\\S+)");

  private HdfsChecks() {}

  static void ssd(ClusterFacts facts, Diagnosis diagnosis) {
    if (Arrays.stream(Component.values()).noneMatch(c -> facts.settings.policy(c).wantsSsd())) {
      return;
    }
    Optional<SsdSpace> space = diagnosis.seen("SSD volumes", facts.space);
    List<String> without =
        space
            .map(seen -> seen.without)
            .filter(names -> !names.isEmpty())
            .or(() -> facts.dataNodes.seen().map(SsdSpace::without))
            .orElse(List.of());
    space.ifPresent(
        seen ->
            SpaceLook.findings(seen, without, facts.replication, facts.walBlockBytes)
                .forEach(diagnosis::add));
    facts
        .silent
        .seen()
        .filter(nodes -> !nodes.isEmpty())
        .ifPresent(nodes -> diagnosis.add(SpaceLook.silent(nodes)));
    boolean explained = SsdNodeChecks.examine(facts, diagnosis);
    facts.capabilities.seen().ifPresent(seen -> accepts(facts, seen, explained, diagnosis));
    if (facts.declaresOneSsd()) {
      diagnosis
          .seen("the NameNode's settings", facts.nameNode)
          .filter(conf -> Boolean.parseBoolean(conf.getOrDefault(TOPOLOGY, "true")))
          .ifPresent(
              conf -> diagnosis.add(FindingId.ONE_SSD_TOPOLOGY, TOPOLOGY, "on the NameNode"));
    }
  }

  private static void accepts(
      ClusterFacts facts, CapabilityProbe seen, boolean explained, Diagnosis diagnosis) {
    if (seen.refusal(Step.CREATE).isPresent() || seen.refusal(Step.POLICY).isPresent()) {
      return;
    }
    if (seen.refusal(Step.WRITE).isPresent()) {
      String why = HdfsError.of(seen.refusal(Step.WRITE).get()).text;
      Matcher quota = QUOTA.matcher(why);
      if (quota.find()) {
        diagnosis.add(FindingId.SSD_QUOTA, quota.group(1), why, Text.quote(quota.group(1)));
      } else {
        refuses(facts, "none (" + why + ")", diagnosis);
      }
    } else if (!explained
        && seen.replicas().stream().anyMatch(type -> type != StorageType.SSD)
        && facts.space.seen().map(s -> s.nodes >= facts.replication).orElse(true)) {
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

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    diagnosis
        .seen("what HDFS lets this user do", mayCreate(facts.capabilities))
        .ifPresent(seen -> rehearsed(seen, diagnosis));
    diagnosis
        .seen("the policies of HBase's directories", facts.policies)
        .ifPresent(found -> policies(found, facts, diagnosis));
    facts.otherRoots.forEach(root -> diagnosis.add(FindingId.ROOT_NOT_ON_HDFS, root.toString()));
    // If SSD is declared, unknown settings were reported above.
    facts.dataNode.seen().ifPresent(conf -> syncOnClose(conf, facts, diagnosis));
    facts.dataNode.seen().ifPresent(conf -> failedVolumes(conf, diagnosis));
  }

  static Observed<CapabilityProbe> mayCreate(Observed<CapabilityProbe> look) {
    return look.seen()
        .flatMap(seen -> seen.refusal(Step.CREATE))
        .map(HdfsError::of)
        .map(error -> Observed.<CapabilityProbe>unknown(mayNotCreate(error)))
        .orElse(look);
  }

  private static String mayNotCreate(HdfsError error) {
    boolean denied =
        error.kind == HdfsError.Kind.PERMISSION || error.kind == HdfsError.Kind.SUPERUSER_ONLY;
    return "no file could be created in HBase's root; run this again "
        + (denied ? "as HBase's own user (" : "once HDFS takes writes (")
        + error.text
        + ")";
  }

  private static void rehearsed(CapabilityProbe seen, Diagnosis diagnosis) {
    seen.refusal(Step.POLICY).ifPresent(e -> policy(e, diagnosis));
    seen.refusal(Step.XATTR)
        .ifPresent(
            e ->
                diagnosis.add(
                    FindingId.XATTRS_DISABLED,
                    "dfs.namenode.xattrs.enabled",
                    HdfsError.of(e).text));
  }

  private static void policy(IOException e, Diagnosis diagnosis) {
    diagnosis.add(FindingId.POLICIES_DISABLED, "dfs.storage.policy.enabled", HdfsError.of(e).text);
  }

  private static void policies(
      Map<String, PolicyStatus> found, ClusterFacts facts, Diagnosis diagnosis) {
    List<String> above = new ArrayList<>();
    found.forEach(
        (path, status) -> {
          boolean inherited =
              found.entrySet().stream()
                  .anyMatch(
                      other ->
                          path.startsWith(other.getKey() + "/")
                              && other.getValue().effective == status.effective
                              && other.getValue().erasureCoded == status.erasureCoded);
          if (inherited || DirectoryPolicy.leaves(status)) {
            return;
          }
          if (status.erasureCoded) {
            above.add(path + " (erasure-coded)");
          } else if (facts.settings.policy(Component.WAL).id() != status.effective) {
            above.add(path + " (" + StoragePolicy.describe(status.effective) + ")");
          }
        });
    if (!above.isEmpty()) {
      List<String> paths =
          above.stream().map(one -> one.split(" \\(", 2)[0]).collect(Collectors.toList());
      diagnosis.add(
          Finding.of(FindingId.POLICY_ABOVE, above.get(0), above.size(), Text.some(above))
              .about(paths));
    }
  }

  /**
   * {@code hbase.hfile.hsync} is no substitute: a block's last packet requests no sync, so after a
   * power cut the replica may be back in {@code rbw}, which HDFS treats as corrupt.
   */
  private static void syncOnClose(
      Map<String, String> conf, ClusterFacts facts, Diagnosis diagnosis) {
    if (!Boolean.parseBoolean(conf.getOrDefault(SYNC_ON_CLOSE, "false"))) {
      boolean breaksAuto = DelegateProvider.needsSyncOnClose(facts.conf, facts.settings);
      diagnosis.add(
          breaksAuto ? FindingId.AUTO_WITHOUT_SYNC_ON_CLOSE : FindingId.SYNC_ON_CLOSE,
          SYNC_ON_CLOSE);
    }
  }

  /** Skips a DataNode with one volume, which would not start if it tolerated a failure. */
  private static void failedVolumes(Map<String, String> conf, Diagnosis diagnosis) {
    String volumes = conf.getOrDefault("dfs.datanode.data.dir", "");
    String tolerated = conf.getOrDefault(FAILED_VOLUMES, "0").trim();
    if (tolerated.equals("0")
        && volumes.contains(",")
        && volumes.toUpperCase(Locale.ROOT).contains("[SSD]")) {
      diagnosis.add(FindingId.FAILED_VOLUMES, FAILED_VOLUMES);
    }
  }
}
