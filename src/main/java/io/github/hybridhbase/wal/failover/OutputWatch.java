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
 * A periodic check of one output by a {@link StragglerDetector}, while flushes are in flight. Ticks
 * share the event loop with acknowledgements, so they neither block nor throw.
 */
@InterfaceAudience.Private
public final class OutputWatch {
  private static final Logger LOG = LoggerFactory.getLogger(OutputWatch.class);

  /** Runs a task once, after a delay, on a thread that must not block. */
  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Scheduler {
    /** May throw if it takes no more tasks. */
    void schedule(Runnable task, long nanos);
  }

  @InterfaceAudience.Private
  @FunctionalInterface
  public interface Listener {
    /** Called at every tick that finds stragglers; neither blocks nor throws. */
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

  /** Used by ticks only. */
  private final long[] counts;

  private volatile boolean again;
  private volatile boolean mostAreSilent;
  private long lastTick;
  private int idle;

  /**
   * @param stallMillis minimum lag of a straggler, above 0
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

  public WatchedOutput output() {
    return output;
  }

  public Acknowledgements acknowledgements() {
    return acknowledgements;
  }

  /** Whether a flush is in flight and the stragglers still owe their packets. */
  boolean holds(Verdict verdict) {
    return !output.isGivenUp()
        && output.isWaiting()
        && acknowledgements.areBehind(verdict.nodes(), verdict.packets());
  }

  /**
   * Restarts detection at the next tick. Any thread.
   *
   * @param silent whether most replicas did not answer a heartbeat
   */
  void startAgain(boolean silent) {
    mostAreSilent = silent;
    again = true;
  }

  boolean mostAreSilent() {
    return mostAreSilent;
  }

  /** Lag as a multiple of the lateness threshold; only for the {@link Listener}. */
  long times(long now, Verdict verdict) {
    return lateness.times(now, verdict, acknowledgements);
  }

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
      LOG.debug("A WAL is not watched any more", e); // the server is stopping
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
      if (LOG.isTraceEnabled()) { // the format of the traces that the tests replay
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
    if (output.isWaiting()) { // a flush left just before ticking was cleared
      flushed();
    }
  }
}
