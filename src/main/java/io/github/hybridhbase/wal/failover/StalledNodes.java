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

import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The DataNodes that one server's WALs exclude as stragglers, each for a back-off that doubles with
 * every stall. HBase's own exclude list stays untouched. Thread-safe.
 *
 * <p>Rolls off them are limited: {@value #PROMPT_A_MINUTE} a minute and {@value #PROMPT_AN_HOUR} an
 * hour are free; each further one needs twice the lag of the one before. That is at most 10 a
 * minute and 26 an hour for a lag of 200 ms.
 */
@InterfaceAudience.Private
public final class StalledNodes {
  static final int PROMPT_A_MINUTE = 4;

  /**
   * A disk that always stalls is left at most 14 times an hour with {@code hbase.hybrid.ssd.retry}
   * at 30 s.
   */
  static final int PROMPT_AN_HOUR = 20;

  private static final class Stall {
    private final Instant since = Instant.now();
    private final Backoff backoff;
    private boolean reused;

    Stall(Backoff backoff) {
      this.backoff = backoff;
    }
  }

  /** The most recent one last. */
  private final Map<DatanodeInfo, Stall> stalls = new LinkedHashMap<>();

  /** Nanoseconds. */
  private final Deque<Long> rolls = new ArrayDeque<>();

  final LongSupplier clock;

  /** That of a first stall; tests replace it. */
  Backoff first;

  /**
   * @param firstNanos exclusion after a first stall
   * @param clock nanoseconds
   */
  public StalledNodes(long firstNanos, LongSupplier clock) {
    this.first = Backoff.starting(firstNanos);
    this.clock = clock;
  }

  /** Nanoseconds until its back-off has passed; 0 if it has. */
  private long waitNanos(DatanodeInfo node) {
    Stall stall = stalls.get(node);
    return stall == null ? 0 : stall.backoff.waitNanos(clock.getAsLong());
  }

  /**
   * Not if WALs had too few replicas without one of them, or the limit of rolls is reached; always
   * if another WAL has left them all.
   *
   * @param times lag as a multiple of the lateness threshold
   */
  synchronized boolean mayLeave(Collection<DatanodeInfo> nodes, long times) {
    List<DatanodeInfo> excluded = excluded();
    return excluded.containsAll(nodes)
        || mayRoll(clock.getAsLong(), times)
            && nodes.stream().allMatch(node -> waitNanos(node) == 0 || excluded.contains(node));
  }

  private boolean mayRoll(long now, long times) {
    rolls.removeIf(at -> now - at >= TimeUnit.HOURS.toNanos(1));
    long inMinute = rolls.stream().filter(at -> now - at < TimeUnit.MINUTES.toNanos(1)).count();
    long more = 1 + Math.max(inMinute - PROMPT_A_MINUTE, rolls.size() - (long) PROMPT_AN_HOUR);
    return times >= 1L << Math.max(0, more);
  }

  /** Excludes them from new files if {@link #mayLeave}. */
  public synchronized boolean leave(Collection<DatanodeInfo> nodes, long times) {
    if (!mayLeave(nodes, times)) {
      return false;
    }
    long now = clock.getAsLong();
    List<DatanodeInfo> news = new ArrayList<>(nodes);
    news.removeAll(excluded());
    for (DatanodeInfo node : news) {
      Stall known = stalls.remove(node);
      Backoff before = known == null ? first : known.backoff;
      stalls.put(node, new Stall(before.refused(now)));
      HybridMetrics.get()
          .count(Metric.WAL_FAILOVER_SECONDS, TimeUnit.NANOSECONDS.toSeconds(waitNanos(node)));
    }
    if (!news.isEmpty()) {
      rolls.add(now);
    }
    return true;
  }

  /** Most recent first. */
  public synchronized List<DatanodeInfo> excluded() {
    List<DatanodeInfo> excluded = new ArrayList<>(stalls.keySet());
    excluded.removeIf(node -> stalls.get(node).reused || waitNanos(node) == 0);
    Collections.reverse(excluded);
    return excluded;
  }

  /** Until their back-off has passed, for want of others. */
  public synchronized void reuse(Collection<DatanodeInfo> nodes) {
    nodes.forEach(node -> stalls.get(node).reused = true);
  }

  /** Nanoseconds until the next one is not excluded any more; 0 if none is. */
  public synchronized long untilBack() {
    return excluded().stream().mapToLong(this::waitNanos).min().orElse(0);
  }

  /** When each excluded DataNode, {@code host:port}, stalled. */
  public synchronized Map<String, String> since() {
    Map<String, String> since = new TreeMap<>();
    for (DatanodeInfo node : excluded()) {
      since.put(
          node.getHostName() + ":" + node.getXferPort(),
          stalls.get(node).since.truncatedTo(ChronoUnit.SECONDS).toString());
    }
    return since;
  }
}
