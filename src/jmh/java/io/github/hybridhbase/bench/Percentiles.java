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
package io.github.hybridhbase.bench;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** Percentiles of nanoseconds, in milliseconds; NaN of nothing. */
@InterfaceAudience.Private
final class Percentiles {
  private final long[] sorted;

  Percentiles(long[] nanos) {
    this.sorted = nanos.clone();
    Arrays.sort(this.sorted);
  }

  static Percentiles of(Collection<Long> nanos) {
    return new Percentiles(nanos.stream().mapToLong(Long::longValue).toArray());
  }

  double millis(int percent) {
    // The nearest rank: of few samples the 99th percentile is the greatest.
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) Math.max(0, ((long) sorted.length * percent + 99) / 100 - 1)] / 1e6;
  }

  /** Fields of a JSON object, null where nothing was sampled. */
  String json(String name) {
    StringBuilder json = new StringBuilder();
    for (int percent : new int[] {50, 99, 100}) {
      String value =
          sorted.length == 0 ? "null" : String.format(Locale.ROOT, "%.2f", millis(percent));
      String label = percent == 100 ? "Max" : "P" + percent;
      json.append(String.format(",\"%s%sMs\":%s", name, label, value));
    }
    return json.toString();
  }
}
