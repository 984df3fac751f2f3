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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.Probe;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.LogDirectory;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one server's WALs between SSD and DISK, and of their {@link WalDirectory}.
 *
 * <p>If SSD refuses a WAL, the directory is turned to HOT, which one listing of {@code WALs}
 * reveals to the space monitor. Probes with growing pauses follow; once SSD takes a block the
 * directory inherits again and the WALs are rolled. WALs with too few replicas, or off SSD, are
 * rolled as well when a probe has better ones. Thread-safe; never called per append.
 */
@InterfaceAudience.Private
final class WalFallback {
  private static final Logger LOG = LoggerFactory.getLogger(WalFallback.class);

  private final WalDirectory directory;
  private final WalMedia open;
  private final Clock clock;
  private final long retryNanos;
  private final WalRetry retry;
  private final Consumer<Predicate<Path>> roll;
  private final FailOver failOver;

  /** HOT because SSD refused, instead of inheriting. */
  private boolean onDisk;

  private long wholeAt = Long.MIN_VALUE;
  private Backoff backoff;
  private boolean watched;
  private boolean closed;
  private final LogOnChange logged = new LogOnChange();

  /**
   * @param replication desired replicas of each WAL
   * @param retrySeconds first pause before SSD is probed again
   */
  WalFallback(
      WalDirectory directory,
      int replication,
      int retrySeconds,
      Clock clock,
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

  synchronized void close() {
    closed = true;
  }

  /**
   * Places a canary's directory before its first WAL, or later after a probe of SSD. Throws
   * nothing.
   */
  void place() {
    String why = "a hold stands; " + Hold.REMEDY;
    try {
      if (directory.place()) {
        return;
      }
    } catch (IOException | RuntimeException e) {
      why = HdfsError.of(e).explain();
    }
    if (wasPlaced()) {
      return; // set before the failure: WALs must be able to fall back
    }
    synchronized (this) {
      onDisk = true;
      watchLonger();
    }
    LOG.warn(
        "{} has no policy for SSD yet ({}), so its WALs go to DISK; no edit is at risk. The "
            + "server tries again after hbase.hybrid.ssd.retry and at growing intervals, without a "
            + "further line until 'SSD accepts blocks of WALs again'.",
        directory.path(),
        why);
  }

  private boolean wasPlaced() {
    try {
      return directory.wantsSsd();
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  FailOver failOver() {
    return failOver;
  }

  LogDirectory logDirectory() {
    return directory;
  }

  /** Rolls WALs that lack replicas or are on unwanted media. */
  void rollIfWorse() {
    synchronized (this) {
      if (closed || onDisk) {
        return;
      }
    }
    roll.accept(file -> open.isWorseThan(file, directory.declared()));
  }

  StoragePolicy declared() {
    return directory.declared();
  }

  Path directory() {
    return directory.path();
  }

  synchronized boolean isClosed() {
    return closed;
  }

  synchronized boolean inherits() {
    return !onDisk;
  }

  /** Whether SSD refuses WALs, or a DataNode stalled lately. */
  boolean isOffSsd() {
    synchronized (this) {
      if (closed) {
        return false;
      }
      if (onDisk) {
        return true;
      }
    }
    return !failOver.stalled().excluded().isEmpty();
  }

  int usualReplicas() {
    return open.usualReplicas();
  }

  /**
   * When, by HBase's clock, a probe last had all replicas while WALs had fewer, or fewer on SSD.
   * Earlier connect failures count as over: the next refusal puts a DataNode back on HBase's list.
   */
  synchronized long wholeAt() {
    return wholeAt;
  }

  /**
   * Whether HDFS uses DISK for each replica without space on SSD. Under ONE_SSD on full SSDs it
   * allocates a single replica.
   */
  boolean getsDiskForSsd() {
    return directory.declared() == StoragePolicy.ALL_SSD;
  }

  /** One or two NameNode calls. */
  boolean wantsSsd() throws IOException {
    return directory.wantsSsd();
  }

  /**
   * Turns the directory to HOT because SSD refused a WAL. The directory must exist: its absence
   * means that the server is fenced off. May be repeated.
   */
  void leaveSsd(Path wal, String reason, HdfsError.Kind cause) throws IOException {
    directory.turnToHot();
    synchronized (this) {
      onDisk = true;
      watchLonger();
    }
    HybridMetrics.get().count(Metric.WAL_FALLBACKS);
    HybridMetrics.get().count(causeOf(cause));
    LOG.warn(
        "SSD refused the WAL {}: {}. WALs of this server go to DISK for a while ({} is set "
            + "to HOT), and no edit is lost; SSD is retried in {} s. If this recurs, look for full "
            + "or failed SSD volumes: hdfs dfsadmin -report. The metric {} counts such WALs.",
        wal,
        reason,
        directory.path(),
        TimeUnit.NANOSECONDS.toSeconds(waitNanos()),
        Metric.WAL_FALLBACKS.label());
  }

  private static Metric causeOf(HdfsError.Kind cause) {
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
   * Lets the directory inherit again because DISK refused the WAL too: an HDFS without DISK could
   * write no WAL otherwise. Throws no failure of HDFS.
   */
  void diskRefused(Path wal) {
    if (inherits()) {
      return;
    }
    try {
      directory.inherit();
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "DISK refused the WAL {} too, so it was not opened, and HBase aborts a server that "
              + "cannot open a WAL. The policy HOT of {} could not be removed, so the next WAL is "
              + "tried on DISK. Free space on DISK and SSD: hdfs dfsadmin -report",
          wal,
          directory.path(),
          e);
      return;
    }
    synchronized (this) {
      onDisk = false;
      logged.clear(directory.path());
    }
    LOG.warn(
        "DISK refused the WAL {} too, so it was not opened, and HBase aborts a server that "
            + "cannot open a WAL. {} is no longer HOT, so the next WAL is tried on SSD. Free space "
            + "on DISK and SSD: hdfs dfsadmin -report",
        wal,
        directory.path());
    directory.forgetProvenance();
  }

  /**
   * Records an opened WAL.
   *
   * @param media of its replicas; empty if unknown
   * @param shortfall why too few are on SSD; "" if unknown
   */
  void opened(Path wal, List<StorageType> media, String shortfall) {
    if (media.isEmpty()) {
      return;
    }
    boolean inherits = inherits();
    boolean allAsked = failOver.stalled().excluded().isEmpty();
    boolean isUnderReplicated = open.opened(wal, media, !inherits && allAsked);
    boolean notOnSsd = inherits && directory.declared().misplaced(media) > 0;
    if (isUnderReplicated) {
      HybridMetrics.get().count(Metric.WAL_UNDER_REPLICATED);
      logOnce(
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
      logOnce(
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
        logged.clear(directory.path());
      }
    }
  }

  private void logOnce(String what) {
    if (logged.changed(directory.path(), what.replaceAll("The WAL \\S+ ", ""))) {
      LOG.warn(what);
    }
  }

  private synchronized long waitNanos() {
    long wait = backoff.waitNanos(clock.nanos());
    return wait > 0 ? wait : retryNanos;
  }

  /** Doubles the wait once a look, however many WALs opened badly since the last one. */
  private synchronized void watchLonger() {
    if (!watched && !closed) {
      backoff = backoff.refused(clock.nanos());
      watched = retry.later("The WALs of " + directory.path(), this::look, waitNanos());
    }
  }

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
      if (inherits() && open.areRight(directory.declared()) && !directory.isUnplacedCanary()) {
        return; // by a roll meanwhile; the next WAL that opens otherwise is watched anew
      }
      // If the space monitor or an admin keeps all WALs off SSD, only full replication is sought.
      boolean ssd = directory.shouldBeOnSsd();
      if ((ssd || open.anyUnderReplicated())
          && wouldBeBetter(ssd ? directory.declared() : StoragePolicy.HOT)) {
        boolean returned = ssd && inherit();
        if (!ssd || returned) {
          roll.accept(file -> true);
        }
        if (returned) {
          return;
        }
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look after {}", directory.path(), e);
    }
    watchLonger();
  }

  private boolean wouldBeBetter(StoragePolicy policy) throws IOException {
    long before = EnvironmentEdgeManager.currentTime();
    HybridMetrics.get().count(Metric.PROBES);
    // A roll excludes these DataNodes, so their replicas of a probe are no gain.
    Probe probe = directory.probe(policy, failOver.stalled().excluded());
    boolean better = open.wouldBeBetter(probe);
    if (probe.complete() && (better || open.anyUnderReplicated())) {
      synchronized (this) {
        wholeAt = before;
      }
    }
    return better;
  }

  private boolean inherit() throws IOException {
    // After revert and apply a canary's directory has no policy, though no WAL fell back.
    if (inherits() && !directory.isUnplacedCanary()) {
      return true;
    }
    if (!directory.inherit()) {
      return false;
    }
    synchronized (this) {
      onDisk = false;
      logged.clear(directory.path());
    }
    HybridMetrics.get().count(Metric.WAL_RETURNS);
    LOG.info(
        "SSD accepts blocks of WALs again: the WALs in {} are rolled, and the new ones are "
            + "on SSD. Nothing to do.",
        directory.path());
    // Last: a concurrent roll must see that it is on SSD, or it could not fall back.
    directory.forgetProvenance();
    return true;
  }

  /** The media of one server's open WALs. Pure. Thread-safe. */
  @InterfaceAudience.Private
  private static final class WalMedia {
    private final int replication;
    private int usualReplicas;

    /** By name without the number that changes with every roll. */
    private final Map<String, List<StorageType>> last = new HashMap<>();

    WalMedia(int replication) {
      this.replication = replication;
      this.usualReplicas = replication;
    }

    int replication() {
      return replication;
    }

    synchronized int usualReplicas() {
      return usualReplicas;
    }

    /**
     * @param onDisk whether it was meant for DISK without exclusions; SSD then caused no missing
     *     replica
     */
    synchronized boolean opened(Path wal, List<StorageType> media, boolean onDisk) {
      last.put(WalFiles.log(wal), List.copyOf(media));
      if (media.size() >= replication) {
        usualReplicas = replication;
      } else if (onDisk) {
        usualReplicas = media.size();
      }
      return media.size() < replication;
    }

    /** Whether a WAL has too few replicas; also true if no WAL is known. */
    synchronized boolean anyUnderReplicated() {
      return last.isEmpty() || last.values().stream().anyMatch(media -> media.size() < replication);
    }

    /**
     * Whether this file's log has too few replicas, or one that the policy does not want; false if
     * unknown.
     */
    synchronized boolean isWorseThan(Path wal, StoragePolicy policy) {
      List<StorageType> media = last.get(WalFiles.log(wal));
      return media != null && isWorseThan(media, policy);
    }

    private boolean isWorseThan(List<StorageType> media, StoragePolicy policy) {
      return media.size() < replication || policy.misplaced(media) > 0;
    }

    /** Whether all WALs have all replicas as the policy wants them; false if none is known. */
    synchronized boolean areRight(StoragePolicy policy) {
      return !last.isEmpty() && last.values().stream().noneMatch(one -> isWorseThan(one, policy));
    }

    /** Whether WALs written like this probe would have more replicas, or more of them on SSD. */
    synchronized boolean wouldBeBetter(Probe probe) {
      List<StorageType> now = probe.replicas();
      return probe.refusal().isEmpty()
          && last.values().stream().allMatch(media -> now.size() >= media.size())
          && (last.isEmpty()
              || last.values().stream()
                  .anyMatch(media -> now.size() > media.size() || onSsd(now) > onSsd(media)));
    }

    private static long onSsd(List<StorageType> media) {
      return media.stream().filter(type -> type == StorageType.SSD).count();
    }
  }
}
