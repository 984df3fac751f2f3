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
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
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
 */
@InterfaceAudience.Private
public final class StalledNodes {
  private static final class Stall {
    private Backoff backoff;
    private Instant since;
    private boolean reused;

    Stall(Backoff backoff) {
      this.backoff = backoff;
    }

    boolean excludes(long now) {
      return !reused && backoff.waitNanos(now) > 0;
    }
  }

  /** The most recent one last. */
  private final Map<DatanodeInfo, Stall> stalls = new LinkedHashMap<>();

  private final RollLimit limit = new RollLimit();
  private final long firstNanos;
  private final LongSupplier clock;
  private final Jitter jitter;

  /**
   * @param firstNanos exclusion after a first stall
   * @param clock nanoseconds
   */
  public StalledNodes(long firstNanos, LongSupplier clock) {
    this(firstNanos, clock, Jitter.random());
  }

  StalledNodes(long firstNanos, LongSupplier clock, Jitter jitter) {
    this.firstNanos = firstNanos;
    this.clock = clock;
    this.jitter = jitter;
  }

  /**
   * Not if WALs had too few replicas without one of them, or the {@link RollLimit} is reached;
   * always if another WAL has left them all.
   *
   * @param times lag as a multiple of the lateness threshold
   */
  synchronized boolean mayLeave(Collection<DatanodeInfo> nodes, long times) {
    long now = clock.getAsLong();
    boolean known = true;
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.get(node);
      known &= stall != null && stall.excludes(now);
      if (stall != null && stall.reused && stall.backoff.waitNanos(now) > 0) {
        return false;
      }
    }
    return known || limit.allows(now, times);
  }

  /** Excludes them from new files if {@link #mayLeave}. */
  public synchronized boolean leave(Collection<DatanodeInfo> nodes, long times) {
    if (!mayLeave(nodes, times)) {
      return false;
    }
    long now = clock.getAsLong();
    boolean news = false;
    for (DatanodeInfo node : nodes) {
      Stall known = stalls.get(node);
      if (known == null || !known.excludes(now)) {
        news = true;
        stalls.remove(node);
        Stall stall = known == null ? new Stall(Backoff.starting(firstNanos, jitter)) : known;
        stalls.put(node, stall);
        stall.backoff = stall.backoff.refused(now);
        stall.since = Instant.now();
        stall.reused = false;
        long seconds = TimeUnit.NANOSECONDS.toSeconds(stall.backoff.waitNanos(now));
        HybridMetrics.get().count(Metric.WAL_FAILOVER_SECONDS, seconds);
      }
    }
    if (news) {
      limit.count(now);
    }
    return true;
  }

  /** Most recent first. */
  public synchronized List<DatanodeInfo> excluded() {
    long now = clock.getAsLong();
    List<DatanodeInfo> excluded = new ArrayList<>();
    stalls.forEach(
        (node, stall) -> {
          if (stall.excludes(now)) {
            excluded.add(0, node);
          }
        });
    return excluded;
  }

  /** Until their back-off has passed, for want of others. */
  public synchronized void reuse(Collection<DatanodeInfo> nodes) {
    nodes.forEach(node -> stalls.get(node).reused = true);
  }

  /** Nanoseconds until the next one is not excluded any more; 0 if none is. */
  public synchronized long untilBack() {
    long now = clock.getAsLong();
    return stalls.values().stream()
        .filter(stall -> stall.excludes(now))
        .mapToLong(stall -> stall.backoff.waitNanos(now))
        .min()
        .orElse(0);
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

  /**
   * A limit of rolls off DataNodes per server: {@value #PROMPT_A_MINUTE} a minute and {@value
   * #PROMPT_AN_HOUR} an hour are free; each further one needs twice the lag of the one before. That
   * is at most 10 a minute and 26 an hour for a lag of 200 ms. Pure: times are nanoseconds. Not
   * thread-safe.
   */
  static final class RollLimit {
    static final int PROMPT_A_MINUTE = 4;

    /**
     * A disk that always stalls is left at most 14 times an hour with {@code
     * hbase.hybrid.ssd.retry} at 30 s.
     */
    static final int PROMPT_AN_HOUR = 20;

    private static final int MOST_MORE = 32;

    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
    private static final long HOUR = TimeUnit.HOURS.toNanos(1);

    private final Deque<Long> rolls = new ArrayDeque<>();

    /**
     * @param times as in {@link #mayLeave}
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
}
