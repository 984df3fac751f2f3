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

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongSupplier;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a {@link StragglerDetector} about one output, at every tick while flushes leave it; an idle
 * one has no ticks. Ticks are on an event loop, as acknowledgements are: they neither block nor
 * throw.
 */
@InterfaceAudience.Private
public final class OutputWatch {
  private static final Logger LOG = LoggerFactory.getLogger(OutputWatch.class);

  /** Runs a task once, later, on a thread that must not be blocked. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Scheduler {
    /** May throw where it takes no more tasks. */
    void schedule(Runnable task, long nanos);
  }

  /** Who is told of stragglers. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Listener {
    /** Called at every tick while they are late; neither blocks nor throws. */
    void late(OutputWatch watch, Verdict verdict);
  }

  private final WatchedOutput output;
  private final Acknowledgements acknowledgements;
  private final StragglerDetector detector;
  private final Scheduler scheduler;
  private final LongSupplier clock;
  private final Listener listener;
  private final RecentSpread spread;
  private final Lateness lateness = new Lateness();
  private final long periodNanos;
  private final AtomicBoolean ticking = new AtomicBoolean();
  private final Runnable tick = this::tick;

  /** Of the ticks, one at a time. */
  private final long[] counts;

  private volatile boolean again;
  private volatile boolean mostAreSilent;
  private long lastTick;
  private int idle;

  /**
   * @param stallMillis how late a replica must be at least, above 0
   * @param spread of all WALs of the server
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  OutputWatch(
      AsyncFSOutput output,
      long stallMillis,
      RecentSpread spread,
      Scheduler scheduler,
      LongSupplier clock,
      Listener listener) {
    long stallNanos = TimeUnit.MILLISECONDS.toNanos(stallMillis);
    this.output = new WatchedOutput(output, this::flushed);
    this.acknowledgements = new Acknowledgements(output.getPipeline());
    this.detector = new StragglerDetector(stallNanos, acknowledgements.replicas());
    this.periodNanos = StragglerDetector.periodNanos(stallNanos);
    this.spread = spread;
    this.scheduler = scheduler;
    this.clock = clock;
    this.listener = listener;
    this.counts = new long[acknowledgements.replicas()];
  }

  /** What is to be written to instead of the output. */
  public WatchedOutput output() {
    return output;
  }

  /** What is to be told of each acknowledgement. */
  public Acknowledgements acknowledgements() {
    return acknowledgements;
  }

  /** Whether they still owe what they were found to owe, and flushes wait for them, right now. */
  boolean holds(Verdict verdict) {
    return !output.isGivenUp()
        && output.isWaiting()
        && acknowledgements.areBehind(verdict.nodes(), verdict.packets());
  }

  /**
   * From the next tick on nobody is late yet. Any thread.
   *
   * @param silent whether most of the replicas did not answer
   */
  void startAgain(boolean silent) {
    mostAreSilent = silent;
    again = true;
  }

  /** Whether most of the replicas did not answer when they were asked last. */
  boolean mostAreSilent() {
    return mostAreSilent;
  }

  /** How late they are by now, in times of what made them late. For the {@link Listener} only. */
  long times(long now, Verdict verdict) {
    return lateness.times(now, verdict, acknowledgements);
  }

  /** Whether so many of its replicas are more than half: then the others are the odd ones. */
  boolean areMost(int replicas) {
    return StragglerDetector.areMost(replicas, acknowledgements.replicas());
  }

  private Verdict verdict(int late) {
    return new Verdict(
        acknowledgements.nodes(late),
        detector.expected(),
        (int) TimeUnit.NANOSECONDS.toMillis(detector.lateNanos()),
        (int) TimeUnit.NANOSECONDS.toMillis(detector.probeNanos()),
        detector.areSilent(late),
        output.isDurable());
  }

  private void flushed() {
    if (!ticking.get() && ticking.compareAndSet(false, true)) {
      lastTick = clock.getAsLong();
      idle = 0;
      next();
    }
  }

  private void next() {
    try {
      scheduler.schedule(tick, periodNanos);
    } catch (RuntimeException e) {
      LOG.debug("A WAL is not watched any more", e); // the server ends
    }
  }

  private void tick() {
    if (output.isGivenUp() || output.failIfBroken()) {
      return;
    }
    try {
      long now = clock.getAsLong();
      long since = now - lastTick;
      lastTick = now;
      if (again) {
        again = false;
        detector.startAgain();
        lateness.startAgain();
      }
      acknowledgements.copyTo(counts);
      acknowledgements.spreadsTo(spread, now);
      FlushTimes times = acknowledgements.times(spread.secondLongest(now));
      int late = detector.tick(counts, times, since);
      boolean waiting = output.isWaiting();
      if (LOG.isTraceEnabled()) { // as the recorded traces of the tests are
        LOG.trace("{} {} {} {} {}", output, since, times, Arrays.toString(counts), late);
      }
      if (late != 0 && waiting) {
        listener.late(this, verdict(late));
      }
      idle = waiting ? 0 : idle + 1;
    } catch (RuntimeException | Error e) {
      LOG.warn("A WAL is not watched for DataNodes that are late any more", e);
      return;
    }
    if (idle <= StragglerDetector.TICKS) {
      next();
      return;
    }
    ticking.set(false);
    if (output.isWaiting()) { // it left just now and was not heard
      flushed();
    }
  }
}
