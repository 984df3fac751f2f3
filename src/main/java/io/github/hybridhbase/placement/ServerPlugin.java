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

import io.github.hybridhbase.runtime.WriterShortfall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** What a server reports of the plugin, filled once by {@link PluginFinder}, then only read. */
@InterfaceAudience.Private
public final class ServerPlugin {
  public final String server;
  public final Observed<Optional<String>> version;
  public final Observed<Boolean> configured;

  /** What its WAL writers lack. */
  public List<WriterShortfall> notInForce = List.of();

  /** By component; empty if unknown. */
  public Map<String, String> declared = Map.of();

  /** DataNodes that its WALs exclude, each since when. */
  public Map<String, String> excluded = Map.of();

  /** Of {@code Hybrid,sub=Hybrid}; empty if unknown. */
  public Optional<JsonObject> metrics = Optional.empty();

  /** The last fall-back or fail-over and its time; "" if none or unknown. */
  public String lastEvent = "";

  /** Empty if no store is open or the plugin is older. */
  public Optional<Boolean> engine = Optional.empty();

  /**
   * @param version empty for none
   * @param configured for a backup master, which does not run the plugin yet
   */
  public ServerPlugin(
      String server, Observed<Optional<String>> version, Observed<Boolean> configured) {
    this.server = server;
    this.version = version;
    this.configured = configured;
  }

  /** The jar alone on a backup master is not enough. */
  public boolean runs() {
    return configured.seen().equals(Optional.of(true))
        && version.seen().flatMap(found -> found).isPresent();
  }

  /** By DataNode: the servers that exclude it from their WALs, each since when. */
  public static Map<String, Map<String, String>> excluded(List<ServerPlugin> plugins) {
    Map<String, Map<String, String>> excluded = new TreeMap<>();
    for (ServerPlugin plugin : plugins) {
      plugin.excluded.forEach(
          (node, since) ->
              excluded.computeIfAbsent(node, any -> new TreeMap<>()).put(plugin.server, since));
    }
    return excluded;
  }
}
