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

import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingPrinter;
import io.github.hybridhbase.report.Screen;
import io.github.hybridhbase.report.Table;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A printer of an audit as text and as JSON (docs/json.md). */
@InterfaceAudience.Private
final class AuditPrinter {
  private final AuditReport report;
  private final List<Finding> findings;

  AuditPrinter(AuditReport report, List<Finding> findings) {
    this.report = report;
    this.findings = findings;
  }

  // ---- text

  void text(PrintStream out, Screen screen, boolean all) {
    ScanReport scan = report.scan();
    Verdict verdict = report.verdict(findings);
    out.println(
        screen.paint(
            verdict.worst(),
            report.stopped()
                ? "Stopped before the end, so there may be more (" + verdict.counts() + ")."
                : verdict.line()));
    out.println(
        Text.escape(
            "Placement of "
                + report.layout().root()
                + report.table().map(t -> ", table " + t).orElse("")
                + ": "
                + Text.count(scan.files(), "file")
                + (report.stopped() ? " (stopped before the end)" : "")));
    out.println();
    closed(all).print(out, screen);
    out.println();
    open(all).print(out, screen);
    if (!report.local().isEmpty()) {
      out.println();
      local(out);
    }
    tier(out);
    elsewhere(out);
    worst(out, screen);
    out.println();
    FindingPrinter.print(findings, out, screen);
  }

  private List<Component> shown(boolean all, Function<Component, ByteTotals> totals) {
    return Arrays.stream(Component.values())
        .filter(component -> all || totals.apply(component).files() > 0)
        .collect(Collectors.toList());
  }

  /** Files by medium, since the NameNode does not know the length of a file being written. */
  private Table open(boolean all) {
    Table table =
        new Table()
            .row(
                "open files",
                "declared",
                "in force",
                "files",
                "all on SSD",
                "some on SSD",
                "none on SSD",
                "misplaced");
    for (Component component : shown(all, report.scan()::open)) {
      ByteTotals sums = report.scan().open(component);
      table.row(
          component.label(),
          report.expectation().declared(component).name(),
          inForce(component),
          count(sums.files()),
          count(sums.ssdFiles()),
          count(sums.mixedFiles()),
          count(sums.files() - sums.ssdFiles() - sums.mixedFiles()),
          count(sums.misplacedFiles()));
    }
    return table;
  }

  private static String count(long files) {
    return String.format(java.util.Locale.ROOT, "%,d", files);
  }

  private Table closed(boolean all) {
    Table table =
        new Table()
            .row(
                "component",
                "declared",
                "in force",
                "files",
                "on SSD",
                "on DISK",
                "other",
                "misplaced",
                "under-replicated");
    for (Component component : shown(all, report.scan()::closed)) {
      ByteTotals sums = report.scan().closed(component);
      table.row(
          component.label(),
          report.expectation().declared(component).name(),
          inForce(component),
          count(sums.files()),
          Text.bytes(sums.ssdBytes()),
          Text.bytes(sums.diskBytes()),
          Text.bytes(sums.otherBytes()),
          Text.bytes(sums.misplacedBytes()),
          Long.toString(sums.underReplicatedBlocks()));
    }
    return table;
  }

  private Set<String> policies(Component component) {
    Set<String> policies = report.inForce(component);
    return policies.isEmpty() ? Set.of("-") : policies;
  }

  private String inForce(Component component) {
    return String.join("+", policies(component));
  }

  private void local(PrintStream out) {
    report
        .local()
        .forEach(
            (component, share) ->
                out.println(
                    Text.escape(
                        String.format(
                            java.util.Locale.ROOT,
                            "%s: %s of %s on an SSD of the host that uses them (%s)%s",
                            component.label(),
                            Text.bytes(share.localSsdBytes()),
                            Text.bytes(share.bytes()),
                            Text.count(share.files(), "file"),
                            share.warning().isEmpty() ? "" : "; " + share.warning()))));
    report.localUnknown().ifPresent(why -> out.println(Text.escape("Not checked: " + why)));
  }

  private void tier(PrintStream out) {
    if (report.tier().isEmpty()) {
      return;
    }
    Table table = new Table().row("SSD tier", "files", "on SSD");
    for (Holder holder : Holder.values()) {
      table.row(
          holder.text(),
          Long.toString(report.tier().files(holder)),
          Text.bytes(report.tier().bytes(holder)));
    }
    out.println();
    table.print(out);
  }

  private void elsewhere(PrintStream out) {
    if (report.ssdElsewhere().isPresent() && !report.stopped()) {
      out.println();
      out.println(
          "Elsewhere on SSD: "
              + Text.bytes(report.ssdElsewhere().getAsLong())
              + " of "
              + Text.bytes(report.ssdUsed().getAsLong())
              + " that HDFS counts there: not HBase's, held by HDFS snapshots, checksums, or"
              + " written meanwhile.");
    }
  }

  private void worst(PrintStream out, Screen screen) {
    List<ScanReport.Misplaced> worst = report.scan().worst();
    if (!worst.isEmpty()) {
      out.println();
      Table table = new Table().row("worst files", "wanted", "misplaced");
      worst.forEach(
          f -> table.row(f.path().toUri().getPath(), f.wanted().name(), Text.bytes(f.bytes())));
      table.print(out, screen);
    }
  }

  // ---- JSON

  Map<String, Object> json(int exit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/audit/1");
    json.put("exit", exit);
    json.put("verdict", report.verdict(findings).level());
    json.put("notCheckedHere", Verdict.View.AUDIT.notChecked());
    json.put("root", report.layout().root().toString());
    json.put("walRoot", report.layout().walRoot().toString());
    json.put("table", report.table().orElse(null));
    json.put("complete", !report.stopped());
    json.put("hold", report.hold().map(h -> h.reason()).orElse(null));
    List<Object> components = new ArrayList<>();
    for (Component component : Component.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("component", component.label());
      one.put("declared", report.expectation().declared(component).name());
      one.put("inForce", new ArrayList<>(policies(component)));
      one.put("closed", json(report.scan().closed(component)));
      one.put("open", json(report.scan().open(component)));
      LocalShare share = report.local().get(component);
      one.put("local", share == null ? null : share.toJson());
      components.add(one);
    }
    json.put("components", components);
    List<Object> tier = new ArrayList<>();
    for (Holder holder : Holder.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("holder", holder.label());
      one.put("files", report.tier().files(holder));
      one.put("ssdBytes", report.tier().bytes(holder));
      tier.add(one);
    }
    json.put("tier", tier);
    json.put("ssdUsedBytes", boxed(report.ssdUsed()));
    json.put("ssdElsewhereBytes", boxed(report.ssdElsewhere()));
    List<Object> directories = new ArrayList<>();
    report.found().forEach(found -> directories.add(json(found)));
    json.put("directories", directories);
    List<Object> worst = new ArrayList<>();
    for (ScanReport.Misplaced file : report.scan().worst()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("path", file.path().toUri().getPath());
      one.put("component", file.component().label());
      one.put("wanted", file.wanted().name());
      one.put("misplacedBytes", file.bytes());
      worst.add(one);
    }
    json.put("worstFiles", worst);
    List<Object> all = new ArrayList<>();
    findings.forEach(f -> all.add(f.toJson()));
    json.put("findings", all);
    List<String> unchecked = new ArrayList<>(report.unseen());
    report.localUnknown().ifPresent(unchecked::add);
    json.put("notChecked", unchecked);
    return json;
  }

  private static Long boxed(OptionalLong number) {
    return number.isPresent() ? number.getAsLong() : null;
  }

  private static Map<String, Object> json(ByteTotals totals) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("files", totals.files());
    json.put("ssdFiles", totals.ssdFiles());
    json.put("mixedFiles", totals.mixedFiles());
    json.put("ssdBytes", totals.ssdBytes());
    json.put("diskBytes", totals.diskBytes());
    json.put("otherBytes", totals.otherBytes());
    json.put("misplacedFiles", totals.misplacedFiles());
    json.put("misplacedBytes", totals.misplacedBytes());
    json.put("underReplicatedBlocks", totals.underReplicatedBlocks());
    return json;
  }

  private static Map<String, Object> json(DirectoryState found) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("path", found.path().toUri().getPath());
    json.put("declared", found.rule().map(r -> r.policy().name()).orElse(null));
    json.put("exists", found.status().isPresent());
    json.put(
        "inForce",
        found.status().map(PolicyStatus::effective).map(StoragePolicy::describe).orElse(null));
    json.put("provenance", found.provenance().map(Object::toString).orElse(null));
    return json;
  }
}
