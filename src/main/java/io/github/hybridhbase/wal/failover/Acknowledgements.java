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

import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the DataNodes of one output have acknowledged. HBase tells which DataNode acknowledged, not
 * what; but each acknowledges every packet, in order, so that counts can be compared. Thread-safe;
 * no lock and no allocation on {@link #heard}.
 */
@InterfaceAudience.Private
public final class Acknowledgements {
  private static final int SMOOTHING = 8;

  private final DatanodeInfo[] nodes;
  private final AtomicLongArray packets;

  /** Several threads may write these at once; one of them wins, and that will do. */
  private volatile long usualMicros;

  private volatile long lastMicros;

  /** The longest of each replica since they were taken. */
  private final AtomicLongArray spreadMillis;

  private volatile boolean over;

  /** Of an output with this pipeline that was just opened. */
  Acknowledgements(DatanodeInfo[] pipeline) {
    this.nodes = pipeline.clone();
    this.packets = new AtomicLongArray(nodes.length);
    this.spreadMillis = new AtomicLongArray(nodes.length);
  }

  /**
   * HBase's output has heard of a packet that a DataNode acknowledged; the parameters are those of
   * its {@code StreamSlowMonitor}.
   *
   * @param packetLength 0 for the last packet of a block: that the file is closed is no flush
   * @param millis since the packet was sent
   * @param lastAck when another replica acknowledged it before, by HBase's clock; 0 or less if none
   * @param unfinished replicas that have not acknowledged it
   * @param now by HBase's clock
   */
  public void heard(
      DatanodeInfo node, long packetLength, long millis, long lastAck, int unfinished, long now) {
    if (packetLength == 0) {
      counted(node);
    } else {
      heard(node, millis, unfinished, unfinished == 0 && lastAck > 0 ? now - lastAck : 0);
    }
  }

  /**
   * A DataNode has acknowledged its next packet.
   *
   * @param millis since the packet was sent
   * @param unfinished replicas that have not acknowledged it
   * @param spread milliseconds since another replica has, where this is the last one; else 0
   */
  void heard(DatanodeInfo node, long millis, int unfinished, long spread) {
    int replica = counted(node);
    if (replica < 0) {
      return;
    }
    // Half of them: one straggler must not set the measure for itself.
    if (unfinished == nodes.length / 2) {
      lastMicros = TimeUnit.MILLISECONDS.toMicros(millis);
      usualMicros += (lastMicros - usualMicros) / SMOOTHING;
    }
    if (!over) {
      long longest = spreadMillis.get(replica);
      while (spread > longest && !spreadMillis.compareAndSet(replica, longest, spread)) {
        longest = spreadMillis.get(replica);
      }
    }
  }

  /** Returns the replica, or -1 for a DataNode that is not in the pipeline. */
  private int counted(DatanodeInfo node) {
    int replica = indexOf(node);
    if (replica >= 0) {
      packets.incrementAndGet(replica);
    }
    return replica;
  }

  private int indexOf(DatanodeInfo node) {
    for (int replica = 0; replica < nodes.length; replica++) {
      if (nodes[replica] == node || nodes[replica].equals(node)) {
        return replica;
      }
    }
    return -1;
  }

  /** The output was given up: what is still acknowledged says nothing of anybody. */
  void end() {
    over = true;
  }

  /** Whether the output was given up. */
  public boolean isOver() {
    return over;
  }

  /** The DataNodes that have acknowledged anything. */
  public Set<DatanodeInfo> answered() {
    Set<DatanodeInfo> answered = new LinkedHashSet<>();
    for (int replica = 0; replica < nodes.length; replica++) {
      if (packets.get(replica) > 0) {
        answered.add(nodes[replica]);
      }
    }
    return answered;
  }

  int replicas() {
    return nodes.length;
  }

  /** Packets that each replica has acknowledged. */
  void copyTo(long[] counts) {
    for (int replica = 0; replica < counts.length; replica++) {
      counts[replica] = packets.get(replica);
    }
  }

  /**
   * What flushes took so far. The last one's time tells that all disks became slow at once before
   * the usual time does.
   *
   * @param spreadNanos of the server's WALs
   */
  FlushTimes times(long spreadNanos) {
    return new FlushTimes(
        TimeUnit.MICROSECONDS.toNanos(usualMicros),
        TimeUnit.MICROSECONDS.toNanos(lastMicros),
        spreadNanos);
  }

  /** Tells the longest spread of each replica since this was called before. */
  void spreadsTo(RecentSpread spread, long now) {
    for (int replica = 0; replica < nodes.length; replica++) {
      if (spreadMillis.get(replica) > 0) {
        long millis = spreadMillis.getAndSet(replica, 0);
        spread.record(nodes[replica].getDatanodeUuid(), TimeUnit.MILLISECONDS.toNanos(millis), now);
      }
    }
  }

  /** Whether each of these has acknowledged fewer packets than this. */
  boolean areBehind(Collection<DatanodeInfo> late, long expected) {
    for (DatanodeInfo node : late) {
      int replica = indexOf(node);
      if (replica < 0 || packets.get(replica) >= expected) {
        return false;
      }
    }
    return true;
  }

  /** The DataNodes of a verdict of {@link StragglerDetector}. */
  Set<DatanodeInfo> nodes(int replicas) {
    Set<DatanodeInfo> named = new LinkedHashSet<>();
    for (int replica = 0; replica < nodes.length; replica++) {
      if ((replicas >>> replica & 1) != 0) {
        named.add(nodes[replica]);
      }
    }
    return named;
  }
}
