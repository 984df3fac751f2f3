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

import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The number of packets that each DataNode of one output has acknowledged. Thread-safe; {@link
 * #record} takes no lock and allocates nothing.
 */
@InterfaceAudience.Private
public final class Acknowledgements {
  private static final int SMOOTHING = 8;

  private final DatanodeInfo[] nodes;

  /** Longer waits count as this. */
  private final long longestMillis;

  private final AtomicLongArray packets;

  /** Lost updates are harmless. */
  private volatile long usualMicros;

  private volatile long lastMicros;

  /** Since the last {@link #spreadsTo}. */
  private final AtomicLongArray spreadMillis;

  private volatile boolean over;

  /**
   * @param stallMillis minimum lag of a straggler, above 0
   */
  Acknowledgements(DatanodeInfo[] pipeline, int stallMillis) {
    this.longestMillis = (long) stallMillis * StragglerDetector.LONGEST / StragglerDetector.TICKS;
    this.nodes = pipeline.clone();
    this.packets = new AtomicLongArray(nodes.length);
    this.spreadMillis = new AtomicLongArray(nodes.length);
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
    int replica = indexOf(node);
    if (replica < 0) {
      return;
    }
    packets.incrementAndGet(replica);
    if (packetLength == 0) {
      return;
    }
    // The median: a straggler must not raise its own threshold.
    if (unfinished == nodes.length / 2) {
      // Bounded, since the clock may be set.
      lastMicros = TimeUnit.MILLISECONDS.toMicros(Math.max(0, Math.min(millis, longestMillis)));
      usualMicros += (lastMicros - usualMicros) / SMOOTHING;
    }
    if (!over && unfinished == 0 && lastAck > 0) {
      spreadMillis.accumulateAndGet(replica, now - lastAck, Math::max);
    }
  }

  /** -1 if the DataNode is not in the pipeline. */
  private int indexOf(DatanodeInfo node) {
    for (int replica = 0; replica < nodes.length; replica++) {
      if (nodes[replica] == node || nodes[replica].equals(node)) {
        return replica;
      }
    }
    return -1;
  }

  /** Ends the statistics. */
  void end() {
    over = true;
  }

  public boolean isOver() {
    return over;
  }

  int replicas() {
    return nodes.length;
  }

  void copyTo(long[] counts) {
    for (int replica = 0; replica < counts.length; replica++) {
      counts[replica] = packets.get(replica);
    }
  }

  FlushTimes times(long spreadNanos) {
    return new FlushTimes(
        TimeUnit.MICROSECONDS.toNanos(usualMicros),
        TimeUnit.MICROSECONDS.toNanos(lastMicros),
        spreadNanos);
  }

  void spreadsTo(RecentSpread spread, long now) {
    for (int replica = 0; replica < nodes.length; replica++) {
      if (spreadMillis.get(replica) > 0) {
        long millis = spreadMillis.getAndSet(replica, 0);
        spread.record(nodes[replica].getDatanodeUuid(), TimeUnit.MILLISECONDS.toNanos(millis), now);
      }
    }
  }

  boolean areBehind(Collection<DatanodeInfo> late, long expected) {
    for (DatanodeInfo node : late) {
      int replica = indexOf(node);
      if (replica < 0 || packets.get(replica) >= expected) {
        return false;
      }
    }
    return true;
  }

  /**
   * @param replicas bits, see {@link StragglerDetector#tick}
   */
  Set<DatanodeInfo> nodes(int replicas) {
    Set<DatanodeInfo> named = new LinkedHashSet<>();
    for (int replica = 0; replica < nodes.length; replica++) {
      if ((replicas >>> replica & 1) != 0) {
        named.add(nodes[replica]);
      }
    }
    return named;
  }

  /**
   * How far the last replica of a flush is behind the one before, over all WALs of one server: the
   * second longest of the maxima per DataNode in this minute and the previous one. Busy disks raise
   * it, a single slow DataNode does not. Thread-safe.
   */
  static final class RecentSpread {
    private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

    private long began;
    private Map<String, Long> longest = new HashMap<>();
    private Map<String, Long> longestBefore = Map.of();

    /**
     * @param now nanoseconds
     */
    RecentSpread(long now) {
      this.began = now;
    }

    /**
     * @param last UUID of the DataNode that acknowledged last
     */
    synchronized void record(String last, long nanos, long now) {
      rotate(now);
      longest.merge(last, nanos, Math::max);
    }

    /** Nanoseconds; 0 if fewer than two DataNodes came last. */
    synchronized long secondLongest(long now) {
      rotate(now);
      Map<String, Long> both = new HashMap<>(longestBefore);
      longest.forEach((node, nanos) -> both.merge(node, nanos, Math::max));
      long most = 0;
      long second = 0;
      for (long nanos : both.values()) {
        second = Math.max(second, Math.min(most, nanos));
        most = Math.max(most, nanos);
      }
      return second;
    }

    private void rotate(long now) {
      long minutes = (now - began) / MINUTE;
      if (minutes > 0) {
        longestBefore = minutes == 1 ? longest : Map.of();
        longest = new HashMap<>();
        began += minutes * MINUTE;
      }
    }
  }

  /** Flush times in nanoseconds, the baseline for a replica's lag. */
  static final class FlushTimes {
    final long usual;
    final long last;
    final long spread;

    /**
     * @param usual average time until half of the replicas have acknowledged
     * @param last that time for the last flush
     * @param spread see {@link RecentSpread}
     */
    FlushTimes(long usual, long last, long spread) {
      this.usual = usual;
      this.last = last;
      this.spread = spread;
    }

    @Override
    public String toString() {
      return usual + "," + last + "," + spread;
    }
  }
}
