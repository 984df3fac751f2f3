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
package io.github.hybridhbase.coprocessor;

import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.page.Picture;
import io.github.hybridhbase.page.Picture.Demotion;
import io.github.hybridhbase.page.Picture.SsdRoom;
import io.github.hybridhbase.page.TierShare;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.ServerReports;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.SpacePolicy;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.report.Causes;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.tool.AuditPicture;
import io.github.hybridhbase.tool.AuditReport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A source of {@link Picture}s from what the active master's threads already know, without I/O. Any
 * thread.
 */
@InterfaceAudience.Private
final class MasterPicture {
  private final HybridSettings settings;
  private final Layout layout;
  private final String master;
  private final Supplier<ClusterLook> looks;
  private volatile Optional<ScanChore> scan = Optional.empty();
  private volatile Optional<TierController> tier = Optional.empty();
  private volatile Asked servers = new Asked(List.of(), List.of(), Set.of(), Set.of(), 0);

  /** What servers reported of themselves. Immutable. */
  private static final class Asked {
    private final List<Finding> found;
    private final List<String> notChecked;
    private final Set<String> names;
    private final Set<String> absent;
    private final long at;

    Asked(
        List<Finding> found,
        List<String> notChecked,
        Set<String> names,
        Set<String> absent,
        long at) {
      this.found = List.copyOf(found);
      this.notChecked = List.copyOf(notChecked);
      this.names = Set.copyOf(names);
      this.absent = Set.copyOf(absent);
      this.at = at;
    }
  }

  MasterPicture(
      HybridSettings settings, Layout layout, String master, Supplier<ClusterLook> looks) {
    this.settings = settings;
    this.layout = layout;
    this.master = master;
    this.looks = looks;
  }

  void scan(ScanChore chore) {
    scan = Optional.of(chore);
  }

  void tier(TierController controller) {
    tier = Optional.of(controller);
  }

  /**
   * Sets what servers reported of themselves.
   *
   * @param at milliseconds since 1970, above 0
   */
  void servers(List<Finding> found, List<String> notChecked, Set<String> names, long at) {
    Set<String> known = new TreeSet<>(names);
    Set<String> absent = new TreeSet<>(looks.get().servers());
    absent.removeAll(names);
    // Only a directory: HBase twice did not name it among its servers.
    absent.stream().filter(servers.absent::contains).forEach(known::add);
    servers = new Asked(found, notChecked, known, absent, at);
  }

  /** Whether the servers were not asked yet, or others have started since. */
  boolean serversAreUnknown() {
    return servers.at == 0 || !servers.names.containsAll(looks.get().servers());
  }

  Picture now() {
    return at(System.currentTimeMillis());
  }

  Picture at(long now) {
    ClusterLook look = looks.get();
    ServerReports reports = look.reports();
    List<SpaceLook> spaces = look.spaces();
    List<SsdRoom> rooms = rooms(spaces, now);
    Picture picture =
        new Picture(layout.root().toString(), "active master " + master, now)
            .notScanned(noScan())
            .found(together(reports.findings(withoutSsd(spaces)), others(spaces)))
            .unknown(unknown(spaces, now))
            .exclusionAge(reports.age(now))
            .notes(notes(reports))
            .rooms(rooms);
    Optional<Hold> hold = tier.flatMap(TierController::hold);
    Optional<TierState> state =
        hold.isPresent()
            ? Optional.of(TierState.closed("a hold stands; " + Hold.REMEDY))
            : tier.flatMap(TierController::last).map(grant -> grant.asOf(now));
    Optional<ScanTurn> turn = scan.flatMap(ScanChore::last);
    long capacity = rooms.isEmpty() ? 0 : rooms.get(0).capacity();
    if (turn.isPresent()) {
      ScanTurn one = turn.get();
      AuditReport report =
          new AuditReport(
              layout, one.expectation(), hold, one.found(), one.report(), Optional.empty());
      report.waiting(one.waiting());
      report.tierState(state);
      report.tier(one.tier());
      report.stopped(!one.complete());
      report.serverReports(reports);
      report.withoutSsd(withoutSsd(spaces));
      report.unseen(notes(reports));
      report.more(others(spaces));
      spaces.stream()
          .map(SpaceLook::servers)
          .filter(seen -> !seen.fellBack().isEmpty())
          .forEach(report::walServers);
      picture = AuditPicture.add(picture, report, settings, one.began(), one.millis(), capacity);
    } else if (settings.policy(Component.TIER) != StoragePolicy.NONE) {
      picture =
          picture.tier(
              new TierShare(
                  state,
                  Optional.empty(),
                  settings.tier().budget().of(capacity),
                  settings.tier().maxAgeSeconds()));
    }
    // For its own directories the space monitor is newer than the scan, once it has looked.
    return settings.ssdPeriodSeconds() == 0 || spaces.isEmpty()
        ? picture
        : picture.demotions(demotions(spaces), demoted(spaces), monitored());
  }

  private static List<Finding> together(List<Finding> one, List<Finding> other) {
    List<Finding> all = new ArrayList<>(one);
    all.addAll(other);
    return Causes.sorted(all);
  }

  private List<String> notes(ServerReports reports) {
    List<String> notes = new ArrayList<>(reports.unread());
    notes.addAll(servers.notChecked);
    return notes;
  }

  private static List<String> withoutSsd(List<SpaceLook> looks) {
    return looks.stream()
        .flatMap(look -> look.read().stream())
        .flatMap(space -> space.without().stream())
        .collect(Collectors.toList());
  }

  /** What the verdict needs and is not known, one phrase each. */
  private List<String> unknown(List<SpaceLook> spaces, long now) {
    List<String> unknown =
        spaces.stream()
            .flatMap(space -> stale(space, now).stream())
            .collect(Collectors.toCollection(ArrayList::new));
    if (servers.at == 0) {
      unknown.add("what the servers run. They are first asked a minute after the master's start");
    } else if (serversAreUnknown()) {
      Set<String> started = new TreeSet<>(looks.get().servers());
      started.removeAll(servers.names);
      long minutes = TimeUnit.MILLISECONDS.toMinutes(Math.max(0, now - servers.at));
      unknown.add(
          "what "
              + Text.few(started)
              + (started.size() == 1 ? " runs. It has" : " run. They have")
              + " started since the servers were asked, "
              + minutes
              + " min ago");
    }
    return unknown;
  }

  private List<Finding> others(List<SpaceLook> looks) {
    List<Finding> all = new ArrayList<>(servers.found);
    if (scan.flatMap(ScanChore::last).isEmpty()) {
      if (settings.mode().observes()) {
        all.add(Finding.of(FindingId.OBSERVED, HybridKeys.MODE.name(), settings.mode().label()));
      }
      tier.flatMap(TierController::hold)
          .map(hold -> Finding.of(FindingId.HELD, layout.root().toUri().getPath(), hold.reason()))
          .ifPresent(all::add);
    }
    looks.forEach(look -> all.addAll(look.findings(settings.watermarks())));
    return all;
  }

  private List<Finding> demoted(List<SpaceLook> looks) {
    List<Finding> all = new ArrayList<>();
    for (SpaceLook look : looks) {
      for (DirectoryRule rule : layout.rules(settings)) {
        if (look.demotions().components().contains(rule.component())) {
          all.add(
              Finding.of(
                  FindingId.DEMOTED,
                  rule.path().toUri().getPath(),
                  rule.policy(),
                  rule.component().label(),
                  StoragePolicy.HOT));
        }
      }
    }
    return all;
  }

  private Set<String> monitored() {
    return layout.rules(settings).stream()
        .filter(rule -> SpacePolicy.ORDER.contains(rule.component()))
        .map(rule -> rule.path().toUri().getPath())
        .collect(Collectors.toSet());
  }

  private String noScan() {
    if (settings.scanPeriodSeconds() == 0) {
      return "hbase.hybrid.scan.period is 0, so this master never scans; 'hbase-hybrid"
          + " audit --html FILE' does.";
    }
    return scan.map(ScanChore::trouble)
        .filter(text -> !text.isEmpty())
        .orElse(
            scan.flatMap(ScanChore::last).isPresent()
                ? ""
                : scan.map(ScanChore::progress)
                    .filter(text -> !text.isEmpty())
                    .orElse("The first scan begins within two minutes of the master's start."));
  }

  private List<SsdRoom> rooms(List<SpaceLook> looks, long now) {
    List<SsdRoom> rooms = new ArrayList<>();
    for (SpaceLook look : looks) {
      String trouble = stale(look, now).orElse(look.trouble());
      rooms.add(
          new SsdRoom(
              look.read(), look.at(), trouble, look.headroom().bytes(), settings.watermarks()));
    }
    return rooms;
  }

  /** That an HDFS has not answered for a while, a sentence; empty if it has. */
  private Optional<String> stale(SpaceLook look, long now) {
    if (!look.isStale(now, settings.ssdPeriodSeconds())) {
      return Optional.empty();
    }
    long seconds = TimeUnit.MILLISECONDS.toSeconds(now - look.at());
    return Optional.of("HDFS was last asked " + seconds + " s ago, and has not answered since.");
  }

  private List<Demotion> demotions(List<SpaceLook> looks) {
    List<Demotion> all = new ArrayList<>();
    for (SpaceLook look : looks) {
      for (Component component : look.demotions().components()) {
        all.add(
            new Demotion(
                component.label(),
                OptionalLong.of(look.demotions().since(component)),
                look.demotions().why(component)));
      }
    }
    for (SpaceLook look : looks) {
      look.servers()
          .fellBack()
          .forEach(
              server ->
                  all.add(Demotion.ofServer(new Path(layout.wals(), server).toUri().getPath())));
    }
    return all;
  }
}
