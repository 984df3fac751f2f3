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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.MetricDeclaration;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import io.github.hybridhbase.testing.MetricNames;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What holds for the PromQL of the dashboard and of the alerts. */
@InterfaceAudience.Private
final class Expressions {
  private static final Pattern NAME = Pattern.compile("\\bhybrid_[a-z0-9_]+");
  private static final Pattern OVER_TIME = Pattern.compile("(?:rate|increase)\\(([a-z0-9_]+)");

  private Expressions() {}

  /** Metrics of the plugin in the text. */
  static Set<String> metrics(String text) {
    return NAME.matcher(text)
        .results()
        .map(name -> name.group())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Names at {@code /prometheus} of the metrics that the predicate chooses. */
  static Set<String> names(Predicate<MetricDeclaration> which) {
    return HybridMetrics.get().declared().stream()
        .filter(which)
        .flatMap(metric -> MetricNames.prometheus(metric).stream())
        .collect(Collectors.toSet());
  }

  /** Metrics in the text that the plugin does not have. */
  static Set<String> unknown(String text) {
    Set<String> unknown = metrics(text);
    unknown.removeAll(names(metric -> true));
    return unknown;
  }

  /** Metrics in the text that a recorded master or RegionServer did not publish. */
  static Set<String> notRecorded(String text) throws IOException {
    Set<String> missing = new TreeSet<>();
    for (RecordedScrape state : RecordedScrape.values()) {
      Set<String> recorded = state.series().keySet();
      for (String instance : List.of(RecordedScrape.MASTER, RecordedScrape.SERVER)) {
        for (String name : metrics(text)) {
          String series = name + "{instance=\"" + instance + "\"}";
          if (!recorded.contains(series)) {
            missing.add(state + " " + series);
          }
        }
      }
    }
    return missing;
  }

  /** Counters that are not asked for over time, and gauges that are. */
  static List<String> wrongOverTime(Collection<String> expressions) {
    Set<String> growing = names(metric -> metric.type == Type.COUNTER);
    names(metric -> metric.type == Type.HISTOGRAM).stream()
        .filter(name -> name.endsWith("_num_ops"))
        .forEach(growing::add);
    List<String> wrong = new ArrayList<>();
    for (String expression : expressions) {
      Set<String> overTime =
          OVER_TIME.matcher(expression).results().map(r -> r.group(1)).collect(Collectors.toSet());
      metrics(expression).stream()
          .filter(name -> overTime.contains(name) != growing.contains(name))
          .filter(name -> !name.equals("hybrid_hook_failures")) // each one counts
          .forEach(name -> wrong.add(name + " in " + expression));
    }
    return wrong;
  }
}
