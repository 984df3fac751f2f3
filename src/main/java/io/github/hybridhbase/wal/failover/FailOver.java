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

import io.github.hybridhbase.hdfs.DaemonThreads;
import io.github.hybridhbase.hdfs.Pipeline;
import io.github.hybridhbase.metrics.Failures;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.Metric;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A monitor that moves the WALs of one server off a DataNode that stalls, and back when it is quick
 * again.
 *
 * <p>Before a WAL leaves stragglers, the other DataNodes must answer a heartbeat (otherwise a new
 * pipeline would be no better) and the NameNode must have the WAL's directory and take writes
 * (otherwise no file could be opened). Then the output fails as if a DataNode had died: AsyncFSWAL
 * rolls and appends unacknowledged edits again, and HBase's closing thread recovers the old file.
 *
 * <p>Thread-safe. The checks have their own daemon thread, {@code hybrid-wal-failover}; a WAL most
 * of whose DataNodes are silent occupies it for at most a third of the time.
 */
@InterfaceAudience.Private
public final class FailOver {
  private static final Logger LOG = LoggerFactory.getLogger(FailOver.class);

  private static final int WAITING = 100;

  /** Milliseconds; checks of other WALs wait meanwhile. */
  private static final int MOST_FOR_ANSWERS = 200;

  /** Replicas: leaving one of two would leave one. */
  private static final int FEWEST = 3;

  private final StalledNodes stalled;
  private final int stallMillis;
  private final LongSupplier clock;
  private final Executor executor;
  private final Function<AsyncFSOutput, Heartbeats> heartbeats;
  private final ReturnProbes probes;
  private final RecentSpread spread;

  /**
   * When the writers of a log began to wait for its next file, nanoseconds; by file name without
   * number.
   */
  private final Map<String, Long> interrupted = new ConcurrentHashMap<>();

  private final Map<String, Path> newest = new ConcurrentHashMap<>();

  private volatile boolean ended;

  /**
   * @param stallMillis minimum lag of a straggler; 0 disables failover
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  public FailOver(StalledNodes stalled, int stallMillis, Later later, LongSupplier clock) {
    this(
        stalled,
        stallMillis,
        later,
        clock,
        DaemonThreads.pool("hybrid-wal-failover", 1, WAITING, new ThreadPoolExecutor.AbortPolicy()),
        Heartbeats::of);
  }

  FailOver(
      StalledNodes stalled,
      int stallMillis,
      Later later,
      LongSupplier clock,
      Executor executor,
      Function<AsyncFSOutput, Heartbeats> heartbeats) {
    this.heartbeats = heartbeats;
    this.stalled = stalled;
    this.stallMillis = stallMillis;
    this.clock = clock;
    this.executor = executor;
    this.probes = new ReturnProbes(stalled, later, clock);
    this.spread = new RecentSpread(clock.getAsLong());
  }

  public StalledNodes stalled() {
    return stalled;
  }

  /** Uses these DataNodes again, since WALs would have too few replicas otherwise. Never blocks. */
  public void needed(Collection<DatanodeInfo> nodes) {
    stalled.needed(nodes);
    probes.changed();
  }

  /** Stops failovers and probes. */
  public void end() {
    ended = true;
    probes.end();
  }

  /** Ends the wait of the log's writers: a file was opened, on any medium. */
  public void opened(Path wal) {
    newest.put(log(wal), wal);
    Long since = interrupted.remove(log(wal));
    if (since != null) {
      long waited = TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - since);
      HybridMetrics.get().count(Metric.WAL_FAILOVER_WAIT, waited);
    }
  }

  /**
   * Watches an output that was just opened, after {@link #opened}.
   *
   * @param replicas regular number; a WAL with fewer waits for a straggler, since its next file
   *     would lose one more
   * @return null if failover is disabled, the pipeline is short, or a replica is off SSD
   */
  public OutputWatch watch(
      Path wal,
      LogDirectory directory,
      AsyncFSOutput output,
      int replicas,
      OutputWatch.Scheduler scheduler) {
    DatanodeInfo[] pipeline = output.getPipeline();
    if (stallMillis == 0
        || pipeline.length < Math.max(FEWEST, replicas)
        || Pipeline.anyReplicaOffSsd(pipeline)) { // slower than the others by nature
      return null;
    }
    AtomicBoolean deciding = new AtomicBoolean();
    AtomicBoolean waits = new AtomicBoolean();
    Heartbeats beats = heartbeats.apply(output);
    return new OutputWatch(
        output,
        stallMillis,
        spread,
        scheduler,
        clock,
        (watch, verdict) -> {
          if (ended) {
            return;
          }
          Set<DatanodeInfo> nodes = verdict.nodes();
          long now = clock.getAsLong();
          long times = watch.times(now, verdict);
          if (!stalled.mayLeave(nodes, now, times)) {
            if (waits.compareAndSet(false, true)) {
              LOG.warn(
                  "The WAL {} waits for {}, which stalls: it is not rolled yet, since WALs would have"
                      + " too few replicas without it, or were rolled {} times or more in the last"
                      + " minute, or {} in the last hour, and it is not late for long enough"
                      + " (for {} ms or more)",
                  wal,
                  nodes,
                  RollLimit.PROMPT_A_MINUTE,
                  RollLimit.PROMPT_AN_HOUR,
                  verdict.lateMillis());
            }
          } else if (deciding.compareAndSet(false, true)) {
            try {
              executor.execute(
                  () -> {
                    decide(
                        wal, directory, watch, beats, verdict, times, since(now, verdict, times));
                    deciding.set(false);
                  });
            } catch (RejectedExecutionException e) {
              deciding.set(false); // the next tick tries again
            }
          }
        });
  }

  private static String log(Path wal) {
    return wal.getName().replaceAll("\\.\\d+(?=(\\.meta)?$)", "");
  }

  private void decide(
      Path wal,
      LogDirectory directory,
      OutputWatch watch,
      Heartbeats beats,
      Verdict verdict,
      long times,
      long since) {
    try {
      // The checks take time, in which the stragglers may catch up.
      if (othersAnswer(watch, beats, verdict)
          && directory.takesFiles() // others recover this server's WALs if it is gone
          && watch.holds(verdict)
          && stalled.leave(verdict.nodes(), clock.getAsLong(), times)) {
        giveUp(wal, watch, verdict, since);
        probes.expect(verdict, directory);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (IOException e) {
      LOG.debug(
          "The WAL {} waits for {}, and the NameNode cannot be asked", wal, verdict.nodes(), e);
    } catch (RuntimeException | Error e) {
      Failures.swallowed("A WAL could not be rolled away from a DataNode that stalls.", e);
    }
  }

  private static long since(long now, Verdict verdict, long times) {
    return now - TimeUnit.MILLISECONDS.toNanos(verdict.lateMillis() * times);
  }

  /**
   * Whether more than half of the replicas are alive. If most were silent at the previous check,
   * the stragglers get their full time again: DataNodes that all stopped resume one after the
   * other.
   *
   * <p>After the answers it sleeps as long as they took, which gives the stragglers the same
   * chance.
   */
  private boolean othersAnswer(OutputWatch watch, Heartbeats beats, Verdict verdict)
      throws InterruptedException {
    try (Heartbeats.Question others = beats.toAllBut(verdict.nodes())) {
      if (!watch.holds(verdict) || !watch.output().betweenFlushes(others::ask)) {
        return false;
      }
      long asked = System.nanoTime();
      int silent = others.silentAfter(Math.min(stallMillis / 2, MOST_FOR_ANSWERS));
      boolean wereSilent = watch.mostAreSilent();
      boolean areSilent = watch.areMost(verdict.nodes().size() + silent);
      if (wereSilent || areSilent) {
        watch.startAgain(areSilent);
        return false;
      }
      TimeUnit.NANOSECONDS.sleep(System.nanoTime() - asked);
      return true;
    }
  }

  private void giveUp(Path wal, OutputWatch watch, Verdict verdict, long since) {
    // Of a file that was rolled before, only the trailer is outstanding: no writer waits.
    boolean current = wal.equals(newest.get(log(wal)));
    if (current) {
      interrupted.put(log(wal), since);
    }
    // HBase takes it for a DataNode that does not respond (HdfsErrorKind.NODE_SILENT).
    IOException why =
        new SocketTimeoutException(
            verdict.nodes()
                + " did not acknowledge within "
                + verdict.lateMillis()
                + " ms what other replicas did");
    watch.acknowledgements().end();
    if (!watch.output().giveUp(why)) {
      interrupted.remove(log(wal), since); // nothing in flight: the next flush makes HBase roll
    }
    HybridMetrics.get().count(Metric.WAL_FAILOVERS);
    HybridMetrics.get()
        .count(verdict.isSilent() ? Metric.WAL_FAILOVERS_SILENT : Metric.WAL_FAILOVERS_SLOW);
    LOG.warn(
        "The DataNode {} has not acknowledged for {} ms or more what the other replicas of the WAL"
            + " {} have: it stalls, as a dying or throttled disk does, or a process that hangs"
            + " ({}). {}. New WALs of this server avoid it until a probe finds it quick; look at"
            + " its disks and its log. hbase.hybrid.wal.stall says what is late; the metric {}"
            + " counts on.",
        verdict.nodes(),
        verdict.lateMillis(),
        wal,
        verdict.isSilent() ? "it acknowledged nothing since" : "it acknowledges, but slowly",
        current
            ? "The WAL is rolled without it, and what was not acknowledged is appended again"
            : "The WAL was rolled before and is closed without it",
        Metric.WAL_FAILOVERS.label());
  }
}
