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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.NodeProbe;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.metrics.Metric;
import io.github.hybridhbase.space.Backoff;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.LogDirectory;
import io.github.hybridhbase.wal.failover.Verdict;
import java.io.IOException;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Whether one server uses SSD for its WALs now: it looks after their {@link WalDirectory}.
 *
 * <p>When SSD refuses a WAL, the server turns this directory to HOT; the policy itself, which one
 * listing of {@code WALs} shows for every server, tells the space monitor. From then on {@link
 * WalRetry} asks for a probe block with growing pauses, and when SSD takes it the directory
 * inherits again and the WALs are rolled. So are WALs that HDFS gave fewer replicas than asked for,
 * or no SSD, when a probe comes out better. Thread-safe; nothing here is called per append.
 */
@InterfaceAudience.Private
final class WalFallback {
  private static final Logger LOG = LoggerFactory.getLogger(WalFallback.class);

  private final WalDirectory directory;
  private final WalMedia open;
  private final WalClock clock;
  private final long retryNanos;
  private final WalRetry retry;
  private final Consumer<Predicate<Path>> roll;
  private final FailOver failOver;

  /** Whether SSD refused and this directory is HOT, rather than as the parent directory says. */
  private boolean onDisk;

  private long wholeAt = Long.MIN_VALUE;
  private Backoff backoff;
  private boolean watched;
  private boolean closed;
  private final LogOnChange logged = new LogOnChange();

  /**
   * WALs are written as the parent directory says.
   *
   * @param replication replicas that each WAL should have
   * @param retrySeconds after which SSD is asked again, the first time
   * @param roll asks for a roll of these open files in the directory; it never blocks
   * @param failOver the server's
   */
  WalFallback(
      WalDirectory directory,
      int replication,
      int retrySeconds,
      WalClock clock,
      WalRetry retry,
      Consumer<Predicate<Path>> roll,
      FailOver failOver) {
    this.directory = directory;
    this.open = new WalMedia(replication);
    this.retryNanos = TimeUnit.SECONDS.toNanos(retrySeconds);
    this.clock = clock;
    this.retry = retry;
    this.roll = roll;
    this.failOver = failOver;
    this.backoff = Backoff.starting(retryNanos);
  }

  /** Nobody looks after this directory any more. */
  synchronized void close() {
    closed = true;
  }

  /** The server's. */
  FailOver failOver() {
    return failOver;
  }

  /**
   * What the fail-over needs of this directory.
   *
   * @param back runs when a DataNode may be used again
   */
  LogDirectory forFailOver(Runnable back) {
    return new LogDirectory() {
      @Override
      public boolean takesFiles() throws IOException {
        return directory.exists() && directory.takesWrites();
      }

      @Override
      public NodeProbe probe(DatanodeInfo node, Verdict verdict) throws IOException {
        return directory.probe(node, verdict.probeMillis(), verdict.isDurable());
      }

      @Override
      public void leftOut(Collection<DatanodeInfo> nodes) throws IOException {
        directory.leftOut(nodes);
      }

      @Override
      public void backTo(DatanodeInfo node) {
        back.run();
      }
    };
  }

  /** A DataNode that was avoided is not any more: WALs that are the worse for it are rolled. */
  void rollIfWorse() {
    synchronized (this) {
      if (closed || onDisk) {
        return;
      }
    }
    roll.accept(file -> open.isWorseThan(file, directory.declared()));
  }

  /** The policy that the WALs here are declared to have. */
  StoragePolicy declared() {
    return directory.declared();
  }

  Path directory() {
    return directory.path();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  /** Whether this server opens its WALs wherever the parent directory says. */
  synchronized boolean inherits() {
    return !onDisk;
  }

  /** Replicas that a WAL has here when nothing is wrong with SSD. */
  int usualReplicas() {
    return open.usualReplicas();
  }

  /**
   * When a probe last had all replicas while WALs were under-replicated, by HBase's clock. Whatever
   * kept DataNodes from WALs before is taken to be over, also of one that the probe did not meet:
   * it is back on HBase's list as soon as it refuses again.
   */
  synchronized long wholeAt() {
    return wholeAt;
  }

  /**
   * Whether HDFS gives a WAL DISK for each replica that SSD has no space for, as it does under
   * ALL_SSD; under ONE_SSD on full SSDs it gives one replica in all.
   */
  boolean getsDiskForSsd() {
    return directory.declared() == StoragePolicy.ALL_SSD;
  }

  /** Whether the policy in force here wants SSD; one or two NameNode calls. */
  boolean wantsSsd() throws IOException {
    return directory.wantsSsd();
  }

  /**
   * Turns this directory to HOT because SSD refused a WAL; SSD is blamed once that is done. The
   * directory must exist: HBase takes its absence for proof that the server is fenced off. May be
   * called again where an answer of the NameNode's was lost.
   */
  void leaveSsd(Path wal, String reason, HdfsErrorKind cause) throws IOException {
    directory.turnToHot();
    synchronized (this) {
      onDisk = true;
      watchLonger();
    }
    HybridMetrics.get().count(Metric.WAL_FALLBACKS);
    HybridMetrics.get().count(causeOf(cause));
    LOG.warn(
        "SSD refused the WAL {}: {}. The WALs of this server go to DISK for a while ({} is turned to"
            + " HOT); SSD is asked again in {} s. The metric {} counts on.",
        wal,
        reason,
        directory.path(),
        TimeUnit.NANOSECONDS.toSeconds(waitNanos()),
        Metric.WAL_FALLBACKS.label());
  }

  private static Metric causeOf(HdfsErrorKind cause) {
    switch (cause) {
      case NO_TARGET:
        return Metric.WAL_FALLBACKS_NO_SPACE;
      case NODE_SILENT:
        return Metric.WAL_FALLBACKS_SILENT;
      case UNDER_REPLICATED:
        return Metric.WAL_FALLBACKS_UNDER_REPLICATED;
      default:
        return Metric.WAL_FALLBACKS_REFUSED;
    }
  }

  /**
   * DISK refuses the WAL as well: this directory goes back to where its parent says, since on an
   * HDFS without DISK nothing could be written in it any more. Throws nothing of HDFS's.
   */
  void diskRefused(Path wal) {
    if (inherits()) {
      return;
    }
    try {
      directory.inherit();
    } catch (IOException | RuntimeException e) {
      LOG.warn("DISK refuses the WAL {} too, and {} stays HOT", wal, directory.path(), e);
      return;
    }
    synchronized (this) {
      onDisk = false;
      logged.isOver(directory.path());
    }
    LOG.warn("DISK refuses the WAL {} too; {} is no longer HOT", wal, directory.path());
    directory.forgetProvenance();
  }

  /**
   * A WAL was opened.
   *
   * @param media of its replicas; empty where that is not known
   * @param shortfall why too few of them are on SSD, as far as is known
   */
  void opened(Path wal, List<StorageType> media, String shortfall) {
    if (media.isEmpty()) {
      return;
    }
    boolean inherits = inherits();
    boolean allAsked = failOver.stalled().avoided().isEmpty();
    boolean isUnderReplicated = open.opened(wal, media, !inherits && allAsked);
    boolean notOnSsd = inherits && directory.declared().misplaced(media) > 0;
    if (isUnderReplicated) {
      HybridMetrics.get().count(Metric.WAL_UNDER_REPLICATED);
      say(
          "The WAL "
              + wal
              + " has "
              + media.size()
              + " of "
              + open.replication()
              + " replicas: "
              + media);
    } else if (notOnSsd) {
      HybridMetrics.get().count(Metric.WAL_NOT_ON_SSD);
      say(
          "The WAL "
              + wal
              + " was written on "
              + media
              + (shortfall.isEmpty() ? "" : ": " + shortfall)
              + ". It is rolled when a probe of SSD takes more replicas.");
    }
    if (isUnderReplicated || notOnSsd) {
      watchLonger();
    } else if (inherits) {
      synchronized (this) {
        logged.isOver(directory.path());
      }
    }
  }

  /** Says what stands once, until something else does. */
  private void say(String what) {
    if (logged.isNews(directory.path(), what.replaceAll("The WAL \\S+ ", ""))) {
      LOG.warn(what);
    }
  }

  private synchronized long waitNanos() {
    long wait = backoff.waitNanos(clock.nanos());
    return wait > 0 ? wait : retryNanos;
  }

  /** The next look comes after a longer pause, unless one waits already. */
  private synchronized void watchLonger() {
    backoff = backoff.refused(clock.nanos());
    if (!watched && !closed) {
      watched = true;
      retry.later("The WALs of " + directory.path(), this::look, waitNanos());
    }
  }

  /**
   * Looks whether a roll would give better WALs, and if so asks for it. Called by {@link WalRetry}.
   */
  void look() {
    synchronized (this) {
      watched = false;
      if (closed) {
        return;
      }
    }
    try {
      if (!directory.exists()) {
        close();
        return;
      }
      // The space monitor, or an admin, may keep all WALs away from SSD: then only whole ones are
      // sought.
      boolean ssd = directory.parentWantsSsd();
      if ((ssd || open.anyUnderReplicated())
          && wouldBeBetter(ssd ? directory.declared() : StoragePolicy.HOT)) {
        if (ssd) {
          inherit();
        }
        roll.accept(file -> true);
        if (ssd) {
          return;
        }
        // Whole, but on DISK: the watch goes on until SSD may have them back.
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look after {}", directory.path(), e);
    }
    watchLonger();
  }

  private boolean wouldBeBetter(StoragePolicy policy) throws IOException {
    long before = EnvironmentEdgeManager.currentTime();
    HybridMetrics.get().count(Metric.PROBES);
    // A roll avoids them, so what they take of a probe block is no gain.
    Probe probe = directory.probe(policy, failOver.stalled().avoided());
    if (open.anyUnderReplicated() && probe.complete()) {
      synchronized (this) {
        wholeAt = before;
      }
    }
    return open.wouldBeBetter(probe);
  }

  /** The WALs of this server are written again where the parent directory says. */
  private void inherit() throws IOException {
    if (inherits()) {
      return;
    }
    directory.inherit();
    synchronized (this) {
      onDisk = false;
      logged.isOver(directory.path());
    }
    HybridMetrics.get().count(Metric.WAL_RETURNS);
    LOG.info("SSD has space again: the WALs of {} go back to it with a roll", directory.path());
    // Last: a roll meanwhile must know that it is on SSD, or it could not fall back.
    directory.forgetProvenance();
  }
}
