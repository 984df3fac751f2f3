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
package io.github.hybridhbase.docs;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every expression of the dashboard, evaluated by a real Prometheus that holds three clusters of
 * {@link RecordedScrape}: one that stays healthy, one that goes through the three states, and a
 * healthy one without the label {@code cluster}.
 */
@InterfaceAudience.Private
class DashboardValuesTest {
  private static final int STATE_MINUTES = 60;
  private static final String CALM = "calm";
  private static final String TROUBLED = "troubled";
  private static final String WITHOUT_LABEL = "";

  @TempDir private static Path directory;

  private static RealPrometheus prometheus;

  /** Seconds since 1970: when the recorded healthy cluster's last scan had just ended. */
  private static long start;

  @BeforeAll
  static void startPrometheus() throws Exception {
    String ended = "hybrid_scan_ended_seconds{instance=\"" + RecordedScrape.MASTER + "\"}";
    start = (long) Double.parseDouble(RecordedScrape.HEALTHY.series().get(ended)) + 1;
    prometheus = new RealPrometheus(directory, samples());
  }

  @AfterAll
  static void stopPrometheus() {
    if (prometheus != null) {
      prometheus.close();
    }
  }

  private static String samples() throws IOException {
    Map<RecordedScrape, Map<String, String>> states = new EnumMap<>(RecordedScrape.class);
    for (RecordedScrape state : RecordedScrape.values()) {
      states.put(state, state.series());
    }
    StringBuilder samples = new StringBuilder();
    for (String series : states.get(RecordedScrape.HEALTHY).keySet()) {
      for (String cluster : List.of(CALM, TROUBLED, WITHOUT_LABEL)) {
        String labelled = cluster.isEmpty() ? series : RecordedScrape.labelled(series, cluster);
        for (RecordedScrape state : RecordedScrape.values()) {
          RecordedScrape shown = cluster.equals(TROUBLED) ? state : RecordedScrape.HEALTHY;
          String value = states.get(shown).get(series);
          for (long at = endOf(state) - 60L * (STATE_MINUTES - 1); at <= endOf(state); at += 60) {
            samples.append(labelled).append(' ').append(value).append(' ').append(at).append('\n');
          }
        }
      }
    }
    return samples.toString();
  }

  private static long endOf(RecordedScrape state) {
    return start + 60L * (STATE_MINUTES * (state.ordinal() + 1) - 1);
  }

  private static double value(String expression, String cluster, RecordedScrape state)
      throws IOException, InterruptedException {
    String query = expression.replace("$cluster", cluster).replace("$instance", ".*");
    return prometheus.value(query, endOf(state));
  }

  @Test
  void everyExpressionHasAValueInEveryState() throws Exception {
    List<String> without = new ArrayList<>();
    for (String query : DashboardTest.queries()) {
      for (RecordedScrape state : RecordedScrape.values()) {
        if (Double.isNaN(value(query, TROUBLED, state))) {
          without.add(state + ": " + query);
        }
      }
    }
    assertEquals(List.of(), without);
  }

  /** The trouble of one cluster moves no value of another, nor of one without the label. */
  @Test
  void noClusterIsMixedWithAnother() throws Exception {
    List<String> mixed = new ArrayList<>();
    for (String query : DashboardTest.queries()) {
      for (String cluster : List.of(CALM, WITHOUT_LABEL)) {
        double before = value(query, cluster, RecordedScrape.HEALTHY);
        double meanwhile = value(query, cluster, RecordedScrape.FULL);
        double passed = query.contains("time()") ? 60 * STATE_MINUTES : 0;
        if (meanwhile != before + passed) {
          mixed.add("of '" + cluster + "': " + query);
        }
      }
    }
    assertEquals(List.of(), mixed);
  }

  @Test
  void theVariablesListWhatThereIs() throws Exception {
    assertEquals("[\"calm\",\"troubled\"]", prometheus.labelValues("cluster", "hybrid_scans"));
    assertEquals(
        "[\"m0\",\"rs0\"]", prometheus.labelValues("instance", "hybrid_scans{cluster=\"calm\"}"));
  }

  @Test
  void theFirstRowIsGreenWhileHealthyAndRedWhileTheSsdsAreFull() throws Exception {
    assertEquals(List.of("green", "green", "green", "green"), colours(CALM, RecordedScrape.FULL));
    assertEquals(List.of("red", "red", "red", "orange"), colours(TROUBLED, RecordedScrape.FULL));
  }

  private static List<String> colours(String cluster, RecordedScrape state) throws Exception {
    List<String> colours = new ArrayList<>();
    for (JsonNode panel : DashboardTest.firstRow()) {
      colours.add(colour(panel, value(panel.at("/targets/0/expr").asText(), cluster, state)));
    }
    return colours;
  }

  private static String colour(JsonNode panel, double value) {
    String colour = "none";
    for (JsonNode step : panel.at("/fieldConfig/defaults/thresholds/steps")) {
      if (step.path("value").isNull() || value >= step.path("value").asDouble()) {
        colour = step.path("color").asText();
      }
    }
    return colour;
  }
}
