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

import io.github.hybridhbase.tool.plan.Prices.Costs;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** The results of a plan, without the site file. Immutable. */
@InterfaceAudience.Private
public final class PlanReport {
  private final Workload workload;
  private final Prices prices;
  private final SsdNeed need;
  private final List<Costs> costs;
  private final double driveWrites;
  private final double amplification;
  private final double life;

  /**
   * @param driveWrites full writes that a drive endures
   * @param amplification bytes that a drive writes per byte it receives
   * @param life years that drives are to last; 0 for no size by wear
   * @throws IllegalArgumentException if the SSD tier leaves nothing for other data
   */
  public PlanReport(
      Workload workload, Prices prices, double driveWrites, double amplification, double life) {
    this.workload = workload;
    this.prices = prices;
    this.driveWrites = driveWrites;
    this.amplification = amplification;
    this.life = life;
    this.need = SsdNeed.of(workload, prices.ssd().utilisation());
    this.costs =
        prices.compare(
            need.userBytes(),
            need.systemBytes(),
            neededPerNode() * workload.get(Input.DATA_NODES),
            cacheBytes());
  }

  public Workload workload() {
    return workload;
  }

  public Prices prices() {
    return prices;
  }

  public SsdNeed need() {
    return need;
  }

  public List<Costs> costs() {
    return costs;
  }

  public double driveWrites() {
    return driveWrites;
  }

  public double amplification() {
    return amplification;
  }

  private double cacheBytes() {
    return workload.get(Input.CACHE) * workload.get(Input.SERVERS);
  }

  /** Outside HDFS. */
  public double cachePerNode() {
    return cacheBytes() / workload.get(Input.DATA_NODES) / prices.ssd().utilisation();
  }

  public double nodeSsd() {
    double there = workload.get(Input.SSD);
    return there > 0 ? there : neededPerNode();
  }

  public double neededPerNode() {
    double worn = need.capacityForLife(life, driveWrites, amplification);
    return Math.max(need.capacityPerNode(), worn / workload.get(Input.DATA_NODES));
  }

  public double life() {
    return life;
  }

  public boolean wearsOut() {
    return wearYears() < life * (1 - 1e-9);
  }

  public boolean fails() {
    return falls() || wearsOut() || nodeLoad().saturates();
  }

  public boolean falls() {
    return need.capacityPerNode() > nodeSsd() * (1 + 1e-9);
  }

  public NodeLoad nodeLoad() {
    return new NodeLoad(workload);
  }

  public double wearYears() {
    double capacity = nodeSsd() * workload.get(Input.DATA_NODES);
    return need.wearYears(capacity, driveWrites, amplification);
  }

  /**
   * The load of a DataNode with SSD if these DataNodes carry everything that goes to SSD. Pure.
   *
   * <ul>
   *   <li>Received: every replica of WALs and, with the SSD tier, of flushes and minor compactions.
   *   <li>Sent: every replica except a pipeline's last one; with the SSD tier, compactions also
   *       read each edit twice, once within the tier and once to leave it.
   *   <li>Requests: a durable sync of a WAL syncs the block file and its checksum file.
   * </ul>
   */
  public static final class NodeLoad {
    private static final int FSYNCS_A_SYNC = 2;
    private static final int WRITES_IN_TIER = 2;
    private static final int READS_IN_TIER = 2;

    private final double received;
    private final double sent;
    private final double requests;
    private final double network;
    private final double iops;
    private final double servers;

    NodeLoad(Workload workload) {
      double nodes = workload.get(Input.DATA_NODES);
      double rate = workload.get(Input.WRITE_RATE);
      double wals = workload.get(Input.WAL_REPLICATION);
      double files = workload.hasTier() ? WRITES_IN_TIER : 0;
      double replicas = workload.get(Input.REPLICATION);
      double reads = workload.hasTier() ? READS_IN_TIER : 0;
      servers = workload.get(Input.SERVERS);
      received = rate * (wals + files * replicas) / nodes;
      sent = rate * (wals - 1 + files * (replicas - 1) + reads) / nodes;
      requests = servers * workload.get(Input.SYNCS) * wals * FSYNCS_A_SYNC / nodes;
      network = workload.get(Input.NETWORK);
      iops = workload.get(Input.IOPS);
    }

    public double received() {
      return received;
    }

    public double sent() {
      return sent;
    }

    public double requests() {
      return requests;
    }

    /** In the busier direction. */
    public double networkShare() {
      return Math.max(received, sent) / network;
    }

    public double iopsShare() {
      return requests / iops;
    }

    public boolean saturates() {
      return Math.max(networkShare(), iopsShare()) > 1;
    }

    /**
     * RegionServers of the current load that saturate the DataNodes; infinite if nothing is
     * written.
     */
    public double mostServers() {
      return Math.floor(servers / Math.max(networkShare(), iopsShare()));
    }
  }
}
