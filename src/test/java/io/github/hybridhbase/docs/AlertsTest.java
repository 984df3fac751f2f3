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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.yaml.snakeyaml.Yaml;

/**
 * The alert rules against the metrics and the documents; and, if there is a {@code promtool},
 * evaluated: each alert on series that provoke it, and all of them on what a real cluster published
 * while it was healthy, while its SSDs were full and while a DataNode stalled.
 */
@InterfaceAudience.Private
class AlertsTest {
  private static final Path RULES = Path.of("conf/prometheus-rules.yml");

  private static final Path PROVOKED = Path.of("src/test/resources/provoked-alerts.yml");

  /** Of each recorded state, in samples a minute apart. */
  private static final int STATE_MINUTES = 60;

  private static final Pattern EXAMPLE = Pattern.compile("(?s)```yaml\n(.*?)\n *```");

  private static final Pattern QUOTED = Pattern.compile("'([A-Z][A-Za-z ]+)'");

  @TempDir private Path directory;

  private static List<JsonNode> rules() throws IOException {
    List<JsonNode> rules = new ArrayList<>();
    JsonNode file = new ObjectMapper().valueToTree(new Yaml().load(Files.readString(RULES)));
    file.at("/groups/0/rules").forEach(rules::add);
    return rules;
  }

  static List<String> all(String field) throws IOException {
    return rules().stream().map(rule -> rule.path(field).asText()).collect(Collectors.toList());
  }

  private static String annotation(JsonNode rule, String name) {
    return rule.path("annotations").path(name).asText();
  }

  /** The page has the finding, or a section of the alert, and names it in its table of alerts. */
  @Test
  void everyRunbookLeadsToAFinding() throws IOException {
    Path page = Path.of("docs/findings.md");
    String table = Files.readString(page).replaceAll("(?m)^(?!\\| `Hybrid).*", "");
    assertEquals(
        new TreeSet<>(all("alert")),
        Pattern.compile("`(\\w+)`")
            .matcher(table)
            .results()
            .map(name -> name.group(1))
            .collect(Collectors.toCollection(TreeSet::new)));
    List<String> wrong = new ArrayList<>();
    for (JsonNode rule : rules()) {
      String alert = rule.path("alert").asText();
      String[] runbook = (annotation(rule, "runbook_url") + "#").split("#", -1);
      boolean inTable =
          table
              .lines()
              .filter(line -> line.contains("`" + alert + "`"))
              .anyMatch(line -> line.contains("](#" + runbook[1] + ")"));
      if (!runbook[0].equals(page.toString())
          || !inTable
          || !PagesTest.anchors(page).contains(runbook[1])) {
        wrong.add(alert + ": " + String.join("#", runbook));
      }
    }
    assertEquals(List.of(), wrong);
  }

  /** Also where an aggregation would drop it. */
  @Test
  void everyAlertNamesItsCluster() throws IOException {
    for (JsonNode rule : rules()) {
      String expression = rule.path("expr").asText();
      assertTrue(annotation(rule, "summary").contains("$labels.cluster"), rule::toString);
      assertTrue(
          expression.startsWith("sum by (cluster) ")
              || !expression.matches(".*\\b(sum|max|avg|min|count)\\b.*"),
          expression);
    }
  }

  /** Words that an operator searches a log for. */
  @Test
  void whatIsQuotedFromTheLogIsInTheSource() throws IOException {
    StringBuilder sources = new StringBuilder();
    try (Stream<Path> files = Files.walk(Path.of("src/main/java"))) {
      for (Path file : files.filter(Files::isRegularFile).collect(Collectors.toList())) {
        sources.append(Files.readString(file));
      }
    }
    Set<String> gone = new TreeSet<>();
    int quoted = 0;
    for (JsonNode rule : rules()) {
      Matcher words = QUOTED.matcher(annotation(rule, "description"));
      while (words.find()) {
        quoted++;
        if (words.group(1).contains(" ") && sources.indexOf(words.group(1)) < 0) {
          gone.add(words.group(1));
        }
      }
    }
    assertEquals(Set.of(), gone);
    assertTrue(quoted > 0);
  }

  @Test
  void promtoolUnderstandsTheRules() throws Exception {
    PrometheusTools.promtool(directory, "check", "rules", RULES.toString());
  }

  /** With the rules beside it. */
  @Test
  void promtoolUnderstandsTheExampleOfAConfiguration() throws Exception {
    Matcher example = EXAMPLE.matcher(Files.readString(Path.of("docs/operate.md")));
    assertTrue(example.find());
    Files.copy(RULES, directory.resolve(RULES.getFileName()));
    Path file =
        Files.writeString(
            directory.resolve("prometheus.yml"), example.group(1).replaceAll("(?m)^  ", ""));
    PrometheusTools.promtool(directory, "check", "config", file.toString());
  }

  /** On series of one instance, at a time by which each has lasted long enough. */
  @Test
  void everyAlertFiresOnWhatProvokesItAndOnNothingElse() throws Exception {
    Map<String, Map<String, String>> provoked = new Yaml().load(Files.readString(PROVOKED));
    assertEquals(Set.copyOf(all("alert")), provoked.keySet());
    StringBuilder tests = new StringBuilder(head());
    for (String alert : provoked.keySet()) {
      tests.append("  - interval: 1m\n    input_series:\n");
      provoked
          .get(alert)
          .forEach((series, values) -> tests.append(input(series + "{instance=\"a\"}", values)));
      tests.append("    promql_expr_test:\n");
      expectFiring(tests, 305, "", provoked.keySet(), Set.of(alert));
    }
    promtool(tests);
  }

  /** A healthy cluster beside one that gets into trouble. */
  @Test
  void theRecordedTroubleFiresItsAlertsAndTheHealthyClusterNone() throws Exception {
    StringBuilder tests = new StringBuilder(head());
    tests.append("  - interval: 1m\n    input_series:\n");
    Map<String, String> healthy = RecordedScrape.HEALTHY.series();
    Map<String, String> troubled = RecordedScrape.FULL.series();
    Map<String, String> later = RecordedScrape.STALLED.series();
    for (String series : healthy.keySet()) {
      tests.append(input(RecordedScrape.labelled(series, "calm"), healthy.get(series) + "x310"));
      tests.append(
          input(
              RecordedScrape.labelled(series, "troubled"),
              Stream.of(healthy, troubled, later)
                  .map(state -> state.get(series) + "x" + (STATE_MINUTES - 1))
                  .collect(Collectors.joining(" "))));
    }
    tests.append("    promql_expr_test:\n");
    Set<String> asked = new TreeSet<>(all("alert"));
    expectFiring(tests, STATE_MINUTES - 1, "", asked, Set.of());
    int full = STATE_MINUTES;
    expectFiring(tests, full + 12, "troubled", asked, Set.of("HybridWalFellBack", "HybridSsdLow"));
    int stalled = 2 * STATE_MINUTES;
    expectFiring(
        tests, stalled - 1, "troubled", asked, Set.of("HybridWalsNotOnSsd", "HybridSsdLow"));
    expectFiring(
        tests,
        stalled + 12,
        "troubled",
        asked,
        Set.of("HybridWalFailedOver", "HybridWalUnderReplicated"));
    expectFiring(tests, 305, "calm", asked, Set.of());
    promtool(tests);
  }

  private void promtool(StringBuilder tests) throws Exception {
    Path file = Files.writeString(directory.resolve("test.yml"), tests);
    PrometheusTools.promtool(directory, "test", "rules", file.toString());
  }

  private static String head() {
    return "rule_files:\n  - " + RULES.toAbsolutePath() + "\nevaluation_interval: 1m\ntests:\n";
  }

  private static String input(String series, String values) {
    return String.format("      - series: '%s'\n        values: '%s'\n", series, values);
  }

  /**
   * Adds one expectation for each alert.
   *
   * @param cluster the label's value; empty for every cluster
   * @param alerts those that are asked for
   * @param firing those of them that fire
   */
  private static void expectFiring(
      StringBuilder tests, int minute, String cluster, Set<String> alerts, Set<String> firing) {
    String selector = cluster.isEmpty() ? "" : ",cluster=\"" + cluster + "\"";
    for (String alert : alerts) {
      boolean fires = firing.contains(alert);
      tests.append(
          String.format(
              "      - expr: 'clamp_max(count(ALERTS{alertname=\"%s\",alertstate=\"firing\"%s}),"
                  + " 1)'\n"
                  + "        eval_time: %dm\n"
                  + "        exp_samples:%s\n",
              alert,
              selector,
              minute,
              fires ? "\n          - labels: '{}'\n            value: 1" : " []"));
    }
  }
}
