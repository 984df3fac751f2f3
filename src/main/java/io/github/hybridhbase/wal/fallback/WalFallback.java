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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.StalledNodes;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one server's WALs in {@code WALs/<server>}, or the master store's counterpart,
 * between SSD and DISK. If SSD refuses a WAL, it and the next ones are created on DISK. After a
 * growing delay the WALs are rolled, which asks SSD again; so are WALs with too few replicas, or
 * off SSD. Likewise recovered edits, without a roll. Thread-safe; never called per append.
 */
@InterfaceAudience.Private
public final class WalFallback {
  private static final Logger LOG = LoggerFactory.getLogger(WalFallback.class);

  private static final String UNSEEN =
      "WALs on DISK, or with too few replicas, stay so until the next fall-back.";

  /** Recovered edits stay off SSD for so long after it failed one. */
  public static final int EDITS_PAUSE_MINUTES = 10;

  private static final Map<HdfsError.Kind, Metric> CAUSES =
      Map.of(
          HdfsError.Kind.NO_TARGET, Metric.WAL_FALLBACKS_NO_SPACE,
          HdfsError.Kind.NODE_SILENT, Metric.WAL_FALLBACKS_SILENT,
          HdfsError.Kind.UNDER_REPLICATED, Metric.WAL_FALLBACKS_UNDER_REPLICATED);

  private static final long PROVEN_NANOS = TimeUnit.SECONDS.toNanos(10);

  public final StalledNodes stalled;
  final FailOver failOver;
  final Clock clock;

  private final StorageNamespace namespace;
  private final Path path;
  private final StoragePolicy declared;
  private final DirectoryPolicy policy;
  private final int replication;
  private final long retryNanos;
  private final ScheduledThreadPoolExecutor timer;
  private final Consumer<Predicate<OpenLog>> roll;
  private int usualReplicas;
  private boolean onDisk;

  /** SSD refused a WAL; none was on SSD since. */
  private boolean away;

  /** Of the last WAL not created for DISK; null if unknown. */
  private StoragePolicy inForce;

  private Backoff backoff;
  private boolean watched;
  private String logged = "";

  // Null if never.
  private Long editsFailedAt;
  private Long editsProvenAt;

  /**
   * @param timer of threads that may roll WALs
   * @param roll requests a roll of such logs of the server; never blocks
   */
  public WalFallback(
      Path path,
      StorageNamespace namespace,
      StoragePolicy declared,
      int replication,
      HybridSettings settings,
      Clock clock,
      ScheduledThreadPoolExecutor timer,
      Consumer<Predicate<OpenLog>> roll) {
    this.path = path;
    this.namespace = namespace;
    this.declared = declared;
    this.policy = new DirectoryPolicy(namespace, path, clock);
    this.replication = replication;
    this.usualReplicas = replication;
    this.retryNanos = settings.get(HybridKeys.SSD_RETRY).toNanos();
    this.clock = clock;
    this.timer = timer;
    this.roll = roll;
    this.stalled = new StalledNodes(retryNanos, clock::nanos);
    this.failOver =
        new FailOver(
            stalled,
            (int) settings.get(HybridKeys.WAL_STALL).toMillis(),
            this::takesFiles,
            log -> roll.accept(one -> one == log));
    this.backoff = Backoff.starting(retryNanos);
  }

  /** Whether the directory exists and the NameNode takes writes. Calls the NameNode. */
  boolean takesFiles() throws IOException {
    return namespace.policy(path).isPresent() && namespace.takesWrites();
  }

  /**
   * The policy by which media are judged; {@link StoragePolicy#NONE} if an admin's policy is for
   * other media.
   */
  private synchronized StoragePolicy wanted() {
    if (inForce == null) {
      return declared;
    }
    return inForce.wantsSsd() ? inForce : StoragePolicy.NONE;
  }

  synchronized boolean triesSsd() {
    return !onDisk;
  }

  synchronized int usualReplicas() {
    return usualReplicas;
  }

  /**
   * Whether HDFS uses DISK for replicas without space on SSD. Under ONE_SSD on full SSDs it
   * allocates a single one.
   */
  boolean getsDiskForSsd() {
    return wanted() == StoragePolicy.ALL_SSD;
  }

  /**
   * {@link StoragePolicy#NONE} lets a WAL follow its directory. At most one NameNode call a minute.
   *
   * @param refused whether this opening is for DISK
   */
  StoragePolicy policy(boolean refused) {
    return refused ? policy.offSsd() : policy.forFile(declared);
  }

  synchronized void created(StoragePolicy of) {
    inForce = of;
  }

  void leaveSsd(Path wal, String reason, HdfsError.Kind cause) {
    synchronized (this) {
      onDisk = true;
      away = true;
      watchLonger();
    }
    HybridMetrics.get().count(Metric.WAL_FALLBACKS);
    HybridMetrics.get().count(CAUSES.getOrDefault(cause, Metric.WAL_FALLBACKS_REFUSED));
    LOG.warn(
        "SSD refused the WAL {}: {}. WALs of this server go to DISK, and no edit is lost; SSD is"
            + " retried in {} s. If this recurs, look for full or failed SSD volumes: hdfs dfsadmin"
            + " -report. The metric {} counts such WALs.",
        wal,
        reason,
        TimeUnit.NANOSECONDS.toSeconds(waitNanos()),
        Metric.WAL_FALLBACKS.label());
  }

  /** Tries the next WAL on SSD: an HDFS without DISK could write none otherwise. */
  void diskRefused(Path wal) {
    synchronized (this) {
      if (!onDisk) {
        return;
      }
      onDisk = false;
    }
    LOG.warn(
        "DISK refused the WAL {} too, so it was not opened, and HBase aborts a server that cannot"
            + " open a WAL. The next WAL is tried on SSD. Free space on DISK and SSD: hdfs dfsadmin"
            + " -report",
        wal);
  }

  /** A stream's next block, or a replaced DataNode, would be on SSD too. */
  void rollOthers(OpenLog opening) {
    roll.accept(log -> log != opening);
  }

  /**
   * @param media of its replicas; empty if unknown
   * @param shortfall why too few are on SSD; "" if unknown
   */
  synchronized void opened(OpenLog log, Path wal, List<StorageType> media, String shortfall) {
    if (media.isEmpty()) {
      return;
    }
    log.media = media;
    if (media.size() >= replication) {
      usualReplicas = replication;
    } else if (onDisk && stalled.excluded().isEmpty()) {
      usualReplicas = media.size(); // SSD caused no missing replica
    }
    if (media.size() < replication) {
      HybridMetrics.get().count(Metric.WAL_UNDER_REPLICATED);
      logOnce(wal, "has " + media.size() + " of " + replication + " replicas: " + media);
      watchLonger();
    } else if (!onDisk && wanted().misplaced(media) > 0) {
      HybridMetrics.get().count(Metric.WAL_NOT_ON_SSD);
      logOnce(
          wal,
          "was written on "
              + media
              + (shortfall.isEmpty() ? "" : ": " + shortfall)
              + ". It is rolled again and again, at growing intervals, until it is on SSD.");
      watchLonger();
    } else if (!onDisk) {
      onSsd();
    }
  }

  private void onSsd() {
    logged = "";
    if (away && wanted().wantsSsd()) {
      away = false;
      HybridMetrics.get().count(Metric.WAL_RETURNS);
      LOG.info("SSD takes WALs again: new ones in {} are there. Nothing to do.", path);
    }
  }

  private void logOnce(Path wal, String what) {
    if (!what.equals(logged)) {
      logged = what;
      LOG.warn("The WAL {} {}", wal, what);
    }
  }

  private synchronized long waitNanos() {
    long wait = backoff.waitNanos(clock.nanos());
    return wait > 0 ? wait : retryNanos;
  }

  /**
   * Doubles the wait once per {@link #look}, however many WALs opened badly; what an excluded
   * DataNode owes is looked at upon its return instead.
   */
  private synchronized void watchLonger() {
    if (watched) {
      return;
    }
    long nanos = onDisk ? 0 : stalled.untilBack();
    if (nanos == 0) {
      backoff = backoff.refused(clock.nanos());
      nanos = waitNanos();
    }
    try {
      timer.prestartCoreThread(); // schedule() would queue the look before it fails
      var unused =
          timer.schedule(() -> Failures.guarded(UNSEEN, this::look), nanos, TimeUnit.NANOSECONDS);
      watched = true;
    } catch (OutOfMemoryError e) {
      LOG.warn(
          "No thread could be started ({}): the WALs of {} are looked at when the next one opens."
              + " Raise the limit of processes (ulimit -u).",
          e.getMessage(),
          path);
    }
  }

  /** Rolls the WALs that are not as declared. No NameNode call. */
  void look() {
    synchronized (this) {
      watched = false;
      onDisk = false;
    }
    roll.accept(this::isWorse);
  }

  /** Whether replicas are missing or on unwanted media; false if unknown. */
  private boolean isWorse(OpenLog log) {
    List<StorageType> media = log.media;
    return !media.isEmpty() && (media.size() < replication || wanted().misplaced(media) > 0);
  }

  /**
   * Whether recovered edits go to SSD: if WALs are created under ALL_SSD, SSD takes them, and no
   * DataNode is excluded from them. On full SSDs HDFS may write a single replica under ONE_SSD,
   * unnoticed.
   */
  public boolean takesEdits() {
    synchronized (this) {
      if (onDisk || isWithin(TimeUnit.MINUTES.toNanos(EDITS_PAUSE_MINUTES), editsFailedAt)) {
        return false;
      }
    }
    return stalled.excluded().isEmpty() && policy(false) == StoragePolicy.ALL_SSD;
  }

  private boolean isWithin(long nanos, Long since) {
    return since != null && clock.nanos() - since < nanos;
  }

  /** Whether SSD took recovered edits within the last ten seconds. */
  public synchronized boolean areEditsProven() {
    return isWithin(PROVEN_NANOS, editsProvenAt);
  }

  public synchronized void editsTaken() {
    editsProvenAt = clock.nanos();
  }

  public synchronized void editsFailed() {
    editsFailedAt = clock.nanos();
    editsProvenAt = null;
  }
}
