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
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.Connections;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.failover.Scheduler;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An opener of one WAL under its policy, or on DISK at once if SSD refuses, because HBase aborts
 * the server if a roll throws an IOException ({@code AbstractWALRoller.run}).
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
public final class WalOpener {
  private static final Logger LOG = LoggerFactory.getLogger(WalOpener.class);

  /** Longest wait for a scan of DataNodes. */
  private static final int MOST_SEARCH_MILLIS = 1_000;

  private final Configuration conf;
  private final NewWal wal;
  private final OpenLog log;
  private final Path path;
  private final WalFallback fallback;
  private final OpenDeadline deadline;
  private final FailFastClient clients;
  private final WalOutput output;
  final OpenState state = new OpenState();

  /** Slow by HBase's own list. */
  private Set<DatanodeInfo> slow;

  /** Stalled lately and excluded, most recent first. */
  private List<DatanodeInfo> stalled;

  private OpenAttemptMonitor monitor;
  private FailFastClient.Use client;

  /** Null if the file follows its directory. */
  private NewFile placed;

  /**
   * @param ssdMillis longest time of failures on SSD
   */
  public WalOpener(
      Configuration conf,
      NewWal wal,
      OpenLog log,
      WalFallback fallback,
      int ssdMillis,
      FailFastClient clients,
      WalOutput output) {
    long nameNodeMillis = conf.getLong("hbase.regionserver.logroll.wait.timeout.ms", 30_000);
    this.conf = conf;
    this.wal = wal;
    this.log = log;
    this.path = wal.path;
    this.fallback = fallback;
    this.deadline = new OpenDeadline(path, ssdMillis, nameNodeMillis, fallback.clock);
    this.clients = clients;
    this.output = output;
  }

  /**
   * Creates the file and writes its header, on the media of one step after the other until it has
   * enough replicas.
   *
   * @return length of the header in bytes
   * @throws IOException if neither medium takes the WAL, or the NameNode is unavailable for too
   *     long
   */
  public long open() throws IOException {
    slow = OpenAttemptMonitor.excludedBy(wal.monitor);
    stalled = fallback.stalled.excluded();
    state.silent.addAll(stalled);
    begin(fallback.triesSsd() ? Step.SSD : state.offSsd());
    // Once tried: a create may have succeeded although its response was lost.
    for (boolean overwrite = wal.overwritable; ; overwrite = true) {
      long asked = deadline.now();
      IOException failure;
      HdfsError.Kind cause;
      try {
        long length = create(overwrite);
        List<StorageType> media = Pipeline.media(output.pipeline());
        int missing = media.isEmpty() ? 0 : fallback.usualReplicas() - media.size();
        boolean fewer = missing > 0 && excludesFewer(missing > 1);
        boolean diskForSsd = output.namesRefusals() && fallback.getsDiskForSsd();
        if (!fewer && state.keeps(media, fallback.usualReplicas(), diskForSsd)) {
          fallback.opened(log, path, media, placed == null ? "" : placed.shortfall());
          return length;
        }
        discard();
        if (fewer) {
          continue;
        }
        failure = new IOException("it would lack " + missing + " of its usual replicas");
        cause = HdfsError.Kind.UNDER_REPLICATED;
      } catch (StreamLacksCapabilityException e) {
        throw new IOException(e);
      } catch (IOException e) {
        failure = e;
        cause = cause(e);
        if (cause == HdfsError.Kind.NO_TARGET && excludesFewer(true)) {
          continue;
        }
      }
      goOn(failure, cause, asked);
    }
  }

  /** Closes a file in any state. Never throws. */
  public void discard() {
    if (client != null) {
      output.discard(client);
      close();
    }
  }

  /**
   * Closes a fan-out output, even a broken one, that will not be written. If that fails, frees
   * buffer, connections and lease renewal: HBase would recover the lease, and disturb the next
   * writer of the name. Never throws.
   */
  public static void discard(AsyncFSOutput output, FailFastClient.Use client) {
    try {
      if (new Connections(WatchedOutput.unwrap(output)).isOneClosed()) {
        throw new IOException("A connection was lost: the end of the block is never acknowledged");
      }
      output.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("A WAL that was not opened did not close well", e);
      try {
        client.withoutLeaseRecovery(() -> output.recoverAndClose(null));
      } catch (IOException | RuntimeException left) {
        LOG.debug("A WAL that was not opened leaves something behind", left);
      }
    }
  }

  /** Releases the client. Never throws. */
  public void close() {
    if (placed != null) {
      placed.close();
      placed = null;
    }
    if (client != null) {
      client.close();
      client = null;
    }
  }

  /** False if failover does not watch the output. Never throws. */
  public boolean watch(WatchedOutput opened, Scheduler scheduler) {
    try {
      FailOver.Watch watch =
          fallback.failOver.watch(log, path, opened, fallback.usualReplicas(), scheduler);
      if (watch != null) {
        monitor.passTo(watch.acknowledgements);
      }
      return watch != null;
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("A WAL is not watched for DataNodes that stall.", e);
      return false;
    }
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
    if (state.step == Step.SSD && !slow.isEmpty()) {
      slow = Set.of();
    } else if (many && !stalled.isEmpty()) {
      int kept = stalled.size() > 1 ? 1 : 0;
      List<DatanodeInfo> used = stalled.subList(kept, stalled.size());
      LOG.warn(
          "The WAL {} is written to {}, which stalled recently, since HDFS has too few other "
              + "DataNodes for its replicas; its syncs may be slow. Check that DataNode's disks and "
              + "log.",
          path,
          used);
      fallback.stalled.reuse(used);
      stalled = stalled.subList(0, kept);
      used.forEach(state.silent::remove);
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
  private static HdfsError.Kind cause(IOException failure) {
    HdfsError error = HdfsError.of(failure);
    boolean answered =
        error.answered || !error.kind.isForbidden() && error.kind != HdfsError.Kind.OTHER;
    return answered ? error.kind : HdfsError.Kind.NODE_REFUSED;
  }

  /**
   * @throws IOException the failure, if no step is left
   */
  private void goOn(IOException failure, HdfsError.Kind cause, long asked) throws IOException {
    state.refused |= cause.isRefusal();
    Step next = state.next(cause, deadline.ssdNanosLeft(), deadline.nameNodeNanosLeft());
    if (next == Step.GIVE_UP) {
      if (cause.isRefusal()) {
        fallback.diskRefused(path);
      }
      throw cause.isNameNodes() ? deadline.over(failure) : failure;
    }
    if (next == Step.WAIT) {
      deadline.pause(asked, failure);
    } else if (next == state.step) {
      state.tries++;
    } else {
      LOG.info(
          "The WAL {} was not opened in step {} ({}: {}); the next step is {}, and only if none"
              + " is left, HBase aborts the server. Nothing to do, unless it recurs: then look"
              + " for full or failed volumes with hdfs dfsadmin -report",
          path,
          state.step,
          cause,
          HdfsError.of(failure).text,
          next);
      if (!state.step.onDisk()) {
        slow = OpenAttemptMonitor.excludedBy(wal.monitor);
        fallback.leaveSsd(path, HdfsError.of(failure).text, cause);
        if (!output.namesRefusals()) {
          fallback.rollOthers(log);
        }
      }
      begin(next);
    }
  }

  private long create(boolean overwrite) throws IOException, StreamLacksCapabilityException {
    client = client();
    monitor.answered().clear();
    monitor.passTo(null);
    Set<DatanodeInfo> before = OpenAttemptMonitor.excludedBy(monitor);
    boolean created = false;
    try {
      StoragePolicy policy = fallback.policy(state.step.onDisk());
      placed = NewFiles.of(client.fs()).map(files -> files.place(path, policy)).orElse(null);
      long length = output.create(client.fs(), overwrite, monitor);
      created = true;
      if (placed != null && placed.isCarried() && !state.step.onDisk()) {
        fallback.created(placed.inForce());
      }
      return length;
    } catch (IOException e) {
      client.failed(e);
      note(cause(e), before);
      throw e;
    } finally {
      if (!created) {
        discard();
      }
    }
  }

  /**
   * HBase's own client for the last steps, otherwise the fail-fast one, which names DataNodes with
   * SSD. An HDFS stream tries three times without a pause anyway.
   */
  private FailFastClient.Use client() {
    if (state.step.onDisk()) {
      boolean quick = state.step == Step.DISK_WITHOUT_SILENT && output.namesRefusals();
      return quick ? clients.use(wal.fs) : clients.own(wal.fs);
    }
    FailFastClient.Use use = clients.use(wal.fs);
    try {
      SsdNodeSearch.of(use.fs()).ifPresent(search -> search.refresh(searchMillis()));
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} names no DataNodes", path, e);
    }
    return use;
  }

  /** After a stall writers wait for this file, and the stalled DataNode may not answer. */
  int searchMillis() {
    return fallback.stalled.excluded().isEmpty() ? MOST_SEARCH_MILLIS : 0;
  }

  /** Notes which DataNodes did not respond, to a connect or to a header; a stream does not tell. */
  private void note(HdfsError.Kind cause, Set<DatanodeInfo> before) {
    if (!output.namesRefusals() || state.step.onDisk()) {
      return;
    }
    Set<DatanodeInfo> silent = new HashSet<>();
    Set<DatanodeInfo> unanswered = new HashSet<>(List.of(output.pipeline()));
    if (cause == HdfsError.Kind.NODE_SILENT) {
      unanswered.removeAll(monitor.answered());
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
    monitor = new OpenAttemptMonitor(conf, path.getName(), wal.monitor, excluded);
  }
}
