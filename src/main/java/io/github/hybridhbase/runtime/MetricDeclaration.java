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

  private final String label;
  private final Type type;
  private final String help;

  /**
   * @param label in camel case, unique
   */
  public MetricDeclaration(String label, Type type, String help) {
    this.label = label;
    this.type = type;
    this.help = help;
  }

  public String label() {
    return label;
  }

  public Type type() {
    return type;
  }

  public String help() {
    return help;
  }

  @Override
  public String toString() {
    return label;
  }

  /**
   * Gauges set together. A gauge is the sum over its observers, e.g. one per HDFS; 0 without any.
   * Thread-safe.
   */
  public static class GaugeGroup {
    private final List<MetricDeclaration> declared = new ArrayList<>();
    private final Map<Object, Map<String, Long>> published = new ConcurrentHashMap<>();
    private final MetricRegistry registry;

    GaugeGroup(MetricRegistry registry) {
      this.registry = registry;
    }

    final void declare(String label, String help) {
      declared.add(new MetricDeclaration(label, Type.GAUGE, help));
      Gauge<Long> gauge = () -> value(label);
      registry.register(label, gauge);
    }

    List<MetricDeclaration> declared() {
      return List.copyOf(declared);
    }

    public final long value(String label) {
      return published.values().stream().mapToLong(one -> one.getOrDefault(label, 0L)).sum();
    }

    /**
     * @param source with {@code equals}
     */
    final void publish(Object source, Map<String, Long> values) {
      published.put(source, Map.copyOf(values));
    }

    public final void forget(Object source) {
      published.remove(source);
    }
  }
}
