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
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The dashboard's structure: rules of Grafana's, whose schema is no package to test with, and ours.
 * {@link DashboardValuesTest} evaluates the expressions.
 */
@InterfaceAudience.Private
class DashboardTest {
  private static final Path DASHBOARD = Path.of("conf/grafana-dashboard.json");
  private static final String CLUSTER = "cluster=\"$cluster\"";

  private static final Pattern SELECTOR = Pattern.compile("(hybrid_\\w+)(\\{[^}]*\\})?");

  private static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(DASHBOARD.toFile());
  }

  static List<String> queries() throws IOException {
    List<String> queries = dashboard().findValuesAsText("expr");
    assertTrue(queries.size() > 40, queries::toString);
    return queries;
  }

  static List<JsonNode> firstRow() throws IOException {
    List<JsonNode> panels = new ArrayList<>();
    dashboard().path("panels").forEach(panels::add);
    panels.removeIf(
        panel -> panel.at("/gridPos/y").asInt() > 0 || panel.path("type").asText().equals("row"));
    return panels;
  }

  static Stream<List<String>> askers() throws IOException {
    return Stream.of(List.of(Files.readString(DASHBOARD)), queries(), AlertsTest.all("expr"));
  }

  /** Also of the alerts, and of the variables. */
  @ParameterizedTest
  @MethodSource("askers")
  void everyMetricThatIsAskedForExistsAndIsRecorded(List<String> asked) throws IOException {
    assertEquals(Set.of(), Expressions.unknown(asked.toString()), "no metric has these names");
    assertEquals(
        Set.of(), Expressions.notRecorded(asked.toString()), "record again with MetricsIT");
  }

  @Test
  void whatGrowsIsAskedForOverTimeAndNothingElseIs() throws IOException {
    assertEquals(List.of(), Expressions.wrongOverTime(queries()));
    assertEquals(List.of(), Expressions.wrongOverTime(AlertsTest.all("expr")));
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
}
