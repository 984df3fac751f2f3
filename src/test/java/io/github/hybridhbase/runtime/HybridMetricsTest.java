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

import io.github.hybridhbase.runtime.MetricDeclaration.GaugeGroup;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import io.github.hybridhbase.testing.MetricNames;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class HybridMetricsTest {
  /** HBase names the bean {@code Hadoop:service=HBase,name=} and the JMX context. */
  @Test
  void theBeanHasTheNameThatTheDocumentationGives() {
    assertEquals(
        "Hybrid,sub=Hybrid", MetricNames.registry().getMetricRegistryInfo().getMetricsJmxContext());
  }

  @Test
  void whatIsRegisteredIsWhatIsDeclaredEachOnceAndCounts() {
    List<String> declared =
        HybridMetrics.get().declared().stream().map(one -> one.label).collect(Collectors.toList());
    assertEquals(declared.size(), Set.copyOf(declared).size());
    assertEquals(
        new TreeSet<>(declared), new TreeSet<>(MetricNames.registry().getMetrics().keySet()));
    for (MetricDeclaration one : HybridMetrics.get().declared()) {
      Object metric = MetricNames.registry().get(one.label).orElseThrow();
      assertEquals(one.type == Type.COUNTER, metric instanceof Counter, one::toString);
      assertEquals(one.type == Type.HISTOGRAM, metric instanceof Histogram, one::toString);
    }
    long before = HybridMetrics.get().value(Metric.SCANS);
    HybridMetrics.get().count(Metric.SCANS, 3);
    assertEquals(before + 3, HybridMetrics.get().value(Metric.SCANS));
  }

  private static long told(String gauge) {
    return (Long) ((Gauge<?>) MetricNames.registry().get(gauge).orElseThrow()).getValue();
  }

  @Test
  void everyGaugeTellsWhatIs() {
    // Other tests of this process may have left something.
    long durable = told("walsDurable");
    HybridMetrics metrics = HybridMetrics.get();
    metrics.wals().durable("a log of this test", true);
    assertEquals(durable + 1, told("walsDurable"));
    metrics.wals().durable("a log of this test", false);
    assertEquals(durable, told("walsDurable"));
    long lacking = told("walWritersNotInForce");
    metrics.writers("a server of this test", new WriterShortfall("it", "so", "do"));
    assertEquals(lacking + 1, told("walWritersNotInForce"));
    metrics.writersEnded("a server of this test");
    assertEquals(lacking, told("walWritersNotInForce"));
  }

  @Test
  void aSourceThatLooksNoMoreIsForgottenAndSeveralAddUp() {
    GaugeGroup space = HybridMetrics.get().space;
    final long before = told("ssdCapacityBytes");
    final long full = space.value("ssdDataNodesFull");
    space.publish("one HDFS", Map.of("ssdCapacityBytes", 100L, "ssdDataNodesFull", 1L));
    space.publish("another", Map.of("ssdCapacityBytes", 1_000L));
    assertEquals(before + 1_100, told("ssdCapacityBytes"));
    assertEquals(full + 1, space.value("ssdDataNodesFull"));
    space.publish("another", Map.of());
    assertEquals(before + 100, space.value("ssdCapacityBytes"));
    space.forget("one HDFS");
    space.forget("another");
    assertEquals(before, space.value("ssdCapacityBytes"));
  }

  /** {@code bytesWalSsd} to {@code bytesUserMisplaced}: each shows its own figure. */
  @Test
  void everyComponentHasItsBytesByMedium() {
    GaugeGroup scans = HybridMetrics.get().scans;
    long figure = 0;
    for (String component : List.of("Wal", "Master", "Meta", "Tier", "Archive", "User")) {
      for (String medium : List.of("Ssd", "Disk", "Other", "Misplaced")) {
        Component one = Component.valueOf(component.toUpperCase(Locale.ROOT));
        String label = "bytes" + component + medium;
        scans.publish("one master", Map.of(HybridMetrics.scanned(one, medium), ++figure));
        assertEquals(figure, told(label), label);
      }
    }
    scans.forget("one master");
  }
}
