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
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings.TierSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.runtime.Watermarks;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The page's sections on the SSD tier and on the space per DataNode. */
@InterfaceAudience.Private
final class SsdSections {
  private static final int MOST_NODES = 30;
  private static final int MOST_ROOMS = 4;

  private final PlacementSnapshot snapshot;
  private final Html html;

  SsdSections(PlacementSnapshot snapshot, Html html) {
    this.snapshot = snapshot;
    this.html = html;
  }

  void space() {
    snapshot.look().spaces().stream().limit(MOST_ROOMS).forEach(this::room);
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
            .orElse(
                "No tier grant is in force: no scan has ended since the master started, or a hold stands.");
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
    Watermarks watermarks = snapshot.settings().watermarks();
    long headroom = room.headroom().bytes();
    html.element(
        "p",
        Text.bytes(space.remaining())
            + " of "
            + Text.bytes(space.capacity())
            + " free ("
            + Units.number(space.freePercent())
            + " %) on "
            + Text.count(space.nodes(), "DataNode")
            + ". Components leave SSD below "
            + watermarks.lowPercent()
            + " % and come back from "
            + watermarks.highPercent()
            + " %"
            + (headroom > 0
                ? "; each DataNode should have " + Text.bytes(headroom) + " on one volume."
                : ".")
            + " Read "
            + Units.ago(room.at(), snapshot.at())
            + ".");
    Bar bar =
        new Bar("SSD in use")
            .piece("ssd", 100 - space.freePercent())
            .mark(100 - watermarks.lowPercent());
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
    // A block goes onto one volume, so the roomiest one decides; the percentage is of all volumes.
    boolean little = node.remaining() < room.headroom().bytes();
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
