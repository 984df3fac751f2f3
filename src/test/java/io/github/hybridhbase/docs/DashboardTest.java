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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * The dashboard's structure: rules of Grafana's, whose schema is no package to test with, and ours.
 * {@link DashboardValuesTest} evaluates the expressions.
 */
@InterfaceAudience.Private
class DashboardTest {
  private static final Path DASHBOARD = Path.of("conf/grafana-dashboard.json");
  private static final String DATA_SOURCE = "${datasource}";
  private static final String CLUSTER = "cluster=\"$cluster\"";
  private static final int COLUMNS = 24;

  /** Of Grafana's units. */
  private static final Set<String> UNITS =
      Set.of("none", "bytes", "percent", "percentunit", "ms", "s", "µs", "ops", "Bps");

  private static final Pattern SELECTOR = Pattern.compile("(hybrid_\\w+)(\\{[^}]*\\})?");
  private static final List<String> FIRST_ROW =
      List.of("WALs not on SSD", "Refused by SSD in an hour", "Free SSD", "Misplaced bytes");

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }

  private static List<JsonNode> panels() throws IOException {
    List<JsonNode> panels = new ArrayList<>();
    dashboard().path("panels").forEach(panels::add);
    assertTrue(panels.size() > 20, panels::toString);
    return panels;
  }

  /** Those that show something. */
  static List<JsonNode> shown() throws IOException {
    return panels().stream()
        .filter(panel -> !panel.path("type").asText().equals("row"))
        .collect(Collectors.toList());
  }

  static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    for (JsonNode panel : shown()) {
      panel.path("targets").forEach(target -> queries.add(target.path("expr").asText()));
    }
    assertTrue(queries.size() > 40, queries::toString);
    return queries;
  }

  static String title(JsonNode panel) {
    return panel.path("title").asText();
  }

  @Test
  void everyMetricThatIsAskedForExistsAndIsRecorded() throws IOException {
    String all = Files.readString(DASHBOARD);
    assertEquals(Set.of(), Expressions.unknown(all), "no metric of the plugin has these names");
    assertEquals(Set.of(), Expressions.notRecorded(all), "record again with MetricsIT");
  }

  @Test
  void whatGrowsIsAskedForOverTimeAndNothingElseIs() throws IOException {
    assertEquals(List.of(), Expressions.wrongOverTime(queries()));
  }

  /** No sum mixes clusters; what only the active master publishes is not filtered by server. */
  @Test
  void everySelectorNamesTheCluster() throws IOException {
    Set<String> ofMaster = Expressions.names(metric -> metric.help().endsWith("(active master)"));
    List<String> wrong = new ArrayList<>();
    for (String query : queries()) {
      SELECTOR
          .matcher(query)
          .results()
          .filter(
              selector ->
                  !String.valueOf(selector.group(2)).contains(CLUSTER)
                      || ofMaster.contains(selector.group(1))
                          && selector.group(2).contains("instance"))
          .forEach(selector -> wrong.add(selector.group() + " in " + query));
    }
    assertEquals(List.of(), wrong);
  }

  static List<JsonNode> firstRow() throws IOException {
    return shown().stream()
        .filter(panel -> panel.path("gridPos").path("y").asInt() == 0)
        .collect(Collectors.toList());
  }

  @Test
  void theFirstRowIsFourStatsWithThresholds() throws IOException {
    List<JsonNode> first = firstRow();
    assertEquals(FIRST_ROW, first.stream().map(DashboardTest::title).collect(Collectors.toList()));
    for (JsonNode panel : first) {
      assertEquals("stat", panel.path("type").asText());
    }
  }

  @Test
  void everyPanelHasAPlaceOfItsOwn() throws IOException {
    Set<Integer> ids = new HashSet<>();
    Set<List<Integer>> taken = new HashSet<>();
    for (JsonNode panel : panels()) {
      assertTrue(ids.add(panel.path("id").intValue()), () -> title(panel) + ": id is taken");
      JsonNode place = panel.path("gridPos");
      int left = place.path("x").intValue();
      int top = place.path("y").intValue();
      assertTrue(place.path("w").intValue() > 0 && place.path("h").intValue() > 0, title(panel));
      assertTrue(left >= 0 && left + place.path("w").intValue() <= COLUMNS, title(panel));
      for (int x = left; x < left + place.path("w").intValue(); x++) {
        for (int y = top; y < top + place.path("h").intValue(); y++) {
          assertTrue(taken.add(List.of(x, y)), () -> title(panel) + " overlaps another panel");
        }
      }
    }
  }

  @Test
  void everyPanelHasATitleAUnitAndTheDataSourceThatIsChosen() throws IOException {
    Set<String> titles = new HashSet<>();
    for (JsonNode panel : shown()) {
      assertTrue(Set.of("stat", "timeseries").contains(panel.path("type").asText()), title(panel));
      assertTrue(!title(panel).isEmpty() && titles.add(title(panel)), title(panel));
      assertEquals(DATA_SOURCE, panel.path("datasource").path("uid").asText(), title(panel));
      JsonNode defaults = panel.path("fieldConfig").path("defaults");
      assertTrue(UNITS.contains(defaults.path("unit").asText()), title(panel));
      Set<String> refIds = new HashSet<>();
      for (JsonNode target : panel.path("targets")) {
        assertTrue(refIds.add(target.path("refId").asText()), title(panel));
        assertEquals(DATA_SOURCE, target.path("datasource").path("uid").asText(), title(panel));
        assertFalse(target.path("legendFormat").asText().isEmpty(), title(panel));
      }
      assertFalse(refIds.isEmpty(), title(panel));
    }
  }

  @Test
  void everyStatHasThresholdsAndAWordForNoValue() throws IOException {
    for (JsonNode panel : shown()) {
      if (panel.path("type").asText().equals("stat")) {
        JsonNode defaults = panel.path("fieldConfig").path("defaults");
        assertEquals("not known", defaults.path("noValue").asText(), title(panel));
        assertEquals("thresholds", defaults.path("color").path("mode").asText(), title(panel));
        JsonNode steps = defaults.path("thresholds").path("steps");
        assertTrue(steps.size() >= 2, title(panel));
        assertTrue(steps.get(0).path("value").isNull(), title(panel));
        for (int i = 2; i < steps.size(); i++) {
          assertTrue(
              steps.get(i - 1).path("value").asDouble() < steps.get(i).path("value").asDouble(),
              title(panel));
        }
      }
    }
  }

  @Test
  void theVariablesAreDefinedBeforeTheyAreUsed() throws IOException {
    Set<String> defined = new TreeSet<>();
    for (JsonNode variable : dashboard().path("templating").path("list")) {
      Pattern.compile("\\$\\{?(\\w+)")
          .matcher(variable.toString())
          .results()
          .map(used -> used.group(1))
          .filter(used -> !used.startsWith("__"))
          .forEach(used -> assertTrue(defined.contains(used), used));
      defined.add(variable.path("name").asText());
    }
    assertEquals(Set.of("cluster", "datasource", "instance"), defined);
  }
}
