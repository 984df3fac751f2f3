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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.wal.failover.Connections;
import io.github.hybridhbase.wal.failover.Scheduler;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CancelableProgressable;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An output with a group commit for one WAL file: one flush is in flight at a time, and the next
 * one answers all syncs that came meanwhile, up to {@link #MAX_BYTES}. Reason: a DataNode executes
 * hsyncs one after the other.
 *
 * <p>INVARIANTS:
 *
 * <ul>
 *   <li>The output holds only bytes of the flush that leaves, and a flush is forced if any of its
 *       syncs is: no unforced flush answers a forced sync.
 *   <li>Syncs are answered in order, with the result of a flush that began after them, under the
 *       monitor: otherwise AsyncFSWAL's highest synced transaction would go backwards. AsyncFSWAL
 *       runs callbacks on its own executor.
 *   <li>After the first failure every sync fails; after {@link #end} no flush leaves.
 *   <li>At most one flush is in flight: netty writes at once on its event loop but queues writes of
 *       other threads, so that one could overtake another.
 *   <li>A flush ends in every state of its output: {@code FanOutOneBlockAsyncDFSOutput} completes
 *       none of several packets that it broke between, so the output is checked after each flush,
 *       at each later sync, and every {@value #LOOK_MILLIS} ms.
 *   <li>A failed flush is not processed by the thread that completes it, which may hold the lock of
 *       HBase's output.
 * </ul>
 *
 * <p>Threads: {@code write}, {@code buffered} and {@code flush} belong to one at a time, the
 * appending one; acknowledgements and timer to any event loop, the rest to any.
 */
@InterfaceAudience.Private
public final class GroupCommit implements AsyncFSOutput {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /**
   * Bytes above which syncs share no flush, since an event loop that may also serve RPC sends it.
   * Below 4 MiB, or a part of a checksum chunk that is sent again would make HBase's buffer grow.
   */
  static final int MAX_BYTES = 4 * 1024 * 1024 - 4096;

  private static final int LOOK_MILLIS = 100;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);

  private static final class Sync extends CompletableFuture<Long> {
    private final boolean force;
    private final int edits;
    private final ByteArrayOutputStream entries;
    private final int bytes;

    Sync(boolean force, int edits, ByteArrayOutputStream entries) {
      this.force = force;
      this.edits = edits;
      this.entries = entries;
      this.bytes = entries.size();
    }
  }

  /** Answers the first {@code syncs} syncs. */
  private final class Flush implements BiConsumer<Long, Throwable>, Runnable {
    private final long startNanos = clock.getAsLong();
    private int syncs;
    private int edits;
    private long bytes;
    private boolean forced;
    private long acked;
    private Throwable error;

    boolean takes(Sync sync) {
      if (syncs > 0 && bytes + sync.bytes > MAX_BYTES) {
        return false;
      }
      syncs++;
      edits += sync.edits;
      bytes += sync.bytes;
      forced |= sync.force;
      return true;
    }

    @Override
    public void accept(Long length, Throwable t) {
      if (t == null && length != null) {
        acked = length;
      } else {
        error = t == null ? new IOException("A flush without a length") : unwrap(t);
      }
      boolean now = error == null && !Thread.holdsLock(GroupCommit.this);
      if (now || !schedule(this, 0)) {
        run();
      }
    }

    @Override
    public void run() {
      answered(this);
    }
  }

  private final AsyncFSOutput output;
  private final Connections connections;
  private final StagingBuffer staged;
  private final boolean alwaysForce;
  private final GatherPolicy policy;
  private final Scheduler timer;
  private final LongSupplier clock;

  /** Unanswered; those in flight first. */
  private final ArrayDeque<Sync> syncs = new ArrayDeque<>();

  /** Null if none. */
  private Flush inFlight;

  private int waitingEdits;
  private long waitingBytes;
  private Throwable failure;

  private boolean gathering;

  private long gatherUntil;
  private boolean alarmSet;
  private boolean lookSet;

  /** Of the appending thread. */
  private int stagedEdits;

  /**
   * @param alwaysForce makes every flush an hsync, also of the trailer: if a power cut loses that
   *     of a closed file, the file is shorter than the NameNode records, and all its replicas count
   *     as corrupt
   * @param timer runs a task on an event loop
   */
  public GroupCommit(
      AsyncFSOutput output, boolean alwaysForce, GatherPolicy policy, Scheduler timer) {
    this(output, new StagingBuffer(), alwaysForce, policy, timer, System::nanoTime);
  }

  /**
   * @param clock nanoseconds
   */
  GroupCommit(
      AsyncFSOutput output,
      StagingBuffer staged,
      boolean alwaysForce,
      GatherPolicy policy,
      Scheduler timer,
      LongSupplier clock) {
    this.output = output;
    this.connections = Connections.of(WatchedOutput.unwrap(output));
    this.staged = staged;
    this.alwaysForce = alwaysForce;
    this.policy = policy;
    this.timer = timer;
    this.clock = clock;
  }

  public StagingBuffer stream() {
    return staged;
  }

  public void entryEnds() {
    stagedEdits++;
  }

  @Override
  public void write(byte[] b) {
    staged.write(b, 0, b.length);
  }

  @Override
  public void write(byte[] b, int off, int len) {
    staged.write(b, off, len);
  }

  @Override
  public void writeInt(int i) {
    staged.writeInt(i);
  }

  @Override
  public void write(ByteBuffer bb) {
    int len = bb.remaining();
    staged.write(bb, bb.position(), len);
    bb.position(bb.position() + len);
  }

  /** Since the last {@link #flush}; the writer computes its length from them. */
  @Override
  public int buffered() {
    return staged.size();
  }

  @Override
  public boolean isBroken() {
    return output.isBroken();
  }

  @Override
  public DatanodeInfo[] getPipeline() {
    return output.getPipeline();
  }

  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    int edits = stagedEdits;
    stagedEdits = 0;
    return sync(sync || alwaysForce, edits);
  }

  @Override
  public void recoverAndClose(CancelableProgressable reporter) throws IOException {
    end();
    output.recoverAndClose(reporter);
  }

  @Override
  public void close() throws IOException {
    end();
    output.close();
  }

  @Override
  public long getSyncedLength() {
    return output.getSyncedLength();
  }

  /**
   * Sends what is staged, now or with the next flush. Never throws, never waits for the network.
   *
   * @param force whether the bytes must be on the devices
   * @return completes with the length that every replica has acknowledged
   */
  synchronized CompletableFuture<Long> sync(boolean force, int edits) {
    Sync sync = null;
    try {
      sync = new Sync(force, edits, staged.take());
      syncs.add(sync);
      waitingEdits += edits;
      waitingBytes += sync.bytes;
    } catch (Throwable t) {
      fail(t);
      return CompletableFuture.failedFuture(failure);
    }
    goOn();
    return sync;
  }

  /**
   * Fails unanswered syncs; AsyncFSWAL closes a healthy writer only if there are none. Never
   * throws.
   */
  synchronized void end() {
    if (failure == null) {
      failure = new IOException("The log writer was closed");
    }
    failAll();
  }

  private synchronized void answered(Flush flush) {
    if (flush != inFlight) {
      return; // its syncs have failed
    }
    if (flush.error != null) {
      fail(flush.error);
      return;
    }
    for (int i = 0; i < flush.syncs && flush == inFlight; i++) {
      syncs.remove().complete(flush.acked);
    }
    if (flush != inFlight) {
      return; // a callback has ended all
    }
    inFlight = null;
    try {
      policy.flushed(flush.edits, waitingEdits, clock.getAsLong() - flush.startNanos);
    } catch (Throwable t) {
      fail(t);
    }
    HybridMetrics metrics = HybridMetrics.get();
    metrics.count(Metric.WAL_FLUSHES);
    metrics.count(Metric.WAL_SYNCS, flush.syncs);
    if (flush.forced) {
      metrics.count(Metric.WAL_HSYNCS);
    }
    goOn();
  }

  private void goOn() {
    try {
      if (failure == null) {
        failIfBroken();
      }
      if (failure == null) {
        sendOrGather();
      }
    } catch (Throwable t) {
      fail(t);
    }
    if (failure != null) {
      failAll();
    }
  }

  private void sendOrGather() {
    if (inFlight != null || syncs.isEmpty()) {
      return;
    }
    boolean full = waitingBytes > MAX_BYTES;
    if (gathering) {
      long left = gatherUntil - clock.getAsLong();
      if (left > 0 && waitingEdits < policy.expected() && !full) {
        if (setAlarm(left)) {
          return;
        }
      }
      gathering = false;
      policy.waited(left > 0);
      if (left <= 0) {
        HybridMetrics.get().count(Metric.WAL_GATHER_TIMEOUTS);
      }
    } else if (!full) {
      long nanos = policy.delayNanos(waitingEdits);
      if (nanos > 0 && setAlarm(nanos)) {
        gathering = true;
        gatherUntil = clock.getAsLong() + nanos;
        return;
      }
    }
    send();
  }

  private void send() {
    Flush flush = new Flush();
    for (Sync sync : syncs) {
      if (!flush.takes(sync)) {
        break;
      }
      output.write(sync.entries.getBuffer(), 0, sync.bytes);
      staged.reuse(sync.entries);
    }
    waitingEdits -= flush.edits;
    waitingBytes -= flush.bytes;
    inFlight = flush;
    var unused = output.flush(flush.forced).whenComplete(flush);
    failIfBroken();
    look();
  }

  /** An alarm for an earlier gathering is set again when it goes off. */
  private boolean setAlarm(long nanos) {
    alarmSet = alarmSet || schedule(this::alarm, nanos);
    return alarmSet;
  }

  private synchronized void alarm() {
    alarmSet = false;
    if (gathering) {
      goOn();
    }
  }

  private void failIfBroken() {
    if (inFlight != null && (output.isBroken() || connections.isOneClosed())) {
      fail(new IOException("The output broke while a flush was in flight"));
    }
  }

  private void look() {
    lookSet = lookSet || schedule(this::looked, LOOK_NANOS);
  }

  private synchronized void looked() {
    lookSet = false;
    if (inFlight != null) {
      goOn();
    }
    if (inFlight != null) {
      look();
    }
  }

  /** False if the event loop rejects the task. */
  private boolean schedule(Runnable task, long nanos) {
    try {
      timer.schedule(task, nanos);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.debug("No timer", e);
      return false;
    }
  }

  private void fail(Throwable t) {
    if (failure == null) {
      failure = t;
      HybridMetrics.get().count(Metric.WAL_WRITERS_FAILED);
    }
    failAll();
  }

  /** Also fails the flush in flight, whose own result is ignored from then on. */
  private void failAll() {
    inFlight = null;
    gathering = false;
    for (Sync sync = syncs.poll(); sync != null; sync = syncs.poll()) {
      sync.completeExceptionally(failure);
    }
    waitingEdits = 0;
    waitingBytes = 0;
  }

  private static Throwable unwrap(Throwable t) {
    return t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
  }
}
