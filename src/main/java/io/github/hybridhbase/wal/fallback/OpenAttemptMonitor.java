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
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.asyncfs.monitor.ExcludeDatanodeManager;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hbase.util.Pair;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A {@link StreamSlowMonitor} of one file: DataNodes that refuse the file are excluded for it only;
 * slow ones are reported to HBase's own monitor.
 */
@InterfaceAudience.Private
final class OpenAttemptMonitor extends StreamSlowMonitor {
  private static final int ENOUGH = 100;

  /** {@code ExcludeDatanodeManager.ExcludeCause.CONNECT_ERROR}, which older lines lack. */
  private static final String CONNECT_ERROR = "connect error";

  private final StreamSlowMonitor stock;

  private final Set<DatanodeInfo> answered = ConcurrentHashMap.newKeySet();

  private volatile Acknowledgements listener;

  /**
   * @param excluded without these DataNodes
   */
  OpenAttemptMonitor(
      Configuration conf, String name, StreamSlowMonitor stock, Set<DatanodeInfo> excluded) {
    super(conf, name, excludes(conf));
    this.stock = stock;
    excluded.forEach(node -> getExcludeDatanodeManager().tryAddExcludeDN(node, "excluded"));
  }

  void passTo(Acknowledgements acknowledgements) {
    listener = acknowledgements;
  }

  /**
   * Removes DataNodes from HBase's exclude list whose connects failed up to this time, in
   * milliseconds; slow ones stay.
   */
  static void forgetConnectErrors(StreamSlowMonitor stock, long until) {
    if (stock != null) {
      listOf(stock).values().removeIf(why -> isConnectError(why, until));
    }
  }

  static Set<DatanodeInfo> excludedBy(StreamSlowMonitor monitor) {
    return monitor == null ? Set.of() : Set.copyOf(listOf(monitor).keySet());
  }

  static Set<DatanodeInfo> answered(StreamSlowMonitor monitor) {
    if (!(monitor instanceof OpenAttemptMonitor)) {
      return Set.of();
    }
    OpenAttemptMonitor own = (OpenAttemptMonitor) monitor;
    Acknowledgements acknowledgements = own.listener;
    return acknowledgements == null ? Set.copyOf(own.answered) : acknowledgements.answered();
  }

  /** Values are pairs of cause and time; before HBASE-29431 times only. */
  private static Map<DatanodeInfo, ?> listOf(StreamSlowMonitor monitor) {
    return monitor.getExcludeDatanodeManager().getExcludeDNs();
  }

  /** A value without a cause counts: a slow DataNode is soon detected again. */
  static boolean isConnectError(Object why, long until) {
    if (why instanceof Pair) {
      Pair<?, ?> causeAndTime = (Pair<?, ?>) why;
      return CONNECT_ERROR.equals(causeAndTime.getFirst())
          && isUpTo(causeAndTime.getSecond(), until);
    }
    return isUpTo(why, until);
  }

  private static boolean isUpTo(Object time, long until) {
    return time instanceof Long && (Long) time <= until;
  }

  private static ExcludeDatanodeManager excludes(Configuration conf) {
    Configuration roomy = new Configuration(conf);
    roomy.setInt(ExcludeDatanodeManager.WAL_MAX_EXCLUDE_SLOW_DATANODE_COUNT_KEY, ENOUGH);
    return new ExcludeDatanodeManager(roomy);
  }

  @Override
  public void checkProcessTimeAndSpeed(
      DatanodeInfo node, long packetLength, long processMillis, long lastAck, int unfinished) {
    Acknowledgements acknowledgements = listener;
    if (acknowledgements == null) {
      answered.add(node); // no allocation for a known DataNode
    } else {
      long now = EnvironmentEdgeManager.currentTime();
      acknowledgements.record(node, packetLength, processMillis, lastAck, unfinished, now);
      if (acknowledgements.isOver()) {
        return; // after failover, stragglers are not reported to HBase
      }
    }
    if (stock != null) {
      stock.checkProcessTimeAndSpeed(node, packetLength, processMillis, lastAck, unfinished);
    }
  }
}
