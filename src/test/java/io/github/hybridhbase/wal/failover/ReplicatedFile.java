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

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A file of a log as {@code FanOutOneBlockAsyncDFSOutput} writes one: each replica acknowledges
 * every packet in order, a flush is answered once all have, and a flush without new bytes is
 * answered with the one before. An edit is one byte; bytes themselves do not matter. One thread.
 */
@InterfaceAudience.Private
class ReplicatedFile implements AsyncFSOutput {
  private static final class Packet {
    final int to;
    final long sent;
    long heard;
    final CompletableFuture<Long> future = new CompletableFuture<>();

    Packet(int to, long sent) {
      this.to = to;
      this.sent = sent;
      this.heard = sent;
    }
  }

  final Path path;
  final DatanodeInfo[] pipeline;

  /** What is written to it, in order. */
  final List<Integer> edits = new ArrayList<>();

  /** Told of acknowledgements; null where nobody is. */
  FailOver.Watch watch;

  Scheduler scheduler;

  boolean ended;

  /** Replicas that need not have acknowledged a flush when it is answered. */
  int missing;

  private final List<Packet> packets = new ArrayList<>();
  private final int[] acknowledged;
  private int left;
  private long now;

  /** A connection to a DataNode is lost. */
  boolean broken;

  /** Runs inside a flush. */
  Runnable whileFlushing = () -> {};

  ReplicatedFile(Path path, DatanodeInfo[] pipeline) {
    this.path = path;
    this.pipeline = pipeline;
    this.acknowledged = new int[pipeline.length];
  }

  /** What is to be written to. */
  AsyncFSOutput output() {
    return watch == null ? this : watch.output;
  }

  boolean isGivenUp() {
    return !broken && output().isBroken();
  }

  void at(long nanos) {
    now = nanos;
  }

  /** One replica has one more packet, unless it has all. */
  void acknowledge(int replica) {
    if (broken || acknowledged[replica] == packets.size()) {
      return;
    }
    Packet packet = packets.get(acknowledged[replica]++);
    int unfinished = 0;
    for (int count : acknowledged) {
      unfinished += count < acknowledged[replica] ? 1 : 0;
    }
    if (watch != null) {
      watch.acknowledgements.record(
          pipeline[replica],
          1,
          (now - packet.sent) / 1_000_000,
          1,
          unfinished,
          1 + (now - packet.heard) / 1_000_000);
    }
    packet.heard = now;
    if (unfinished <= missing) {
      packet.future.complete((long) packet.to);
    }
  }

  /** Edits that every replica has: no recovery can lose them. */
  List<Integer> safe() {
    int least = Integer.MAX_VALUE;
    for (int count : acknowledged) {
      least = Math.min(least, count);
    }
    return least == 0 ? List.of() : edits.subList(0, packets.get(least - 1).to);
  }

  /** Some replica has a packet that another one lacks. */
  boolean isHalfAcknowledged() {
    for (int count : acknowledged) {
      if (count != acknowledged[0]) {
        return true;
      }
    }
    return false;
  }

  /** Fails all flushes that are not answered. */
  void breakStream() {
    broken = true;
    for (Packet packet : packets) {
      packet.future.completeExceptionally(new IOException("Connection closed"));
    }
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    if (broken) {
      return CompletableFuture.failedFuture(new IOException("stream already broken"));
    }
    if (edits.size() == left) {
      return packets.isEmpty()
          ? CompletableFuture.completedFuture(0L)
          : packets.get(packets.size() - 1).future.thenApply(length -> length);
    }
    left = edits.size();
    Packet packet = new Packet(left, now);
    packets.add(packet);
    whileFlushing.run();
    return packet.future;
  }

  @Override
  public void write(byte[] b) {}

  @Override
  public void write(byte[] b, int off, int len) {}

  @Override
  public void writeInt(int i) {}

  @Override
  public void write(ByteBuffer bb) {}

  @Override
  public int buffered() {
    return edits.size() - left;
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return pipeline.clone();
  }

  @Override
  public void close() throws IOException {
    if (broken) {
      throw new IOException("stream already broken");
    }
    if (safe().size() < edits.size()) {
      throw new IllegalStateException("should call flush first before calling close");
    }
    ended = true;
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) {
    breakStream();
    ended = true;
  }

  @Override
  public boolean isBroken() {
    return broken;
  }

  @Override
  public long getSyncedLength() {
    return safe().size();
  }
}
