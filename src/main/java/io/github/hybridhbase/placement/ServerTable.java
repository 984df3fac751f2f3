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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.report.Report.Section;
import io.github.hybridhbase.runtime.WalMetrics.Medium;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** The table of servers, with the media of their open WALs, from their metrics. Pure. */
@InterfaceAudience.Private
public final class ServerTable {
  private static final Map<Medium, String> MEDIA =
      Map.of(
          Medium.SSD, "on SSD",
          Medium.MIXED, "partly",
          Medium.DISK, "on DISK",
          Medium.UNKNOWN, "not known");

  private ServerTable() {}

  /** Of those that run the plugin; findings name the others. */
  public static Section of(List<ServerPlugin> plugins) {
    Section section =
        new Section(
            "servers",
            "Servers",
            "server",
            "WALs now",
            "fall-backs",
            "fail-overs",
            "last of them",
            "p99 of syncs");
    for (ServerPlugin plugin : plugins) {
      boolean runs = plugin.version.seen().flatMap(version -> version).isPresent();
      if (runs && !plugin.server.startsWith(PluginFinder.BACKUP)) {
        row(plugin, plugin.metrics.orElse(new JsonObject()), section);
      }
    }
    return section;
  }

  private static void row(ServerPlugin plugin, JsonObject metrics, Section section) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("server", plugin.server);
    List<String> open = new ArrayList<>();
    double slowest = 0;
    for (Medium medium : Medium.values()) {
      String suffix = medium.suffix();
      long wals = (long) Jmx.number(metrics, "WalsOpen" + suffix);
      json.put("wals" + suffix, wals);
      if (wals > 0) {
        open.add(wals + " " + MEDIA.get(medium));
        slowest =
            Math.max(slowest, Jmx.number(metrics, "WalSyncMicros" + suffix + "_99th_percentile"));
      }
    }
    json.put("fallbacks", (long) Jmx.number(metrics, "WalFallbacks"));
    json.put("failovers", (long) Jmx.number(metrics, "WalFailovers"));
    json.put("lastEvent", plugin.lastEvent);
    json.put("syncMicros99", (long) slowest);
    section.row(
        json,
        plugin.server,
        !open.isEmpty()
            ? String.join(", ", open)
            : plugin.metrics.isPresent() ? "none" : "not known",
        json.get("fallbacks"),
        json.get("failovers"),
        plugin.lastEvent.isEmpty() ? "-" : plugin.lastEvent,
        slowest == 0 ? "-" : String.format(Locale.ROOT, "%.1f ms", slowest / 1_000));
  }
}
