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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.wal.failover.Acknowledgements;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.asyncfs.monitor.ExcludeDatanodeManager;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link StreamSlowMonitor} of one file: DataNodes that refuse the file are excluded for it only;
 * slow ones are reported to HBase's own monitor.
 */
@InterfaceAudience.Private
final class OpenAttemptMonitor extends StreamSlowMonitor {
  private static final int ENOUGH = 100;

  /** DataNodes that have acknowledged something; may be cleared. */
  final Set<DatanodeInfo> answered = ConcurrentHashMap.newKeySet();

  /** Null if failover does not watch the file. */
  volatile Acknowledgements listener;

  private final StreamSlowMonitor stock;

  OpenAttemptMonitor(
      Configuration conf, String name, StreamSlowMonitor stock, Set<DatanodeInfo> excluded) {
    super(conf, name, excludes(conf));
    this.stock = stock;
    exclude(excluded);
  }

  private static ExcludeDatanodeManager excludes(Configuration conf) {
    Configuration roomy = new Configuration(conf);
    roomy.setInt(ExcludeDatanodeManager.WAL_MAX_EXCLUDE_SLOW_DATANODE_COUNT_KEY, ENOUGH);
    return new ExcludeDatanodeManager(roomy);
  }

  void exclude(Set<DatanodeInfo> nodes) {
    nodes.forEach(node -> getExcludeDatanodeManager().tryAddExcludeDN(node, "excluded"));
  }

  static Set<DatanodeInfo> excludedBy(StreamSlowMonitor monitor) {
    return monitor == null
        ? Set.of()
        : Set.copyOf(monitor.getExcludeDatanodeManager().getExcludeDNs().keySet());
  }

  @Override
  public void checkProcessTimeAndSpeed(
      DatanodeInfo node, long packetLength, long processMillis, long lastAck, int unfinished) {
    answered.add(node); // no allocation for a known DataNode
    Acknowledgements watch = listener;
    if (watch != null) {
      long now = EnvironmentEdgeManager.currentTime();
      watch.record(node, packetLength, processMillis, lastAck, unfinished, now);
    }
    if (stock != null && (watch == null || !watch.isOver())) { // stragglers after failover
      stock.checkProcessTimeAndSpeed(node, packetLength, processMillis, lastAck, unfinished);
    }
  }
}
