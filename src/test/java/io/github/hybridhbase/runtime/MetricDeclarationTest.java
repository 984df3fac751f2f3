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
import org.apache.hadoop.hbase.metrics.Metric;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class MetricDeclarationTest {
  private static MetricRegistry ours() {
    HybridMetrics.get();
    return MetricRegistries.global().getMetricRegistries().stream()
        .filter(registry -> registry.getMetricRegistryInfo().getMetricsName().equals("Hybrid"))
        .findAny()
        .orElseThrow();
  }

  @Test
  void whatIsRegisteredIsWhatIsDeclaredEachOnce() {
    List<String> declared =
        HybridMetrics.get().declared().stream().map(one -> one.label).collect(Collectors.toList());
    assertEquals(declared.size(), Set.copyOf(declared).size());
    assertEquals(new TreeSet<>(declared), new TreeSet<>(ours().getMetrics().keySet()));
    for (MetricDeclaration one : HybridMetrics.get().declared()) {
      Metric metric = ours().get(one.label).orElseThrow();
      assertEquals(one.type == Type.COUNTER, metric instanceof Counter, one::toString);
      assertEquals(one.type == Type.HISTOGRAM, metric instanceof Histogram, one::toString);
    }
  }

  @Test
  void namesAreThoseThatHBaseMakes() {
    MetricDeclaration counter = new MetricDeclaration("walBytesSsd", Type.COUNTER, "");
    assertEquals(List.of("WalBytesSsd"), MetricNames.jmx(counter));
    assertEquals(List.of("hybrid_wal_bytes_ssd"), MetricNames.prometheus(counter));
    MetricDeclaration spread = new MetricDeclaration("walSyncMicrosSsd", Type.HISTOGRAM, "");
    assertTrue(MetricNames.jmx(spread).contains("WalSyncMicrosSsd_99.9th_percentile"));
    assertTrue(
        MetricNames.prometheus(spread).contains("hybrid_wal_sync_micros_ssd_99_9th_percentile"));
    assertEquals("hybrid_wal_sync_micros_ssd_num_ops", MetricNames.prometheus(spread).get(0));
  }

  @Test
  void aSourceThatLooksNoMoreIsForgottenAndSeveralAddUp() {
    GaugeGroup space = HybridMetrics.get().space;
    final long before = space.value("ssdCapacityBytes");
    final long full = space.value("ssdDataNodesFull");
    space.publish("one HDFS", Map.of("ssdCapacityBytes", 100L, "ssdDataNodesFull", 1L));
    space.publish("another", Map.of("ssdCapacityBytes", 1_000L));
    assertEquals(before + 1_100, space.value("ssdCapacityBytes"));
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
        assertEquals(figure, ((Gauge<?>) ours().get(label).orElseThrow()).getValue(), label);
      }
    }
    scans.forget("one master");
  }
}
