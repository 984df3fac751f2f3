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

import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.report.Causes;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.Anomaly;
import io.github.hybridhbase.scan.ScanReport.Sample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A pure function from the report of an audit to its findings. */
@InterfaceAudience.Private
final class AuditFindings {
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

  private AuditFindings(AuditReport report) {
    this.report = report;
  }

  static List<Finding> of(AuditReport report) {
    AuditFindings all = new AuditFindings(report);
    all.observed();
    all.hold();
    report.otherRoots().forEach(root -> all.add(FindingId.ROOT_NOT_ON_HDFS, root.toString()));
    all.waiting();
    all.above();
    all.tier();
    all.findings.addAll(report.foreign());
    all.findings.addAll(report.serverReports().findings(report.withoutSsd()));
    all.findings.addAll(report.more());
    report.walServers().finding(report.layout().wals()).ifPresent(all.findings::add);
    report.found().forEach(all::unread);
    DirectoryPlan.of(report.found(), report.hold().isPresent()).actions().forEach(all::directory);
    if (report.hold().isEmpty()) {
      all.findings.addAll(DirectoryPlan.demotions(report.found()));
    }
    for (Component component : Component.values()) {
      all.blocks(component);
    }
    all.anomalies();
    return Causes.sorted(all.findings);
  }

  private void add(FindingId id, String subject, Object... facts) {
    findings.add(Finding.of(id, subject, facts));
  }

  private String root() {
    Path root = report.layout().root();
    return (report.otherRoots().contains(root) ? report.layout().walRoot() : root)
        .toUri()
        .getPath();
  }

  private Mode mode() {
    return report.expectation().mode();
  }

  /** A declaration that is not enforced makes no fault of what differs from it. */
  private void observed() {
    if (!mode().observes()) {
      return;
    }
    add(FindingId.OBSERVED, HybridKeys.MODE.name(), mode().label());
    report.walServers().canary(report.layout().wals()).ifPresent(findings::add);
    List<String> placed = new ArrayList<>();
    for (DirectoryState one : report.found()) {
      if (one.provenance().isPresent()) {
        placed.add(one.path().toUri().getPath());
      }
    }
    if (!placed.isEmpty()) {
      add(FindingId.STILL_PLACED, root(), placed.size(), Text.some(placed), mode().label());
    }
  }

  private void hold() {
    report.hold().ifPresent(hold -> add(FindingId.HELD, root(), hold.reason()));
  }

  private void waiting() {
    if (report.hold().isEmpty()) {
      report.waiting().ifPresent(what -> findings.add(MoveConsent.finding(new Path(root()), what)));
    }
  }

  private void above() {
    if (report.hold().isEmpty()) {
      findings.addAll(DirectoryPlan.policiesAbove(report.found()));
    }
  }

  private void tier() {
    if (report.hold().isEmpty()) {
      report
          .tierState()
          .filter(state -> !state.open())
          .ifPresent(state -> findings.add(closed(state)));
      if (report.tier().overdueFiles() > 0
          && report.tierState().filter(TierState::drains).isPresent()) {
        add(
            FindingId.TIER_OVERDUE,
            root(),
            report.tier().overdueFiles(),
            Text.bytes(report.tier().overdueBytes()));
      }
    }
  }

  /** Paused, or before the first scan, it only has to wait. */
  private Finding closed(TierState state) {
    Finding closed = Finding.of(FindingId.TIER_CLOSED, root(), state.why());
    boolean paused = state.keeps() && !state.drains();
    return paused || state.why().startsWith(TierController.NO_SCAN) ? closed.alone() : closed;
  }

  private void unread(DirectoryState found) {
    String path = found.path().toUri().getPath();
    if (!found.hasPolicies()) {
      add(FindingId.ROOT_NOT_ON_HDFS, path);
      return;
    }
    found.trouble().ifPresent(why -> add(FindingId.UNREADABLE, path, why));
  }

  private void directory(DirectoryAction action) {
    if (action.rule().isEmpty() || action.state().status().isEmpty()) {
      return;
    }
    String path = action.path().toUri().getPath();
    DirectoryRule rule = action.rule().get();
    Object[] facts = {
      rule.policy(),
      rule.component().label(),
      StoragePolicy.describe(action.state().status().get().effective())
    };
    switch (action.kind()) {
      case SET:
        if (!action.waits()) {
          add(mode().observes() ? FindingId.WOULD_PLACE : FindingId.POLICY_MISSING, path, facts);
        }
        break;
      case NO_XATTRS:
        findings.add(
            Finding.of(FindingId.POLICY_MISSING, path, facts)
                .withRemedyOf(FindingId.XATTRS_DISABLED));
        break;
      case CONFLICT:
        findings.add(action.conflict());
        break;
      default:
        break;
    }
  }

  private void blocks(Component component) {
    ScanReport scan = report.scan();
    Sample misplaced = scan.misplaced(component);
    if (misplaced.count() > 0) {
      long bytes = scan.closed(component).misplacedBytes();
      findings.add(
          Finding.of(
                  mode().observes() ? FindingId.WOULD_MOVE : MISPLACED.get(component),
                  component.label(),
                  Text.count(misplaced.count(), "closed file"),
                  Text.bytes(bytes),
                  report.expectation().wanted(component),
                  examples(misplaced))
              .about(misplaced.examples())
              .forSsd(report.expectation().wanted(component).wantsSsd())
              .withWeight(mode().observes() ? 0 : bytes)); // behind what is observed
    }
    Sample lacking = scan.underReplicated(component);
    if (lacking.count() > 0) {
      long blocks = scan.closed(component).underReplicatedBlocks();
      findings.add(
          Finding.of(
                  FindingId.UNDER_REPLICATED,
                  component.label(),
                  Text.count(blocks, "block"),
                  Text.count(lacking.count(), "closed file"),
                  examples(lacking))
              .about(lacking.examples())
              .forSsd(report.expectation().declared(component).wantsSsd())
              .withWeight(blocks));
    }
  }

  private void anomalies() {
    // Each server that fell back, and each canary, shadows the policy of WALs with its own.
    if (report.scan().anomaly(Anomaly.SHADOWED).count() > report.walServers().shadowing()) {
      odd(Anomaly.SHADOWED, FindingId.POLICY_SHADOWED);
    }
    odd(Anomaly.TMP_PINNED, FindingId.TMP_PINNED);
    odd(Anomaly.FILE_POLICY, FindingId.FILE_POLICY);
    odd(Anomaly.OWN_POLICY, FindingId.OWN_POLICY);
    odd(Anomaly.ERASURE_CODED, FindingId.ERASURE_CODED);
    Sample open = report.scan().anomaly(Anomaly.OPEN_MISPLACED);
    if (open.count() > 0 && !mode().observes()) {
      findings.add(
          Finding.of(
                  FindingId.OPEN_MISPLACED,
                  subject(open),
                  open.count(),
                  examples(open),
                  report.scan().open(Component.WAL).byMedium())
              .about(open.examples()));
    }
    if (!mode().observes()) {
      odd(Anomaly.UNMOVABLE, FindingId.UNMOVABLE);
    }
    Sample unread = report.scan().anomaly(Anomaly.UNREADABLE);
    if (unread.count() > 0) {
      findings.add(
          Finding.of(
                  FindingId.UNREADABLE,
                  subject(unread),
                  unread.count() + " directories (" + examples(unread) + ").")
              .withWeight(unread.count()));
    }
  }

  private void odd(Anomaly anomaly, FindingId id) {
    Sample sample = report.scan().anomaly(anomaly);
    if (sample.count() > 0) {
      findings.add(
          Finding.of(id, subject(sample), sample.count(), examples(sample))
              .about(paths(sample))
              .withWeight(sample.count()));
    }
  }

  /** Without the policy that follows in brackets. */
  private static List<String> paths(Sample sample) {
    return sample.examples().stream()
        .map(one -> one.replaceFirst(" \\([^)]*\\)$", ""))
        .collect(Collectors.toList());
  }

  private static String subject(Sample sample) {
    String more = sample.count() > 1 ? " and " + (sample.count() - 1) + " more" : "";
    return sample.examples().get(0) + more;
  }

  private static String examples(Sample sample) {
    String list = String.join(", ", sample.examples());
    return sample.count() > sample.examples().size() ? "the first: " + list + ", ..." : list;
  }
}
