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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.MetricDeclaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * {@code docs/metrics.md} says of each metric what its declaration says. After a change of a
 * declaration {@code mvn test -Dtest=MetricsPageTest -Dhybrid.docs.write=true} writes it anew.
 */
@InterfaceAudience.Private
class MetricsPageTest {
  private static final Path PAGE = Path.of("docs/metrics.md");

  /** A comment that says which metrics stand below it, and their table. */
  private static final Pattern TABLE = Pattern.compile("(<!-- metrics: (\\S+) -->\n)(?:\\|.*\n)*");

  /** The row of each metric, by its name. */
  private static Map<String, String> rows() {
    Map<String, String> rows = new LinkedHashMap<>();
    for (MetricDeclaration metric : HybridMetrics.get().declared()) {
      rows.put(metric.label(), row(metric));
    }
    return rows;
  }

  private static String row(MetricDeclaration metric) {
    return String.format(
        "| `%s` | %s | %s | %s |\n",
        metric.label(),
        metric.type().name().toLowerCase(Locale.ROOT),
        metric.unit(),
        metric.help());
  }

  private static String table(Pattern names) {
    return "| metric | type | unit | meaning |\n| --- | --- | --- | --- |\n"
        + rows().entrySet().stream()
            .filter(row -> names.matcher(row.getKey()).matches())
            .map(Map.Entry::getValue)
            .collect(Collectors.joining());
  }

  @Test
  void thePageHasTheTablesOfTheDeclarations() throws IOException {
    String wanted =
        TABLE
            .matcher(Files.readString(PAGE))
            .replaceAll(
                comment ->
                    Matcher.quoteReplacement(
                        comment.group(1) + table(Pattern.compile(comment.group(2)))));
    if (Boolean.getBoolean("hybrid.docs.write")) {
      Files.writeString(PAGE, wanted);
    }
    assertEquals(
        wanted,
        Files.readString(PAGE),
        PAGE + " is not what the metrics say: run this test with -Dhybrid.docs.write=true");
    List<String> wrong = new ArrayList<>(rows().values());
    wrong.removeIf(row -> wanted.contains(row) && wanted.indexOf(row) == wanted.lastIndexOf(row));
    assertEquals(List.of(), wrong, "these stand in no table, or in two");
  }
}
