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
 * Lets one flush at a time through; the next one answers every sync that came meanwhile, up to
 * {@link SyncBatch#MAX_BYTES} of them.
 *
 * <p>AsyncFSWAL flushes on every wake-up of its consumer, however many flushes are under way, and a
 * DataNode carries out hsyncs one after the other: under load each edit pays for an fsync of its
 * own. Here a sync that finds a flush under way waits for the next one, which leaves as soon as the
 * acknowledgement is in, or a little later where {@link GatherPolicy} says so.
 *
 * <p>What holds at all times:
 *
 * <ul>
 *   <li>The output holds only bytes of the flush that leaves ({@link StagingBuffer}), and a flush
 *       is forced if any sync it answers is: no forced sync is answered by an unforced flush.
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
 *   <li>A flush in flight ends in every state of its output. {@code FanOutOneBlockAsyncDFSOutput}
 *       answers none of several packets that it broke between, for example: so the output is looked
 *       at once the flush has left, at each later sync, and every {@value #LOOK_MILLIS} ms.
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

  /** How often the output is looked at while flushes leave it. */
  private static final int LOOK_MILLIS = 100;

  private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS);

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
  private final StagingBuffer staged;
  private final GatherPolicy policy;
  private final LongSupplier clock;
  private final WalSyncStats stats;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean lookAgain;

  // Under the lock.
  /** What has not left yet, a flush each; none is empty. */
  private final ArrayDeque<SyncBatch> pending = new ArrayDeque<>();

  /** Null where no flush is under way. */
  private InFlightFlush underWay;

  private volatile Throwable failure;
  private boolean statsFailed;

  private final GatherTimer gathering;
  private final Alarm look;
  private final OrderedResults answers = new OrderedResults();

  /**
   * @param staged what syncs cover is written to it first
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public GroupCommit(
      FlushOutput output,
      StagingBuffer staged,
      GatherPolicy policy,
      Alarm.Scheduler timer,
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
   * Sends what is staged, now or with the next flush. Never throws and never waits for the network.
   *
   * @param force whether it must be on the devices before the future completes
   * @param edits entries staged
   * @return completes with the length acknowledged by every replica
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
        tell(to -> to.waitedForFlush(clock.getAsLong() - start));
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

  /** Sends what is pending if nothing is under way and nothing more is to be waited for. */
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
        tell(to -> to.gatheringTimedOut(edits, expected));
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
      // Completed already, it goes to SSD once this thread has let go of the lock.
      var unused = output.flush(sent.batch.forced()).whenComplete(sent);
    } catch (Throwable t) {
      sent.accept(null, t);
    }
    failIfBroken();
    look.set(LOOK_NANOS);
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
    // First of all: whatever throws from here on, its syncs are answered.
    answers.add(batch, completed.acked, error);
    if (error != null) {
      fail(error);
      return;
    }
    long nanos = clock.getAsLong() - completed.startNanos;
    policy.flushed(batch.edits(), pendingEdits(), nanos);
    tell(to -> to.flushed(batch.syncs(), batch.edits(), batch.bytes(), batch.forced(), nanos));
  }

  private int pendingEdits() {
    int edits = 0;
    for (SyncBatch batch : pending) {
      edits += batch.edits();
    }
    return edits;
  }

  /** Fails the flush in flight, unless it is answered, if nobody may ever answer it. */
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

  /** Also what is in flight; its own answer, should one come, is no longer of interest. */
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
    // While a flush is under way they fail after it, in their order.
    if (underWay == null) {
      for (SyncBatch failed = pending.poll(); failed != null; failed = pending.poll()) {
        answers.add(failed, 0, failure);
      }
    }
    staged.drop();
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
