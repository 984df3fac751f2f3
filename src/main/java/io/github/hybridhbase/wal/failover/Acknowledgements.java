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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The number of packets that each DataNode of one output has acknowledged. Thread-safe; {@link
 * #record} takes no lock and allocates nothing.
 */
@InterfaceAudience.Private
public final class Acknowledgements {
  private static final int SMOOTHING = 8;

  final List<DatanodeInfo> nodes;

  /** Time until half of the replicas have acknowledged, on average; lost updates are harmless. */
  volatile long usualNanos;

  /** That time for the last flush. */
  volatile long lastNanos;

  /** Ends the statistics. */
  volatile boolean over;

  /** Longer waits count as this. */
  private final long longestMillis;

  private final AtomicLongArray packets;

  /** Since the last {@link #spread}. */
  private final AtomicLongArray spreadMillis;

  /**
   * @param stallMillis minimum lag of a straggler, above 0
   */
  Acknowledgements(DatanodeInfo[] pipeline, int stallMillis) {
    this.nodes = List.of(pipeline);
    this.longestMillis = (long) stallMillis * StragglerDetector.LONGEST / StragglerDetector.TICKS;
    this.packets = new AtomicLongArray(pipeline.length);
    this.spreadMillis = new AtomicLongArray(pipeline.length);
  }

  /**
   * Takes the parameters of HBase's {@code StreamSlowMonitor}, times in milliseconds of HBase's
   * clock.
   *
   * @param packetLength 0 for the last packet of a block, which is no flush
   * @param millis since the packet was sent
   * @param lastAck of the previous replica; 0 or less if none
   */
  public void record(
      DatanodeInfo node, long packetLength, long millis, long lastAck, int unfinished, long now) {
    int replica = nodes.indexOf(node);
    if (replica < 0) {
      return;
    }
    packets.incrementAndGet(replica);
    if (packetLength == 0) {
      return;
    }
    // The median: a straggler must not raise its own threshold.
    if (unfinished == nodes.size() / 2) {
      // Bounded, since the clock may be set.
      lastNanos = TimeUnit.MILLISECONDS.toNanos(Math.max(0, Math.min(millis, longestMillis)));
      usualNanos += (lastNanos - usualNanos) / SMOOTHING;
    }
    if (!over && unfinished == 0 && lastAck > 0) {
      spreadMillis.accumulateAndGet(replica, now - lastAck, Math::max);
    }
  }

  public boolean isOver() {
    return over;
  }

  long[] counts() {
    return replicas().mapToLong(packets::get).toArray();
  }

  private IntStream replicas() {
    return IntStream.range(0, nodes.size());
  }

  /**
   * @param late bits, see {@link StragglerDetector#tick}
   */
  private IntStream replicas(int late) {
    return replicas().filter(replica -> (late >>> replica & 1) != 0);
  }

  /** Whether each of these (bits) has acknowledged fewer packets. */
  boolean areBehind(int late, long expected) {
    return replicas(late).allMatch(replica -> packets.get(replica) < expected);
  }

  Set<DatanodeInfo> nodes(int late) {
    return replicas(late).mapToObj(nodes::get).collect(Collectors.toSet());
  }

  /** Adds the output's own spread to that of all WALs, which it returns in nanoseconds. */
  long spread(RecentSpread all, long now) {
    for (int replica = 0; replica < nodes.size(); replica++) {
      long nanos = TimeUnit.MILLISECONDS.toNanos(spreadMillis.getAndSet(replica, 0));
      if (nanos > 0) {
        all.record(nodes.get(replica).getDatanodeUuid(), nanos, now);
      }
    }
    return all.secondLongest(now);
  }

  /**
   * How far the last replica of a flush is behind the one before, over all WALs of one server: the
   * second longest of the maxima per DataNode in this minute and the previous one. Busy disks raise
   * it, a single slow DataNode does not. Thread-safe.
   */
  static final class RecentSpread {
    /** Longest by minute, and by the UUID of the DataNode that acknowledged last. */
    private final TreeMap<Long, Map<String, Long>> minutes = new TreeMap<>();

    /** Times in nanoseconds. */
    synchronized void record(String last, long nanos, long now) {
      long minute = TimeUnit.NANOSECONDS.toMinutes(now);
      minutes.computeIfAbsent(minute, of -> new HashMap<>()).merge(last, nanos, Math::max);
    }

    /** Nanoseconds; 0 if fewer than two DataNodes came last. */
    synchronized long secondLongest(long now) {
      minutes.headMap(TimeUnit.NANOSECONDS.toMinutes(now) - 1).clear();
      Map<String, Long> longest = new HashMap<>();
      for (Map<String, Long> minute : minutes.values()) {
        minute.forEach((node, nanos) -> longest.merge(node, nanos, Math::max));
      }
      long[] sorted = longest.values().stream().mapToLong(Long::longValue).sorted().toArray();
      return sorted.length < 2 ? 0 : sorted[sorted.length - 2];
    }
  }
}
