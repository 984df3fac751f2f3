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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.directory.DirectoryAction;
import io.github.hybridhbase.directory.DirectoryPlan;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.Bytes;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.Anomaly;
import io.github.hybridhbase.scan.ScanReport.Sample;
import io.github.hybridhbase.tool.doctor.MovesWaitingFinding;
import io.github.hybridhbase.tool.doctor.RecordUnknownFinding;
import io.github.hybridhbase.tool.doctor.RootPolicyFinding;
import io.github.hybridhbase.tool.doctor.StalledDataNodeFinding;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function from the report of an audit to its findings. */
@InterfaceAudience.Private
final class AuditFindings {
  private static final String APPLY = "hbase-hybrid apply";

  private static final Map<Component, FindingId> MISPLACED =
      new EnumMap<>(
          Map.of(
              Component.WAL, FindingId.MISPLACED_WAL,
              Component.MASTER, FindingId.MISPLACED_MASTER,
              Component.META, FindingId.MISPLACED_META,
              Component.TIER, FindingId.MISPLACED_TIER,
              Component.ARCHIVE, FindingId.MISPLACED_ARCHIVE,
              Component.USER, FindingId.MISPLACED_USER));

  private final AuditReport report;
  private final List<Finding> findings = new ArrayList<>();
  private final Set<Component> demoted = EnumSet.noneOf(Component.class);

  private AuditFindings(AuditReport report) {
    this.report = report;
  }

  static List<Finding> of(AuditReport report) {
    AuditFindings all = new AuditFindings(report);
    all.hold();
    all.findings.addAll(RootPolicyFinding.notOnHdfs(report.otherRoots()));
    all.waiting();
    all.above();
    all.tier();
    report.foreign().forEach(one -> all.findings.add(RecordUnknownFinding.finding(one)));
    all.findings.addAll(StalledDataNodeFinding.findings(report.leftOut()));
    all.findings.addAll(report.more());
    report.found().forEach(all::unread);
    DirectoryPlan.of(report.found(), report.hold().isPresent()).actions().forEach(all::directory);
    for (Component component : Component.values()) {
      all.blocks(component);
    }
    all.anomalies();
    return Finding.sorted(all.findings);
  }

  private void add(FindingId id, String subject, String seen, String remedy) {
    findings.add(new Finding(id, subject, seen, remedy));
  }

  private Path keeper() {
    Path root = report.layout().root();
    return report.otherRoots().contains(root) ? report.layout().walRoot() : root;
  }

  private String root() {
    return keeper().toUri().getPath();
  }

  private void hold() {
    report
        .hold()
        .ifPresent(
            hold -> add(FindingId.HELD, root(), "A hold stands: " + hold.reason() + ".", APPLY));
  }

  private void waiting() {
    if (report.hold().isEmpty()) {
      report.waiting().ifPresent(what -> findings.add(MovesWaitingFinding.finding(keeper(), what)));
    }
  }

  private void above() {
    if (report.hold().isEmpty()) {
      findings.addAll(RootPolicyFinding.findings(report.found()));
    }
  }

  private void tier() {
    if (report.hold().isEmpty()) {
      report
          .tierState()
          .filter(state -> !state.open())
          .ifPresent(
              state ->
                  add(
                      FindingId.TIER_CLOSED,
                      root(),
                      "The SSD tier is closed: " + state.why() + ".",
                      "See docs/tiering.md; hbase.hybrid.tier.policy=NONE turns it off for good."));
      if (report.tier().overdueFiles() > 0
          && report.tierState().filter(TierState::drains).isPresent()) {
        add(
            FindingId.TIER_OVERDUE,
            root(),
            report.tier().overdueFiles()
                + " store files with "
                + Bytes.text(report.tier().overdueBytes())
                + " of replicas on SSD are older than twice hbase.hybrid.tier.max.age.",
            "Check that compactions are on ('compaction_switch true' in the HBase shell) and look in"
                + " the logs of RegionServers for \"off SSD\"; where compactions always wait, give"
                + " RegionServers more compaction threads. For regions on a server without the plugin"
                + " nobody asks for them ('hbase-hybrid doctor': not-loaded).");
      }
    }
  }

  private void unread(DirectoryState found) {
    found
        .trouble()
        .ifPresent(
            why ->
                add(
                    FindingId.UNREADABLE,
                    found.path().toUri().getPath(),
                    why,
                    "Run this as HBase's own user or as HDFS's superuser."));
  }

  private void directory(DirectoryAction action) {
    if (action.rule().isEmpty() || action.state().status().isEmpty()) {
      return;
    }
    String path = action.path().toUri().getPath();
    DirectoryRule rule = action.rule().get();
    String seen =
        "Declared "
            + rule.policy()
            + " for "
            + rule.component().label()
            + ", in force is "
            + StoragePolicy.describe(action.state().status().get().effective())
            + ".";
    switch (action.kind()) {
      case SET:
        if (!action.waits()) {
          add(FindingId.POLICY_MISSING, path, seen, APPLY);
        }
        break;
      case NO_XATTRS:
        add(
            FindingId.POLICY_MISSING,
            path,
            seen,
            "dfs.namenode.xattrs.enabled=true on the NameNode");
        break;
      case DEMOTED:
        demoted.add(rule.component());
        add(
            FindingId.DEMOTED,
            path,
            seen,
            "Give SSD space ('hdfs dfsadmin -report', 'hbase-hybrid doctor'); the space monitor"
                + " restores it by itself.");
        break;
      case CONFLICT:
        if (action.hides().isPresent()) {
          String inner = action.hides().get().toUri().getPath();
          String settle = "Settle " + inner + " first.";
          add(FindingId.POLICY_CONFLICT, path, seen + " " + action.reason(), settle);
        } else {
          String key = rule.component().policyKey();
          String remedy = "Set " + key + " to it (or to NONE), or run: " + unset(path);
          add(FindingId.POLICY_CONFLICT, path, seen, remedy);
        }
        break;
      default:
        break; // correct, or reported for the component
    }
  }

  private void blocks(Component component) {
    ScanReport scan = report.scan();
    Sample misplaced = scan.misplaced(component);
    // Files that a demotion left on SSD are its consequence, and no fault of their own.
    if (misplaced.count() > 0 && !demoted.contains(component)) {
      long bytes = scan.closed(component).misplacedBytes();
      findings.add(
          new Finding(
              MISPLACED.get(component),
              component.label(),
              Text.count(misplaced.count(), "closed file")
                  + " with "
                  + Text.bytes(bytes)
                  + " of replicas on the wrong medium; wanted is "
                  + report.expectation().wanted(component)
                  + examples(misplaced),
              APPLY + " (or, without the storage policy satisfier, 'hdfs mover')",
              bytes));
    }
    Sample lacking = scan.underReplicated(component);
    if (lacking.count() > 0) {
      long blocks = scan.closed(component).underReplicatedBlocks();
      findings.add(
          new Finding(
              FindingId.UNDER_REPLICATED,
              component.label(),
              Text.count(blocks, "block")
                  + " in "
                  + Text.count(lacking.count(), "closed file")
                  + examples(lacking),
              "Look at 'hdfs dfsadmin -report' for dead DataNodes and full volumes; HDFS copies them"
                  + " again when it can.",
              blocks));
    }
  }

  private void anomalies() {
    odd(
        Anomaly.SHADOWED,
        FindingId.POLICY_SHADOWED,
        "directories",
        "Take hbase.wal.storage.policy, hbase.hstore.block.storage.policy and"
            + " hbase.hregion.block.storage.policy out of hbase-site.xml, or run, for each: "
            + unset("PATH")
            + ". A server whose logs SSD refused turns its own directory in WALs to HOT for a while;"
            + " such a one carries the plugin's provenance record and needs nothing.");
    odd(
        Anomaly.TMP_PINNED,
        FindingId.TMP_PINNED,
        "directories of user tables",
        "For each: " + unset("PATH"));
    odd(
        Anomaly.FILE_POLICY,
        FindingId.FILE_POLICY,
        "files",
        "Where it is not wanted, for each: " + unset("PATH"));
    odd(Anomaly.OWN_POLICY, FindingId.OWN_POLICY, "directories of user data", "");
    odd(
        Anomaly.ERASURE_CODED,
        FindingId.ERASURE_CODED,
        "directories and files",
        "hdfs ec -setPolicy -replicate -path PATH, then rewrite what is in it");
    odd(
        Anomaly.OPEN_MISPLACED,
        FindingId.OPEN_MISPLACED,
        "files",
        "'hbase-hybrid doctor' names the cause, if it lasts: space, load, racks or service of the"
            + " DataNodes with SSD. Without a cause the next file follows the policy: 'wal_roll' in"
            + " the HBase shell, or wait.");
    odd(
        Anomaly.UNMOVABLE,
        FindingId.UNMOVABLE,
        "files",
        "Fix policy-missing, policy-conflict and policy-shadowed first.");
    odd(
        Anomaly.UNREADABLE,
        FindingId.UNREADABLE,
        "directories",
        "Run this as HBase's own user or as HDFS's superuser.");
  }

  private void odd(Anomaly anomaly, FindingId id, String what, String remedy) {
    Sample sample = report.scan().anomaly(anomaly);
    if (sample.count() > 0) {
      String more = sample.count() > 1 ? " and " + (sample.count() - 1) + " more" : "";
      findings.add(
          new Finding(
              id,
              sample.examples().get(0) + more,
              sample.count() + " " + what + examples(sample),
              remedy,
              sample.count()));
    }
  }

  private static String examples(Sample sample) {
    String list = String.join(", ", sample.examples());
    return sample.count() > sample.examples().size()
        ? "; the first: " + list + ", ..."
        : ": " + list;
  }

  private static String unset(String path) {
    return "hdfs storagepolicies -unsetStoragePolicy -path " + Text.quote(path);
  }
}
