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
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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
    Set<String> ofMaster =
        Expressions.names(metric -> metric.label.matches("(ssd|scan|misplaced|bytes)[A-Z].*"));
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
}
