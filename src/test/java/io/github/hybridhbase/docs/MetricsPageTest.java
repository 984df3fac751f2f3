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

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.MetricDeclaration;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.commons.lang3.StringUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/metrics.md} says of each metric what its declaration says. After a change of a
 * declaration {@code mvn test -Dtest=MetricsPageTest -Dhybrid.docs.write=true} writes it anew.
 */
@InterfaceAudience.Private
class MetricsPageTest {
  private static final Path PAGE = Path.of("docs/metrics.md");

  /** As the page's first lines have it. */
  private static final Map<Object, String> MARKS =
      Map.of(Type.COUNTER, "", Type.GAUGE, "*", Type.HISTOGRAM, "**");

  /** Metrics of one type and meaning are one row: what differs stands in braces. */
  private static String table(List<MetricDeclaration> metrics) {
    Map<List<Object>, List<String>> rows = new LinkedHashMap<>();
    for (MetricDeclaration metric : metrics) {
      rows.computeIfAbsent(List.of(metric.type, metric.help), row -> new ArrayList<>())
          .add(metric.label);
    }
    StringBuilder table = new StringBuilder("| metric | meaning |\n| --- | --- |\n");
    rows.forEach(
        (row, labels) -> {
          String mark = MARKS.get(row.get(0));
          table.append(String.format("| %s`%s`%s | %s |\n", mark, name(labels), mark, row.get(1)));
        });
    return table.toString();
  }

  private static String name(List<String> labels) {
    if (labels.size() == 1) {
      return labels.get(0);
    }
    String common = StringUtils.getCommonPrefix(labels.toArray(new String[0]));
    Set<String> first = new LinkedHashSet<>();
    Set<String> second = new LinkedHashSet<>();
    for (String label : labels) {
      String[] words = label.substring(common.length()).split("(?<=[a-z])(?=[A-Z])", 2);
      first.add(words[0]);
      second.add(words.length > 1 ? words[1] : "");
    }
    if (labels.size() != first.size() * second.size()) {
      return common
          + braces(
              labels.stream().map(label -> label.substring(common.length())).collect(toList()));
    }
    return common + braces(first) + (second.size() > 1 ? braces(second) : second.iterator().next());
  }

  private static String braces(Collection<String> words) {
    return words.stream().collect(joining(",", "{", "}"));
  }

  @Test
  void thePageHasTheTablesOfTheDeclarations() throws IOException {
    List<MetricDeclaration> left = new ArrayList<>(HybridMetrics.get().declared());
    ConfigurationTest.assertTables(
        PAGE,
        "metrics",
        names -> {
          List<MetricDeclaration> some =
              left.stream().filter(metric -> names.test(metric.label)).collect(toList());
          left.removeAll(some);
          return table(some);
        });
    assertEquals(List.of(), left, "these stand in no table");
  }
}
