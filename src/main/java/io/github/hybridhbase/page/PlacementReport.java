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
package io.github.hybridhbase.page;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierGrant;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.report.Report.Section;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The tables of DataNodes, components and the SSD tier in a {@link Report}. Pure. */
@InterfaceAudience.Private
public final class PlacementReport {
  private PlacementReport() {}

  /** What an active master knows. */
  public static Report of(PlacementSnapshot snapshot) {
    Report report =
        PlacementFindings.of(snapshot)
            .report(
                "HBase at "
                    + snapshot.layout.root()
                    + ", "
                    + snapshot.source
                    + ", "
                    + Units.time(snapshot.at));
    List<SsdSpace> spaces = new ArrayList<>();
    for (SpaceLook look : snapshot.look.asked()) {
      look.read().ifPresent(spaces::add);
      String trouble = snapshot.stale(look).orElse(look.trouble());
      report.note(
          look.read()
                  .map(
                      space ->
                          space
                              + ", read "
                              + Units.ago(look.at(), snapshot.at)
                              + "; the SSD tier leaves below "
                              + TierGrant.LOW_PERCENT
                              + " % and comes back from "
                              + TierGrant.HIGH_PERCENT
                              + " %. ")
                  .orElse("The space on SSD. ")
              + trouble);
    }
    report.add(dataNodes(spaces, snapshot.look.excluded));
    tier(snapshot, spaces).ifPresent(report::note);
    snapshot.scan.ifPresent(
        scan -> {
          report.add(components(scan.report(), snapshot.settings, false));
          report.add(tier(scan.tier()));
          report.note(scan(snapshot, scan));
        });
    return report;
  }

  private static Optional<String> tier(PlacementSnapshot snapshot, List<SsdSpace> spaces) {
    if (snapshot.settings.policy(Component.TIER) == StoragePolicy.NONE) {
      return Optional.empty();
    }
    HybridSettings settings = snapshot.settings;
    long budget =
        settings.get(HybridKeys.TIER_BUDGET).of(spaces.isEmpty() ? 0 : spaces.get(0).capacity);
    String state =
        snapshot
            .look
            .grant()
            .map(
                one ->
                    one.open()
                        ? "Open: each RegionServer may fill " + Text.bytes(one.share())
                        : "Closed: " + one.why())
            .orElse("The active master has not opened it yet");
    return Optional.of(
        "SSD tier. "
            + state
            + ". "
            + snapshot
                .scan
                .map(
                    scan ->
                        Text.bytes(scan.tier().bytes())
                            + (budget > 0 ? " of a budget of " + Text.bytes(budget) : "")
                            + " on SSD. ")
                .orElse("")
            + "A file moves to DISK from an age of "
            + Units.seconds((int) settings.get(HybridKeys.TIER_MAX_AGE).toSeconds())
            + ".");
  }

  private static String scan(PlacementSnapshot snapshot, ScanTurn scan) {
    return ("Last scan: "
            + Units.time(scan.began())
            + " ("
            + Units.ago(scan.began(), snapshot.at)
            + "), took "
            + Units.number(scan.millis() / 1_000.0)
            + " s, "
            + Text.count(scan.report().files(), "file")
            + ". "
            + snapshot.noScan)
        .trim();
  }

  /**
   * The DataNodes with SSD, the fullest first.
   *
   * @param excluded see {@link ClusterLook#excluded}
   */
  public static Section dataNodes(
      List<SsdSpace> spaces, Map<String, Map<String, String>> excluded) {
    Section section =
        new Section(
            "dataNodes",
            "DataNodes with SSD",
            "DataNode with SSD",
            "SSD",
            "free",
            "free on its roomiest SSD",
            "last heartbeat",
            "excluded by");
    spaces.stream()
        .flatMap(space -> space.perNode.stream())
        .sorted(Comparator.<DataNodeState>comparingLong(node -> node.remaining))
        .forEach(
            node -> {
              // A server names the host; HDFS the host and port.
              List<String> by =
                  excluded
                      .getOrDefault(
                          node.name,
                          excluded.getOrDefault(node.name.replaceAll(":\\d+$", ""), Map.of()))
                      .entrySet()
                      .stream()
                      .map(server -> server.getKey() + " since " + server.getValue())
                      .collect(Collectors.toList());
              Map<String, Object> json = new LinkedHashMap<>();
              json.put("dataNode", node.name);
              json.put("ssdBytes", node.capacity);
              json.put("freeBytes", node.free);
              json.put("roomiestBytes", node.remaining);
              json.put("heartbeatSeconds", node.silentSeconds);
              json.put("excludedBy", by);
              section.row(
                  json,
                  node.name,
                  Text.bytes(node.capacity),
                  Text.bytes(node.free),
                  Text.bytes(node.remaining),
                  node.silentSeconds + " s ago",
                  by.isEmpty() ? "-" : Text.few(by));
            });
    return section;
  }

  /** People see a component only if it is not as declared, or on {@code all}. */
  public static Section components(ScanReport scan, HybridSettings settings, boolean all) {
    Section section =
        new Section(
            "components",
            "Components",
            "component",
            "declared",
            "files",
            "on SSD",
            "on DISK",
            "other",
            "misplaced",
            "under-replicated",
            "being written: on SSD, in part, not");
    for (Component component : Component.values()) {
      ByteTotals totals = scan.all(component);
      ByteTotals open = scan.open(component);
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("component", component.label());
      json.put("declared", settings.policy(component).name());
      json.put("closed", scan.closed(component));
      json.put("open", open);
      boolean wrong = totals.misplacedFiles() > 0 || totals.underReplicatedBlocks() > 0;
      if (!wrong && !(all && totals.files() > 0)) {
        section.row(json);
        continue;
      }
      long none = open.files() - open.ssdFiles() - open.mixedFiles();
      section.row(
          json,
          component.label(),
          settings.policy(component).name(),
          count(totals.files()),
          Text.bytes(totals.ssdBytes()),
          Text.bytes(totals.diskBytes()),
          Text.bytes(totals.otherBytes()),
          Text.bytes(totals.misplacedBytes()),
          count(totals.underReplicatedBlocks()),
          open.files() == 0
              ? "-"
              : count(open.ssdFiles()) + ", " + count(open.mixedFiles()) + ", " + count(none));
    }
    return section;
  }

  private static String count(long files) {
    return String.format(Locale.ROOT, "%,d", files);
  }

  public static Section tier(TierTotals totals) {
    Section section = new Section("tier", "SSD tier", "SSD tier", "files", "on SSD");
    for (Holder holder : Holder.values()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("holder", holder.label());
      json.put("files", totals.files(holder));
      json.put("ssdBytes", totals.bytes(holder));
      if (totals.files(holder) == 0) {
        section.row(json);
      } else {
        section.row(
            json, holder.text(), count(totals.files(holder)), Text.bytes(totals.bytes(holder)));
      }
    }
    return section;
  }

  public static Section worst(ScanReport scan) {
    Section section = new Section("worstFiles", "Worst files", "worst file", "wanted", "misplaced");
    for (ScanReport.Misplaced file : scan.worst()) {
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("path", file.path().toUri().getPath());
      json.put("component", file.component().label());
      json.put("wanted", file.wanted().name());
      json.put("misplacedBytes", file.bytes());
      section.row(
          json, file.path().toUri().getPath(), file.wanted().name(), Text.bytes(file.bytes()));
    }
    return section;
  }
}
