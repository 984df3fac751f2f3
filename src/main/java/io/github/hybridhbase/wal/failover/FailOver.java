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

import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.wal.failover.Acknowledgements.FlushTimes;
import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import io.github.hybridhbase.wal.failover.StalledNodes.RollLimit;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Arrays;
import java.util.Collection;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that moves the WALs of one server off a DataNode that stalls.
 *
 * <p>While flushes are in flight, ticks compare acknowledgements ({@link StragglerDetector}). A
 * verdict counts if enough other DataNodes are left ({@link StalledNodes}), the {@link RollLimit}
 * is not reached, others answer a heartbeat, and the NameNode takes files. Then HBase rolls; once
 * the next file's header is acknowledged, an output that still waits fails as if a DataNode had
 * died, and AsyncFSWAL appends unacknowledged edits again.
 *
 * <p>Thread-safe. Verdicts are decided on one daemon thread, {@code hybrid-wal-failover}; a WAL
 * most of whose DataNodes are silent occupies it for at most a third of the time.
 */
@InterfaceAudience.Private
public final class FailOver {
  private static final Logger LOG = LoggerFactory.getLogger(FailOver.class);
  private static final int WAITING = 100;

  /** Verdicts on other WALs wait meanwhile. */
  private static final int MOST_FOR_ANSWERS = 200;

  private static final int END_SECONDS = 2;

  /** Leaving one of two replicas would leave one. */
  private static final int FEWEST = 3;

  private final StalledNodes stalled;
  private final int stallMillis;
  private final LongSupplier clock;
  private final Executor executor;
  private final BiFunction<AsyncFSOutput, Collection<DatanodeInfo>, Heartbeats> heartbeats;
  private final IoSupplier<Boolean> takesFiles;
  private final Consumer<OpenLog> roll;
  private final RecentSpread spread;

  /**
   * @param stallMillis minimum lag of a straggler; 0 disables failover
   * @param takesFiles whether the directory of WALs does; calls the NameNode
   * @param roll requests a roll; never blocks
   */
  public FailOver(
      StalledNodes stalled,
      int stallMillis,
      LongSupplier clock,
      IoSupplier<Boolean> takesFiles,
      Consumer<OpenLog> roll) {
    this(
        stalled,
        stallMillis,
        clock,
        takesFiles,
        roll,
        DaemonThreads.pool("hybrid-wal-failover", 1, WAITING, new ThreadPoolExecutor.AbortPolicy()),
        Heartbeats::of);
  }

  FailOver(
      StalledNodes stalled,
      int stallMillis,
      LongSupplier clock,
      IoSupplier<Boolean> takesFiles,
      Consumer<OpenLog> roll,
      Executor executor,
      BiFunction<AsyncFSOutput, Collection<DatanodeInfo>, Heartbeats> heartbeats) {
    this.stalled = stalled;
    this.stallMillis = stallMillis;
    this.clock = clock;
    this.takesFiles = takesFiles;
    this.roll = roll;
    this.executor = executor;
    this.heartbeats = heartbeats;
    this.spread = new RecentSpread(clock.getAsLong());
  }

  /**
   * @param replicas regular number; a WAL with fewer is not watched
   * @param scheduler for ticks, on a thread that must not block
   * @return null if failover is disabled, the pipeline is short, or a replica is not known to be on
   *     SSD
   */
  public Watch watch(
      OpenLog log, Path wal, AsyncFSOutput output, int replicas, Scheduler scheduler) {
    DatanodeInfo[] pipeline = output.getPipeline();
    if (stallMillis == 0
        || pipeline.length < Math.max(FEWEST, replicas)
        || !Pipeline.everyReplicaOnSsd(pipeline)) {
      return null;
    }
    return new Watch(log, wal, output, scheduler);
  }

  /**
   * Ticks share the event loop with acknowledgements, so they neither block nor throw; there is
   * none without a flush in flight.
   */
  @InterfaceAudience.Private
  public final class Watch {
    private final OpenLog log;
    private final Path wal;
    public final WatchedOutput output;
    public final Acknowledgements acknowledgements;
    private final StragglerDetector detector;
    private final Scheduler scheduler;
    private final long periodNanos;
    private final AtomicBoolean ticking = new AtomicBoolean();
    private final AtomicBoolean deciding = new AtomicBoolean();
    private final Runnable tick = this::tick;

    private volatile boolean again;

    /** Why the file is left once the log's next one is open; or null. */
    private volatile IOException leaving;

    /** At most the trailer follows, which has its own limit. */
    private volatile boolean over;

    /** At the last verdict. */
    private volatile boolean mostAreSilent;

    // Used by ticks only.
    private final long[] counts;
    private long lastTick;
    private int idle;
    private boolean warned;
    private boolean rolled;

    /** On the present stragglers; or null. */
    private Verdict first;

    private long firstAt;

    private Watch(OpenLog log, Path wal, AsyncFSOutput output, Scheduler scheduler) {
      long stallNanos = TimeUnit.MILLISECONDS.toNanos(stallMillis);
      this.log = log;
      this.wal = wal;
      this.output = new WatchedOutput(output, this::flushed);
      this.acknowledgements = new Acknowledgements(output.getPipeline(), stallMillis);
      this.detector = new StragglerDetector(stallNanos, acknowledgements.replicas());
      this.periodNanos = StragglerDetector.periodNanos(stallNanos);
      this.scheduler = scheduler;
      this.counts = new long[acknowledgements.replicas()];
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
      if (over || output.isGivenUp() || output.failIfBroken()) {
        return;
      }
      try {
        long now = clock.getAsLong();
        long since = now - lastTick;
        lastTick = now;
        if (again) {
          again = false;
          detector.startAgain();
          first = null;
        }
        boolean next = leaving != null && !log.isIn(wal);
        if (next && rolled) { // for one tick, or HBase would roll once more
          giveUp();
        }
        rolled = next;
        acknowledgements.copyTo(counts);
        acknowledgements.spreadsTo(spread, now);
        FlushTimes times = acknowledgements.times(spread.secondLongest(now));
        int late = detector.tick(counts, times, since);
        boolean waiting = output.isWaiting();
        if (LOG.isTraceEnabled()) { // tests replay these traces
          LOG.trace("{} {} {} {} {}", output, since, times, Arrays.toString(counts), late);
        }
        if (late != 0 && waiting && leaving == null) {
          late(verdict(late), now);
        }
        idle = waiting ? 0 : idle + 1;
      } catch (RuntimeException | Error e) {
        LOG.warn(
            "A fault of the plugin ended the watch of a WAL for slow DataNodes: one that stalls"
                + " delays its syncs until the next roll, whose WAL is watched again. Please report"
                + " it.",
            e);
        giveUp(); // else a roll would wait for ever
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

    private Verdict verdict(int late) {
      return new Verdict(
          acknowledgements.nodes(late),
          detector.expected(),
          (int) TimeUnit.NANOSECONDS.toMillis(detector.lateNanos()),
          detector.areSilent(late));
    }

    private void late(Verdict verdict, long now) {
      long times = times(verdict, now);
      if (!stalled.mayLeave(verdict.nodes, times)) {
        if (!warned) {
          warned = true;
          LOG.warn(
              "The DataNode {} acknowledges the WAL {} late, by {} ms or more, and writes wait for"
                  + " it: WALs without it would have too few replicas, or were rolled off stalled"
                  + " DataNodes too often lately. Check the DataNode's disks and its log.",
              verdict.nodes,
              wal,
              verdict.lateMillis);
        }
      } else if (deciding.compareAndSet(false, true)) {
        try {
          executor.execute(
              () -> {
                decide(
                    verdict,
                    times,
                    now - TimeUnit.MILLISECONDS.toNanos(verdict.lateMillis * times));
                deciding.set(false);
              });
        } catch (RejectedExecutionException | OutOfMemoryError e) {
          deciding.set(false); // the next tick tries again
        }
      }
    }

    /**
     * Lag as a multiple of the lateness threshold, pauses of this process included; 1 for new
     * stragglers, and for those that have caught up.
     */
    private long times(Verdict verdict, long now) {
      if (first == null
          || !first.nodes.equals(verdict.nodes)
          || !acknowledgements.areBehind(first.nodes, first.packets)) {
        first = verdict;
        firstAt = now;
      }
      long nanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(verdict.lateMillis));
      return 1 + (now - firstAt) / nanos;
    }

    /**
     * @param since when they became late, nanoseconds
     */
    private void decide(Verdict verdict, long times, long since) {
      try {
        if (othersAnswer(verdict)
            && takesFiles.get() // if it is gone, another server recovers the WALs
            && holds(verdict)
            && stalled.leave(verdict.nodes, times)) {
          leave(verdict, since);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } catch (IOException e) {
        LOG.debug(
            "The WAL {} waits for {}, and the NameNode cannot be asked", wal, verdict.nodes, e);
      } catch (RuntimeException | Error e) {
        Failures.swallowed("A WAL could not be rolled away from a DataNode that stalls.", e);
      }
    }

    /** Whether a flush is in flight and the stragglers still owe their packets. */
    boolean holds(Verdict verdict) {
      return !output.isGivenUp()
          && output.isWaiting()
          && acknowledgements.areBehind(verdict.nodes, verdict.packets);
    }

    /**
     * Whether more than half of the replicas are alive. If most were silent at the previous check,
     * the stragglers get their full time again: DataNodes that all stopped resume one after the
     * other. So it sleeps as long as the answers took.
     */
    private boolean othersAnswer(Verdict verdict) throws InterruptedException {
      AsyncFSOutput raw = WatchedOutput.unwrap(output);
      try (Heartbeats others = heartbeats.apply(raw, verdict.nodes)) {
        if (!holds(verdict) || !output.betweenFlushes(others::ask)) {
          return false;
        }
        long asked = System.nanoTime();
        int silent = others.silentAfter(Math.min(stallMillis / 2, MOST_FOR_ANSWERS));
        boolean wereSilent = mostAreSilent;
        boolean areSilent =
            StragglerDetector.areMost(verdict.nodes.size() + silent, acknowledgements.replicas());
        if (wereSilent || areSilent) {
          mostAreSilent = areSilent;
          again = true;
          return false;
        }
        TimeUnit.NANOSECONDS.sleep(System.nanoTime() - asked);
        return true;
      }
    }

    /**
     * Has HBase open the log's next file first: if the stragglers catch up meanwhile, no flush
     * fails. A file that is not the log's fails at once: the roll waits for its header, or HBase
     * for its trailer.
     */
    private void leave(Verdict verdict, long since) {
      // A time-out counts as HdfsError.Kind.NODE_SILENT.
      leaving =
          new SocketTimeoutException(
              verdict.nodes
                  + " did not acknowledge within "
                  + verdict.lateMillis
                  + " ms what other replicas did");
      acknowledgements.end();
      boolean current = log.isIn(wal);
      if (current) {
        log.waits(since);
        roll.accept(log);
      } else {
        giveUp();
      }
      HybridMetrics.get().count(Metric.WAL_FAILOVERS);
      HybridMetrics.get()
          .count(verdict.silent ? Metric.WAL_FAILOVERS_SILENT : Metric.WAL_FAILOVERS_SLOW);
      LOG.warn(
          "The DataNode {} stalls: for {} ms or more it has not acknowledged what other replicas of"
              + " the WAL {} have{}. The WAL goes on without it, in a new file, and new WALs of this"
              + " server exclude it for a while. Check its disks and its log."
              + " hbase.hybrid.wal.stall sets the threshold.",
          verdict.nodes,
          verdict.lateMillis,
          wal,
          verdict.silent ? ", nor anything else" : "");
    }

    private void giveUp() {
      IOException why = leaving;
      leaving = null;
      if (why != null && output.isWaiting()) {
        over = true;
        output.giveUp(why);
      }
    }

    /**
     * Lets HBase close a file that was given up with its trailer, if the DataNodes take it within
     * {@value #END_SECONDS} s: then its lease needs no recovery. Never throws.
     */
    public boolean endsAfterAll() {
      IOException why = output.resume();
      if (why == null) {
        return false;
      }
      try {
        scheduler.schedule(() -> output.giveUp(why), TimeUnit.SECONDS.toNanos(END_SECONDS));
        return true;
      } catch (RuntimeException | Error e) {
        LOG.debug("No timer", e);
        output.giveUp(why);
        return false;
      }
    }
  }
}
