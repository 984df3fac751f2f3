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

import io.github.hybridhbase.runtime.Scheduler;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A group commit for one WAL file: one flush is in flight at a time, and the next one answers all
 * syncs that came meanwhile, up to {@link SyncBatch#MAX_BYTES}.
 *
 * <p>Reason: AsyncFSWAL flushes on every wake-up of its consumer, and a DataNode executes hsyncs
 * one after the other, so that each edit pays for an fsync under load. Here the next flush leaves
 * upon the acknowledgement, or a little later if {@link GatherPolicy} decides so.
 *
 * <p>INVARIANTS:
 *
 * <ul>
 *   <li>The output holds only bytes of the flush that leaves ({@link StagingBuffer}), and a flush
 *       is forced if any of its syncs is: no unforced flush answers a forced sync.
 *   <li>Syncs are answered in order, with the result of a flush that began after them, and one at a
 *       time: otherwise AsyncFSWAL's highest synced transaction would go backwards.
 *   <li>After the first failure every sync fails, those in flight included.
 *   <li>After {@link #close} no flush leaves.
 *   <li>At most one flush is in flight, which keeps packets in order: netty writes at once on its
 *       event loop but queues writes of other threads, so that one flush could overtake another.
 *   <li>If the output, the timer or statistics throw, every sync is answered and the lock is
 *       released.
 *   <li>A flush ends in every state of its output. Since {@code FanOutOneBlockAsyncDFSOutput}
 *       completes none of several packets that it broke between, the output is checked after each
 *       flush has left, at each later sync, and every {@value #LOOK_MILLIS} ms.
 * </ul>
 *
 * <p>Threads: {@link #sync} on the appending thread, acknowledgements and timer on any event loop,
 * {@link #close} on any. An event loop never waits for the lock: its holder processes the
 * acknowledgement. The appending thread may wait while a flush is checksummed and encrypted ({@link
 * WalSyncStats#waitedForFlush}). Futures are completed outside the lock.
 */
@InterfaceAudience.Private
public final class GroupCommit {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /** Period of output checks while a flush is in flight. */
  private static final int LOOK_MILLIS = 100;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);

  private final class InFlightFlush implements BiConsumer<Long, Throwable> {
    private final SyncBatch batch;
    private final long startNanos;
    private long acked;
    private Throwable error;
    private volatile boolean completed;

    InFlightFlush(SyncBatch batch, long startNanos) {
      this.batch = batch;
      this.startNanos = startNanos;
    }

    @Override
    public void accept(Long length, Throwable t) {
      if (t == null && length != null) {
        acked = length;
      } else {
        error = t == null ? new IOException("A flush without a length") : unwrap(t);
      }
      completed = true;
      lookAgain();
    }
  }

  private final FlushOutput output;
  private final StagingBuffer staged;
  private final GatherPolicy policy;
  private final LongSupplier clock;
  private final WalSyncStats stats;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean lookAgain;

  // Guarded by the lock.
  /** Batches that have not left; none is empty. */
  private final ArrayDeque<SyncBatch> pending = new ArrayDeque<>();

  /** Null if no flush is in flight. */
  private InFlightFlush underWay;

  private volatile Throwable failure;
  private boolean statsFailed;

  private final GatherTimer gathering;
  private final Alarm look;
  private final OrderedResults answers = new OrderedResults();

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public GroupCommit(
      FlushOutput output,
      StagingBuffer staged,
      GatherPolicy policy,
      Scheduler timer,
      LongSupplier clock,
      WalSyncStats stats) {
    this.output = output;
    this.staged = staged;
    this.policy = policy;
    this.gathering = new GatherTimer(new Alarm(timer, this::lookAgain), clock);
    this.look = new Alarm(timer, this::lookAgain);
    this.clock = clock;
    this.stats = stats;
  }

  /**
   * Sends what is staged, now or with the next flush. Never throws, never waits for the network.
   *
   * @param force whether the bytes must be on the devices before the future completes
   * @param edits entries staged
   * @return completes with the length that every replica has acknowledged
   */
  public CompletableFuture<Long> sync(boolean force, int edits) {
    CompletableFuture<Long> answer = null;
    boolean free = lock.tryLock();
    long start = free ? 0 : clock.getAsLong();
    if (!free) {
      lock.lock();
    }
    try {
      if (!free) {
        record(to -> to.waitedForFlush(clock.getAsLong() - start));
      }
      int bytes = staged.mark();
      answer = batchFor(bytes).add(force, bytes, edits);
      if (failure != null) {
        fail(failure);
      } else {
        failIfBroken();
        sendOrGather();
      }
      staged.rewind();
    } catch (Throwable t) {
      fail(t);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
    // Out of memory before the sync was added: all later ones fail too.
    return answer == null ? CompletableFuture.failedFuture(failure) : answer;
  }

  /**
   * Stops flushes and fails unanswered syncs, those in flight included. AsyncFSWAL closes a healthy
   * writer only if there are none. Never throws.
   */
  void close() {
    lock.lock();
    try {
      if (failure == null) {
        failure = new IOException("The log writer was closed");
      }
      failAll(failure);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
  }

  private SyncBatch batchFor(int bytes) {
    SyncBatch batch = pending.peekLast();
    if (batch == null || !batch.takes(bytes)) {
      batch = new SyncBatch();
      pending.addLast(batch);
    }
    return batch;
  }

  private void sendOrGather() {
    if (underWay != null || pending.isEmpty()) {
      return;
    }
    boolean full = pending.size() > 1;
    int edits = pending.peekFirst().edits();
    if (gathering.isOn()) {
      long left = gathering.leftNanos();
      int expected = policy.expected();
      if (left > 0 && edits < expected && !full) {
        return;
      }
      gathering.end();
      policy.waited(left > 0);
      if (left <= 0) {
        record(to -> to.gatheringTimedOut(edits, expected));
      }
    } else if (!full && gathering.begin(policy.delayNanos(edits))) {
      return;
    }
    send();
  }

  private void send() {
    long start = clock.getAsLong();
    InFlightFlush sent = new InFlightFlush(pending.peekFirst(), start);
    pending.removeFirst();
    underWay = sent;
    try {
      staged.drainTo(output, sent.batch.bytes());
      // If it completed already, settle() processes it once this thread has released the lock.
      var unused = output.flush(sent.batch.forced()).whenComplete(sent);
    } catch (Throwable t) {
      sent.accept(null, t);
    }
    failIfBroken();
    look.set(LOOK_NANOS);
    record(to -> to.lockedForFlush(clock.getAsLong() - start));
  }

  private void lookAgain() {
    lookAgain = true;
    settle();
  }

  private void settle() {
    // INVARIANT: every holder, this thread included, calls settle() after it has released the lock.
    while (lookAgain && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        lookAgain = false;
        completeInOrder();
        failIfBroken();
        if (look.rang() && underWay != null) {
          look.set(LOOK_NANOS);
        }
        gathering.rewind();
        sendOrGather();
      } catch (Throwable t) {
        fail(t);
      } finally {
        lock.unlock();
      }
      answers.deliver();
    }
  }

  private void completeInOrder() {
    InFlightFlush completed = underWay;
    if (completed == null || !completed.completed) {
      return;
    }
    underWay = null;
    SyncBatch batch = completed.batch;
    Throwable error = failure == null ? completed.error : failure;
    // First, so that its syncs are answered whatever throws below.
    answers.add(batch, completed.acked, error);
    if (error != null) {
      fail(error);
      return;
    }
    long nanos = clock.getAsLong() - completed.startNanos;
    policy.flushed(batch.edits(), pendingEdits(), nanos);
    record(to -> to.flushed(batch.syncs(), batch.edits(), batch.bytes(), batch.forced(), nanos));
  }

  private int pendingEdits() {
    int edits = 0;
    for (SyncBatch batch : pending) {
      edits += batch.edits();
    }
    return edits;
  }

  /** Fails the flush in flight if the output broke and may never complete it. */
  private void failIfBroken() {
    if (underWay == null || underWay.completed) {
      return;
    }
    try {
      if (output.isBroken()) {
        failAll(new IOException("The output broke while a flush was in flight"));
      }
    } catch (Throwable t) {
      failAll(t);
    }
  }

  /** Also fails the flush in flight, whose own result is ignored from then on. */
  private void failAll(Throwable t) {
    InFlightFlush abandoned = underWay;
    underWay = null;
    if (abandoned != null) {
      answers.add(abandoned.batch, 0, failure == null ? t : failure);
    }
    fail(t);
  }

  private void fail(Throwable t) {
    boolean first = failure == null;
    if (first) {
      failure = t;
    }
    // While a flush is in flight, pending syncs fail after it, in order.
    if (underWay == null) {
      for (SyncBatch failed = pending.poll(); failed != null; failed = pending.poll()) {
        answers.add(failed, 0, failure);
      }
    }
    staged.drop();
    gathering.end();
    if (first) {
      record(WalSyncStats::failed);
    }
  }

  /** Failing statistics must not fail a sync. */
  private void record(Consumer<WalSyncStats> what) {
    try {
      what.accept(stats);
    } catch (Throwable t) {
      if (!statsFailed) {
        statsFailed = true;
        LOG.warn(
            "Some syncs of a WAL are missing in the metrics, since they could not be counted; "
                + "the WAL itself is not affected. Nothing to do.",
            t);
      }
    }
  }

  private static Throwable unwrap(Throwable t) {
    return t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
  }
}
