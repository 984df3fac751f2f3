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
package io.github.hybridhbase.wal;

import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.io.asyncfs.monitor.ExcludeDatanodeManager;
import org.apache.hadoop.hbase.io.asyncfs.monitor.ExcludeDatanodeManager.ExcludeCause;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A monitor for one file: DataNodes that refuse it are excluded for this file only, DataNodes that
 * are slow in acknowledging are told to HBase's own monitor, as ever.
 */
@InterfaceAudience.Private
final class TryMonitor extends StreamSlowMonitor {
  private static final int ENOUGH = 100;

  private final StreamSlowMonitor stock;

  private TryMonitor(
      Configuration conf, String name, StreamSlowMonitor stock, ExcludeDatanodeManager excludes) {
    super(conf, name, excludes);
    this.stock = stock;
  }

  /** Starts from what HBase excludes. */
  TryMonitor(Configuration conf, String name, StreamSlowMonitor stock) {
    this(conf, name, stock, excludes(conf));
    if (stock != null) {
      stock
          .getExcludeDatanodeManager()
          .getExcludeDNs()
          .forEach(
              (node, why) -> getExcludeDatanodeManager().tryAddExcludeDN(node, why.getFirst()));
    }
  }

  /** Starts from an empty list. */
  static TryMonitor withoutExcludes(Configuration conf, String name, StreamSlowMonitor stock) {
    return new TryMonitor(conf, name, stock, excludes(conf));
  }

  /** Starts from these. */
  static TryMonitor without(
      Set<DatanodeInfo> silent, Configuration conf, String name, StreamSlowMonitor stock) {
    TryMonitor monitor = withoutExcludes(conf, name, stock);
    silent.forEach(node -> monitor.getExcludeDatanodeManager().tryAddExcludeDN(node, "silent"));
    return monitor;
  }

  /**
   * Takes off HBase's own list the DataNodes whose connects failed up to this time, which may be
   * {@code Long.MIN_VALUE}. Those that are slow in acknowledging stay on it.
   */
  static void forgetConnectErrors(StreamSlowMonitor stock, long until) {
    if (stock != null) {
      stock
          .getExcludeDatanodeManager()
          .getExcludeDNs()
          .values()
          .removeIf(
              why ->
                  ExcludeCause.CONNECT_ERROR.getCause().equals(why.getFirst())
                      && why.getSecond() <= until);
    }
  }

  /** DataNodes that the tries have met and that did not take part, and those it started from. */
  Set<DatanodeInfo> excluded() {
    return Set.copyOf(getExcludeDatanodeManager().getExcludeDNs().keySet());
  }

  private static ExcludeDatanodeManager excludes(Configuration conf) {
    Configuration roomy = new Configuration(conf);
    roomy.setInt(ExcludeDatanodeManager.WAL_MAX_EXCLUDE_SLOW_DATANODE_COUNT_KEY, ENOUGH);
    return new ExcludeDatanodeManager(roomy);
  }

  @Override
  public void checkProcessTimeAndSpeed(
      DatanodeInfo node, long packetLength, long processMillis, long lastAck, int unfinished) {
    if (stock != null) {
      stock.checkProcessTimeAndSpeed(node, packetLength, processMillis, lastAck, unfinished);
    }
  }
}
