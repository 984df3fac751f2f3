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
 * Leads the WALs of one server away from a DataNode that stalls, and back to it.
 *
 * <p>The output is given up as if that DataNode had died: AsyncFSWAL rolls and appends again what
 * was not acknowledged, the next file is opened without it ({@link StalledNodes#avoided}), and the
 * old one is recovered by HBase's own closing thread. Before that the other DataNodes are asked for
 * a sign of life, since none of them may be better off, and the NameNode whether the WAL's
 * directory is there: while it cannot answer no WAL is given up, since none could be opened.
 *
 * <p>Thread-safe. That is asked on one daemon thread, {@code hybrid-wal-failover}, on which nothing
 * else waits for HDFS. A WAL whose DataNodes are mostly silent takes half of {@code
 * hbase.hybrid.wal.stall.ms} of its time, about every one and a half times that.
 */
@InterfaceAudience.Private
public final class FailOver {
  private static final Logger LOG = LoggerFactory.getLogger(FailOver.class);

  private static final int WAITING = 100;

  /** Milliseconds; other WALs wait meanwhile. */
  private static final int MOST_FOR_ANSWERS = 200;

  /** Of two replicas a WAL would keep one. */
  private static final int FEWEST = 3;

  private final StalledNodes stalled;
  private final int stallMillis;
  private final LongSupplier clock;
  private final Executor executor;
  private final Function<AsyncFSOutput, Heartbeats> heartbeats;
  private final ReturnProbes probes;
  private final RecentSpread spread;

  /** Since when the writers of a log, by its name without the number, wait for its next file. */
  private final Map<String, Long> interrupted = new ConcurrentHashMap<>();

  /** The file of each log that was opened last. */
  private final Map<String, Path> newest = new ConcurrentHashMap<>();

  private volatile boolean ended;

  /**
   * Watches no WAL yet.
   *
   * @param stallMillis how late a replica must be at least; 0 = none ever is
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

  /** The DataNodes that new files are to avoid. */
  public StalledNodes stalled() {
    return stalled;
  }

  /** Without these a WAL would have too few replicas: they are used again. Never blocks. */
  public void needed(Collection<DatanodeInfo> nodes) {
    stalled.needed(nodes);
    probes.changed();
  }

  /** The server has closed its WALs. */
  public void end() {
    ended = true;
    probes.end();
  }

  /** A WAL was opened, whatever on: its writers wait no longer. */
  public void opened(Path wal) {
    newest.put(log(wal), wal);
    Long since = interrupted.remove(log(wal));
    if (since != null) {
      long waited = TimeUnit.NANOSECONDS.toMillis(clock.getAsLong() - since);
      HybridMetrics.get().count(Metric.WAL_FAILOVER_WAIT, waited);
    }
  }

  /**
   * Watches over an output that was just opened, after {@link #opened}.
   *
   * @param replicas that WALs here have as a rule: one that lacks some already would have one less
   *     in its next file too, so that it waits for a straggler
   * @return null where it is not watched: switched off, under-replicated, not on SSD, or nothing to
   *     compare with
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
              deciding.set(false); // at the next tick
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
      // That may take its time, and then they have caught up.
      if (othersAnswer(watch, beats, verdict)
          && directory.takesFiles() // or others recover this server's WALs
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
   * Whether the other DataNodes live, so many that with the late ones most do. Where they were
   * silent the last time, that is not enough: DataNodes that all stopped go on one after the other,
   * so whoever is late has all its time again. Waits no longer than half of the time that makes a
   * replica late, and as long again.
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
    // The trailer of a file that was rolled already is written while nobody waits.
    boolean current = wal.equals(newest.get(log(wal)));
    if (current) {
      interrupted.put(log(wal), since);
    }
    // HBase takes it for a DataNode that does not answer (HdfsErrorKind.NODE_SILENT).
    IOException why =
        new SocketTimeoutException(
            verdict.nodes()
                + " did not acknowledge within "
                + verdict.lateMillis()
                + " ms what other replicas did");
    watch.acknowledgements().end();
    if (!watch.output().giveUp(why)) {
      interrupted.remove(log(wal), since); // the next flush makes HBase roll
    }
    HybridMetrics.get().count(Metric.WAL_FAILOVERS);
    HybridMetrics.get()
        .count(verdict.isSilent() ? Metric.WAL_FAILOVERS_SILENT : Metric.WAL_FAILOVERS_SLOW);
    LOG.warn(
        "The DataNode {} has not acknowledged for {} ms or more what the other replicas of the WAL"
            + " {} have: it stalls, as a dying or throttled disk does, or a process that hangs"
            + " ({}). {}. New WALs of this server avoid it until a probe finds it quick; look at"
            + " its disks and its log. hbase.hybrid.wal.stall.ms says what is late; the metric {}"
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
