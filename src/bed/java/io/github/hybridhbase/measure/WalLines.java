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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What {@code bench/wal-on-file-systems.sh} prints, as cells beside the others: logs alone, without
 * HBase's servers. Immutable.
 */
@InterfaceAudience.Private
final class WalLines {
  private static final ObjectMapper JSON = new ObjectMapper();

  /** What differs is the writer of a log on SSD. */
  private static final Map<String, Setup> SETUPS =
      Map.of("ASYNCFS", Setup.WAL_ONLY, "HYBRID_ASYNCFS", Setup.HYBRID);

  /** What a run was told, in its line and in the settings. */
  private static final String[] TOLD = {"device", "seconds", "bytes", "datanodes", "policy"};

  private final ObjectNode settings;
  private final List<ObjectNode> cells;

  private WalLines(ObjectNode settings, List<ObjectNode> cells) {
    this.settings = settings;
    this.cells = cells;
  }

  /**
   * Those of one device and one set of options; other rivals than stock's asyncfs and the plugin's
   * are left out.
   *
   * @throws IllegalArgumentException where it is something else, or of several devices or options
   */
  static WalLines of(List<String> lines) throws IOException {
    Set<ObjectNode> settings = new LinkedHashSet<>();
    List<ObjectNode> cells = new ArrayList<>();
    for (String line : lines) {
      if (!line.startsWith("{")) {
        continue; // what a script says beside its results
      }
      JsonNode run = JSON.readTree(line);
      if (!run.has("fileSystem") || !run.has("device") || !run.has("hsync")) {
        throw new IllegalArgumentException("no line of bench/wal-on-file-systems.sh: " + line);
      }
      settings.add(settings(run));
      if (SETUPS.containsKey(run.path("rival").asText())) {
        cells.add(cell(run));
      }
    }
    if (settings.size() != 1) {
      throw new IllegalArgumentException(
          "lines of one device and one set of options are needed, these are of " + settings);
    }
    return new WalLines(settings.iterator().next(), cells);
  }

  private static ObjectNode settings(JsonNode run) {
    ObjectNode settings = JSON.createObjectNode();
    for (String one : TOLD) {
      settings.put(one.equals("device") ? "devices" : one, run.path(one).asText("unknown"));
    }
    return settings;
  }

  private static ObjectNode cell(JsonNode run) {
    ObjectNode cell = JSON.createObjectNode();
    cell.put("id", "");
    for (Axis axis : Axis.values()) {
      cell.put(axis.label(), axis.base());
    }
    cell.put(Axis.EXPERIMENT.label(), "wal");
    cell.put(Axis.WORKLOAD.label(), "append");
    cell.put(Axis.SYNC.label(), run.get("hsync").asBoolean() ? "durable" : "hflush");
    cell.put(Axis.THREADS.label(), run.path("writers").asText());
    cell.put(Axis.SETUP.label(), SETUPS.get(run.path("rival").asText()).label());
    cell.put(Axis.ROUND.label(), run.path("round").asText());
    cell.put("fileSystem", run.get("fileSystem").asText());
    cell.put(
        "id",
        String.join(
            "/",
            "wal",
            run.get("fileSystem").asText(),
            cell.get(Axis.SYNC.label()).asText(),
            cell.get(Axis.THREADS.label()).asText(),
            cell.get(Axis.SETUP.label()).asText(),
            cell.get(Axis.ROUND.label()).asText()));
    cell.withArray("sections").add("The log alone");
    cell.put("opsPerSecond", run.path("opsPerSecond").asDouble());
    if (run.has("iosPerEdit")) {
      cell.put("requestsPerEdit", run.get("iosPerEdit").asDouble());
    }
    ObjectNode latency = cell.putObject("latencies").putObject("transaction");
    for (String percentile : new String[] {"p50", "p99"}) {
      latency.put(percentile + "Ms", run.path(percentile + "ms").asDouble());
    }
    return cell;
  }

  /** {@code paper} or {@code today}. */
  String device() {
    return settings.get("devices").asText();
  }

  /** What a file of results is bound to. */
  ObjectNode settings() {
    return settings.deepCopy();
  }

  List<ObjectNode> cells() {
    return List.copyOf(cells);
  }
}
