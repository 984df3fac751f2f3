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

import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.report.FindingPrinter;
import io.github.hybridhbase.report.Screen;
import io.github.hybridhbase.report.Table;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.report.Verdict.View;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A printer of an audit as text and as JSON (docs/json-schema.json). */
@InterfaceAudience.Private
final class AuditPrinter {
  private final PlacementSnapshot snapshot;
  private final ScanTurn turn;
  private final ScanReport scan;
  private final Diagnosis diagnosis;
  private final Optional<String> table;

  /**
   * @param snapshot with a scan
   * @param table empty for all
   */
  AuditPrinter(PlacementSnapshot snapshot, Diagnosis diagnosis, Optional<String> table) {
    this.snapshot = snapshot;
    this.turn = snapshot.scan().orElseThrow();
    this.scan = turn.report();
    this.diagnosis = diagnosis;
    this.table = table;
  }

  void text(PrintStream out, Screen screen, boolean all) {
    Verdict verdict = diagnosis.verdict(View.AUDIT);
    out.println(
        screen.paint(
            verdict.worst(),
            !turn.complete()
                ? "Stopped before the end, so there may be more (" + verdict.counts() + ")."
                : verdict.line()));
    out.println(
        Text.escape(
            "Placement of "
                + snapshot.layout().root()
                + table.map(t -> ", table " + t).orElse("")
                + ": "
                + Text.count(scan.files(), "file")
                + (!turn.complete() ? " (stopped before the end)" : "")));
    out.println();
    closed(all).print(out, screen);
    out.println();
    open(all).print(out, screen);
    tier(out);
    elsewhere(out);
    worst(out, screen);
    out.println();
    FindingPrinter.print(diagnosis.findings(), out, screen);
  }

  private List<Component> shown(boolean all, Function<Component, ByteTotals> totals) {
    return Arrays.stream(Component.values())
        .filter(component -> all || totals.apply(component).files() > 0)
        .collect(Collectors.toList());
  }

  /** Files, since the NameNode does not know the length of open ones. */
  private Table open(boolean all) {
    Table table =
        new Table()
            .row(
                "open files",
                "declared",
                "files",
                "all on SSD",
                "some on SSD",
                "none on SSD",
                "misplaced");
    for (Component component : shown(all, scan::open)) {
      ByteTotals sums = scan.open(component);
      table.row(
          component.label(),
          snapshot.settings().policy(component).name(),
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
                "files",
                "on SSD",
                "on DISK",
                "other",
                "misplaced",
                "under-replicated");
    for (Component component : shown(all, scan::closed)) {
      ByteTotals sums = scan.closed(component);
      table.row(
          component.label(),
          snapshot.settings().policy(component).name(),
          count(sums.files()),
          Text.bytes(sums.ssdBytes()),
          Text.bytes(sums.diskBytes()),
          Text.bytes(sums.otherBytes()),
          Text.bytes(sums.misplacedBytes()),
          Long.toString(sums.underReplicatedBlocks()));
    }
    return table;
  }

  private void tier(PrintStream out) {
    if (turn.tier().isEmpty()) {
      return;
    }
    Table table = new Table().row("SSD tier", "files", "on SSD");
    for (Holder holder : Holder.values()) {
      table.row(
          holder.text(),
          Long.toString(turn.tier().files(holder)),
          Text.bytes(turn.tier().bytes(holder)));
    }
    out.println();
    table.print(out);
  }

  /** By HDFS's own count; empty if unknown, or for one table. */
  private OptionalLong ssdUsed() {
    List<SpaceLook> spaces = snapshot.look().spaces();
    // With two HDFS, the other has other data.
    return table.isEmpty() && spaces.size() == 1 && spaces.get(0).read().isPresent()
        ? OptionalLong.of(spaces.get(0).read().get().used())
        : OptionalLong.empty();
  }

  /** Bytes on SSD in no row: other than HBase's, and in HDFS snapshots. */
  private OptionalLong ssdElsewhere() {
    long seen = 0;
    for (Component component : Component.values()) {
      seen += scan.all(component).ssdBytes();
    }
    return ssdUsed().isPresent()
        ? OptionalLong.of(Math.max(0, ssdUsed().getAsLong() - seen))
        : OptionalLong.empty();
  }

  private void elsewhere(PrintStream out) {
    if (ssdElsewhere().isPresent() && turn.complete()) {
      out.println();
      out.println(
          "Elsewhere on SSD: "
              + Text.bytes(ssdElsewhere().getAsLong())
              + " of "
              + Text.bytes(ssdUsed().getAsLong())
              + " that HDFS counts there: not HBase's, held by HDFS snapshots, checksums, or"
              + " written meanwhile.");
    }
  }

  private void worst(PrintStream out, Screen screen) {
    List<ScanReport.Misplaced> worst = scan.worst();
    if (!worst.isEmpty()) {
      out.println();
      Table table = new Table().row("worst files", "wanted", "misplaced");
      worst.forEach(
          f -> table.row(f.path().toUri().getPath(), f.wanted().name(), Text.bytes(f.bytes())));
      table.print(out, screen);
    }
  }

  Map<String, Object> json(int exit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/audit/1");
    json.put("exit", exit);
    json.put("verdict", diagnosis.verdict(View.AUDIT).level());
    json.put("notCheckedHere", View.AUDIT.notChecked());
    json.put("root", snapshot.layout().root().toString());
    json.put("walRoot", snapshot.layout().walRoot().toString());
    json.put("table", table.orElse(null));
    json.put("complete", turn.complete());
    List<Object> components = new ArrayList<>();
    for (Component component : Component.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("component", component.label());
      one.put("declared", snapshot.settings().policy(component).name());
      one.put("closed", json(scan.closed(component)));
      one.put("open", json(scan.open(component)));
      components.add(one);
    }
    json.put("components", components);
    List<Object> tier = new ArrayList<>();
    for (Holder holder : Holder.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("holder", holder.label());
      one.put("files", turn.tier().files(holder));
      one.put("ssdBytes", turn.tier().bytes(holder));
      tier.add(one);
    }
    json.put("tier", tier);
    json.put("ssdUsedBytes", boxed(ssdUsed()));
    json.put("ssdElsewhereBytes", boxed(ssdElsewhere()));
    List<Object> worst = new ArrayList<>();
    for (ScanReport.Misplaced file : scan.worst()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("path", file.path().toUri().getPath());
      one.put("component", file.component().label());
      one.put("wanted", file.wanted().name());
      one.put("misplacedBytes", file.bytes());
      worst.add(one);
    }
    json.put("worstFiles", worst);
    List<Object> all = new ArrayList<>();
    diagnosis.findings().forEach(f -> all.add(f.toJson()));
    json.put("findings", all);
    json.put("notChecked", diagnosis.notChecked());
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
}
