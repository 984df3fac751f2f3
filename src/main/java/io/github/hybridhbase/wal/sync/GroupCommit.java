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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets one flush at a time through; the next one answers every sync that came meanwhile.
 *
 * <p>AsyncFSWAL flushes on every wake-up of its consumer, however many flushes are under way, and a
 * DataNode carries out hsyncs one after the other: under load each edit pays for an fsync of its
 * own. Here a sync that finds a flush under way waits for the next one, which leaves as soon as the
 * acknowledgement is in, or a little later where {@link GatherPolicy} says so.
 *
 * <p>What holds at all times:
 *
 * <ul>
 *   <li>The output holds only bytes that a sync has asked for ({@link StagingBuffer}), and a flush
 *       is forced if any sync it answers is: no byte that a forced sync covers leaves unforced.
 *   <li>Syncs are answered in the order in which they came, with the result of a flush that began
 *       after they did; and one after the other, because AsyncFSWAL's idea of the highest synced
 *       transaction would go backwards otherwise.
 *   <li>After the first failure every sync fails, those under way included.
 *   <li>After {@link #close} no flush leaves.
 *   <li>A flush leaves with none under way. That keeps packets in order: netty writes at once on
 *       its event loop but queues the writes of other threads, so that a flush from the event loop
 *       could overtake one from the appending thread.
 *   <li>Whatever throws, output, timer or statistics: every sync is answered and the lock is free.
 *       Statistics that throw fail nothing.
 * </ul>
 *
 * <p>Threads: {@link #sync} on the thread that appends, acknowledgements and the timer on any event
 * loop, {@link #close} on any. An event loop never waits for the lock: if it is taken, its holder
 * carries on with the acknowledgement. The appending thread waits for as long as a flush takes to
 * checksum and encrypt, which {@link WalSyncStats#waitedForFlush} tells. Futures are completed
 * outside the lock.
 */
@InterfaceAudience.Private
public final class GroupCommit {
  private static final Logger LOG = LoggerFactory.getLogger(GroupCommit.class);

  /** One flush and the syncs that it answers. */
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
  private final GatherPolicy policy;
  private final LongSupplier clock;
  private final WalSyncStats stats;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean lookAgain;

  // Under the lock.
  /** Null for an empty one after a failure, where there may be no space for another. */
  private SyncBatch pending = new SyncBatch();

  /** Null where no flush is under way. */
  private InFlightFlush underWay;

  private volatile Throwable failure;
  private boolean statsFailed;

  private final GatherTimer gathering;
  private final OrderedResults answers = new OrderedResults();

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public GroupCommit(
      FlushOutput output,
      GatherPolicy policy,
      GatherTimer.Scheduler timer,
      LongSupplier clock,
      WalSyncStats stats) {
    this.output = output;
    this.policy = policy;
    this.gathering = new GatherTimer(timer, clock, this::lookAgain);
    this.clock = clock;
    this.stats = stats;
  }

  /**
   * Sends what is staged, now or with the next flush. Never throws and never waits for the network.
   *
   * @param force whether it must be on the devices before the future completes
   * @param edits entries staged
   * @return completes with the length acknowledged by every replica
   */
  public CompletableFuture<Long> sync(boolean force, StagingBuffer staged, int edits) {
    CompletableFuture<Long> answer = null;
    boolean free = lock.tryLock();
    long start = free ? 0 : clock.getAsLong();
    if (!free) {
      lock.lock();
    }
    try {
      if (!free) {
        tell(to -> to.waitedForFlush(clock.getAsLong() - start));
      }
      if (pending == null) {
        pending = new SyncBatch();
      }
      answer = pending.add(force, staged.size(), edits);
      if (failure != null) {
        staged.clear();
        fail(failure);
      } else {
        staged.drainTo(output);
        sendOrGather();
      }
    } catch (Throwable t) {
      fail(t);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
    // No space for the sync itself: it is the first to fail, as all later ones will.
    return answer == null ? CompletableFuture.failedFuture(failure) : answer;
  }

  /**
   * From now on no flush leaves. Syncs without an answer fail, those under way included; AsyncFSWAL
   * closes a healthy writer only when there are none. Never throws.
   */
  void close() {
    lock.lock();
    try {
      if (failure == null) {
        failure = new IOException("The log writer was closed");
      }
      if (underWay != null) {
        answers.add(underWay.batch, 0, failure);
        underWay = null;
      }
      fail(failure);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
  }

  /** Sends what is pending if nothing is under way and nothing more is to be waited for. */
  private void sendOrGather() {
    if (underWay != null || pending == null || pending.isEmpty()) {
      return;
    }
    if (gathering.isOn()) {
      long left = gathering.leftNanos();
      int edits = pending.edits();
      int expected = policy.expected();
      if (left > 0 && edits < expected) {
        return;
      }
      gathering.end();
      policy.waited(left > 0);
      if (left <= 0) {
        tell(to -> to.gatheringTimedOut(edits, expected));
      }
    } else if (gathering.begin(policy.delayNanos(pending.edits()))) {
      return;
    }
    send();
  }

  private void send() {
    long start = clock.getAsLong();
    InFlightFlush sent = new InFlightFlush(pending, start);
    pending = new SyncBatch();
    underWay = sent;
    try {
      // Completed already, it goes to SSD once this thread has let go of the lock.
      var unused = output.flush(sent.batch.forced()).whenComplete(sent);
    } catch (Throwable t) {
      sent.accept(null, t);
    }
    tell(to -> to.lockedForFlush(clock.getAsLong() - start));
  }

  private void lookAgain() {
    lookAgain = true;
    settle();
  }

  /** Deals with what an event loop has reported, unless the lock's holder will. */
  private void settle() {
    // A holder of the lock comes here after it has let go, this thread included.
    while (lookAgain && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        lookAgain = false;
        completeInOrder();
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
    // First of all: whatever throws from here on, its syncs are answered.
    answers.add(batch, completed.acked, error);
    if (error != null) {
      fail(error);
      return;
    }
    long nanos = clock.getAsLong() - completed.startNanos;
    policy.flushed(batch.edits(), pending.edits(), nanos);
    tell(to -> to.flushed(batch.syncs(), batch.edits(), batch.bytes(), batch.forced(), nanos));
  }

  private void fail(Throwable t) {
    boolean first = failure == null;
    if (first) {
      failure = t;
    }
    // While a flush is under way they fail after it, in their order.
    SyncBatch failed = pending;
    if (underWay == null && failed != null) {
      pending = null;
      answers.add(failed, 0, failure);
    }
    gathering.end();
    if (first) {
      tell(WalSyncStats::failed);
    }
  }

  /** What only counts fails nothing. */
  private void tell(Consumer<WalSyncStats> what) {
    try {
      what.accept(stats);
    } catch (Throwable t) {
      if (!statsFailed) {
        statsFailed = true;
        LOG.warn("A log writer's syncs are not all counted; the log itself is not affected", t);
      }
    }
  }

  private static Throwable unwrap(Throwable t) {
    return t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
  }
}
