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
import io.github.hybridhbase.wal.failover.Acknowledgements.RecentSpread;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.Uninterruptibles;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that moves the WALs of one server off a DataNode that stalls.
 *
 * <p>While flushes are in flight, ticks compare acknowledgements ({@link StragglerDetector}). A
 * verdict counts if enough other DataNodes are left and the limit of rolls is not reached ({@link
 * StalledNodes}) and the NameNode takes files. Then HBase rolls; once the next file's header is
 * acknowledged, an output that still waits fails as if a DataNode had died, and AsyncFSWAL appends
 * unacknowledged edits again.
 *
 * <p>Thread-safe. Verdicts are decided on one daemon thread, {@code hybrid-wal-failover}; each
 * occupies it for twice as long as the NameNode takes to answer.
 */
@InterfaceAudience.Private
public final class FailOver {
  private static final Logger LOG = LoggerFactory.getLogger(FailOver.class);
  private static final int WAITING = 100;

  /** Leaving one of two replicas would leave one. */
  private static final int FEWEST = 3;

  // Tests replace it.
  Executor executor =
      DaemonThreads.pool("hybrid-wal-failover", 1, WAITING, new ThreadPoolExecutor.AbortPolicy());

  private final StalledNodes stalled;
  private final int stallMillis;
  private final IoSupplier<Boolean> takesFiles;
  private final Consumer<OpenLog> roll;
  private final RecentSpread spread = new RecentSpread();

  /**
   * @param stallMillis minimum lag of a straggler; 0 disables failover
   * @param takesFiles whether the directory of WALs does; calls the NameNode
   * @param roll requests a roll; never blocks
   */
  public FailOver(
      StalledNodes stalled,
      int stallMillis,
      IoSupplier<Boolean> takesFiles,
      Consumer<OpenLog> roll) {
    this.stalled = stalled;
    this.stallMillis = stallMillis;
    this.takesFiles = takesFiles;
    this.roll = roll;
  }

  /**
   * @param replicas regular number; a WAL with fewer is not watched
   * @param scheduler for ticks, on a thread that must not block
   * @return null if failover is disabled, the pipeline is short, or a replica is not known to be on
   *     SSD
   */
  public Watch watch(
      OpenLog log, Path wal, WatchedOutput output, int replicas, Scheduler scheduler) {
    DatanodeInfo[] pipeline = output.getPipeline();
    return stallMillis > 0
            && pipeline.length >= Math.max(FEWEST, replicas)
            && Pipeline.everyReplicaOnSsd(pipeline)
        ? new Watch(log, wal, output, scheduler)
        : null;
  }

  /**
   * Ticks share the event loop with acknowledgements, so they neither throw nor block, but while
   * another thread sends a packet; there is none without a flush in flight.
   */
  @InterfaceAudience.Private
  public final class Watch {
    public final Acknowledgements acknowledgements;

    private final OpenLog log;
    private final Path wal;
    final WatchedOutput output;
    private final Scheduler scheduler;
    private final StragglerDetector detector =
        new StragglerDetector(TimeUnit.MILLISECONDS.toNanos(stallMillis));
    private final AtomicBoolean deciding = new AtomicBoolean();

    /** Why the file is left once the log's next one is open; or null. */
    private volatile IOException leaving;

    /** At most the trailer follows, which has its own limit. */
    private volatile boolean over;

    /** Guarded by the output's monitor, so that no flush leaves unwatched. */
    private boolean ticking;

    // Used by ticks only.
    private long lastTick;
    private int idle;
    private boolean warned;

    /** The last one; or null. */
    private Verdict verdict;

    private Watch(OpenLog log, Path wal, WatchedOutput output, Scheduler scheduler) {
      this.acknowledgements = new Acknowledgements(output.getPipeline(), stallMillis);
      this.log = log;
      this.wal = wal;
      this.output = output;
      this.scheduler = scheduler;
      output.onFlush = this::flushed;
    }

    private void flushed() {
      if (!ticking) {
        ticking = true;
        lastTick = stalled.clock.getAsLong();
        idle = 0;
        scheduler.takes(this::tick, detector.periodNanos);
      }
    }

    private void tick() {
      if (over) {
        return;
      }
      try {
        compare();
      } catch (RuntimeException | Error e) {
        Failures.swallowed("A WAL is not watched for DataNodes that stall, until its roll.", e);
        giveUp(); // else a roll would wait for ever
        return;
      }
      synchronized (output) {
        ticking = idle <= StragglerDetector.TICKS || output.isWaiting();
        if (ticking) {
          scheduler.takes(this::tick, detector.periodNanos);
        }
      }
    }

    private void compare() {
      long now = stalled.clock.getAsLong();
      long since = now - lastTick;
      lastTick = now;
      long[] counts = acknowledgements.counts();
      long usual = acknowledgements.usualNanos;
      long last = acknowledgements.lastNanos;
      long apart = acknowledgements.spread(spread, now);
      int late = detector.tick(counts, usual, last, apart, since);
      boolean waiting = output.isWaiting();
      // Tests replay these traces.
      LOG.trace("{} {} {},{},{} {} {}", output, since, usual, last, apart, counts, late);
      if (late != 0 && waiting && leaving == null) {
        if (verdict == null || verdict.late != late || !verdict.holds()) {
          verdict = new Verdict(late, now);
        }
        late(verdict);
      }
      idle = waiting ? 0 : idle + 1;
    }

    private void late(Verdict verdict) {
      if (!stalled.mayLeave(verdict.nodes, verdict.times())) {
        if (!warned) {
          warned = true;
          LOG.warn(
              "The DataNode {} acknowledges the WAL {} {} ms late or more, and writes wait for it:"
                  + " too few others are left, or WALs left stalled DataNodes too often lately."
                  + " Check the DataNode's disks and its log.",
              verdict.nodes,
              wal,
              verdict.millis);
        }
      } else if (deciding.compareAndSet(false, true)) {
        try {
          executor.execute(verdict);
        } catch (RuntimeException | Error e) { // also without threads left
          deciding.set(false); // the next tick tries again
        }
      }
    }

    private void giveUp() {
      IOException why = leaving;
      leaving = null;
      if (why != null && output.isWaiting()) {
        over = true;
        output.giveUp(why);
      }
    }

    /** The stragglers of the output, until others are late or these catch up; and the evidence. */
    private final class Verdict implements Runnable {
      private final int late;
      private final Set<DatanodeInfo> nodes;

      // As of when they became late.
      private final long packets = detector.expected;
      private final long millis = TimeUnit.NANOSECONDS.toMillis(detector.lateNanos);
      private final boolean silent = detector.silent;
      private final long since;

      Verdict(int late, long now) {
        this.late = late;
        this.nodes = acknowledgements.nodes(late);
        this.since = now - detector.lateNanos;
      }

      /** Lag as a multiple of the lateness threshold, pauses of this process included. */
      long times() {
        return TimeUnit.NANOSECONDS.toMillis(stalled.clock.getAsLong() - since) / millis;
      }

      /** Whether a flush is in flight and the stragglers still owe their packets. */
      boolean holds() {
        return output.isWaiting() && acknowledgements.areBehind(late, packets);
      }

      /** Blocks on the NameNode. */
      @Override
      public void run() {
        try {
          long asked = System.nanoTime();
          boolean takes = takesFiles.get(); // if it is gone, another server recovers the WALs
          // This server's network may have paused: what was lost is sent again within as long.
          Uninterruptibles.sleepUninterruptibly(System.nanoTime() - asked, TimeUnit.NANOSECONDS);
          if (takes && holds() && stalled.leave(nodes, times())) {
            leave();
          }
        } catch (IOException e) {
          LOG.debug("The WAL {} waits for {}, and the NameNode cannot be asked", wal, nodes, e);
        } catch (RuntimeException | Error e) {
          Failures.swallowed("A WAL could not be rolled away from a DataNode that stalls.", e);
        }
        deciding.set(false);
      }

      private void countWait() {
        long millis = TimeUnit.NANOSECONDS.toMillis(stalled.clock.getAsLong() - since);
        HybridMetrics.get().count(Metric.WAL_FAILOVER_WAIT, millis);
      }

      /**
       * Has HBase open the log's next file first: if the stragglers catch up meanwhile, no flush
       * fails. A file that is not the log's fails at once: the roll waits for its header, or HBase
       * for its trailer.
       */
      private void leave() {
        // A time-out counts as HdfsError.Kind.NODE_SILENT.
        leaving =
            new SocketTimeoutException(
                nodes + " did not acknowledge within " + millis + " ms what others did");
        acknowledgements.over = true;
        CompletableFuture<Void> left = log.left(wal);
        left.thenRun(Watch.this::giveUp);
        if (!left.isDone()) {
          left.thenRun(this::countWait);
          roll.accept(log);
        }
        HybridMetrics.get().count(Metric.WAL_FAILOVERS);
        HybridMetrics.get().count(silent ? Metric.WAL_FAILOVERS_SILENT : Metric.WAL_FAILOVERS_SLOW);
        LOG.warn(
            "The DataNode {} stalls: for {} ms or more it has not acknowledged what other replicas"
                + " of the WAL {} have{}. The WAL goes on in a new file, and new WALs of this server"
                + " exclude it for a while. Check its disks and its log. hbase.hybrid.wal.stall"
                + " sets the threshold.",
            nodes,
            millis,
            wal,
            silent ? ", nor anything else" : "");
      }
    }
  }
}
