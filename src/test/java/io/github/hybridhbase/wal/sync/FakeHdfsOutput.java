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
package io.github.hybridhbase.wal.sync;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Behaves as {@code FanOutOneBlockAsyncDFSOutput} does, without a network: a flush with no new
 * bytes sends nothing, whatever it is asked for; a packet flagged syncBlock makes the whole file
 * durable; packets are acknowledged in order; a broken stream fails all that is unacknowledged, but
 * never answers a flush of several packets that it broke between; close refuses while
 * acknowledgements are missing. Flushes of other threads than the event loop's are queued, as netty
 * does. Notes in {@link #violations} whatever HDFS would not survive.
 */
@InterfaceAudience.Private
public class FakeHdfsOutput implements AsyncFSOutput {
  /** How it, or the process around it, fails once. */
  enum Fault {
    /** A DataNode is lost. */
    BREAKS,
    /** A DataNode is lost between two packets of the next flush. */
    BREAKS_BETWEEN_PACKETS,
    /** A DataNode is lost, and the flush in flight is answered by nobody. */
    BREAKS_SILENTLY,
    THROWS_ON_WRITE,
    THROWS_ON_FLUSH,
    THROWS_WHEN_ASKED_FOR_ITS_STATE,
    CLOCK_THROWS,
    NO_MEMORY_FOR_A_SYNC
  }

  /** One flush that carried bytes. */
  static final class Packet {
    final long from;
    final long to;
    final boolean syncBlock;
    final CompletableFuture<Long> future;

    Packet(long from, long to, boolean syncBlock, CompletableFuture<Long> future) {
      this.from = from;
      this.to = to;
      this.syncBlock = syncBlock;
      this.future = future;
    }
  }

  final List<String> violations = Collections.synchronizedList(new ArrayList<>());
  final List<Packet> sent = new ArrayList<>();
  private final Set<Fault> faults = EnumSet.noneOf(Fault.class);
  final Set<Fault> met = EnumSet.noneOf(Fault.class);
  private final ArrayDeque<Packet> unacked = new ArrayDeque<>();
  private final ArrayDeque<Packet> nettyQueue = new ArrayDeque<>();
  private final AtomicReference<Thread> user = new AtomicReference<>();

  /** Runs before and after whatever else happens. */
  Runnable step = () -> {};

  /** Whether the caller is on the event loop. */
  boolean onLoop;

  /** Whether acknowledgements come on that loop, rather than on another replica's. */
  boolean acksOnLoop = true;

  /** Whether it only breaks, and answers every flush then, as HBase's output does not. */
  boolean answersAll;

  /** Whether syncs may fail before the writer is closed. */
  boolean mayFail;

  private long written;
  private long flushed;
  private long wire;
  private long acked;
  private long durable;
  private boolean broken;

  /** Hears of connections that close. */
  Runnable listener = () -> {};

  private boolean closed;

  /** Bytes that a power cut would leave. */
  long durable() {
    return durable;
  }

  int unackedPackets() {
    return unacked.size();
  }

  void fail(Fault how) {
    Fault fault = answersAll ? Fault.BREAKS : how;
    faults.add(fault);
    if (meets(Fault.BREAKS)) {
      breakStream();
    } else if (meets(Fault.BREAKS_SILENTLY)) {
      broken = true;
      nettyQueue.clear();
      unacked.clear();
    }
  }

  /** As the event loop does, sooner or later. */
  void tellOfClosedConnections() {
    if (broken) {
      listener.run();
    }
  }

  boolean meets(Fault fault) {
    boolean meets = faults.remove(fault);
    if (meets) {
      met.add(fault);
    }
    return meets;
  }

  private void throwIf(Fault fault) {
    if (meets(fault)) {
      throw new IllegalStateException("test");
    }
  }

  private void enter() {
    if (!user.compareAndSet(null, Thread.currentThread())) {
      violations.add("Used by " + Thread.currentThread() + " while " + user.get() + " is at it");
    }
    if (closed) {
      user.set(null);
      // Its buffer is null by then.
      throw new NullPointerException("The output is closed");
    }
  }

  private void leave() {
    user.compareAndSet(Thread.currentThread(), null);
  }

  @Override
  public void write(byte[] b) {
    write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    step.run();
    enter();
    try {
      throwIf(Fault.THROWS_ON_WRITE);
      written += len;
    } finally {
      leave();
    }
  }

  @Override
  public void writeInt(int i) {
    write(new byte[4]);
  }

  @Override
  public void write(ByteBuffer bb) {
    write(new byte[bb.remaining()]);
  }

  @Override
  public int buffered() {
    return (int) (written - flushed);
  }

  @Override
  public boolean isBroken() {
    throwIf(Fault.THROWS_WHEN_ASKED_FOR_ITS_STATE);
    return broken;
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return new DatanodeInfo[0];
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    enter();
    try {
      throwIf(Fault.THROWS_ON_FLUSH);
      if (broken) {
        return CompletableFuture.failedFuture(new IOException("stream already broken"));
      }
      if (written == flushed) {
        return unacked.isEmpty()
            ? CompletableFuture.completedFuture(flushed)
            : unacked.peekLast().future.thenApply(length -> length);
      }
      Packet packet = new Packet(flushed, written, sync, new CompletableFuture<>());
      flushed = written;
      sent.add(packet);
      if (meets(Fault.BREAKS_BETWEEN_PACKETS)) {
        breakStream();
        return packet.future; // answered by nobody
      }
      unacked.add(packet);
      if (onLoop) {
        transmit(packet);
      } else {
        nettyQueue.add(packet);
      }
      return packet.future;
    } finally {
      leave();
    }
  }

  private void transmit(Packet packet) {
    if (packet.from != wire) {
      violations.add("Packet at " + packet.from + " on the wire, expected " + wire);
    }
    wire = packet.to;
  }

  /** The event loop writes what other threads have queued. */
  void runLoop() {
    step.run();
    while (!nettyQueue.isEmpty()) {
      transmit(nettyQueue.poll());
    }
  }

  /** Every replica has stored the oldest packet and said so; false if there is none. */
  public boolean ack() {
    step.run();
    Packet packet = unacked.poll();
    if (packet == null) {
      return false;
    }
    while (nettyQueue.contains(packet)) {
      transmit(nettyQueue.poll());
    }
    if (packet.syncBlock) {
      durable = packet.to;
    }
    acked = packet.to;
    answer(() -> packet.future.complete(packet.to));
    step.run();
    return true;
  }

  private void breakStream() {
    broken = true;
    nettyQueue.clear();
    answer(
        () -> {
          for (Packet packet = unacked.poll(); packet != null; packet = unacked.poll()) {
            packet.future.completeExceptionally(new IOException("Connection closed"));
          }
        });
  }

  private void answer(Runnable completion) {
    boolean before = onLoop;
    onLoop = acksOnLoop;
    try {
      completion.run();
    } finally {
      onLoop = before;
    }
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) {
    closed = true;
    breakStream();
  }

  @Override
  public void close() throws IOException {
    if (!unacked.isEmpty()) {
      throw new IllegalStateException("should call flush first before calling close");
    }
    if (broken) {
      throw new IOException("stream already broken");
    }
    closed = true;
  }

  @Override
  public long getSyncedLength() {
    return acked;
  }
}
