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

import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementReport;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.ServerTable;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.report.Report.Section;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanChore;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A source of {@link PlacementSnapshot}s from what the master's threads know, without I/O. Any
 * thread.
 */
@InterfaceAudience.Private
final class MasterPicture {
  private static final long ASKED_AGAIN_MILLIS = TimeUnit.MINUTES.toMillis(10);

  /** Older reports count as unknown. */
  private static final long ASKED_TOO_LONG_AGO_MILLIS = TimeUnit.MINUTES.toMillis(30);

  private final HybridSettings settings;
  private final Layout layout;
  private final String master;
  private final Supplier<ClusterLook> looks;
  private volatile Optional<ScanChore> scan = Optional.empty();
  private volatile Optional<TierController> tier = Optional.empty();
  private final Events events = new Events();
  private volatile Asked servers = new Asked(new Diagnosis(), List.of(), Set.of(), Set.of(), 0);

  /** What servers reported of themselves. Immutable. */
  private static final class Asked {
    private final Diagnosis said;
    private final Section table;
    private final Map<String, Map<String, String>> excluded;
    private final Set<String> names;
    private final Set<String> absent;
    private final long at;

    Asked(
        Diagnosis said,
        List<ServerPlugin> plugins,
        Set<String> names,
        Set<String> absent,
        long at) {
      this.said = said;
      this.table = ServerTable.of(plugins);
      this.excluded = ServerPlugin.excluded(plugins);
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
   * @param plugins what servers answered
   * @param at milliseconds since 1970, above 0
   */
  void servers(Diagnosis said, List<ServerPlugin> plugins, long at) {
    Set<String> names = plugins.stream().map(one -> one.server).collect(Collectors.toSet());
    Set<String> known = new TreeSet<>(names);
    Set<String> absent = new TreeSet<>(looks.get().servers());
    absent.removeAll(names);
    // HBase twice did not name it: only a directory.
    absent.stream().filter(servers.absent::contains).forEach(known::add);
    servers = new Asked(said, plugins, known, absent, at);
  }

  boolean mustAskServers(long now) {
    return Math.abs(now - servers.at) >= ASKED_AGAIN_MILLIS
        || !servers.excluded.isEmpty() // they return within minutes
        || !started(servers).isEmpty();
  }

  /** Not asked yet. */
  private Set<String> started(Asked asked) {
    Set<String> started = new TreeSet<>(looks.get().servers());
    started.removeAll(asked.names);
    return started;
  }

  /** Remembers findings that began or ended since the last call. One thread. */
  void notice(long now) {
    events.notice(PlacementFindings.of(at(now)).findings(), now);
  }

  Report report() {
    return report(System.currentTimeMillis());
  }

  Report report(long now) {
    return PlacementReport.of(at(now)).add(servers.table).add(events.section());
  }

  PlacementSnapshot at(long now) {
    Optional<TierState> grant = tier.flatMap(TierController::last).map(state -> state.asOf(now));
    return new PlacementSnapshot(
        "active master " + master,
        now,
        layout,
        settings,
        looks.get().with(grant).excluding(servers.excluded),
        scan.flatMap(ScanChore::last),
        noScan(),
        others(now));
  }

  private Diagnosis others(long now) {
    Asked asked = servers;
    Diagnosis others = new Diagnosis();
    others.addAll(asked.said);
    Set<String> started = started(asked);
    long age = Math.max(0, now - asked.at);
    long minutes = TimeUnit.MILLISECONDS.toMinutes(age);
    if (asked.at == 0) {
      others.missing(
          "what the servers run. They are first asked a minute after the master's start");
    } else if (age >= ASKED_TOO_LONG_AGO_MILLIS) {
      others.missing("what the servers run now. They last answered " + minutes + " min ago");
    } else if (!started.isEmpty()) {
      others.missing(
          "what "
              + Text.few(started)
              + (started.size() == 1 ? " runs. It has" : " run. They have")
              + " started since the servers were asked, "
              + minutes
              + " min ago");
    }
    return others;
  }

  private String noScan() {
    if (settings.get(HybridKeys.SCAN_PERIOD).isZero()) {
      return "hbase.hybrid.scan.period is 0, so this master never scans; 'hbase-hybrid"
          + " check --blocks' does.";
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
}
