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
package io.github.hybridhbase.runtime;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.junit.jupiter.api.Test;

class HybridMetricsTest {
  private static MetricRegistry ours() {
    HybridMetrics.get().count(Metric.SCANS, 0);
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(registry -> registry.getMetricRegistryInfo().getMetricsName().equals("Hybrid"))
        .findAny()
        .orElseThrow();
  }

  /** HBase names the bean {@code Hadoop:service=HBase,name=} and the JMX context. */
  @Test
  void theBeanHasTheNameThatTheDocumentationGives() {
    assertEquals("Hybrid,sub=Hybrid", ours().getMetricRegistryInfo().getMetricsJmxContext());
  }

  @Test
  void everyMetricIsRegisteredUnderItsLabelAndCounts() {
    for (Metric metric : Metric.values()) {
      assertTrue(ours().get(metric.label()).isPresent(), metric.label());
    }
    long before = HybridMetrics.get().value(Metric.SCANS);
    HybridMetrics.get().count(Metric.SCANS, 3);
    assertEquals(before + 3, HybridMetrics.get().value(Metric.SCANS));
  }

  private static long told(String gauge) {
    return (Long) ((Gauge<?>) ours().get(gauge).orElseThrow()).getValue();
  }

  @Test
  void everyGaugeTellsWhatIs() {
    // Other tests of this process may have left something.
    long durable = told("walsDurable");
    long bytes = told("tierBytes");
    long share = told("tierShare");
    HybridMetrics metrics = HybridMetrics.get();
    metrics.wals().durable("a log of this test", true);
    metrics.tier.publish("a server of this test", Map.of("tierBytes", 3L, "tierShare", 5L));
    assertEquals(durable + 1, told("walsDurable"));
    assertEquals(bytes + 3, told("tierBytes"));
    assertEquals(share + 5, told("tierShare"));
    metrics.wals().durable("a log of this test", false);
    metrics.tier.forget("a server of this test");
    assertEquals(durable, told("walsDurable"));
    assertEquals(share, told("tierShare"));
    long lacking = told("walWritersNotInForce");
    metrics.writers("a server of this test", new WriterShortfall("it", "so", "do"));
    assertEquals(lacking + 1, told("walWritersNotInForce"));
    metrics.writersEnded("a server of this test");
    assertEquals(lacking, told("walWritersNotInForce"));
  }
}
