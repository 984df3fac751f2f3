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

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.hdfs.NewFiles;
import io.github.hybridhbase.hdfs.SsdNodeSearch;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.failover.Connections;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.failover.Scheduler;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.io.IOException;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.AbstractWALRoller;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opener of one WAL under its policy, or on DISK at once if SSD refuses, because HBase aborts
 * the server if a roll throws an IOException ({@code AbstractWALRoller.run}). A file that is not
 * for SSD is created as in stock HBase.
 *
 * <p>Tries on SSD begin within {@code hbase.hybrid.ssd.fallback.timeout}, each without the
 * DataNodes that failed before. They use a private exclude list ({@link OpenAttemptMonitor}):
 * HBase's would exclude these for six hours. Only silent ones are excluded on DISK too.
 *
 * <p>An unavailable NameNode is waited for as long as HBase would retry a roll ({@link
 * OpenDeadline}).
 *
 * <p>Blocks the calling thread, HBase's roller or the one that starts the server. Not thread-safe.
 */
@InterfaceAudience.Private
public abstract class WalOpener {
  private static final Logger LOG = LoggerFactory.getLogger(WalOpener.class);

  private static final String LIMIT = AbstractWALRoller.WAL_ROLL_WAIT_TIMEOUT;

  /** Longest wait for a scan of DataNodes. */
  private static final int MOST_SEARCH_MILLIS = 1_000;

  /** {@code hbase.hybrid.wal.hsync=auto}; false for a file that is not ours. */
  public final boolean auto;

  /** {@code hbase.wal.hsync}; false for a file that is not ours. */
  public final boolean hsync;

  final OpenState state = new OpenState();

  /** Null for a file that is not ours. */
  private final HybridServer server;

  /** Null if the file is not for SSD. */
  private final WalFallback fallback;

  private final Configuration conf;
  private final FileSystem fs;
  private final Path path;

  /** Whether a creation throws if a DataNode refuses, and names it; a stream does neither. */
  private final boolean fanOut;

  /** Slow by HBase's own list. */
  private Set<DatanodeInfo> slow;

  /** Stalled lately and excluded, most recent first. */
  private List<DatanodeInfo> stalled;

  private StreamSlowMonitor stock;
  private OpenDeadline deadline;
  private OpenAttemptMonitor monitor;
  private FailFastClient.Use client;

  /** Null if the file follows its directory. */
  private NewFile placed;

  /** Of the usual replicas of the file just created. */
  private int missing;

  /**
   * @param server null for a file that is not ours
   * @param fanOut whether the file is HBase's fan-out output, or else an HDFS stream
   */
  protected WalOpener(
      HybridServer server, Configuration conf, FileSystem fs, Path path, boolean fanOut) {
    this.server = server;
    this.fallback = server == null ? null : server.fallback(conf, fs);
    this.conf = conf;
    this.fs = fs;
    this.path = path;
    this.fanOut = fanOut;
    HybridSettings settings = HybridSettings.read(conf);
    this.auto = server != null && settings.get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    this.hsync = server != null && conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
  }

  /** {@code AbstractProtobufLogWriter.init} of the file, with its first block and header. */
  protected abstract void create(FileSystem client, boolean overwrite, StreamSlowMonitor to)
      throws IOException, StreamLacksCapabilityException;

  /** Of the block; empty if unknown, or nothing is open. */
  protected abstract DatanodeInfo[] pipeline();

  /** Closes what {@link #create} left open, if anything. Never throws. */
  protected abstract void discard(FailFastClient.Use client);

  /** Whether the file falls back from SSD to DISK. */
  public final boolean fallsBack() {
    return fallback != null;
  }

  /**
   * Creates the file, on the media of one step after the other until it has enough replicas.
   *
   * @param hbases its own monitor, shared by all its WALs; may be null
   * @throws IOException if neither medium takes the WAL, or the NameNode is unavailable for too
   *     long
   */
  public final void open(boolean overwritable, StreamSlowMonitor hbases)
      throws IOException, StreamLacksCapabilityException {
    stock = hbases;
    if (fallback == null) {
      create(fs, overwritable, stock);
    } else {
      takeSteps(overwritable);
    }
    if (server != null) {
      List<StorageType> media = Pipeline.media(pipeline());
      int onSsd = Collections.frequency(media, StorageType.SSD);
      int wanted = WalFiles.replication(conf);
      server.opened(fs, path, new OpenWal(onSsd, media.size(), wanted, hsync));
    }
  }

  private void takeSteps(boolean overwritable) throws IOException, StreamLacksCapabilityException {
    long most = conf.getLong(LIMIT, AbstractWALRoller.DEFAULT_WAL_ROLL_WAIT_TIMEOUT);
    deadline = new OpenDeadline(path, most, fallback.clock);
    slow = OpenAttemptMonitor.excludedBy(stock);
    stalled = fallback.stalled.excluded();
    state.silent.addAll(stalled);
    begin(fallback.triesSsd() ? Step.SSD : Step.DISK);
    // Once tried: a create may have succeeded although its response was lost.
    for (boolean overwrite = overwritable; ; overwrite = true) {
      try {
        if (isOpened(overwrite)) {
          return;
        }
      } catch (IOException e) {
        HdfsError.Kind cause = cause(e);
        if (cause != HdfsError.Kind.NO_TARGET || !excludesFewer(true)) {
          goOn(e, cause);
        }
      }
    }
  }

  /** Tries once; false if the step is to be repeated with DataNodes that were excluded. */
  private boolean isOpened(boolean overwrite) throws IOException, StreamLacksCapabilityException {
    client = client();
    missing = 0;
    monitor.answered.clear();
    monitor.listener = null;
    Set<DatanodeInfo> before = OpenAttemptMonitor.excludedBy(monitor);
    boolean opened = false;
    try {
      placed =
          NewFiles.of(client.fs())
              .map(files -> files.place(path, fallback.policy(state.onDisk())))
              .orElse(null);
      create(client.fs(), overwrite, monitor);
      if (placed != null && placed.isCarried() && !state.onDisk()) {
        fallback.created(placed.inForce());
      }
      List<StorageType> media = Pipeline.media(pipeline());
      int usual = fallback.usualReplicas();
      missing = media.isEmpty() ? 0 : usual - media.size();
      if (missing > 0 && excludesFewer(missing > 1)) {
        return false;
      }
      if (!state.keeps(media, usual, fanOut && fallback.getsDiskForSsd())) {
        throw new IOException("it would lack " + missing + " of its usual replicas");
      }
      fallback.opened(server.log(path), path, media);
      opened = true;
      return true;
    } catch (IOException e) {
      client.failed(e);
      note(cause(e), before);
      throw e;
    } finally {
      if (!opened) {
        discard(client);
        close();
      }
    }
  }

  /**
   * Closes a fan-out output, even a broken one, that will not be written. If that fails, frees
   * buffer, connections and lease renewal: HBase would recover the lease, and disturb the next
   * writer of the name. Never throws.
   */
  public static void discard(AsyncFSOutput output, FailFastClient.Use client) {
    try {
      // Otherwise the end of the block is never acknowledged.
      if (!new Connections(WatchedOutput.unwrap(output)).isOneClosed()) {
        output.close();
        return;
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("A WAL that was not opened did not close well", e);
    }
    try {
      client.withoutLeaseRecovery(() -> output.recoverAndClose(null));
    } catch (IOException | RuntimeException e) {
      LOG.debug("A WAL that was not opened leaves something behind", e);
    }
  }

  /** Releases the client. Idempotent; never throws. */
  public final void close() {
    if (placed != null) {
      placed.close();
    }
    if (client != null) {
      client.close();
    }
  }

  /** False if failover does not watch the output. Never throws. */
  public final boolean watch(WatchedOutput opened, Scheduler scheduler) {
    FailOver.Watch watch = null;
    try {
      if (fallback != null) {
        int usual = fallback.usualReplicas();
        watch = fallback.failOver.watch(server.log(path), path, opened, usual, scheduler);
        monitor.listener = watch == null ? null : watch.acknowledgements;
      }
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("A WAL is not watched for DataNodes that stall.", e);
    }
    return watch != null;
  }

  /** Records whether the syncs of an {@link #auto} log are hsyncs. */
  public final void durable(boolean now) {
    HybridMetrics.get().wals().durable(WalFiles.log(path), now);
  }

  /**
   * Begins the step again with DataNodes that were excluded: those on HBase's list, else all that
   * stalled but the most recent one, else that one. HBase's other files may have put every DataNode
   * on its list, for hours.
   *
   * @param many whether more than one replica is missing
   * @return false if there are none
   */
  private boolean excludesFewer(boolean many) {
    if (!state.onDisk() && !slow.isEmpty()) {
      slow = Set.of();
    } else if (many && !stalled.isEmpty()) {
      int kept = stalled.size() > 1 ? 1 : 0;
      List<DatanodeInfo> used = stalled.subList(kept, stalled.size());
      LOG.warn(
          "The WAL {} uses {}, which stalled lately, for want of others. Check its disks.",
          path,
          used);
      fallback.stalled.reuse(used);
      used.forEach(state.silent::remove);
      stalled = stalled.subList(0, kept);
    } else {
      return false;
    }
    begin(state.step);
    return true;
  }

  /**
   * Only answers of the NameNode may end an opening: a superfluous try costs seconds, a missing one
   * the server.
   */
  private HdfsError.Kind cause(IOException failure) {
    if (missing > 0) {
      return HdfsError.Kind.UNDER_REPLICATED;
    }
    HdfsError error = HdfsError.of(failure);
    boolean answered =
        error.answered || !error.kind.isForbidden() && error.kind != HdfsError.Kind.OTHER;
    return answered ? error.kind : HdfsError.Kind.NODE_REFUSED;
  }

  /**
   * @throws IOException the failure, if no step is left
   */
  private void goOn(IOException failure, HdfsError.Kind cause) throws IOException {
    String why = HdfsError.of(failure).text;
    state.refused |= cause.isRefusal();
    LOG.debug("The WAL {} was not opened in step {}: {} ({})", path, state.step, why, cause);
    if (cause.isNameNodes() && deadline.nanosLeft() > 0) {
      deadline.pause(why);
      return;
    }
    Step next = state.next(cause, fallback.ssdNanos - deadline.nanosSincePause());
    if (next == null) {
      if (cause.isRefusal()) {
        fallback.diskRefused(path);
      }
      throw cause.isNameNodes()
          ? new IOException("The NameNode is unavailable for longer than " + LIMIT, failure)
          : failure;
    }
    if (next == state.step) {
      state.tries++;
    } else {
      if (!state.onDisk()) {
        slow = OpenAttemptMonitor.excludedBy(stock);
        fallback.leaveSsd(path, why, cause);
        if (!fanOut) { // the next block of a stream would be on SSD too
          fallback.roll.accept(other -> other != server.log(path));
        }
      }
      begin(next);
    }
  }

  /**
   * The fail-fast client, which names DataNodes with SSD; on DISK HBase's own, unless a DataNode is
   * silent, for which that would wait a minute. A stream tries three times without a pause anyway.
   */
  private FailFastClient.Use client() {
    if (state.onDisk()) {
      boolean quick = state.step == Step.DISK && !state.silent.isEmpty() && fanOut;
      return quick ? server.clients.use(fs) : server.clients.own(fs);
    }
    FailFastClient.Use use = server.clients.use(fs);
    Failures.guarded(
        "The DataNodes with SSD are not read.",
        () -> SsdNodeSearch.of(use.fs()).ifPresent(search -> search.refresh(searchMillis())));
    return use;
  }

  /** After a stall writers wait for this file, and the stalled DataNode may not answer. */
  int searchMillis() {
    return fallback.stalled.excluded().isEmpty() ? MOST_SEARCH_MILLIS : 0;
  }

  /** Notes which DataNodes did not respond, to a connect or to a header; a stream does not tell. */
  private void note(HdfsError.Kind cause, Set<DatanodeInfo> before) {
    if (!fanOut || state.onDisk() || cause == HdfsError.Kind.UNDER_REPLICATED) {
      return;
    }
    Set<DatanodeInfo> silent = new HashSet<>();
    Set<DatanodeInfo> unanswered = new HashSet<>(List.of(pipeline()));
    if (cause == HdfsError.Kind.NODE_SILENT) {
      unanswered.removeAll(monitor.answered);
      monitor.exclude(unanswered);
      silent.addAll(OpenAttemptMonitor.excludedBy(monitor));
      silent.removeAll(before);
      state.silent.addAll(silent);
      state.named += silent.isEmpty() ? 0 : 1;
    }
    if (silent.isEmpty() && !unanswered.isEmpty()) {
      state.tries = OpenState.TRIES; // a header failed, and nothing tells which DataNode's
    }
  }

  private void begin(Step next) {
    Set<DatanodeInfo> excluded = new HashSet<>();
    if (next != Step.DISK_AFRESH) {
      excluded.addAll(state.silent);
      excluded.addAll(slow);
    }
    state.step = next;
    state.tries = 1;
    state.refused = false; // earlier refusals are tested again
    monitor = new OpenAttemptMonitor(conf, path.getName(), stock, excluded);
  }
}
