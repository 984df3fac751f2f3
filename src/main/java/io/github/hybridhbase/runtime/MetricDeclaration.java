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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A metric's name, type, unit and meaning: HBase's registry has neither unit nor help. Immutable.
 */
@InterfaceAudience.Private
public final class MetricDeclaration {
  @InterfaceAudience.Private
  public enum Type {
    COUNTER,
    GAUGE,
    /** A distribution since HBase's last report, with a total count. */
    HISTOGRAM
  }

  public final String label;
  public final Type type;
  public final String help;

  /**
   * @param label in camel case, unique
   */
  public MetricDeclaration(String label, Type type, String help) {
    this.label = label;
    this.type = type;
    this.help = help;
  }

  @Override
  public String toString() {
    return label;
  }

  /** A registry with the declarations of what it has. */
  static final class Declared {
    final List<MetricDeclaration> all = new ArrayList<>();
    private final MetricRegistry registry;

    Declared(MetricRegistry registry) {
      this.registry = registry;
    }

    Counter counter(String label, String help) {
      all.add(new MetricDeclaration(label, Type.COUNTER, help));
      return registry.counter(label);
    }

    Histogram histogram(String label, String help) {
      all.add(new MetricDeclaration(label, Type.HISTOGRAM, help));
      return registry.histogram(label);
    }

    void gauge(String label, String help, Gauge<Long> value) {
      all.add(new MetricDeclaration(label, Type.GAUGE, help));
      registry.register(label, value);
    }
  }

  /**
   * Gauges set together. A gauge is the sum over its observers, e.g. one per HDFS; 0 without any.
   * Thread-safe.
   */
  public static final class GaugeGroup {
    private final Map<Object, Map<String, Long>> published = new ConcurrentHashMap<>();
    private final Declared declared;

    GaugeGroup(Declared declared) {
      this.declared = declared;
    }

    GaugeGroup gauge(String label, String help) {
      declared.gauge(label, help, () -> value(label));
      return this;
    }

    public long value(String label) {
      return published.values().stream().mapToLong(one -> one.getOrDefault(label, 0L)).sum();
    }

    /**
     * @param source with {@code equals}
     */
    public void publish(Object source, Map<String, Long> values) {
      published.put(source, Map.copyOf(values));
    }

    public void forget(Object source) {
      published.remove(source);
    }
  }
}
