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
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.wal.WriterKind;
import java.io.IOException;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** A check whether HDFS permits this user what the plugin does. */
@InterfaceAudience.Private
final class HdfsChecks {
  static final String SYNC_ON_CLOSE = "dfs.datanode.synconclose";
  static final String FAILED_VOLUMES = "dfs.datanode.failed.volumes.tolerated";
  static final String VOLUMES = "dfs.datanode.data.dir";
  static final String READ_ORDER = "dfs.namenode.read.considerStorageType";

  private HdfsChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    diagnosis
        .seen("what HDFS lets this user do", mayCreate(facts.capabilities))
        .ifPresent(seen -> rehearsed(seen, facts, diagnosis));
    diagnosis
        .seen("erasure coding", facts.erasureCoded)
        .ifPresent(
            paths ->
                paths.forEach(
                    path -> diagnosis.add(FindingId.EC_DIRECTORY, path, Text.quote(path))));
    diagnosis
        .seen("the policies of HBase's directories", facts.found)
        .ifPresent(
            found -> {
              DirectoryPlan.policiesAbove(found).forEach(diagnosis::add);
              DirectoryPlan.demotions(found).forEach(diagnosis::add);
              if (facts.hold.seen().flatMap(hold -> hold).isEmpty()) {
                DirectoryPlan.conflicts(found).forEach(diagnosis::add);
              }
            });
    facts.otherRoots.forEach(root -> diagnosis.add(FindingId.ROOT_NOT_ON_HDFS, root.toString()));
    diagnosis
        .seen("records of other versions", facts.foreign)
        .ifPresent(all -> all.forEach(diagnosis::add));
    diagnosis
        .seen("whether a hold stands", facts.hold)
        .flatMap(hold -> hold)
        .ifPresent(
            hold -> diagnosis.add(FindingId.HELD, facts.root.toUri().getPath(), hold.reason()));
    diagnosis
        .seen("whether existing data waits to be moved", facts.waiting)
        .flatMap(what -> what)
        .ifPresent(what -> diagnosis.add(MoveConsent.finding(facts.root, what)));
    // SsdChecks reports unknown settings if SSD is declared; no second report here.
    facts.dataNode.seen().ifPresent(conf -> syncOnClose(conf, facts, diagnosis));
    facts.dataNode.seen().ifPresent(conf -> failedVolumes(conf, diagnosis));
    facts.nameNode.seen().ifPresent(conf -> readOrder(conf, facts, diagnosis));
  }

  static Observed<CapabilityProbe> mayCreate(Observed<CapabilityProbe> look) {
    if (look.seen().isPresent() && look.seen().get().refusal(Step.CREATE).isPresent()) {
      return Observed.unknown(
          "this user may not create a file in HBase's root; run this as HBase's own user ("
              + HdfsError.of(look.seen().get().refusal(Step.CREATE).get()).text()
              + ")");
    }
    return look;
  }

  private static void rehearsed(CapabilityProbe seen, ClusterFacts facts, Diagnosis diagnosis) {
    seen.refusal(Step.POLICY).ifPresent(e -> policy(e, diagnosis));
    seen.refusal(Step.XATTR)
        .ifPresent(
            e ->
                diagnosis.add(
                    FindingId.XATTRS_DISABLED,
                    "dfs.namenode.xattrs.enabled",
                    HdfsError.of(e).text()));
    if (seen.refusal(Step.POLICY).isPresent()) {
      return;
    }
    if (seen.refusal(Step.SATISFY).isPresent()) {
      diagnosis.add(
          FindingId.SPS_OFF,
          "dfs.storage.policy.satisfier.mode",
          HdfsError.of(seen.refusal(Step.SATISFY).get()).text());
      return;
    }
    facts.limits.mover(diagnosis);
  }

  private static void policy(IOException e, Diagnosis diagnosis) {
    HdfsError error = HdfsError.of(e);
    boolean disabled = error.is(HdfsError.Kind.POLICIES_DISABLED);
    diagnosis.add(
        disabled ? FindingId.POLICIES_DISABLED : FindingId.POLICY_DENIED,
        disabled ? "dfs.storage.policy.enabled" : "setStoragePolicy",
        error.text());
  }

  /**
   * {@code hbase.hfile.hsync} is no substitute: the last packet of a block requests no sync, so
   * that after a power cut the replica may be back in {@code rbw}, which HDFS treats as corrupt.
   */
  private static void syncOnClose(
      Map<String, String> conf, ClusterFacts facts, Diagnosis diagnosis) {
    if (!Boolean.parseBoolean(conf.getOrDefault(SYNC_ON_CLOSE, "false"))) {
      boolean breaksAuto = WriterKind.needsSyncOnClose(facts.conf, facts.settings);
      diagnosis.add(
          breaksAuto ? FindingId.AUTO_WITHOUT_SYNC_ON_CLOSE : FindingId.SYNC_ON_CLOSE,
          SYNC_ON_CLOSE);
    }
  }

  /** A DataNode with a single volume is skipped: it would not start if it tolerated a failure. */
  private static void failedVolumes(Map<String, String> conf, Diagnosis diagnosis) {
    String volumes = conf.getOrDefault(VOLUMES, "");
    String tolerated = conf.getOrDefault(FAILED_VOLUMES, "0").trim();
    if (tolerated.equals("0") && volumes.contains(",") && volumes.contains("[SSD]")) {
      diagnosis.add(FindingId.FAILED_VOLUMES, FAILED_VOLUMES);
    }
  }

  private static void readOrder(Map<String, String> conf, ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.declaresOneSsd() && !Boolean.parseBoolean(conf.getOrDefault(READ_ORDER, "false"))) {
      diagnosis.add(FindingId.READ_ORDER, READ_ORDER);
    }
  }
}
