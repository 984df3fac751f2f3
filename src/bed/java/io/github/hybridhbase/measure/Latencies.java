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
package io.github.hybridhbase.measure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.apache.yetus.audience.InterfaceAudience;

/** How long operations took, by their kind. For one thread. */
@InterfaceAudience.Private
final class Latencies {
  private static final int DIGITS = 3;
  private static final double MILLI = 1e6;

  private final Map<String, Histogram> kinds = new TreeMap<>();

  void record(String kind, long nanos) {
    kinds.computeIfAbsent(kind, any -> new Histogram(DIGITS)).recordValue(Math.max(0, nanos));
  }

  void add(Latencies others) {
    others.kinds.forEach(
        (kind, those) -> kinds.computeIfAbsent(kind, any -> new Histogram(DIGITS)).add(those));
  }

  long count(String kind) {
    Histogram one = kinds.get(kind);
    return one == null ? 0 : one.getTotalCount();
  }

  /** Count and milliseconds by kind. */
  Map<String, Object> describe() {
    Map<String, Object> all = new LinkedHashMap<>();
    kinds.forEach(
        (kind, one) -> {
          Map<String, Object> values = new LinkedHashMap<>();
          values.put("count", one.getTotalCount());
          values.put("meanMs", Numbers.rounded(one.getMean() / MILLI));
          values.put("p50Ms", at(one, 50));
          values.put("p95Ms", at(one, 95));
          values.put("p99Ms", at(one, 99));
          values.put("p999Ms", at(one, 99.9));
          values.put("maxMs", Numbers.rounded(one.getMaxValue() / MILLI));
          all.put(kind, values);
        });
    return all;
  }

  private static double at(Histogram one, double percent) {
    return Numbers.rounded(one.getValueAtPercentile(percent) / MILLI);
  }
}
