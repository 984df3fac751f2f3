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

import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.MetricDeclaration;
import io.github.hybridhbase.metrics.MetricDeclaration.Type;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The dashboard and the alert rules against the metrics that there are, and, where {@code promtool}
 * is (Debian's package prometheus; {@code -Dhybrid.promtool=FILE}), evaluated: each query on what a
 * RegionServer and a master of a real cluster showed, each alert on series that provoke it.
 */
@InterfaceAudience.Private
class DashboardTest {
  private static final Path DASHBOARD = Path.of("conf/grafana-dashboard.json");
  private static final Path RULES = Path.of("conf/prometheus-rules.yml");
  private static final Path SCRAPE = Path.of("src/test/resources/prometheus/scrape.txt");

  private static final Pattern NAME = Pattern.compile("\\bhybrid_[a-z0-9_]+");
  private static final Pattern RULE =
      Pattern.compile("- alert: (\\w+)\n\\s+expr: (.*)\n(?:\\s+for: (\\w+)\n)?");
  private static final Pattern OVER_TIME = Pattern.compile("(?:rate|increase)\\(([a-z0-9_]+)");

  /** What provokes each alert: values a minute apart, of instance a. */
  private static final Map<String, String> PROVOKED = new LinkedHashMap<>();

  static {
    PROVOKED.put("HybridWalFellBack", "hybrid_wal_fallbacks: 0x290 1x20");
    PROVOKED.put(
        "HybridWalsNotOnSsd", "hybrid_wals_open_disk: 1x310 hybrid_wals_open_mixed: 0x310");
    PROVOKED.put("HybridWalUnderReplicated", "hybrid_wals_under_replicated: 1x310");
    PROVOKED.put(
        "HybridWriterNotInForce",
        "hybrid_wal_fallback_not_in_force: 1x310 hybrid_wal_coalescing_not_in_force: 0x310"
            + " hybrid_wal_auto_not_in_force: 0x310");
    PROVOKED.put("HybridSyncSlow", "hybrid_wal_sync_micros_ssd_99th_percentile: 200000x310");
    PROVOKED.put("HybridWritersHeldUp", "hybrid_write_delay_millis: 0+12000x310");
    PROVOKED.put(
        "HybridSsdLow", "hybrid_ssd_free_bytes: 14x310 hybrid_ssd_capacity_bytes: 100x310");
    PROVOKED.put("HybridDataNodeWithoutHeadroom", "hybrid_ssd_data_nodes_without_headroom: 1x310");
    PROVOKED.put("HybridComponentsDemoted", "hybrid_components_demoted: 1x310");
    PROVOKED.put("HybridSpaceUnknown", "hybrid_space_unknown: 0x270 0+1x40");
    PROVOKED.put("HybridMisplaced", "hybrid_misplaced_bytes: 1x310");
    PROVOKED.put("HybridMovesFailed", "hybrid_moves_failed: 0x290 1x20");
    PROVOKED.put("HybridNoScan", "hybrid_scan_ended_seconds: 60x310 hybrid_scan_reads: 5x310");
    PROVOKED.put(
        "HybridNoScanYet",
        "hybrid_scan_ended_seconds: 0x310 hybrid_ssd_capacity_bytes: 1x310 hybrid_scan_reads: 0x310");
    // One an hour, each of which has read some pages.
    PROVOKED.put(
        "HybridScansFail",
        "hybrid_scans_failed: 0x59 1x59 2x59 3x59 4x59 5x59 hybrid_scans: 0x310"
            + " hybrid_scan_ended_seconds: 0x310 hybrid_ssd_capacity_bytes: 1x310"
            + " hybrid_scan_reads: 0x59 7x59 14x59 21x59 28x59 35x59");
    PROVOKED.put("HybridPolicyConflict", "hybrid_policy_conflicts: 0x290 1x20");
    PROVOKED.put("HybridHookFailures", "hybrid_hook_failures: 0x290 1x20");
  }

  @TempDir private Path directory;

  private static Set<String> names(Predicate<MetricDeclaration> which) {
    return HybridMetrics.get().declared().stream()
        .filter(which)
        .flatMap(metric -> metric.prometheusNames().stream())
        .collect(Collectors.toSet());
  }

  /** Those whose value only grows. */
  private static Set<String> growing() {
    Set<String> names = names(metric -> metric.type() == Type.COUNTER);
    names.addAll(
        names(metric -> metric.type() == Type.HISTOGRAM).stream()
            .filter(name -> name.endsWith("_num_ops"))
            .collect(Collectors.toSet()));
    return names;
  }

  private static void strings(JsonElement json, String key, List<String> into) {
    if (json.isJsonObject()) {
      json.getAsJsonObject()
          .entrySet()
          .forEach(
              field -> {
                if (field.getKey().equals(key)) {
                  into.add(field.getValue().getAsString());
                } else {
                  strings(field.getValue(), key, into);
                }
              });
    } else if (json.isJsonArray()) {
      json.getAsJsonArray().forEach(one -> strings(one, key, into));
    }
  }

  private static List<String> queries() throws IOException {
    List<String> queries = new ArrayList<>();
    strings(JsonParser.parseString(Files.readString(DASHBOARD)), "expr", queries);
    assertTrue(queries.size() > 40, queries::toString);
    return queries;
  }

  /** Expression by name. */
  private static Map<String, String> alerts() throws IOException {
    Map<String, String> alerts = new LinkedHashMap<>();
    Matcher rule = RULE.matcher(Files.readString(RULES));
    while (rule.find()) {
      alerts.put(rule.group(1), rule.group(2));
    }
    assertEquals(
        Files.readString(RULES).split("- alert:", -1).length - 1, alerts.size(), "all are read");
    return alerts;
  }

  private static Set<String> asked() throws IOException {
    Set<String> asked = new TreeSet<>();
    for (Path file : List.of(DASHBOARD, RULES)) {
      NAME.matcher(Files.readString(file)).results().forEach(name -> asked.add(name.group()));
    }
    assertTrue(asked.size() > 50, asked::toString);
    return asked;
  }

  @Test
  void everyMetricThatIsAskedForExists() throws IOException {
    Set<String> asked = asked();
    asked.removeAll(names(metric -> true));
    assertEquals(Set.of(), asked, "no metric of the plugin has these names");
  }

  @Test
  void whatGrowsIsAskedForOverTimeAndNothingElseIs() throws IOException {
    List<String> wrong = new ArrayList<>();
    for (String query :
        Stream.concat(queries().stream(), alerts().values().stream())
            .collect(Collectors.toList())) {
      Set<String> overTime =
          OVER_TIME.matcher(query).results().map(r -> r.group(1)).collect(Collectors.toSet());
      NAME.matcher(query)
          .results()
          .map(name -> name.group())
          .filter(name -> overTime.contains(name) != growing().contains(name))
          .filter(name -> !name.equals("hybrid_hook_failures")) // each one counts
          .forEach(name -> wrong.add(name + " in " + query));
    }
    assertEquals(List.of(), wrong);
  }

  /** The names are those that a real HBase showed, of a master and of a RegionServer. */
  @Test
  void everyMetricThatIsAskedForIsInTheRecordedScrape() throws IOException {
    for (String instance : List.of("m0", "rs0")) {
      Set<String> missing = asked();
      scrape().keySet().stream()
          .filter(series -> series.endsWith("{instance=\"" + instance + "\"}"))
          .forEach(series -> missing.remove(series.substring(0, series.indexOf('{'))));
      assertEquals(Set.of(), missing, "run MetricsIT on 2.6.1, and take target/scrape-*.txt over");
    }
  }

  @Test
  void everyAlertIsProvokedByATest() throws IOException {
    assertEquals(alerts().keySet(), PROVOKED.keySet());
  }

  private static Optional<Path> promtool() {
    return Stream.concat(
            Stream.ofNullable(System.getProperty("hybrid.promtool")),
            Stream.of(System.getenv("PATH").split(":")).map(path -> path + "/promtool"))
        .map(Path::of)
        .filter(Files::isExecutable)
        .findFirst();
  }

  private void promtool(String... arguments) throws IOException, InterruptedException {
    Optional<Path> tool = promtool();
    Assumptions.assumeTrue(tool.isPresent(), "no promtool: Debian's package prometheus has it");
    List<String> command = new ArrayList<>(List.of(tool.get().toString()));
    command.addAll(List.of(arguments));
    Path out = directory.resolve("out");
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start()
            .waitFor();
    assertEquals(0, exit, Files.readString(out));
  }

  @Test
  void promtoolUnderstandsTheRules() throws Exception {
    promtool("check", "rules", RULES.toString());
  }

  /** On series of one instance, at a time by which each has lasted long enough. */
  @Test
  void everyAlertFiresOnWhatProvokesItAndOnNothingElse() throws Exception {
    StringBuilder tests = new StringBuilder(head());
    for (String alert : PROVOKED.keySet()) {
      tests.append("  - interval: 1m\n    input_series:\n");
      for (String series : PROVOKED.get(alert).split(" (?=hybrid_)")) {
        int colon = series.indexOf(": ");
        tests.append(
            String.format(
                "      - series: '%s{instance=\"a\"}'\n        values: '%s'\n",
                series.substring(0, colon), series.substring(colon + 2)));
      }
      tests.append("    promql_expr_test:\n");
      for (String other : PROVOKED.keySet()) {
        expect(
            tests,
            "count(ALERTS{alertname=\"" + other + "\",alertstate=\"firing\"})",
            "305m",
            other.equals(alert));
      }
    }
    promtool("test", "rules", write(tests));
  }

  /** What a real master and RegionServer showed, standing still: no alert, and no empty panel. */
  @Test
  void everyQueryOfTheDashboardHasAnAnswerOnARecordedScrape() throws Exception {
    StringBuilder tests = new StringBuilder(head());
    tests.append("  - interval: 1m\n    input_series:\n");
    for (Map.Entry<String, String> series : scrape().entrySet()) {
      tests.append(
          String.format(
              "      - series: '%s'\n        values: '%sx310'\n",
              series.getKey(), series.getValue()));
    }
    tests.append("    promql_expr_test:\n");
    expect(tests, "ALERTS{alertstate=\"firing\"}", "305m", false);
    for (String query : queries()) {
      expect(tests, "clamp_max(count(" + query.replace("$instance", ".*") + "), 1)", "15m", true);
    }
    promtool("test", "rules", write(tests));
  }

  /** Value by series, as {@code MetricsIT} recorded it on a 2.6.1 cluster of separate processes. */
  private static Map<String, String> scrape() throws IOException {
    Map<String, String> values = new LinkedHashMap<>();
    for (String line : Files.readAllLines(SCRAPE)) {
      int end = line.lastIndexOf(' ');
      values.put(line.substring(0, end), line.substring(end + 1));
    }
    return values;
  }

  private static String head() {
    return "rule_files:\n  - " + RULES.toAbsolutePath() + "\nevaluation_interval: 1m\ntests:\n";
  }

  private static void expect(StringBuilder tests, String query, String at, boolean one) {
    tests.append(
        String.format(
            "      - expr: '%s'\n        eval_time: %s\n        exp_samples:%s\n",
            query, at, one ? "\n          - labels: '{}'\n            value: 1" : " []"));
  }

  private String write(StringBuilder tests) throws IOException {
    return Files.writeString(directory.resolve("test.yml"), tests).toString();
  }
}
