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

import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.placement.Component;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.StoragePolicy;
import io.github.hybridhbase.repair.Decisions;
import io.github.hybridhbase.repair.Found;
import io.github.hybridhbase.repair.PolicyDecision;
import io.github.hybridhbase.repair.Survey;
import io.github.hybridhbase.repair.Survey.Oddity;
import io.github.hybridhbase.repair.Survey.Sample;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** What an audit's numbers mean: a pure function of the report. */
@InterfaceAudience.Private
final class AuditFindings {
  private static final String APPLY = "hbase-hybrid apply";

  private static final Map<Component, FindingId> MISPLACED =
      new EnumMap<>(
          Map.of(
              Component.WAL, FindingId.MISPLACED_WAL,
              Component.MASTER, FindingId.MISPLACED_MASTER,
              Component.META, FindingId.MISPLACED_META,
              Component.TMP, FindingId.MISPLACED_TMP,
              Component.ARCHIVE, FindingId.MISPLACED_ARCHIVE,
              Component.USER, FindingId.MISPLACED_USER));

  private final AuditReport report;
  private final List<Finding> findings = new ArrayList<>();

  private AuditFindings(AuditReport report) {
    this.report = report;
  }

  /** The findings, worst first. */
  static List<Finding> of(AuditReport report) {
    AuditFindings all = new AuditFindings(report);
    all.hold();
    all.waiting();
    all.above();
    all.landing();
    Decisions decisions = Decisions.of(report.found());
    report.found().forEach(found -> all.directory(found, decisions));
    for (Component component : Component.values()) {
      all.blocks(component);
    }
    all.oddities();
    return Finding.sorted(all.findings);
  }

  private void hold() {
    report
        .hold()
        .ifPresent(
            hold ->
                findings.add(
                    new Finding(
                        FindingId.HELD,
                        report.layout().root().toUri().getPath(),
                        "A hold stands: " + hold.reason() + ".",
                        APPLY)));
  }

  private void waiting() {
    if (report.hold().isEmpty()) {
      report
          .waiting()
          .ifPresent(what -> findings.add(MovesWaiting.finding(report.layout().root(), what)));
    }
  }

  private void above() {
    if (report.hold().isEmpty()) {
      findings.addAll(PolicyAbove.findings(report.found()));
    }
  }

  private void landing() {
    if (report.hold().isEmpty()) {
      report
          .landing()
          .filter(word -> !word.open())
          .ifPresent(
              word ->
                  findings.add(
                      new Finding(
                          FindingId.LANDING_CLOSED,
                          report.layout().root().toUri().getPath(),
                          "The master says: " + word.why() + ".",
                          "See README.md, The landing; hbase.hybrid.tmp.policy=NONE turns it off"
                              + " for good.")));
    }
  }

  private void directory(Found found, Decisions decisions) {
    String path = found.path().toUri().getPath();
    if (found.trouble().isPresent()) {
      findings.add(
          new Finding(
              FindingId.UNREADABLE,
              path,
              found.trouble().get(),
              "Run this as HBase's own user or as HDFS's superuser."));
      return;
    }
    if (report.hold().isPresent() || found.rule().isEmpty() || found.status().isEmpty()) {
      return;
    }
    DirectoryRule rule = found.rule().get();
    PolicyStatus status = found.status().get();
    PolicyDecision.Kind decision = decisions.kind(found.path()).orElse(PolicyDecision.Kind.RIGHT);
    String seen =
        "Declared "
            + rule.policy()
            + " for "
            + rule.component().label()
            + ", in force is "
            + StoragePolicy.describe(status.effective())
            + ".";
    if (decision == PolicyDecision.Kind.SET) {
      findings.add(new Finding(FindingId.POLICY_MISSING, path, seen, APPLY));
    } else if (decision == PolicyDecision.Kind.GUARDED) {
      findings.add(
          new Finding(
              FindingId.TURNED_AWAY,
              path,
              seen,
              "Give SSD room ('hdfs dfsadmin -report', 'hbase-hybrid doctor'); the guard turns it"
                  + " back by itself."));
    } else if (decisions.hides(found.path()).isPresent()) {
      String inner = decisions.hides(found.path()).get().toUri().getPath();
      findings.add(
          new Finding(
              FindingId.POLICY_CONFLICT,
              path,
              seen
                  + " It is left as it is, because its policy would hide that somebody gave "
                  + inner
                  + " the same one.",
              "Settle " + inner + " first."));
    } else if (decision == PolicyDecision.Kind.CONFLICT) {
      findings.add(
          new Finding(
              FindingId.POLICY_CONFLICT,
              path,
              seen,
              "Set "
                  + rule.component().policyKey()
                  + " to it (or to NONE), or run: "
                  + unset(path)));
    }
  }

  private void blocks(Component component) {
    Survey survey = report.survey();
    Sample misplaced = survey.misplaced(component);
    if (misplaced.count() > 0) {
      long bytes = survey.closed(component).misplacedBytes();
      findings.add(
          new Finding(
              MISPLACED.get(component),
              component.label(),
              Text.count(misplaced.count(), "closed file")
                  + " with "
                  + Text.bytes(bytes)
                  + " of replicas on the wrong medium; wanted is "
                  + report.expectation().of(component)
                  + examples(misplaced),
              APPLY + " (or, without the storage policy satisfier, 'hdfs mover')",
              bytes));
    }
    Sample lacking = survey.shortOfReplicas(component);
    if (lacking.count() > 0) {
      long blocks = survey.closed(component).shortBlocks();
      findings.add(
          new Finding(
              FindingId.SHORT_OF_REPLICAS,
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

  private void oddities() {
    odd(
        Oddity.SHADOWED,
        FindingId.POLICY_SHADOWED,
        "directories",
        "Take hbase.wal.storage.policy, hbase.hstore.block.storage.policy and"
            + " hbase.hregion.block.storage.policy out of hbase-site.xml, or run, for each: "
            + unset("PATH")
            + ". A server whose logs SSD refused turns its own directory in WALs to HOT for a while;"
            + " such a one carries the plugin's mark and needs nothing.");
    odd(
        Oddity.TMP_PINNED,
        FindingId.TMP_PINNED,
        "directories of user tables",
        "For each: " + unset("PATH"));
    odd(
        Oddity.FILE_POLICY,
        FindingId.FILE_POLICY,
        "files",
        "Where it is not wanted, for each: " + unset("PATH"));
    odd(Oddity.OWN_POLICY, FindingId.OWN_POLICY, "directories of user data", "");
    odd(
        Oddity.ERASURE_CODED,
        FindingId.ERASURE_CODED,
        "directories and files",
        "hdfs ec -setPolicy -replicate -path PATH, then rewrite what is in it");
    odd(
        Oddity.OPEN_MISPLACED,
        FindingId.OPEN_MISPLACED,
        "files",
        "Their next file follows the policy: roll the logs with 'wal_roll' in the HBase shell, or"
            + " wait. If it does not, run 'hbase-hybrid doctor'.");
    odd(
        Oddity.UNMOVABLE,
        FindingId.UNMOVABLE,
        "files",
        "Mend policy-missing, policy-conflict and policy-shadowed first.");
    odd(
        Oddity.UNREADABLE,
        FindingId.UNREADABLE,
        "directories",
        "Run this as HBase's own user or as HDFS's superuser.");
  }

  private void odd(Oddity oddity, FindingId id, String what, String mend) {
    Sample sample = report.survey().oddity(oddity);
    if (sample.count() > 0) {
      String more = sample.count() > 1 ? " and " + (sample.count() - 1) + " more" : "";
      findings.add(
          new Finding(
              id,
              sample.examples().get(0) + more,
              sample.count() + " " + what + examples(sample),
              mend,
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
