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
package io.github.hybridhbase.wal;

import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
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
 *   <li>A flush leaves either with none under way or not at all. That also keeps packets in order:
 *       netty writes at once on its event loop but queues the writes of other threads, so that a
 *       flush from the event loop could overtake one from the consumer.
 * </ul>
 *
 * <p>Threads: {@link #sync} on the thread that appends, acknowledgements and the timer on any event
 * loop, {@link #close} on any. An event loop never waits for the lock: if it is taken, its holder
 * carries on with the acknowledgement. The appending thread waits for as long as a flush takes to
 * checksum and encrypt, which {@link WalSyncStats#waitedForFlush} tells. Futures are completed
 * outside the lock.
 */
@InterfaceAudience.Private
final class SyncGate {
  private static final Logger LOG = LoggerFactory.getLogger(SyncGate.class);

  /** The two things that the gate does to an {@code AsyncFSOutput}; never both at a time. */
  @InterfaceAudience.Private
  interface Output {
    /** Adds bytes to the next flush. */
    void write(byte[] bytes, int offset, int length);

    /** Sends all bytes; the future is completed on an event loop, or at once. */
    CompletableFuture<Long> flush(boolean force);
  }

  /** Runs a task once, later, on a thread that must not be blocked. */
  @InterfaceAudience.Private
  @FunctionalInterface
  interface Timer {
    /**
     * @throws RuntimeException where it takes no more tasks
     */
    void schedule(Runnable task, long nanos);
  }

  /** One call of {@link #sync}. */
  private static final class Waiter extends CompletableFuture<Long> {
    private Waiter next;
  }

  /** One flush and the syncs that it answers. */
  private final class Flight implements BiConsumer<Long, Throwable> {
    private final Waiter first;
    private final int syncs;
    private final int edits;
    private final long bytes;
    private final boolean forced;
    private final long startNanos;
    private long acked;
    private Throwable error;
    private volatile boolean landed;

    Flight(Waiter first, int syncs, int edits, long bytes, boolean forced, long startNanos) {
      this.first = first;
      this.syncs = syncs;
      this.edits = edits;
      this.bytes = bytes;
      this.forced = forced;
      this.startNanos = startNanos;
    }

    @Override
    public void accept(Long length, Throwable t) {
      if (t == null && length != null) {
        acked = length;
      } else {
        error = t == null ? new IOException("A flush without a length") : unwrap(t);
      }
      landed = true;
      lookAgain = true;
      settle();
    }
  }

  /** Syncs to answer, all with one result. */
  private static final class Answer {
    private final Waiter first;
    private final long acked;
    private final Throwable error;

    Answer(Waiter first, long acked, Throwable error) {
      this.first = first;
      this.acked = acked;
      this.error = error;
    }

    void deliver() {
      for (Waiter waiter = first; waiter != null; waiter = waiter.next) {
        if (error == null) {
          waiter.complete(acked);
        } else {
          waiter.completeExceptionally(error);
        }
      }
    }
  }

  private final Output output;
  private final GatherPolicy policy;
  private final Timer timer;
  private final LongSupplier clock;
  private final WalSyncStats stats;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean lookAgain;
  private volatile boolean timerFired;

  // Under the lock.
  private Waiter firstPending;
  private Waiter lastPending;
  private int pendingSyncs;
  private int pendingEdits;
  private long pendingBytes;
  private boolean pendingForce;
  private Flight flight;
  private Throwable failure;
  private boolean gathering;
  private int gatheredFrom;
  private long gatherNanos;
  private long gatherUntil;
  private boolean timerSet;

  private final ConcurrentLinkedQueue<Answer> answers = new ConcurrentLinkedQueue<>();
  private final AtomicInteger delivering = new AtomicInteger();

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  SyncGate(
      Output output, GatherPolicy policy, Timer timer, LongSupplier clock, WalSyncStats stats) {
    this.output = output;
    this.policy = policy;
    this.timer = timer;
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
  CompletableFuture<Long> sync(boolean force, StagingBuffer staged, int edits) {
    Waiter waiter = new Waiter();
    takeLock();
    try {
      enqueue(waiter, force, staged.size(), edits);
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
    deliver();
    return waiter;
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
      if (flight != null) {
        answer(flight.first, 0, failure);
        flight = null;
      }
      fail(failure);
    } finally {
      lock.unlock();
    }
    settle();
    deliver();
  }

  private void takeLock() {
    if (!lock.tryLock()) {
      long start = clock.getAsLong();
      lock.lock();
      stats.waitedForFlush(clock.getAsLong() - start);
    }
  }

  private void enqueue(Waiter waiter, boolean force, int bytes, int edits) {
    if (lastPending == null) {
      firstPending = waiter;
    } else {
      lastPending.next = waiter;
    }
    lastPending = waiter;
    pendingSyncs++;
    pendingEdits += edits;
    pendingBytes += bytes;
    pendingForce |= force;
  }

  private Waiter takePending() {
    Waiter first = firstPending;
    firstPending = null;
    lastPending = null;
    pendingSyncs = 0;
    pendingEdits = 0;
    pendingBytes = 0;
    pendingForce = false;
    return first;
  }

  /** Sends what is pending if nothing is under way and nothing more is to be waited for. */
  private void sendOrGather() {
    if (flight != null || firstPending == null) {
      return;
    }
    if (gathering) {
      long left = gatherUntil - clock.getAsLong();
      if (left > 0 && pendingEdits < policy.expected()) {
        return;
      }
      gathering = false;
      policy.waited(gatheredFrom, pendingEdits, gatherNanos - left);
      if (left <= 0) {
        stats.gatheringTimedOut(pendingEdits, policy.expected());
      }
    } else if (gather(policy.delayNanos(pendingEdits))) {
      return;
    }
    send();
  }

  private boolean gather(long delay) {
    if (delay > 0 && (timerSet || setTimer(delay))) {
      gathering = true;
      gatheredFrom = pendingEdits;
      gatherNanos = delay;
      gatherUntil = clock.getAsLong() + delay;
    }
    return gathering;
  }

  private boolean setTimer(long delay) {
    try {
      timer.schedule(this::timeIsUp, delay);
      timerSet = true;
    } catch (RuntimeException e) {
      LOG.debug("No timer, so no gathering", e);
    }
    return timerSet;
  }

  private void timeIsUp() {
    timerFired = true;
    lookAgain = true;
    settle();
  }

  /** One timer at most is set; one that was set for an earlier batch is set again for the rest. */
  private void rewindTimer() {
    if (!timerFired) {
      return;
    }
    timerFired = false;
    timerSet = false;
    long left = gathering ? gatherUntil - clock.getAsLong() : 0;
    if (left > 0 && !setTimer(left)) {
      gatherUntil = clock.getAsLong();
    }
  }

  private void send() {
    boolean force = pendingForce;
    int syncs = pendingSyncs;
    int edits = pendingEdits;
    long bytes = pendingBytes;
    Flight sent = new Flight(takePending(), syncs, edits, bytes, force, clock.getAsLong());
    flight = sent;
    CompletableFuture<Long> future;
    try {
      future = output.flush(force);
    } catch (RuntimeException | Error e) {
      future = CompletableFuture.failedFuture(e);
    }
    // Completed already, it lands once this thread has let go of the lock.
    var unused = future.whenComplete(sent);
  }

  /** Deals with what an event loop has reported, unless the lock's holder will. */
  private void settle() {
    // A holder of the lock comes here after it has let go, this thread included.
    while (lookAgain && !lock.isHeldByCurrentThread() && lock.tryLock()) {
      try {
        lookAgain = false;
        land();
        rewindTimer();
        sendOrGather();
      } catch (Throwable t) {
        fail(t);
      } finally {
        lock.unlock();
      }
      deliver();
    }
  }

  private void land() {
    Flight landed = flight;
    if (landed == null || !landed.landed) {
      return;
    }
    flight = null;
    if (failure == null && landed.error == null) {
      long nanos = clock.getAsLong() - landed.startNanos;
      policy.flushed(landed.edits, pendingEdits, nanos);
      answer(landed.first, landed.acked, null);
      stats.flushed(landed.syncs, landed.edits, landed.bytes, landed.forced, nanos);
    } else {
      Throwable first = failure == null ? landed.error : failure;
      answer(landed.first, 0, first);
      fail(first);
    }
  }

  private void fail(Throwable t) {
    if (failure == null) {
      failure = t;
      stats.failed();
    }
    gathering = false;
    // While a flush is under way they fail after it, in their order.
    if (flight == null && firstPending != null) {
      answer(takePending(), 0, failure);
    }
  }

  private void answer(Waiter first, long acked, Throwable error) {
    answers.add(new Answer(first, acked, error));
  }

  /** Completes futures in order: whoever is first here does it for all that come meanwhile. */
  private void deliver() {
    if (answers.isEmpty() || delivering.getAndIncrement() != 0) {
      return;
    }
    int seen = 1;
    do {
      for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
        answer.deliver();
      }
      seen = delivering.addAndGet(-seen);
    } while (seen != 0);
  }

  private static Throwable unwrap(Throwable t) {
    return t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
  }
}
