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
package io.github.hybridhbase.measure.report;

import io.github.hybridhbase.measure.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Throughput against all HDD over YCSB's workloads, reads from devices: the geometric mean within
 * each round that has them all. Immutable.
 */
@InterfaceAudience.Private
final class CoreMean {
  private final List<String> measured = new ArrayList<>();
  private final SortedMap<Integer, List<Double>> rounds = new TreeMap<>();

  private CoreMean() {}

  static CoreMean of(Results plan, String series) {
    CoreMean mean = new CoreMean();
    for (String workload : Select.CORE) {
      SortedMap<Integer, Double> ratios =
          plan.where(Select.devices(workload)).ratios(series, Results.BASE, Results.THROUGHPUT);
      if (!ratios.isEmpty()) {
        mean.measured.add(workload);
      }
      ratios.forEach(
          (round, ratio) ->
              mean.rounds.computeIfAbsent(round, any -> new ArrayList<>()).add(ratio));
    }
    return mean;
  }

  /** Not known where no round has all workloads. */
  Stat stat() {
    return of(Select.CORE.length);
  }

  private Stat of(int workloads) {
    List<Double> means = new ArrayList<>();
    for (List<Double> ratios : rounds.values()) {
      if (ratios.size() == workloads) {
        means.add(Numbers.geometricMean(ratios));
      }
    }
    return Stat.of(means);
  }

  /** Workloads that were measured. */
  List<String> measured() {
    return List.copyOf(measured);
  }

  /** Of those that were measured. */
  Stat partly() {
    return of(measured.size());
  }
}
