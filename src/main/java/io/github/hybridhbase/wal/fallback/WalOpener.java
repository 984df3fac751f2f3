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
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.Scheduler;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.Connections;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
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
 * HBase's would exclude these on DISK, and for six hours. Only silent ones are excluded on DISK
 * too.
 *
 * <p>An unavailable NameNode is waited for as long as HBase would retry a roll ({@link
 * OpenDeadline}).
 *
 * <p>Blocks the calling thread, HBase's roller or the one that starts the server. Not thread-safe.
 */
@InterfaceAudience.Private
public final class WalOpener {
  private static final Logger LOG = LoggerFactory.getLogger(WalOpener.class);

  private final Configuration conf;
  private final NewWal wal;
  private final OpenLog log;
  private final Path path;
  private final WalFallback fallback;
  private final OpenDeadline deadline;
  private final Function<Step, FailFastClient.Use> clients;
  private final WalOutput output;

  private final OpenState state = new OpenState();

  /** Stalled lately and excluded, most recent first. */
  private List<DatanodeInfo> stalled = List.of();

  private boolean reopened;
  private StreamSlowMonitor monitor;

  private FailFastClient.Use client;

  /** Null if the file follows its directory. */
  private NewFile placed;

  WalOpener(
      Configuration conf,
      NewWal wal,
      OpenLog log,
      WalFallback fallback,
      OpenDeadline deadline,
      Function<Step, FailFastClient.Use> clients,
      WalOutput output) {
    this.conf = conf;
    this.wal = wal;
    this.log = log;
    this.path = wal.path;
    this.fallback = fallback;
    this.deadline = deadline;
    this.clients = clients;
    this.output = output;
  }

  /**
   * Creates the file and writes its header. If the header fails, both are tried again: once on SSD
   * without unresponsive DataNodes if they are known, then on DISK, at most twice.
   *
   * @return length of the header in bytes
   * @throws IOException if neither medium takes the WAL, or the NameNode is unavailable for too
   *     long
   */
  public long open() throws IOException {
    OpenAttemptMonitor.forgetConnectErrors(wal.monitor, fallback.wholeAt());
    state.hbaseExcludes = !OpenAttemptMonitor.excludedBy(wal.monitor).isEmpty();
    stalled = fallback.failOver.excluded();
    state.silent.addAll(stalled);
    try {
      create(fallback.triesSsd() ? Step.SSD : state.offSsd(), wal.overwritable);
      while (true) {
        try {
          return output.writeHeader();
        } catch (IOException failure) {
          createAgain(failure);
        }
      }
    } catch (StreamLacksCapabilityException e) {
      throw new IOException(e);
    }
  }

  /** Closes an opened file in any state. Never throws. */
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
      if (Connections.of(WatchedOutput.unwrap(output)).isOneClosed()) {
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

  /** Null if failover does not watch the output. Never throws. */
  public FailOver.Watch watch(AsyncFSOutput opened, Scheduler scheduler) {
    try {
      FailOver.Watch watch =
          fallback.failOver.watch(
              log, path, fallback::takesFiles, opened, fallback.usualReplicas(), scheduler);
      if (watch != null && monitor instanceof OpenAttemptMonitor) {
        ((OpenAttemptMonitor) monitor).passTo(watch.acknowledgements());
        return watch;
      }
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("A WAL is not watched for DataNodes that stall.", e);
    }
    return null;
  }

  /**
   * @throws IOException the failure, if no step is left or the next ones fail too
   */
  private void createAgain(IOException failure) throws IOException, StreamLacksCapabilityException {
    HdfsError.Kind cause = cause(failure);
    if (state.step == Step.DISK_AFRESH || cause.isFinal()) {
      throw failure;
    }
    Step next = Step.DISK_AFRESH;
    if (!state.step.onDisk()) {
      boolean again =
          cause == HdfsError.Kind.NODE_SILENT && !reopened && state.silent.addAll(unanswered());
      if (!again) {
        leaveSsd(failure, cause);
      }
      next = again ? Step.SSD_AFRESH : state.offSsd();
    }
    reopened = true;
    LOG.warn(
        "The header of the WAL {} was not written in step {}: {}. The WAL is created again "
            + "in step {}; only if no step is left, HBase aborts the server. If this recurs, look "
            + "for full or failed volumes: hdfs dfsadmin -report",
        path,
        state.step,
        HdfsError.of(failure).text(),
        next);
    discard();
    try {
      create(next, true);
    } catch (IOException e) {
      failure.addSuppressed(e);
      throw failure;
    }
  }

  /**
   * Excludes only the most recently stalled DataNode, then none, and begins the step again; false
   * if none is excluded.
   */
  private boolean useStalledNodes() {
    if (stalled.isEmpty()) {
      return false;
    }
    int kept = stalled.size() > 1 ? 1 : 0;
    List<DatanodeInfo> used = stalled.subList(kept, stalled.size());
    LOG.warn(
        "The WAL {} is written to {}, which stalled recently, since HDFS has too few other "
            + "DataNodes for its replicas; its syncs may be slow. Check that DataNode's disks and "
            + "log.",
        path,
        used);
    fallback.failOver.reuse(used);
    stalled = stalled.subList(0, kept);
    used.forEach(state.silent::remove);
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
        error.isAnswer() || !error.kind().isForbidden() && !error.is(HdfsError.Kind.OTHER);
    return answered ? error.kind() : HdfsError.Kind.NODE_REFUSED;
  }

  private Set<DatanodeInfo> unanswered() {
    Set<DatanodeInfo> nodes = new HashSet<>(output.pipeline());
    nodes.removeAll(OpenAttemptMonitor.answered(monitor));
    return nodes;
  }

  /** Repeats each step until one works with enough replicas. */
  private void create(Step first, boolean overwritable)
      throws IOException, StreamLacksCapabilityException {
    begin(first);
    state.tries = 1;
    boolean overwrite = overwritable;
    while (true) {
      long asked = deadline.now();
      Set<DatanodeInfo> before = OpenAttemptMonitor.excludedBy(monitor);
      IOException failure;
      HdfsError.Kind cause;
      try {
        createOnce(overwrite);
        List<StorageType> media = output.media();
        if (!media.isEmpty() && media.size() + 1 < fallback.usualReplicas() && useStalledNodes()) {
          discard();
          overwrite = true;
          continue;
        }
        state.diskForSsd = output.namesRefusals() && fallback.getsDiskForSsd();
        if (state.keeps(media, fallback.usualReplicas())) {
          fallback.opened(log, path, media, placed == null ? "" : placed.shortfall());
          return;
        }
        discard();
        failure =
            new IOException(
                "it would have had "
                    + media.size()
                    + " of "
                    + fallback.usualReplicas()
                    + " replicas");
        cause = HdfsError.Kind.UNDER_REPLICATED;
      } catch (IOException e) {
        failure = e;
        cause = cause(e);
      }
      // A create may have succeeded although its response was lost.
      overwrite = true;
      if (cause == HdfsError.Kind.NO_TARGET && useStalledNodes()) {
        continue;
      }
      note(cause, before);
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
            HdfsError.of(failure).text(),
            next);
        if (next.onDisk() && !state.step.onDisk()) {
          leaveSsd(failure, cause);
        }
        begin(next);
        state.tries = 1;
      }
    }
  }

  private void createOnce(boolean overwrite) throws IOException, StreamLacksCapabilityException {
    client = clients.apply(state.step);
    boolean created = false;
    try {
      StoragePolicy policy = fallback.policy(state.step.onDisk());
      placed = NewFiles.of(client.fs()).map(files -> files.place(path, policy)).orElse(null);
      output.create(client.fs(), overwrite, monitor);
      created = true;
      if (placed != null && placed.isCarried() && !state.step.onDisk()) {
        fallback.created(placed.inForce());
      }
    } catch (IOException e) {
      client.failed(e);
      throw e;
    } finally {
      if (!created) {
        close();
      }
    }
  }

  private void leaveSsd(IOException failure, HdfsError.Kind cause) {
    fallback.leaveSsd(path, HdfsError.of(failure).text(), cause);
    if (!output.namesRefusals()) {
      fallback.rollOthers(log);
    }
  }

  private void begin(Step next) {
    state.step = next;
    switch (next) {
      case SSD:
        Set<DatanodeInfo> excluded = new HashSet<>(state.silent);
        excluded.addAll(OpenAttemptMonitor.excludedBy(wal.monitor));
        monitor = without(excluded);
        break;
      case DISK:
        monitor = wal.monitor;
        break;
      case DISK_AFRESH:
        monitor = without(Set.of());
        break;
      default:
        state.refused = false; // earlier refusals are tested again
        monitor = without(state.silent);
    }
  }

  private OpenAttemptMonitor without(Set<DatanodeInfo> excluded) {
    return new OpenAttemptMonitor(conf, path.getName(), wal.monitor, excluded);
  }

  private void note(HdfsError.Kind cause, Set<DatanodeInfo> before) {
    state.refused |= cause.isRefusal();
    if (cause == HdfsError.Kind.NODE_SILENT && !state.step.onDisk()) {
      OpenAttemptMonitor.excludedBy(monitor).stream()
          .filter(node -> !before.contains(node))
          .forEach(state.silent::add);
    }
  }
}
