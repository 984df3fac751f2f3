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
 * A monitor for one file: DataNodes that refuse it are excluded for this file only, DataNodes that
 * are slow in acknowledging are told to HBase's own monitor, as ever.
 */
@InterfaceAudience.Private
final class OpenAttemptMonitor extends StreamSlowMonitor {
  private static final int ENOUGH = 100;

  /** {@code ExcludeDatanodeManager.ExcludeCause.CONNECT_ERROR}, which older lines have not. */
  private static final String CONNECT_ERROR = "connect error";

  private final StreamSlowMonitor stock;

  /** DataNodes that have acknowledged a packet of this file. */
  private final Set<DatanodeInfo> answered = ConcurrentHashMap.newKeySet();

  /** Told of each acknowledgement; null for nobody. */
  private volatile Acknowledgements listener;

  private OpenAttemptMonitor(
      Configuration conf, String name, StreamSlowMonitor stock, ExcludeDatanodeManager excludes) {
    super(conf, name, excludes);
    this.stock = stock;
  }

  /** Starts from what HBase excludes. */
  OpenAttemptMonitor(Configuration conf, String name, StreamSlowMonitor stock) {
    this(conf, name, stock, excludes(conf));
    excludedBy(stock).forEach(node -> exclude(node, "on HBase's own list"));
  }

  /** Starts from these, which may be none. */
  static OpenAttemptMonitor without(
      Set<DatanodeInfo> silent, Configuration conf, String name, StreamSlowMonitor stock) {
    OpenAttemptMonitor monitor = new OpenAttemptMonitor(conf, name, stock, excludes(conf));
    silent.forEach(node -> monitor.exclude(node, "silent"));
    return monitor;
  }

  /** Starts from these, and from what HBase excludes. */
  OpenAttemptMonitor and(Set<DatanodeInfo> silent) {
    silent.forEach(node -> exclude(node, "silent"));
    return this;
  }

  /** From now on this is told of each acknowledgement. */
  void tell(Acknowledgements acknowledgements) {
    listener = acknowledgements;
  }

  private void exclude(DatanodeInfo node, String cause) {
    getExcludeDatanodeManager().tryAddExcludeDN(node, cause);
  }

  /**
   * Takes off HBase's own list the DataNodes whose connects failed up to this time, which may be
   * {@code Long.MIN_VALUE}. Those that are slow in acknowledging stay on it.
   */
  static void forgetConnectErrors(StreamSlowMonitor stock, long until) {
    if (stock != null) {
      listOf(stock).values().removeIf(why -> isConnectError(why, until));
    }
  }

  /** What is on this monitor's list, HBase's own or one of ours; a copy. */
  static Set<DatanodeInfo> excludedBy(StreamSlowMonitor monitor) {
    return monitor == null ? Set.of() : Set.copyOf(listOf(monitor).keySet());
  }

  /** The DataNodes that have acknowledged a packet; none where the monitor is HBase's own. */
  static Set<DatanodeInfo> answered(StreamSlowMonitor monitor) {
    if (!(monitor instanceof OpenAttemptMonitor)) {
      return Set.of();
    }
    OpenAttemptMonitor own = (OpenAttemptMonitor) monitor;
    Acknowledgements heard = own.listener;
    return heard == null ? Set.copyOf(own.answered) : heard.answered();
  }

  /** Its values are pairs of cause and time; before HBASE-29431 times, and the cause is lost. */
  private static Map<DatanodeInfo, ?> listOf(StreamSlowMonitor monitor) {
    return monitor.getExcludeDatanodeManager().getExcludeDNs();
  }

  /**
   * Whether a value of that list is a connect that failed up to this time. One without a cause is
   * taken for it: a DataNode that is slow is soon found to be so again, one that is avoided for six
   * hours costs replicas.
   */
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
    Acknowledgements heard = listener;
    if (heard == null) {
      answered.add(node); // allocates nothing once it is known
    } else {
      long now = EnvironmentEdgeManager.currentTime();
      heard.heard(node, packetLength, processMillis, lastAck, unfinished, now);
      if (heard.isOver()) {
        return; // a straggler of ours is none of HBase's
      }
    }
    if (stock != null) {
      stock.checkProcessTimeAndSpeed(node, packetLength, processMillis, lastAck, unfinished);
    }
  }
}
