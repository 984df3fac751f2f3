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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.page.Html.Bar;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.TierGrant;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings.TierSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The page's sections below its findings. */
@InterfaceAudience.Private
final class PageSections {
  private static final double ONE_OF_THREE = 100.0 / 3;
  private static final int MOST_NODES = 30;
  private static final int MOST_ROOMS = 4;
  private static final List<String> TEXTS = List.of("Component", "Declared", "");
  private static final List<String> NUMBERS =
      List.of("SSD", "DISK", "Other", "Misplaced", "Under-replicated");

  private final PlacementSnapshot snapshot;
  private final Html html;

  PageSections(PlacementSnapshot snapshot, Html html) {
    this.snapshot = snapshot;
    this.html = html;
  }

  /** By files, since lengths of open WALs are unknown. */
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
    html.open("tr").element("th", name, "scope", "row");
    cell("Declared", policy.name(), "");
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

  /** The title is for narrow screens. */
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

  void space() {
    snapshot.look().asked().stream().limit(MOST_ROOMS).forEach(this::room);
  }

  void tier() {
    if (snapshot.settings().policy(Component.TIER) == StoragePolicy.NONE) {
      return;
    }
    html.open("section").element("h2", "SSD tier");
    String state =
        snapshot
            .look()
            .grant()
            .map(
                one ->
                    one.open()
                        ? "Open: each RegionServer may fill " + Text.bytes(one.share()) + "."
                        : "Closed: " + one.why() + ".")
            .orElse("The active master has not opened it yet.");
    html.element("p", state);
    snapshot.scan().ifPresent(scan -> totals(scan.tier()));
    html.close();
  }

  private void totals(TierTotals totals) {
    TierSettings tier = snapshot.settings().tier();
    Optional<SsdSpace> space =
        snapshot.look().spaces().stream().findFirst().flatMap(SpaceLook::read);
    long budget = tier.budget().of(space.map(SsdSpace::capacity).orElse(0L));
    String text = Text.bytes(totals.bytes());
    if (budget > 0) {
      text += " of a budget of " + Text.bytes(budget);
      new Bar(text).piece("ssd", Units.percent(totals.bytes(), budget)).write(html, "thick");
    }
    html.element(
        "p",
        text
            + " on SSD at the last scan, "
            + Text.count(totals.files(), "store file")
            + ". A file moves to DISK from an age of "
            + Units.seconds(tier.maxAgeSeconds())
            + ".");
    if (totals.isEmpty()) {
      return;
    }
    html.open("table", "class", "plain").open("tbody");
    for (Holder holder : Holder.values()) {
      boolean late = holder == Holder.DUE || holder == Holder.HELD;
      html.open("tr").element("th", holder.text(), "scope", "row").open("td", "class", "bars");
      new Bar(holder.text())
          .piece(late ? "late" : "ssd", Units.percent(totals.bytes(holder), totals.bytes()))
          .write(html, "thick");
      html.close().element("td", Text.bytes(totals.bytes(holder)), "class", "number").close();
    }
    html.close().close();
  }

  private void room(SpaceLook room) {
    html.open("section").element("h2", "Space on SSD");
    String trouble = snapshot.stale(room).orElse(room.trouble());
    if (!trouble.isEmpty()) {
      html.element("p", trouble, "class", "bad");
    }
    room.read().ifPresent(space -> space(room, space));
    html.close();
  }

  private void space(SpaceLook room, SsdSpace space) {
    html.element(
        "p",
        Text.bytes(space.remaining())
            + " of "
            + Text.bytes(space.capacity())
            + " free ("
            + Units.number(space.freePercent())
            + " %) on "
            + Text.count(space.nodes(), "DataNode")
            + ". The SSD tier leaves below "
            + TierGrant.LOW_PERCENT
            + " % and comes back from "
            + TierGrant.HIGH_PERCENT
            + " %"
            + "."
            + " Read "
            + Units.ago(room.at(), snapshot.at())
            + ".");
    Bar bar =
        new Bar("SSD in use")
            .piece("ssd", 100 - space.freePercent())
            .mark(100 - TierGrant.LOW_PERCENT);
    bar.write(html, "thick");
    if (space.perNode().isEmpty()) {
      html.element("p", "HDFS tells the DataNodes apart to its superuser only.", "class", "dim");
      return;
    }
    html.open("table", "class", "plain nodes").open("thead").open("tr");
    html.element("th", "DataNode", "scope", "col").element("th", "", "scope", "col");
    html.element("th", "Free on its roomiest SSD", "scope", "col", "class", "number");
    html.close().close().open("tbody");
    List<SsdSpace.Node> least =
        space.perNode().stream()
            .sorted(Comparator.comparingLong(SsdSpace.Node::remaining))
            .limit(MOST_NODES)
            .collect(Collectors.toList());
    least.forEach(node -> node(room, node));
    html.close().close();
    int more = space.perNode().size() - least.size();
    if (more > 0) {
      html.element("p", "And " + Text.count(more, "DataNode") + " with more.", "class", "dim");
    }
  }

  private void node(SpaceLook room, SsdSpace.Node node) {
    // A block needs one volume, so the roomiest decides; the percentage is of all.
    boolean little = node.remaining() < room.walBlock();
    double used = 100 - Units.percent(node.free(), node.capacity());
    html.open("tr").open("th", "scope", "row").element("code", node.name()).close();
    html.open("td", "class", "bars");
    new Bar(Units.number(used) + " % of " + Text.bytes(node.capacity()) + " of SSD in use")
        .piece(little ? "late" : "ssd", used)
        .write(html, "thick");
    html.close();
    html.element("td", Text.bytes(node.remaining()), "class", little ? "number bad" : "number");
    html.close();
  }
}
