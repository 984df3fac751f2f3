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
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.Scheduler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The DataNodes that the WALs of one server exclude as stragglers, each until a probe finds it
 * quick. The back-off before the probe doubles with every stall and slow probe. HBase's own exclude
 * list stays untouched. Pure: times are nanoseconds since some origin. Thread-safe.
 */
@InterfaceAudience.Private
public final class StalledNodes {
  /** Consecutive probes placed on other DataNodes that end an exclusion. */
  static final int MOST_INCONCLUSIVE = 3;

  private static final class Stall {
    private Backoff backoff;
    private long since;
    private long number;
    private boolean excluded;
    private boolean reused;
    private int inconclusive;
  }

  private final Map<DatanodeInfo, Stall> stalls = new HashMap<>();
  private final RollLimit limit = new RollLimit();
  private final long firstNanos;
  private final Jitter jitter;
  private long numbers;

  /**
   * @param firstNanos shortest exclusion, for the first stall
   */
  public StalledNodes(long firstNanos) {
    this(firstNanos, Jitter.random());
  }

  StalledNodes(long firstNanos, Jitter jitter) {
    this.firstNanos = firstNanos;
    this.jitter = jitter;
  }

  /**
   * Whether a WAL may leave these DataNodes: not if WALs had too few replicas without one of them,
   * or the {@link RollLimit} is reached. Always if another WAL has left them all.
   *
   * @param times lag as a multiple of the lateness threshold
   */
  synchronized boolean mayLeave(Collection<DatanodeInfo> nodes, long now, long times) {
    boolean known = true;
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.get(node);
      known &= stall != null && stall.excluded;
      if (stall != null && stall.reused && stall.backoff.waitNanos(now) > 0) {
        return false;
      }
    }
    return known || limit.allows(now, times);
  }

  /** Excludes these DataNodes from new files if {@link #mayLeave}; otherwise changes nothing. */
  public synchronized boolean leave(Collection<DatanodeInfo> nodes, long now, long times) {
    if (!mayLeave(nodes, now, times)) {
      return false;
    }
    boolean news = false;
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.computeIfAbsent(node, unknown -> new Stall());
      if (!stall.excluded) {
        news = true;
        stall.backoff =
            (stall.backoff == null ? Backoff.starting(firstNanos, jitter) : stall.backoff)
                .refused(now);
        stall.since = now;
        stall.excluded = true;
        stall.reused = false;
        stall.inconclusive = 0;
        stall.number = ++numbers;
      }
    }
    if (news) {
      limit.count(now);
    }
    return true;
  }

  /** The excluded DataNodes, most recent first. */
  public synchronized List<DatanodeInfo> excluded() {
    return stalls.entrySet().stream()
        .filter(entry -> entry.getValue().excluded)
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().number))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  /**
   * Uses these DataNodes until their back-off has passed, since a WAL would have too few replicas
   * otherwise.
   */
  synchronized void reuse(Collection<DatanodeInfo> nodes) {
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.get(node);
      if (stall != null) {
        stall.excluded = false;
        stall.reused = true;
      }
    }
  }

  /** Nanoseconds; 0 if a probe is due; empty if the DataNode is not excluded. */
  synchronized OptionalLong untilProbe(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    return stall != null && stall.excluded
        ? OptionalLong.of(stall.backoff.waitNanos(now))
        : OptionalLong.empty();
  }

  /** Ends an exclusion; returns its nanoseconds. */
  synchronized long restore(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.excluded = false;
    return now - stall.since;
  }

  synchronized void markSlow(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.inconclusive = 0;
    stall.backoff = stall.backoff.refused(now);
  }

  /**
   * Lengthens the back-off: HDFS placed the probe on another DataNode.
   *
   * @return true after {@value #MOST_INCONCLUSIVE} such probes in a row: the NameNode allocates no
   *     blocks there, of WALs neither
   */
  synchronized boolean inconclusive(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.inconclusive++;
    stall.backoff = stall.backoff.refused(now);
    return stall.inconclusive >= MOST_INCONCLUSIVE;
  }

  /**
   * A limit on how often the WALs of one server are rolled off DataNodes. {@value #PROMPT_A_MINUTE}
   * rolls a minute and {@value #PROMPT_AN_HOUR} an hour are allowed at once; each further one needs
   * twice the lag of the one before. With 200 ms, and the 20 s after which a DataNode fails a WAL
   * that the plugin opened, that is at most 10 a minute and 26 an hour (HBase rolls for slow syncs
   * up to 60 times); then even a hanging DataNode is kept until the hour is over.
   *
   * <p>Pure: times are nanoseconds since some origin. Not thread-safe.
   */
  static final class RollLimit {
    static final int PROMPT_A_MINUTE = 4;

    /**
     * A disk that stalls all the time is left at most 14 times an hour with {@code
     * hbase.hybrid.ssd.retry} at 30 s.
     */
    static final int PROMPT_AN_HOUR = 20;

    /** Rolls beyond a limit at which no lag is long enough. */
    private static final int MOST_MORE = 32;

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final Deque<Long> rolls = new ArrayDeque<>();

    /**
     * @param times lag as a multiple of the lateness threshold
     */
    boolean allows(long now, long times) {
      while (!rolls.isEmpty() && now - rolls.peekFirst() >= HOUR) {
        rolls.removeFirst();
      }
      long inMinute = rolls.stream().filter(at -> now - at < MINUTE).count();
      long more = 1 + Math.max(inMinute - PROMPT_A_MINUTE, rolls.size() - (long) PROMPT_AN_HOUR);
      return more <= 0 || more < MOST_MORE && times >= 1L << more;
    }

    void count(long now) {
      rolls.addLast(now);
    }
  }

  /**
   * The way back to DataNodes that a server's WALs exclude: each is probed after its own back-off,
   * with flushes of the stalled WAL's kind and the threshold of idle disks. Changes of the list of
   * excluded DataNodes are published in the WAL directory.
   *
   * <p>Thread-safe. Probes and writes run on the {@link Scheduler}'s thread, so that a slow
   * NameNode delays no WAL: at most one probe of each DataNode and one write are queued. A write
   * that fails is repeated.
   */
  static final class ReturnProbes {
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
}
