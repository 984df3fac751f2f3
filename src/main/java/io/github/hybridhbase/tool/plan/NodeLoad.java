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
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The load of a DataNode with SSD if these DataNodes carry everything that goes to SSD. Pure.
 *
 * <ul>
 *   <li>Received: every replica of WALs and, with the SSD tier, of flushes and minor compactions.
 *   <li>Sent: every replica except a pipeline's last one; with the SSD tier, compactions also read
 *       each edit twice, once within the tier and once to leave it.
 *   <li>Requests: a durable sync of a WAL syncs the block file and its checksum file.
 * </ul>
 */
@InterfaceAudience.Private
final class NodeLoad {
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

  double received() {
    return received;
  }

  double sent() {
    return sent;
  }

  double requests() {
    return requests;
  }

  /** In the busier direction. */
  double networkShare() {
    return Math.max(received, sent) / network;
  }

  double iopsShare() {
    return requests / iops;
  }

  boolean saturates() {
    return Math.max(networkShare(), iopsShare()) > 1;
  }

  /**
   * RegionServers of the current load that saturate the DataNodes; infinite if nothing is written.
   */
  double mostServers() {
    return Math.floor(servers / Math.max(networkShare(), iopsShare()));
  }
}
