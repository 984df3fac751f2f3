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
package io.github.hybridhbase.metrics;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One metric: its name, what it measures and what that means. HBase's registry keeps neither unit
 * nor help, so the documentation, the dashboard and the alert rules are tested against this.
 * Immutable.
 */
@InterfaceAudience.Private
public final class MetricDeclaration {
  /** How its value behaves. */
  @InterfaceAudience.Private
  public enum Type {
    /** What was counted since the process started. */
    COUNTER,
    /** What is. */
    GAUGE,
    /** How values were spread since HBase last told them, and how many there were in all. */
    HISTOGRAM
  }

  /** What HBase makes of a histogram; the first is a counter, the others are gauges. */
  private static final List<String> SPREAD =
      List.of(
          "_num_ops",
          "_min",
          "_max",
          "_mean",
          "_25th_percentile",
          "_median",
          "_75th_percentile",
          "_90th_percentile",
          "_95th_percentile",
          "_98th_percentile",
          "_99th_percentile",
          "_99.9th_percentile");

  private final String label;
  private final Type type;
  private final String unit;
  private final String help;

  /**
   * Declares a metric.
   *
   * @param label in camel case, unique
   * @param unit what is counted or measured
   * @param help what it means, in one line
   */
  public MetricDeclaration(String label, Type type, String unit, String help) {
    this.label = label;
    this.type = type;
    this.unit = unit;
    this.help = help;
  }

  /** Name in HBase's registry. */
  public String label() {
    return label;
  }

  /** How its value behaves. */
  public Type type() {
    return type;
  }

  /** What is counted or measured. */
  public String unit() {
    return unit;
  }

  /** Meaning, in one line. */
  public String help() {
    return help;
  }

  /** Its attributes of the bean in JMX. */
  public List<String> jmxNames() {
    String name = Character.toUpperCase(label.charAt(0)) + label.substring(1);
    return type == Type.HISTOGRAM
        ? SPREAD.stream().map(suffix -> name + suffix).collect(Collectors.toList())
        : List.of(name);
  }

  /** Its names at {@code /prometheus}, which HBase has from 2.6 on. */
  public List<String> prometheusNames() {
    return jmxNames().stream()
        .map(
            name ->
                ("Hybrid" + name)
                    .replaceAll("(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=([A-Z][a-z]))", "_")
                    .replaceAll("\\W", "_")
                    .toLowerCase(java.util.Locale.ROOT))
        .collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return label;
  }
}
