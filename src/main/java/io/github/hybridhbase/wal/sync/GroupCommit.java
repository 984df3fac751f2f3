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
import io.github.hybridhbase.wal.failover.Scheduler;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.ByteArrayOutputStream;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.FutureUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An output with a group commit for one WAL file: one flush is in flight at a time, and the next
 * one answers all syncs that came meanwhile, up to {@link #MAX_BYTES}. Reason: a DataNode executes
 * hsyncs one after the other.
 *
 * <p>INVARIANTS:
 *
 * <ul>
 *   <li>HBase's output holds only bytes of the flush that leaves, and a flush is forced if any of
 *       its syncs is: no unforced flush answers a forced sync.
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
public final class GroupCommit extends WatchedOutput {
  /**
   * Bytes above which syncs share no flush, since an event loop that may also serve RPC sends it.
   * Below 4 MiB, or a part of a checksum chunk that is sent again would make HBase's buffer grow.
   */
  static final int MAX_BYTES = 4 * 1024 * 1024 - 4096;

  /** The syncs that one flush answers. */
  private static final class Batch {
    private final List<CompletableFuture<Long>> syncs = new ArrayList<>();
    private final List<ByteArrayOutputStream> entries = new ArrayList<>();
    private int edits;
    private long bytes;
    private boolean forced;
    private long sentNanos;
    private CompletableFuture<Long> flush;
  }

  // Tests replace these.
  StagingBuffer staged = new StagingBuffer();
  LongSupplier clock = System::nanoTime;

  private final boolean alwaysForce;
  private final GatherPolicy policy;
  private final Scheduler timer;

  /** Unanswered; the one in flight first. */
  private final ArrayDeque<Batch> batches = new ArrayDeque<>();

  /** Null if none. */
  private Batch inFlight;

  private Throwable failure;

  /** Whether the first batch waits for more edits, until then. */
  private boolean gathering;

  private long gatherUntil;

  /** An alarm for an earlier gathering is set again when it goes off. */
  private boolean alarmIsSet;

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
    super(output);
    this.alwaysForce = alwaysForce;
    this.policy = policy;
    this.timer = timer;
  }

  public StagingBuffer stream() {
    return staged;
  }

  public void entryEnds() {
    stagedEdits++;
  }

  @Override
  public void write(byte[] b, int off, int len) {
    staged.write(b, off, len);
  }

  /** Since the last {@link #flush}; the writer computes its length from them. */
  @Override
  public int buffered() {
    return staged.size();
  }

  /**
   * Sends what is staged, now or with the next flush. Never throws, never waits for the network.
   *
   * @param sync whether the bytes must be on the devices
   * @return completes with the length that every replica has acknowledged
   */
  @Override
  public CompletableFuture<Long> flush(boolean sync) {
    int edits = stagedEdits;
    stagedEdits = 0;
    return sync(sync || alwaysForce, edits);
  }

  synchronized CompletableFuture<Long> sync(boolean force, int edits) {
    CompletableFuture<Long> sync;
    try {
      sync = new CompletableFuture<>();
      ByteArrayOutputStream entries = staged.take();
      Batch last = batches.peekLast();
      if (last == null || last == inFlight || last.bytes + entries.size() > MAX_BYTES) {
        last = new Batch();
        batches.add(last);
      }
      last.syncs.add(sync);
      last.entries.add(entries);
      last.edits += edits;
      last.bytes += entries.size();
      last.forced |= force;
    } catch (Throwable t) {
      fail(t);
      return CompletableFuture.failedFuture(failure);
    }
    goOn(null);
    return sync;
  }

  /**
   * Fails unanswered syncs; AsyncFSWAL closes a healthy writer only if there are none. Never
   * throws.
   */
  @Override
  protected synchronized void end() {
    failure = failure == null ? new IOException("The log writer was closed") : failure;
    failAll();
  }

  /** Drops what was staged and not sent. */
  @Override
  public synchronized boolean endsAfterAll(Scheduler scheduler) {
    boolean ends = super.endsAfterAll(scheduler);
    if (ends) {
      fail(new IOException("It was given up"));
      staged.reuse(staged.take());
      stagedEdits = 0;
      failure = null;
    }
    return ends;
  }

  /**
   * Goes on as far as possible; whatever goes wrong fails all syncs. Never throws.
   *
   * @param flushed has an answer; null if none has
   */
  private synchronized void goOn(Batch flushed) {
    try {
      if (flushed != null && flushed == inFlight) { // otherwise its syncs have failed
        answer(flushed);
      }
      if (failure == null && inFlight == null && !batches.isEmpty() && !gathers(batches.peek())) {
        send(batches.peek());
      }
    } catch (Throwable t) {
      fail(t);
    }
    if (failure != null) {
      failAll();
    }
  }

  private void answer(Batch flushed) {
    Long length = flushed.flush.join(); // throws if it failed
    flushed.syncs.forEach(sync -> sync.complete(length));
    if (flushed != inFlight) {
      return; // a callback has ended all
    }
    inFlight = null;
    batches.remove();
    int waiting = batches.stream().mapToInt(batch -> batch.edits).sum();
    policy.flushed(flushed.edits, waiting, clock.getAsLong() - flushed.sentNanos);
    HybridMetrics metrics = HybridMetrics.get();
    metrics.count(Metric.WAL_FLUSHES);
    metrics.count(Metric.WAL_SYNCS, flushed.syncs.size());
    if (flushed.forced) {
      metrics.count(Metric.WAL_HSYNCS);
    }
  }

  /** Whether the batch waits for more edits. */
  private boolean gathers(Batch batch) {
    boolean full = batches.size() > 1;
    if (!gathering) {
      long nanos = full ? 0 : policy.delayNanos(batch.edits);
      gathering = nanos > 0 && alarm(nanos);
      gatherUntil = gathering ? clock.getAsLong() + nanos : 0;
      return gathering;
    }
    long left = gatherUntil - clock.getAsLong();
    gathering = left > 0 && !full && batch.edits < policy.expected && alarm(left);
    if (!gathering) {
      policy.waited(left > 0);
    }
    if (left <= 0) {
      HybridMetrics.get().count(Metric.WAL_GATHER_TIMEOUTS);
    }
    return gathering;
  }

  /** False if the event loop takes no more tasks. */
  private boolean alarm(long nanos) {
    alarmIsSet = alarmIsSet || timer.takes(this::goOnGathering, nanos);
    return alarmIsSet;
  }

  private synchronized void goOnGathering() {
    alarmIsSet = false;
    goOn(null);
  }

  private void send(Batch batch) {
    batch.sentNanos = clock.getAsLong();
    for (ByteArrayOutputStream entries : batch.entries) {
      super.write(entries.getBuffer(), 0, entries.size());
      staged.reuse(entries);
    }
    inFlight = batch;
    batch.flush = super.flush(batch.forced);
    FutureUtils.addListener(
        batch.flush,
        (length, error) -> {
          boolean now = error == null && !Thread.holdsLock(this);
          if (now || !timer.takes(() -> goOn(batch), 0)) {
            goOn(batch);
          }
        });
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
    for (Batch batch = batches.poll(); batch != null; batch = batches.poll()) {
      batch.syncs.forEach(sync -> sync.completeExceptionally(failure));
    }
  }
}
