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

import io.github.hybridhbase.page.PlacementSnapshot.Demotion;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** The page's sections on components (declared and real) and demotions. */
@InterfaceAudience.Private
final class PlacementSections {
  private static final double ONE_OF_THREE = 100.0 / 3;
  private static final int MOST_DEMOTIONS = 10;
  private static final List<String> TEXTS = List.of("Component", "Declared", "In force", "");
  private static final List<String> NUMBERS =
      List.of("SSD", "DISK", "Other", "Misplaced", "Under-replicated");

  private final PlacementSnapshot snapshot;
  private final Html html;

  PlacementSections(PlacementSnapshot snapshot, Html html) {
    this.snapshot = snapshot;
    this.html = html;
  }

  /** Open WALs by medium; their lengths are not known, so their bytes show nothing. */
  void wals() {
    snapshot
        .scan()
        .map(scan -> scan.report().open(Component.WAL))
        .filter(open -> open.files() > 0)
        .ifPresent(
            open ->
                html.open("section")
                    .element("h2", "Open WALs")
                    .element("p", "At the last scan: " + open.byMedium() + ".")
                    .close());
  }

  void components() {
    snapshot.scan().ifPresent(scan -> components(scan.report()));
  }

  private void components(ScanReport scan) {
    html.open("section").element("h2", "Components");
    html.open("p", "class", "dim").text("The thin bar is what is declared, the thick one where ");
    html.text("replicas are, open files included: ").element("i", "SSD", "class", "key ssd");
    html.text(" ").element("i", "DISK", "class", "key disk").text(" ");
    html.element("i", "other", "class", "key other").close();
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    for (String title : TEXTS) {
      html.element("th", title, "scope", "col");
    }
    for (String title : NUMBERS) {
      html.element("th", title, "scope", "col", "class", "number");
    }
    html.close().close().open("tbody");
    for (Component component : Component.values()) {
      component(component, scan.all(component));
    }
    html.close().close().close().close();
  }

  private void component(Component component, ByteTotals share) {
    String name = component.label();
    StoragePolicy policy = snapshot.settings().policy(component);
    Set<String> inForce = snapshot.inForce(component);
    html.open("tr").element("th", name, "scope", "row");
    cell("Declared", policy.name(), "");
    cell("In force", inForce.isEmpty() ? "-" : String.join(" + ", inForce), "");
    html.open("td", "class", "bars");
    declared(name, policy).write(html, "thin");
    real(name, share).write(html, "thick");
    html.close();
    cell("SSD", Text.bytes(share.ssdBytes()), "number");
    cell("DISK", Text.bytes(share.diskBytes()), "number");
    cell("Other", Text.bytes(share.otherBytes()), "number");
    cell(
        "Misplaced",
        Text.bytes(share.misplacedBytes()),
        share.misplacedBytes() > 0 ? "number bad" : "number");
    cell(
        "Under-replicated",
        share.underReplicatedBlocks() == 0
            ? "0"
            : String.format(Locale.ROOT, "%,d blocks", share.underReplicatedBlocks()),
        share.underReplicatedBlocks() > 0 ? "number bad" : "number");
    html.close();
  }

  /** Adds a cell that carries its column's title for narrow screens. */
  private void cell(String title, String text, String kind) {
    html.open("td", "class", kind, "data-title", title).element("span", text).close();
  }

  private static Bar declared(String name, StoragePolicy policy) {
    Bar bar = new Bar(name + " is declared " + policy);
    switch (policy) {
      case ALL_SSD:
        return bar.piece("ssd", 100);
      case ONE_SSD:
        return bar.piece("ssd", ONE_OF_THREE).piece("disk", 100);
      case HOT:
        return bar.piece("disk", 100);
      case WARM:
        return bar.piece("disk", ONE_OF_THREE).piece("other", 100);
      case COLD:
        return bar.piece("other", 100);
      default:
        return bar;
    }
  }

  private static Bar real(String name, ByteTotals share) {
    double ssd = Units.percent(share.ssdBytes(), share.bytes());
    double disk = Units.percent(share.diskBytes(), share.bytes());
    double other = Units.percent(share.otherBytes(), share.bytes());
    String text =
        share.bytes() == 0
            ? name + " has no data"
            : name + ": " + Units.number(ssd) + " % on SSD, " + Units.number(disk) + " % on DISK";
    return new Bar(text).piece("ssd", ssd).piece("disk", disk).piece("other", other);
  }

  void demotions() {
    html.open("section").element("h2", "Demoted from SSD");
    List<Demotion> demotions = snapshot.demotions();
    if (demotions.isEmpty()) {
      boolean known = snapshot.scan().isPresent() || !snapshot.look().spaces().isEmpty();
      html.element("p", known ? "Nothing is." : "Not known yet.").close();
      return;
    }
    html.open("div", "class", "scroll").open("table").open("thead").open("tr");
    html.element("th", "What", "scope", "col").element("th", "Since", "scope", "col");
    html.element("th", "Why", "scope", "col").close().close().open("tbody");
    for (Demotion demotion : demotions.subList(0, Math.min(MOST_DEMOTIONS, demotions.size()))) {
      html.open("tr").element("th", demotion.what, "scope", "row");
      cell("Since", demotion.since.isPresent() ? Units.time(demotion.since.getAsLong()) : "-", "");
      cell("Why", demotion.why, "wide");
      html.close();
    }
    html.close().close().close();
    int more = demotions.size() - MOST_DEMOTIONS;
    if (more > 0) {
      html.element("p", "And " + more + " more.", "class", "dim");
    }
    String text =
        "New blocks go to DISK until the space monitor, or the server itself, restores it.";
    html.element("p", text, "class", "dim");
    html.close();
  }
}
