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
package io.github.hybridhbase.testing;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.MetricDeclaration;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;

/** The names under which HBase publishes a metric. */
public final class MetricNames {
  /** HBase's names for a histogram's values; the first is a counter, the others are gauges. */
  private static final List<String> SPREAD =
      List.of(
          ("num_ops min max mean 25th_percentile median 75th_percentile 90th_percentile"
                  + " 95th_percentile 98th_percentile 99th_percentile 99.9th_percentile")
              .split(" "));

  private MetricNames() {}

  /** The plugin's metrics in this process. */
  public static MetricRegistry registry() {
    HybridMetrics.get().count(Metric.SCANS, 0);
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(registry -> registry.getMetricRegistryInfo().getMetricsName().equals("Hybrid"))
        .findAny()
        .orElseThrow();
  }

  /** At {@code /jmx}. */
  public static List<String> jmx(MetricDeclaration metric) {
    String name = Character.toUpperCase(metric.label.charAt(0)) + metric.label.substring(1);
    return metric.type == Type.HISTOGRAM
        ? SPREAD.stream().map(suffix -> name + "_" + suffix).collect(Collectors.toList())
        : List.of(name);
  }

  /** At {@code /prometheus}. */
  public static List<String> prometheus(MetricDeclaration metric) {
    return jmx(metric).stream()
        .map(
            name ->
                ("Hybrid" + name)
                    .replaceAll("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=([A-Z][a-z]))", "_")
                    .replaceAll("\\W", "_")
                    .toLowerCase(Locale.ROOT))
        .collect(Collectors.toList());
  }
}
