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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Key;
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
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.yetus.audience.InterfaceAudience;

/** Checks of what servers report of the plugin, for the check and the master's page. Pure. */
@InterfaceAudience.Private
public final class PluginChecks {
  private static final String LATER =
      "as " + SiteKeys.WAL_GROUP_PROVIDER + " it starts with a server's first region";

  private static final String ENGINE = StoreEngine.STORE_ENGINE_CLASS_KEY;
  private static final String PROVIDER = "HybridWALProvider";

  private PluginChecks() {}

  /**
   * @param commits whether this HBase notifies the tier's engine of commits
   */
  public static Diagnosis examine(Configuration conf, boolean commits, List<ServerPlugin> plugins) {
    HybridSettings settings = HybridSettings.read(conf);
    Diagnosis diagnosis = new Diagnosis();
    settings(settings, diagnosis);
    running(conf, false, Set.of(), plugins, diagnosis);
    writers(plugins, diagnosis);
    stalled(plugins, diagnosis);
    if (settings.tierDeclared()) {
      engines(conf, commits, plugins, diagnosis);
    }
    declarations(plugins, diagnosis);
    return diagnosis;
  }

  public static void settings(HybridSettings settings, Diagnosis diagnosis) {
    settings
        .problems()
        .forEach(text -> diagnosis.add(FindingId.SETTING_WRONG, text.split("=", 2)[0], text));
  }

  /**
   * Whether all run one version of the plugin.
   *
   * @param stock whether no part of it is installed, which is a finding already
   * @param reported servers that another finding has as lacking it
   */
  public static void running(
      Configuration conf,
      boolean stock,
      Set<String> reported,
      List<ServerPlugin> plugins,
      Diagnosis diagnosis) {
    Map<String, List<String>> unknown = new LinkedHashMap<>();
    List<String> without = new ArrayList<>();
    List<String> unconfigured = new ArrayList<>();
    boolean later = SiteKeys.enablesGroups(conf);
    for (ServerPlugin plugin : plugins) {
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
    without.removeAll(reported);
    if (!stock) {
      without(without, unconfigured, diagnosis);
    }
  }

  private static Map<String, List<String>> servers(
      List<ServerPlugin> plugins, Function<ServerPlugin, Optional<String>> value) {
    Map<String, List<String>> servers = new TreeMap<>();
    for (ServerPlugin plugin : plugins) {
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

  public static void writers(List<ServerPlugin> plugins, Diagnosis diagnosis) {
    Map<WriterShortfall, List<String>> servers = new LinkedHashMap<>();
    for (ServerPlugin plugin : plugins) {
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

  public static void stalled(List<ServerPlugin> plugins, Diagnosis diagnosis) {
    ServerPlugin.excluded(plugins)
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

  /** Whether servers have the same settings; one finding per key, unknown ones do not count. */
  public static void declarations(List<ServerPlugin> plugins, Diagnosis diagnosis) {
    for (Key<?> key : HybridKeys.all()) {
      Map<String, List<String>> servers =
          servers(plugins, plugin -> Optional.ofNullable(plugin.declared.get(key.name())));
      if (servers.size() > 1) {
        diagnosis.add(FindingId.DECLARATIONS_DIFFER, key.name(), joined(servers, "; "));
      }
    }
  }

  /**
   * Whether the stores of user tables have the tier's engine. This host's site file counts only if
   * no server has an open store.
   */
  public static void engines(
      Configuration conf, boolean commits, List<ServerPlugin> plugins, Diagnosis diagnosis) {
    if (!commits) {
      diagnosis.add(
          FindingId.TIER_NOT_IN_FORCE,
          ENGINE,
          "this host's HBase",
          "its StoreEngine has no form of commitStoreFiles that the plugin supports");
    }
    List<String> without =
        plugins.stream()
            .filter(plugin -> plugin.engine.equals(Optional.of(false)))
            .map(plugin -> plugin.server)
            .collect(Collectors.toList());
    boolean reported = plugins.stream().anyMatch(plugin -> plugin.engine.isPresent());
    String where = "";
    if (!without.isEmpty()) {
      where = Text.some(without);
    } else if (!reported && SiteKeys.enables(conf)) {
      String named = conf.get(ENGINE);
      if (named != null && !SiteKeys.namesPlugin(named)) {
        where = "this host (" + named + ")";
      }
    }
    if (!where.isEmpty()) {
      diagnosis.add(
          FindingId.TIER_NOT_IN_FORCE, ENGINE, where, "stores of user tables lack its engine");
    }
  }
}
