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
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Lets one flush at a time through, or two where much has come; the next one answers every sync
 * that came meanwhile.
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
 *   <li>An event loop sends a flush with none under way or not at all. That keeps packets in order:
 *       netty writes at once on its event loop but queues the writes of other threads, so that a
 *       flush from the event loop could overtake one from the appending thread.
 *   <li>The appending thread sends a second one behind another where enough has come meanwhile to
 *       be worth a packet, which keeps the processor busy, and neither is forced: a DataNode
 *       carries out hsyncs one after the other, so that a forced one gains nothing by leaving
 *       early.
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
  /** The two things that the gate does to an {@code AsyncFSOutput}; never both at a time. */
  @InterfaceAudience.Private
  interface Output {
    /** Adds bytes to the next flush. */
    void write(byte[] bytes, int offset, int length);

    /** Sends all bytes; the future is completed on an event loop, or at once. */
    CompletableFuture<Long> flush(boolean force);
  }

  /** From so many bytes on a second flush is worth its packets: measured, 1 KB an edit. */
  static final long SECOND_FLUSH_BYTES = 16 * 1024;

  /** No second flush leaves. */
  static final long ONE_AT_A_TIME = Long.MAX_VALUE;

  /** One flush and the syncs that it answers. */
  private final class Flight implements BiConsumer<Long, Throwable> {
    private final Batch batch;
    private final long startNanos;
    private long acked;
    private Throwable error;
    private volatile boolean landed;

    Flight(Batch batch, long startNanos) {
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
      landed = true;
      lookAgain();
    }
  }

  private final Output output;
  private final GatherPolicy policy;
  private final LongSupplier clock;
  private final WalSyncStats stats;
  private final long secondFlushBytes;

  private final ReentrantLock lock = new ReentrantLock();
  private volatile boolean lookAgain;

  // Under the lock.
  private Batch pending = new Batch();
  private final ArrayDeque<Flight> flights = new ArrayDeque<>(2);
  private Throwable failure;
  private long lastLandedNanos = Long.MIN_VALUE;

  private final GatherTimer gathering;
  private final Answers answers = new Answers();

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param secondFlushBytes from how many bytes on a second flush leaves behind another; {@link
   *     #ONE_AT_A_TIME} where the appending thread is an event loop, whose flush would overtake one
   *     that another loop has sent
   */
  SyncGate(
      Output output,
      GatherPolicy policy,
      GatherTimer.Scheduler timer,
      LongSupplier clock,
      WalSyncStats stats,
      long secondFlushBytes) {
    this.output = output;
    this.policy = policy;
    this.gathering = new GatherTimer(timer, clock, this::lookAgain);
    this.clock = clock;
    this.stats = stats;
    this.secondFlushBytes = secondFlushBytes;
  }

  /**
   * Sends what is staged, now or with the next flush. Never throws and never waits for the network.
   *
   * @param force whether it must be on the devices before the future completes
   * @param edits entries staged
   * @return completes with the length acknowledged by every replica
   */
  CompletableFuture<Long> sync(boolean force, StagingBuffer staged, int edits) {
    CompletableFuture<Long> answer = null;
    takeLock();
    try {
      answer = pending.add(force, staged.size(), edits);
      if (failure != null) {
        staged.clear();
        fail(failure);
      } else {
        staged.drainTo(output);
        if (secondMayLeave()) {
          send();
        } else {
          sendOrGather();
        }
      }
    } catch (Throwable t) {
      fail(t);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
    return answer;
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
      while (!flights.isEmpty()) {
        answers.add(flights.remove().batch, 0, failure);
      }
      fail(failure);
    } finally {
      lock.unlock();
    }
    settle();
    answers.deliver();
  }

  private void takeLock() {
    if (!lock.tryLock()) {
      long start = clock.getAsLong();
      lock.lock();
      stats.waitedForFlush(clock.getAsLong() - start);
    }
  }

  private Batch takePending() {
    Batch taken = pending;
    pending = new Batch();
    return taken;
  }

  /** Only for the appending thread. */
  private boolean secondMayLeave() {
    return flights.size() == 1
        && !flights.element().batch.forced()
        && !pending.forced()
        && pending.bytes() >= secondFlushBytes;
  }

  /** Sends what is pending if nothing is under way and nothing more is to be waited for. */
  private void sendOrGather() {
    if (!flights.isEmpty() || pending.isEmpty()) {
      return;
    }
    if (gathering.isOn()) {
      long left = gathering.leftNanos();
      if (left > 0 && pending.edits() < policy.expected()) {
        return;
      }
      gathering.end();
      policy.waited(left > 0);
      if (left <= 0) {
        stats.gatheringTimedOut(pending.edits(), policy.expected());
      }
    } else if (gathering.begin(policy.delayNanos(pending.edits()))) {
      return;
    }
    send();
  }

  private void send() {
    Batch batch = takePending();
    Flight sent = new Flight(batch, clock.getAsLong());
    flights.add(sent);
    CompletableFuture<Long> future;
    try {
      future = output.flush(batch.forced());
    } catch (RuntimeException | Error e) {
      future = CompletableFuture.failedFuture(e);
    }
    stats.lockedForFlush(clock.getAsLong() - sent.startNanos);
    // Completed already, it lands once this thread has let go of the lock.
    var unused = future.whenComplete(sent);
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
        land();
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

  private void land() {
    int landedBefore = 0;
    while (!flights.isEmpty() && flights.element().landed) {
      Flight landed = flights.remove();
      try {
        land(landed, landedBefore);
      } catch (Throwable t) { // or the flight behind it would be answered by nobody
        fail(t);
      }
      landedBefore += landed.batch.edits();
    }
  }

  /**
   * @param landedBefore edits of flights whose writers have not been answered yet either
   */
  private void land(Flight landed, int landedBefore) {
    Batch batch = landed.batch;
    if (failure == null && landed.error == null) {
      long now = clock.getAsLong();
      int others = pending.edits() + landedBefore;
      for (Flight behind : flights) {
        others += behind.batch.edits();
      }
      // A flush behind another one takes what it takes from when that one is through.
      policy.flushed(batch.edits(), others, now - Math.max(landed.startNanos, lastLandedNanos));
      lastLandedNanos = now;
      answers.add(batch, landed.acked, null);
      stats.flushed(
          batch.syncs(), batch.edits(), batch.bytes(), batch.forced(), now - landed.startNanos);
    } else {
      Throwable first = failure == null ? landed.error : failure;
      answers.add(batch, 0, first);
      fail(first);
    }
  }

  private void fail(Throwable t) {
    if (failure == null) {
      failure = t;
      stats.failed();
    }
    gathering.end();
    // While a flush is under way they fail after it, in their order.
    if (flights.isEmpty() && !pending.isEmpty()) {
      answers.add(takePending(), 0, failure);
    }
  }

  private static Throwable unwrap(Throwable t) {
    return t instanceof CompletionException && t.getCause() != null ? t.getCause() : t;
  }
}
