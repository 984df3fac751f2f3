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

import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A group of gauges that observers set together. A gauge is the sum over its observers, e.g. one
 * per HDFS; 0 without any. Thread-safe; nothing here runs per append.
 */
@InterfaceAudience.Private
public class GaugeGroup {
  private final List<MetricDeclaration> declared = new ArrayList<>();
  private final Map<Object, Map<String, Long>> told = new ConcurrentHashMap<>();
  private final MetricRegistry registry;

  GaugeGroup(MetricRegistry registry) {
    this.registry = registry;
  }

  final void declare(String label, String unit, String help) {
    declared.add(new MetricDeclaration(label, Type.GAUGE, unit, help));
    Gauge<Long> gauge = () -> value(label);
    registry.register(label, gauge);
  }

  List<MetricDeclaration> declared() {
    return List.copyOf(declared);
  }

  public final long value(String label) {
    return told.values().stream().mapToLong(one -> one.getOrDefault(label, 0L)).sum();
  }

  /**
   * @param source the observer, with {@code equals}
   */
  final void tell(Object source, Map<String, Long> values) {
    told.put(source, Map.copyOf(values));
  }

  public final void forget(Object source) {
    told.remove(source);
  }
}
