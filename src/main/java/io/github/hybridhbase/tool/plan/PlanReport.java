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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** All that a plan says, without the site file. Immutable. */
@InterfaceAudience.Private
final class PlanReport {
  private final Workload workload;
  private final Prices prices;
  private final SsdNeed need;
  private final List<Costs> costs;
  private final double driveWrites;
  private final double amplification;

  /**
   * Works it out.
   *
   * @param workload with every number known
   * @param driveWrites how often a drive may be written in full
   * @param amplification bytes that a drive writes for one that it is given
   * @throws IllegalArgumentException where the SSD tier leaves nothing for the rest
   */
  PlanReport(Workload workload, Prices prices, double driveWrites, double amplification) {
    this.workload = workload;
    this.prices = prices;
    this.driveWrites = driveWrites;
    this.amplification = amplification;
    this.need = SsdNeed.of(workload, prices.ssd().utilisation());
    this.costs =
        prices.compare(need.userBytes(), need.systemBytes(), need.capacity(), cacheBytes());
  }

  Workload workload() {
    return workload;
  }

  Prices prices() {
    return prices;
  }

  SsdNeed need() {
    return need;
  }

  List<Costs> costs() {
    return costs;
  }

  double driveWrites() {
    return driveWrites;
  }

  double amplification() {
    return amplification;
  }

  /** Bucket caches of all RegionServers. */
  private double cacheBytes() {
    return workload.get(Input.CACHE) * workload.get(Input.SERVERS);
  }

  /** SSD to have for bucket caches on each DataNode's host, which HDFS does not see. */
  double cachePerNode() {
    return cacheBytes() / workload.get(Input.DATA_NODES) / prices.ssd().utilisation();
  }

  /** SSD of a DataNode: what there is, or where that is not known what the plan asks for. */
  double nodeSsd() {
    double there = workload.get(Input.SSD);
    return there > 0 ? there : need.capacityPerNode();
  }

  /** Whether there is known to be less of SSD, network or requests than is needed. */
  boolean fails() {
    return falls() || nodeLoad().saturates();
  }

  /** Whether there is known to be less SSD for HDFS than is needed. */
  boolean falls() {
    return need.capacityPerNode() > nodeSsd() * (1 + 1e-9);
  }

  /** What each DataNode with SSD must carry. */
  NodeLoad nodeLoad() {
    return new NodeLoad(workload);
  }

  /** Years until the SSD is worn out, what HBase itself writes. */
  double wearYears() {
    double capacity = nodeSsd() * workload.get(Input.DATA_NODES);
    return need.wearYears(capacity, driveWrites, amplification);
  }
}
