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
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A check whether all servers run one version of the plugin. */
@InterfaceAudience.Private
final class PluginChecks {
  private static final String LATER =
      "as " + SiteKeys.WAL_GROUP_PROVIDER + " it starts with a server's first region";

  private static final String PROVIDER = "HybridWALProvider";

  private static final String HERE = "the site file of this host";

  private PluginChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.settings.mode() != Mode.OFF) {
      running(facts, diagnosis);
      DeclarationChecks.findings(withThisHost(facts)).forEach(diagnosis::add);
    }
  }

  static void running(ClusterFacts facts, Diagnosis diagnosis) {
    List<ClusterFacts.Plugin> plugins =
        diagnosis.seen("the plugin's version on each server", facts.plugins).orElse(List.of());
    Map<String, List<String>> unknown = new LinkedHashMap<>();
    List<String> without = new ArrayList<>();
    List<String> unconfigured = new ArrayList<>();
    boolean later = SiteKeys.enablesGroups(facts.conf);
    for (ClusterFacts.Plugin plugin : plugins) {
      Optional<Optional<String>> version = plugin.version.seen();
      if (plugin.configured.seen().equals(Optional.of(false))) {
        unconfigured.add(plugin.server);
      } else if (version.isEmpty() || version.get().isEmpty() && later) {
        String why = version.isEmpty() ? plugin.version.why() : LATER;
        unknown.computeIfAbsent(why, any -> new ArrayList<>()).add(plugin.server);
      } else if (version.get().isEmpty()) {
        without.add(plugin.server);
      }
    }
    unknown.forEach(
        (why, servers) ->
            diagnosis.unchecked("the plugin's version on " + Text.some(servers) + ": " + why));
    Map<String, List<String>> versions =
        servers(plugins, plugin -> plugin.version.seen().flatMap(version -> version));
    if (versions.size() > 1) {
      diagnosis.add(FindingId.DECLARATIONS_DIFFER, "the plugin's version", joined(versions, "; "));
    }
    // A server without the coprocessor has a finding already.
    Set<String> reported = HBaseChecks.withoutCoprocessor(facts);
    without.removeAll(reported);
    if (!HBaseChecks.isStock(facts)) {
      without(without, unconfigured, diagnosis);
    }
  }

  /** The verbs use this host's site file. */
  private static List<ClusterFacts.Plugin> withThisHost(ClusterFacts facts) {
    List<ClusterFacts.Plugin> all = new ArrayList<>(facts.plugins.seen().orElse(List.of()));
    ClusterFacts.Plugin here =
        new ClusterFacts.Plugin("this host", Observed.unknown("no server"), Observed.at(true));
    here.declared = facts.settings.declared();
    all.add(here);
    return all;
  }

  private static Map<String, List<String>> servers(
      List<ClusterFacts.Plugin> plugins, Function<ClusterFacts.Plugin, Optional<String>> value) {
    Map<String, List<String>> servers = new TreeMap<>();
    for (ClusterFacts.Plugin plugin : plugins) {
      value
          .apply(plugin)
          .ifPresent(
              one -> servers.computeIfAbsent(one, any -> new ArrayList<>()).add(plugin.server));
    }
    return servers;
  }

  private static String joined(Map<String, List<String>> servers, String separator) {
    return servers.entrySet().stream()
        .map(one -> one.getKey() + " on " + Text.some(one.getValue()))
        .collect(Collectors.joining(separator));
  }

  private static void without(
      List<String> without, List<String> unconfigured, Diagnosis diagnosis) {
    if (!without.isEmpty()) {
      diagnosis.add(
          FindingId.NOT_LOADED,
          "WAL provider",
          PROVIDER,
          Text.some(without),
          SiteKeys.WAL_PROVIDER);
    }
    for (String server : unconfigured) {
      diagnosis.add(
          FindingId.NOT_LOADED,
          server,
          PROVIDER,
          server,
          SiteKeys.WAL_PROVIDER + " and " + SiteKeys.MASTER_LIST);
    }
  }

  static void writers(ClusterFacts facts, Diagnosis diagnosis) {
    Map<WriterShortfall, List<String>> servers = new LinkedHashMap<>();
    for (ClusterFacts.Plugin plugin : facts.plugins.seen().orElse(List.of())) {
      for (WriterShortfall shortfall : plugin.notInForce) {
        servers.computeIfAbsent(shortfall, any -> new ArrayList<>()).add(plugin.server);
      }
    }
    servers.forEach(
        (shortfall, names) ->
            diagnosis.add(
                FindingId.WRITER_NOT_IN_FORCE,
                "WAL writers",
                Text.some(names),
                shortfall.getWhat(),
                shortfall.getCause(),
                shortfall.getRemedy()));
  }

  static void stalled(ClusterFacts facts, Diagnosis diagnosis) {
    ClusterFacts.excluded(facts.plugins.seen().orElse(List.of()))
        .forEach(
            (node, servers) ->
                diagnosis.add(
                    Finding.of(
                            FindingId.STALLED_DATANODE,
                            node,
                            Text.count(servers.size(), "server")
                                + ": "
                                + Text.few(servers.keySet()))
                        .withWeight(servers.size())));
  }

  /** A check whether servers have the active master's settings. */
  public static final class DeclarationChecks {
    private DeclarationChecks() {}

    /** One finding per key; ignores unknown declarations. */
    public static List<Finding> findings(List<ClusterFacts.Plugin> plugins) {
      List<Finding> findings = new ArrayList<>();
      for (Key<?> key : HybridKeys.all()) {
        Map<String, List<String>> servers =
            servers(plugins, plugin -> Optional.ofNullable(plugin.declared.get(key.name())));
        if (servers.size() > 1) {
          findings.add(
              Finding.of(FindingId.DECLARATIONS_DIFFER, key.name(), joined(servers, "; ")));
        }
      }
      return findings;
    }
  }
}
