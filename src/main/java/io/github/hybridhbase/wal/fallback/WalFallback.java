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
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.StalledNodes;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
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

  /** Recovered edits stay off SSD for so long after it failed one. */
  public static final int EDITS_PAUSE_MINUTES = 10;

  private static final int EDITS_PROVEN_SECONDS = 10;

  /** Of log lines. */
  public static final String REMEDY =
      "If this recurs, look for full or failed volumes: hdfs dfsadmin -report";

  private static final Map<HdfsError.Kind, Metric> CAUSES =
      Map.of(
          HdfsError.Kind.NO_TARGET, Metric.WAL_FALLBACKS_NO_SPACE,
          HdfsError.Kind.NODE_SILENT, Metric.WAL_FALLBACKS_SILENT,
          HdfsError.Kind.UNDER_REPLICATED, Metric.WAL_FALLBACKS_UNDER_REPLICATED);

  public final StalledNodes stalled;
  final FailOver failOver;
  final Clock clock;

  /** Requests a roll of such logs of the server; never blocks. */
  final Consumer<Predicate<OpenLog>> roll;

  /** Longest time of failures on SSD. */
  final long ssdNanos;

  private final DirectoryPolicy policy;
  private final StoragePolicy declared;
  private final int replication;
  private final ScheduledThreadPoolExecutor timer;
  private final LogOnChange logged = new LogOnChange();
  private int usualReplicas;
  private boolean onDisk;

  /** SSD refused a WAL; none was on SSD since. */
  private boolean away;

  /**
   * By which media are judged: the policy of the last WAL that was not created for DISK; {@link
   * StoragePolicy#NONE} if that is an admin's for other media.
   */
  private StoragePolicy wanted;

  private Backoff backoff;
  private boolean watched;

  /** Whether SSD took the last recovered edits; null for none. */
  private Boolean edits;

  private long editsUntil;

  /**
   * @param timer of threads that may roll WALs
   * @param roll see {@link #roll}
   */
  public WalFallback(
      Configuration conf,
      Path path,
      StorageNamespace namespace,
      StoragePolicy declared,
      Clock clock,
      ScheduledThreadPoolExecutor timer,
      Consumer<Predicate<OpenLog>> roll) {
    HybridSettings settings = HybridSettings.read(conf);
    long retryNanos = settings.get(HybridKeys.SSD_RETRY).toNanos();
    this.ssdNanos = settings.get(HybridKeys.SSD_FALLBACK_TIMEOUT).toNanos();
    this.policy = new DirectoryPolicy(namespace, path, clock);
    this.declared = declared;
    this.wanted = declared;
    this.replication = WalFiles.replication(conf);
    this.usualReplicas = replication;
    this.clock = clock;
    this.timer = timer;
    this.roll = roll;
    this.backoff = Backoff.starting(retryNanos);
    this.stalled = new StalledNodes(retryNanos, clock::nanos);
    this.failOver =
        new FailOver(
            stalled,
            (int) settings.get(HybridKeys.WAL_STALL).toMillis(),
            () -> namespace.policy(path).isPresent() && namespace.takesWrites(),
            log -> roll.accept(one -> one == log));
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
  synchronized boolean getsDiskForSsd() {
    return wanted == StoragePolicy.ALL_SSD;
  }

  /**
   * {@link StoragePolicy#NONE} lets a WAL follow its directory. At most one NameNode call a minute.
   *
   * @param refused whether this opening is for DISK
   */
  StoragePolicy policy(boolean refused) {
    return refused ? policy.offSsd() : policy.forFile(declared);
  }

  synchronized void created(StoragePolicy inForce) {
    wanted = inForce.wantsSsd() ? inForce : StoragePolicy.NONE;
  }

  void leaveSsd(Path wal, String reason, HdfsError.Kind cause) {
    synchronized (this) {
      onDisk = true;
      away = true;
      watchLonger();
    }
    HybridMetrics.get().count(Metric.WAL_FALLBACKS);
    HybridMetrics.get().count(CAUSES.getOrDefault(cause, Metric.WAL_FALLBACKS_REFUSED));
    LOG.warn("SSD refused the WAL {}: {}. WALs go to DISK for a while. {}", wal, reason, REMEDY);
  }

  /** Tries the next WAL on SSD: an HDFS without DISK could write none otherwise. */
  synchronized void diskRefused(Path wal) {
    if (onDisk) {
      onDisk = false;
      LOG.warn("DISK refused the WAL {} too. The next one is tried on SSD. {}", wal, REMEDY);
    }
  }

  /**
   * @param media of its replicas; empty if unknown
   */
  synchronized void opened(OpenLog log, Path wal, List<StorageType> media) {
    if (media.isEmpty()) {
      return;
    }
    log.media = media;
    boolean few = media.size() < replication;
    if (!few || onDisk && stalled.excluded().isEmpty()) {
      usualReplicas = Math.min(replication, media.size()); // SSD caused no missing replica
    }
    if (few || !onDisk && isWorse(log)) {
      HybridMetrics.get().count(few ? Metric.WAL_UNDER_REPLICATED : Metric.WAL_NOT_ON_SSD);
      if (logged.changed(policy.path(), media.toString())) {
        LOG.warn(
            "The WAL {} is on {}, and rolled at growing intervals until SSD has all {} replicas. {}",
            wal,
            media,
            replication,
            REMEDY);
      }
      watchLonger();
    } else if (!onDisk) {
      logged.clear(policy.path());
      if (away && wanted.wantsSsd()) {
        away = false;
        HybridMetrics.get().count(Metric.WAL_RETURNS);
        LOG.info("SSD takes WALs in {} again. Nothing to do.", policy.path());
      }
    }
  }

  /**
   * Doubles the wait once per {@link #look}, however many WALs opened badly; what an excluded
   * DataNode owes is looked at upon its return instead.
   */
  private void watchLonger() {
    if (watched) {
      return;
    }
    long back = onDisk ? 0 : stalled.untilBack();
    backoff = back > 0 ? backoff : backoff.refused(clock.nanos());
    long nanos = back > 0 ? back : backoff.waitNanos(clock.nanos());
    Failures.guarded(
        "WALs on DISK, or with too few replicas, are looked at when the next one opens.",
        () -> {
          timer.prestartCoreThread(); // schedule() would queue the look before it fails
          timer.schedule(this::look, nanos, TimeUnit.NANOSECONDS);
          watched = true;
        });
  }

  /** Rolls the WALs that are not as declared. No NameNode call. */
  void look() {
    synchronized (this) {
      watched = false;
      onDisk = false;
    }
    Failures.guarded(
        "WALs on DISK, or with too few replicas, stay so until the next fall-back.",
        () -> roll.accept(this::isWorse));
  }

  /** Whether replicas are missing or on unwanted media; false if unknown. */
  private synchronized boolean isWorse(OpenLog log) {
    int replicas = log.media.size();
    return replicas > 0 && (replicas < replication || wanted.misplaced(log.media) > 0);
  }

  /**
   * Whether recovered edits go to SSD: if WALs are created under ALL_SSD, SSD takes them, and no
   * DataNode is excluded from them. On full SSDs HDFS may write a single replica under ONE_SSD,
   * unnoticed.
   */
  public boolean takesEdits() {
    return triesSsd()
        && edits() != Boolean.FALSE
        && stalled.excluded().isEmpty()
        && policy(false) == StoragePolicy.ALL_SSD;
  }

  /** Whether SSD took the last recovered edits; null if that was too long ago to tell. */
  public synchronized Boolean edits() {
    return edits != null && clock.nanos() - editsUntil < 0 ? edits : null;
  }

  public synchronized void edits(boolean taken) {
    edits = taken;
    long seconds = taken ? EDITS_PROVEN_SECONDS : TimeUnit.MINUTES.toSeconds(EDITS_PAUSE_MINUTES);
    editsUntil = clock.nanos() + TimeUnit.SECONDS.toNanos(seconds);
  }
}
