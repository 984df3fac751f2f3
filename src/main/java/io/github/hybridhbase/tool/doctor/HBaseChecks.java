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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.SiteKeys;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.doctor.TierChecks.HotChecks;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A check whether servers and table descriptors agree with the placement. */
@InterfaceAudience.Private
final class HBaseChecks {
  private static final String MASTER_PART = "HybridMasterObserver";
  private static final String REGION_PART = "HybridRegionObserver";

  /** Normal age of an old WAL, unless HBase itself keeps it longer. */
  private static final long OLD_MILLIS = TimeUnit.HOURS.toMillis(1);

  private HBaseChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    diagnosis
        .seen("families", facts.families)
        .ifPresent(families -> families(families, facts, diagnosis));
    boolean on = facts.settings.mode() != Mode.OFF;
    boolean stock = isStock(facts);
    diagnosis
        .seen("RegionServers", facts.servers)
        .ifPresent(servers -> servers(servers, on && !stock, diagnosis));
    if (on) {
      diagnosis
          .seen("the master's coprocessors", facts.masterCoprocessors)
          .filter(names -> !stock && !isMaster(names))
          .ifPresent(
              names ->
                  diagnosis.add(
                      FindingId.NOT_LOADED,
                      "active master",
                      MASTER_PART,
                      "the active master",
                      SiteKeys.MASTER_LIST));
    }
    oldWals(facts, diagnosis);
  }

  /** Then not-installed suffices: not-loaded of every server would repeat it. */
  static boolean isStock(ClusterFacts facts) {
    return SiteKeys.isStock(facts.conf)
        && !isMaster(facts.masterCoprocessors.seen().orElse(List.of()))
        && facts.servers.seen().orElse(List.of()).stream()
            .noneMatch(server -> hasCoprocessor(server.coprocessors))
        && facts.plugins.seen().orElse(List.of()).stream().noneMatch(ServerPlugin::runs);
  }

  private static boolean isMaster(List<String> coprocessors) {
    return coprocessors.stream().anyMatch(name -> name.endsWith(MASTER_PART));
  }

  private static void families(
      List<ClusterFacts.Family> families, ClusterFacts facts, Diagnosis diagnosis) {
    if (!facts.tierDeclared) {
      return;
    }
    facts.tableProblems.forEach(
        (table, problems) -> diagnosis.add(FindingId.TABLE_SETTING_WRONG, table, problems));
    for (ClusterFacts.Family family : families) {
      if (!family.policy.isEmpty() && !family.policy.equalsIgnoreCase("NONE")) {
        diagnosis.add(
            FindingId.TIER_BYPASSED, family.name, family.policy, family.table(), family.column());
      }
      if (!family.unserved.isEmpty()) {
        diagnosis.add(FindingId.TIER_NOT_SERVED, family.name, family.unserved);
      }
      HotChecks.examine(family, facts, diagnosis);
    }
  }

  private static void servers(List<ClusterFacts.Server> servers, boolean on, Diagnosis diagnosis) {
    TreeSet<String> versions =
        servers.stream().map(s -> s.version).collect(Collectors.toCollection(TreeSet::new));
    if (versions.size() > 1) {
      diagnosis.add(
          FindingId.DECLARATIONS_DIFFER, "HBase of RegionServers", String.join(", ", versions));
    }
    List<String> without = without(servers);
    if (on && !without.isEmpty()) {
      diagnosis.add(
          FindingId.NOT_LOADED,
          "RegionServers",
          REGION_PART,
          Text.some(without),
          SiteKeys.REGION_LIST);
    }
  }

  private static List<String> without(List<ClusterFacts.Server> servers) {
    return servers.stream()
        .filter(s -> s.hasRegions)
        .filter(s -> !hasCoprocessor(s.coprocessors))
        .map(s -> s.name)
        .collect(Collectors.toList());
  }

  static boolean hasCoprocessor(Collection<String> names) {
    return names.stream().anyMatch(name -> name.endsWith(REGION_PART));
  }

  static Set<String> withoutCoprocessor(ClusterFacts facts) {
    return new TreeSet<>(without(facts.servers.seen().orElse(List.of())));
  }

  private static void oldWals(ClusterFacts facts, Diagnosis diagnosis) {
    if (diagnosis.seen("replication peers", facts.peers).isEmpty()
        || diagnosis.seen("oldWALs", facts.oldWals).isEmpty()) {
      return;
    }
    List<String> peers = facts.peers.seen().get();
    ClusterFacts.OldWals old = facts.oldWals.seen().get();
    long normal = Math.max(OLD_MILLIS, HybridSettings.oldWalMillis(facts.conf));
    if (old.oldestMillis > normal) {
      diagnosis.add(
          FindingId.OLD_WALS_HELD,
          "oldWALs",
          Text.count(old.files, "old WAL"),
          Text.bytes(old.bytes),
          TimeUnit.MILLISECONDS.toHours(old.oldestMillis),
          peers.isEmpty() ? "none" : String.join(", ", peers));
    }
  }
}
