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
package io.github.hybridhbase.wal.failover;

import io.github.hybridhbase.hdfs.NodeProbe;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.Metric;
import java.io.IOException;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A prober of excluded DataNodes, each after its own back-off, with flushes of the stalled WAL's
 * kind and the threshold of idle disks. Probes run one at a time on the thread of {@link Later}; at
 * most one is queued for each DataNode. Thread-safe.
 */
@InterfaceAudience.Private
final class ReturnProbes {
  private static final Logger LOG = LoggerFactory.getLogger(ReturnProbes.class);

  private final StalledNodes stalled;
  private final Later later;
  private final LongSupplier clock;
  private final Map<DatanodeInfo, Verdict> verdicts = new ConcurrentHashMap<>();

  private final Set<DatanodeInfo> waiting = ConcurrentHashMap.newKeySet();

  private final LeftOutReport report;
  private volatile boolean ended;

  ReturnProbes(StalledNodes stalled, Later later, LongSupplier clock) {
    this.stalled = stalled;
    this.later = later;
    this.clock = clock;
    this.report = new LeftOutReport(stalled, later);
  }

  void end() {
    ended = true;
    report.end();
  }

  void expect(Verdict verdict, LogDirectory directory) {
    for (DatanodeInfo node : verdict.nodes()) {
      verdicts.put(node, verdict);
      plan(node, directory);
    }
    report.left(directory);
  }

  void changed() {
    report.changed();
  }

  private void plan(DatanodeInfo node, LogDirectory directory) {
    OptionalLong nanos = stalled.untilProbe(node, clock.getAsLong());
    if (nanos.isPresent() && !ended && waiting.add(node)) {
      later.later("A DataNode that stalled", () -> look(node, directory), nanos.getAsLong());
    }
  }

  private void look(DatanodeInfo node, LogDirectory directory) {
    waiting.remove(
        node); // INVARIANT: removed first: a DataNode excluded again meanwhile gets a new probe.
    OptionalLong nanos = stalled.untilProbe(node, clock.getAsLong());
    if (!ended && nanos.isPresent() && nanos.getAsLong() == 0) {
      judge(node, directory, probe(directory, node));
      report.changed();
    }
    plan(node, directory);
  }

  private void judge(DatanodeInfo node, LogDirectory directory, NodeProbe found) {
    long now = clock.getAsLong();
    if (found == NodeProbe.QUICK) {
      back(directory, node, "is quick again");
    } else if (found == NodeProbe.SLOW) {
      stalled.notYet(node, now);
    } else if (stalled.elsewhere(node, now)) {
      back(directory, node, "is given no blocks by HDFS, so that no probe reaches it");
    }
  }

  private void back(LogDirectory directory, DatanodeInfo node, String why) {
    verdicts.remove(node); // first: back() permits a new exclusion
    long seconds = TimeUnit.NANOSECONDS.toSeconds(stalled.back(node, clock.getAsLong()));
    HybridMetrics.get().count(Metric.WAL_FAILOVER_SECONDS, seconds);
    LOG.info(
        "The DataNode {} {}, after {} s: WALs may be written to it as before", node, why, seconds);
    directory.backTo(node);
  }

  private NodeProbe probe(LogDirectory directory, DatanodeInfo node) {
    HybridMetrics.get().count(Metric.PROBES);
    try {
      NodeProbe probe = directory.probe(node, verdicts.get(node));
      LOG.debug("A probe of {}: {}", node, probe);
      return probe;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} could not be probed", node, e);
      return NodeProbe.SLOW;
    }
  }
}
