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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.NodeProber;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.Scheduler;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The way back to DataNodes that a server's WALs exclude: each is probed after its own back-off,
 * with flushes of the stalled WAL's kind and the threshold of idle disks. Changes of the list of
 * excluded DataNodes are published in the WAL directory.
 *
 * <p>Thread-safe. Probes and writes run on the {@link Scheduler}'s thread, so that a slow NameNode
 * delays no WAL: at most one probe of each DataNode and one write are queued. A write that fails is
 * repeated.
 */
@InterfaceAudience.Private
final class ReturnProbes {
  private static final Logger LOG = LoggerFactory.getLogger(ReturnProbes.class);

  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final StalledNodes stalled;
  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final Map<DatanodeInfo, Verdict> verdicts = new ConcurrentHashMap<>();

  private final Set<DatanodeInfo> waiting = ConcurrentHashMap.newKeySet();

  private final Consumer<DatanodeInfo> onRestored;
  private final AtomicBoolean writing = new AtomicBoolean();

  /** To write the list to; null until a WAL has left a DataNode. */
  private volatile LogDirectory home;

  private volatile List<DatanodeInfo> written = List.of();
  private volatile boolean ended;

  /**
   * @param onRestored rolls WALs that lack replicas; neither blocks nor calls a server
   */
  ReturnProbes(
      StalledNodes stalled,
      Scheduler scheduler,
      LongSupplier clock,
      Consumer<DatanodeInfo> onRestored) {
    this.stalled = stalled;
    this.scheduler = scheduler;
    this.clock = clock;
    this.onRestored = onRestored;
  }

  void end() {
    ended = true;
  }

  /** Probes DataNodes that a WAL of this directory has left. Never blocks. */
  void expect(Verdict verdict, LogDirectory directory) {
    for (DatanodeInfo node : verdict.nodes()) {
      verdicts.put(node, verdict);
      plan(node, directory);
    }
    home = directory;
    changed();
  }

  private void plan(DatanodeInfo node, LogDirectory directory) {
    OptionalLong nanos = stalled.untilProbe(node, clock.getAsLong());
    if (nanos.isPresent() && !ended && waiting.add(node)) {
      scheduler.schedule(() -> look(node, directory), nanos.getAsLong());
    }
  }

  private void look(DatanodeInfo node, LogDirectory directory) {
    waiting.remove(
        node); // INVARIANT: removed first: a DataNode excluded again meanwhile gets a new probe.
    OptionalLong nanos = stalled.untilProbe(node, clock.getAsLong());
    if (!ended && nanos.isPresent() && nanos.getAsLong() == 0) {
      judge(node, probe(directory, node));
      changed();
    }
    plan(node, directory);
  }

  private void judge(DatanodeInfo node, NodeProber.Answer found) {
    long now = clock.getAsLong();
    if (found == NodeProber.Answer.QUICK) {
      restore(node, "is quick again");
    } else if (found == NodeProber.Answer.SLOW) {
      stalled.markSlow(node, now);
    } else if (stalled.inconclusive(node, now)) {
      restore(node, "is given no blocks by HDFS, so that no probe reaches it");
    }
  }

  private void restore(DatanodeInfo node, String why) {
    verdicts.remove(node); // first: restore() permits a new exclusion
    long seconds = TimeUnit.NANOSECONDS.toSeconds(stalled.restore(node, clock.getAsLong()));
    HybridMetrics.get().count(Metric.WAL_FAILOVER_SECONDS, seconds);
    LOG.info(
        "The DataNode {} {}: its exclusion for stalled WALs ends after {} s, and WALs of "
            + "this server may be written to it again. Nothing to do.",
        node,
        why,
        seconds);
    onRestored.accept(node);
  }

  private NodeProber.Answer probe(LogDirectory directory, DatanodeInfo node) {
    HybridMetrics.get().count(Metric.PROBES);
    try {
      NodeProber.Answer probe = directory.probe(node, verdicts.get(node));
      LOG.debug("A probe of {}: {}", node, probe);
      return probe;
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} could not be probed", node, e);
      return NodeProber.Answer.SLOW;
    }
  }

  /** Writes the list of excluded DataNodes if it changed. Never blocks. */
  void changed() {
    if (home != null) {
      write(0);
    }
  }

  private void write(long nanos) {
    if (!ended && writing.compareAndSet(false, true)) {
      scheduler.schedule(this::write, nanos);
    }
  }

  private void write() {
    // INVARIANT: cleared before the list is read: a later change queues another write.
    writing.set(false);
    List<DatanodeInfo> now = stalled.excluded();
    if (ended || now.equals(written)) {
      return;
    }
    try {
      home.publishExcluded(now);
      written = now;
    } catch (IOException | RuntimeException e) {
      LOG.debug("It could not be said which DataNodes are left out", e);
      HdfsError.Kind kind = HdfsError.of(e).kind();
      if (!kind.isFinal() && kind != HdfsError.Kind.XATTRS_DISABLED) {
        write(AGAIN_NANOS);
      }
    }
  }
}
