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

import io.github.hybridhbase.space.Backoff;
import io.github.hybridhbase.space.Jitter;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * DataNodes that the WALs of one server avoid, because they were stragglers. HBase's own exclude
 * list never learns of them. Each is left out until a probe finds it quick again; the pause before
 * the probe doubles with every stall and every probe that is slow ({@link Backoff}). Knows nothing
 * of HDFS and of clocks: times are nanoseconds since some origin. Thread-safe.
 */
@InterfaceAudience.Private
public final class StalledNodes {
  /** Probes that HDFS puts elsewhere, one after the other, until one is left out no longer. */
  static final int MOST_ELSEWHERE = 3;

  /** What is known of one DataNode. */
  private static final class Stall {
    private Backoff backoff;
    private long since;
    private long number;
    private boolean avoided;
    private boolean needed;
    private int elsewhere;
  }

  private final Map<DatanodeInfo, Stall> stalls = new HashMap<>();
  private final RollLimit limit = new RollLimit();
  private final long firstNanos;
  private final Jitter jitter;
  private long numbers;

  /**
   * None has stalled yet.
   *
   * @param firstNanos how long one is left out at least, the first time
   */
  public StalledNodes(long firstNanos) {
    this(firstNanos, Jitter.random());
  }

  /** As the other one, with these cuts of the pauses. */
  StalledNodes(long firstNanos, Jitter jitter) {
    this.firstNanos = firstNanos;
    this.jitter = jitter;
  }

  /**
   * Whether a WAL may be rolled away from these: not where WALs were found too short without one of
   * them, nor where that happened too often lately for how late they are ({@link RollLimit}).
   * Another WAL that leaves the same DataNodes is always allowed to.
   *
   * @param times how late they are, in times of what is late
   */
  synchronized boolean mayLeave(Collection<DatanodeInfo> nodes, long now, long times) {
    boolean known = true;
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.get(node);
      known &= stall != null && stall.avoided;
      if (stall != null && stall.needed && stall.backoff.waitNanos(now) > 0) {
        return false;
      }
    }
    return known || limit.allows(now, times);
  }

  /**
   * From now on these are left out.
   *
   * @param times as of {@link #mayLeave}
   * @return whether that is allowed; nothing has changed where it is not
   */
  public synchronized boolean leave(Collection<DatanodeInfo> nodes, long now, long times) {
    if (!mayLeave(nodes, now, times)) {
      return false;
    }
    boolean news = false;
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.computeIfAbsent(node, unknown -> new Stall());
      if (!stall.avoided) {
        news = true;
        stall.backoff =
            (stall.backoff == null ? Backoff.starting(firstNanos, jitter) : stall.backoff)
                .refused(now);
        stall.since = now;
        stall.avoided = true;
        stall.needed = false;
        stall.elsewhere = 0;
        stall.number = ++numbers;
      }
    }
    if (news) {
      limit.count(now);
    }
    return true;
  }

  /** Those that are left out, the one that stalled last first. */
  public synchronized List<DatanodeInfo> avoided() {
    return stalls.entrySet().stream()
        .filter(entry -> entry.getValue().avoided)
        .sorted(Comparator.comparingLong(entry -> -entry.getValue().number))
        .map(Map.Entry::getKey)
        .collect(Collectors.toList());
  }

  /**
   * Without these a WAL would have too few replicas: they are used in spite of all, and not left
   * again before the time of their probe has come.
   */
  synchronized void needed(Collection<DatanodeInfo> nodes) {
    for (DatanodeInfo node : nodes) {
      Stall stall = stalls.get(node);
      if (stall != null) {
        stall.avoided = false;
        stall.needed = true;
      }
    }
  }

  /**
   * Nanoseconds until it is to be probed, 0 where it may be now; empty where it is not left out.
   */
  synchronized OptionalLong untilProbe(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    return stall != null && stall.avoided
        ? OptionalLong.of(stall.backoff.waitNanos(now))
        : OptionalLong.empty();
  }

  /**
   * It is quick again and may be used.
   *
   * @return nanoseconds for which it was left out
   */
  synchronized long back(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.avoided = false;
    return now - stall.since;
  }

  /** It is not quick yet: the next probe comes after a longer pause. */
  synchronized void notYet(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.elsewhere = 0;
    stall.backoff = stall.backoff.refused(now);
  }

  /**
   * HDFS gave the probe to another one, so nothing is known: the next probe comes after a longer
   * pause.
   *
   * @return whether that was so too often: HDFS has no blocks for it, of WALs neither
   */
  synchronized boolean elsewhere(DatanodeInfo node, long now) {
    Stall stall = stalls.get(node);
    stall.elsewhere++;
    stall.backoff = stall.backoff.refused(now);
    return stall.elsewhere >= MOST_ELSEWHERE;
  }
}
