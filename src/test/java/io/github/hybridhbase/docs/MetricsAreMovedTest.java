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

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.MetricDeclaration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * No metric without a test that provokes its cause and looks at it: each is named in a check, by
 * its label or its constant.
 */
@InterfaceAudience.Private
class MetricsAreMovedTest {
  private static final List<Path> TESTS =
      List.of(Path.of("src/test/java"), Path.of("src/bed/java"));

  /** A check, or what it compares with. */
  private static final Pattern CHECK =
      Pattern.compile("\\b(?:(?:assert\\w+|moves|spreads|await)\\s*\\(|long \\w+ =)");

  /** By component and medium: {@code everyComponentHasItsBytesByMedium} checks them in a loop. */
  private static final Pattern IN_A_LOOP =
      Pattern.compile("bytes(Wal|Master|Meta|Tier|Archive|User)(Ssd|Disk|Other|Misplaced)");

  private static Set<String> named(String statement) {
    Set<String> named = new TreeSet<>();
    for (MetricDeclaration metric : HybridMetrics.get().declared()) {
      if (statement.contains('"' + metric.label + '"')) {
        named.add(metric.label);
      }
    }
    for (Metric metric : Metric.values()) {
      if (Pattern.compile("Metric\\." + metric.name() + "\\b").matcher(statement).find()) {
        named.add(metric.label());
      }
    }
    return named;
  }

  private static Set<String> checked() throws IOException {
    Set<String> checked = new TreeSet<>();
    for (Path tests : TESTS) {
      try (Stream<Path> all = Files.walk(tests)) {
        all.filter(file -> file.toString().endsWith(".java"))
            .map(file -> assertDoesNotThrow(() -> Files.readString(file)))
            .flatMap(text -> Stream.of(text.split(";")))
            .filter(CHECK.asPredicate())
            .forEach(statement -> checked.addAll(named(statement)));
      }
    }
    return checked;
  }

  @Test
  void eachMetricIsMovedByATest() throws IOException {
    Set<String> checked = checked();
    assertTrue(checked.size() > 60, checked::toString);
    Set<String> lacking =
        HybridMetrics.get().declared().stream()
            .map(metric -> metric.label)
            .filter(label -> !checked.contains(label) && !IN_A_LOOP.matcher(label).matches())
            .collect(Collectors.toCollection(TreeSet::new));
    assertEquals(Set.of(), lacking);
  }
}
