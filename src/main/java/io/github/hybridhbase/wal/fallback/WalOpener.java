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
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.wal.failover.OutputWatch;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
 * Opens a WAL where its directory says, and on DISK at once where SSD refuses: HBase answers an
 * IOException at a roll by aborting the server ({@code AbstractWALRoller.run}).
 *
 * <p>Each try that fails has one cause ({@link HdfsErrorKind}), from which {@link OpenState}
 * decides what comes next. Tries on SSD begin within {@code hbase.hybrid.ssd.fallback.timeout},
 * each without the DataNodes that failed the one before. They have an exclude list of their own
 * ({@link OpenAttemptMonitor}), so that those DataNodes are not avoided on DISK as well, nor for
 * the next six hours. Only one that does not answer at all is left out on DISK too, for this WAL;
 * and a replica that only such a one owes, or that HDFS has no DataNode for on DISK either, is no
 * reason to leave SSD: the WAL is short, {@link WalFallback} watches it. What HBase's own list
 * holds of failed connects is taken off it when a probe has all replicas and a WAL has not: else a
 * DataNode that restarted is avoided for six hours, and on three DataNodes WALs have one or two
 * replicas for as long.
 *
 * <p>Where the NameNode itself cannot be asked (restart, failover, safe mode) SSD is not blamed: it
 * is waited for as long after the beginning as HBase would go on retrying a roll ({@link
 * OpenDeadline}); a call that is under way then is not cut off.
 *
 * <p>Blocks the calling thread, which is HBase's roller or the thread that starts the server. One
 * thread.
 */
@InterfaceAudience.Private
final class WalOpener {
  private static final Logger LOG = LoggerFactory.getLogger(WalOpener.class);

  private final Configuration conf;
  private final Path path;
  private final StreamSlowMonitor stock;
  private final WalFallback fallback;
  private final WalOutput output;
  private final StalledReplicas stalled;
  private final OpenDeadline deadline;
  private final SsdExit exit;

  /** DataNodes that did not answer in time: they are left out on DISK as well. */
  private final Set<DatanodeInfo> silent = new HashSet<>();

  private boolean hbaseExcludes;
  private boolean refused;
  private boolean opened;
  private boolean reopened;
  private Step step;
  private StreamSlowMonitor monitor;

  WalOpener(
      Configuration conf,
      Path path,
      StreamSlowMonitor monitor,
      WalFallback fallback,
      OpenDeadline deadline,
      WalOutput output) {
    this.conf = conf;
    this.path = path;
    this.stock = monitor;
    this.fallback = fallback;
    this.output = output;
    this.deadline = deadline;
    this.exit = new SsdExit(fallback, path);
    this.stalled = new StalledReplicas(conf, path, fallback, output);
  }

  /**
   * Opens the WAL.
   *
   * @param overwritable as HBase asks for; a file of a try that failed is always overwritten
   * @throws IOException where neither medium takes it, or the NameNode cannot be asked in time
   */
  void open(boolean overwritable) throws IOException, StreamLacksCapabilityException {
    OpenAttemptMonitor.forgetConnectErrors(stock, fallback.wholeAt());
    hbaseExcludes = !OpenAttemptMonitor.excludedBy(stock).isEmpty();
    silent.addAll(stalled.leaveOut());
    run(fallback.inherits() ? Step.SSD : OpenState.offSsd(!silent.isEmpty()), overwritable);
  }

  /**
   * What watches over the output that was opened; null where nothing does.
   *
   * @param back runs when a DataNode that was left out may be used again
   */
  OutputWatch watch(AsyncFSOutput opened, OutputWatch.Scheduler scheduler, Runnable back) {
    fallback.failOver().opened(path);
    OutputWatch watch =
        fallback
            .failOver()
            .watch(path, fallback.forFailOver(back), opened, fallback.usualReplicas(), scheduler);
    if (watch != null && monitor instanceof OpenAttemptMonitor) {
      ((OpenAttemptMonitor) monitor).tell(watch.acknowledgements());
      return watch;
    }
    return null;
  }

  /** Where too few replicas are left: the same step is tried again, if any DataNode stalled. */
  private boolean spare() {
    List<DatanodeInfo> spared = stalled.spare();
    spared.forEach(silent::remove);
    if (!spared.isEmpty()) {
      begin(step);
    }
    return !spared.isEmpty();
  }

  /**
   * Opens a WAL again whose first bytes failed, after {@link #open}: once more on SSD without the
   * DataNodes that did not answer, where those can be told, then on DISK, and there once more. A
   * flush that leaves while all DataNodes of a fan-out output go away is answered by nobody ({@code
   * FanOutOneBlockAsyncDFSOutput.flush0}), and the server would abort.
   *
   * @param failure what failed
   * @return whether it is open again; false where no other way is left
   */
  boolean openAgain(IOException failure) throws StreamLacksCapabilityException {
    HdfsErrorKind cause = cause(failure);
    if (!opened || step == Step.DISK_AFRESH || cause.isFinal()) {
      return false;
    }
    Step next = Step.DISK_AFRESH;
    if (!step.onDisk()) {
      boolean again =
          cause == HdfsErrorKind.NODE_SILENT && !reopened && silent.addAll(unanswered());
      if (!again) {
        exit.decide(HdfsError.of(failure).text(), cause);
      }
      next = again ? Step.SSD_AFRESH : OpenState.offSsd(!silent.isEmpty());
    }
    reopened = true;
    LOG.warn(
        "The header of the WAL {} was not written by {}: {}; {} is next",
        path,
        step,
        HdfsError.of(failure).text(),
        next);
    output.discard();
    try {
      run(next, true);
      return true;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /**
   * What this process refused itself by, or HBase threw, may be of one DataNode: only what the
   * NameNode has answered ends an opening. One try too many costs seconds, one too few the server.
   */
  private static HdfsErrorKind cause(IOException failure) {
    HdfsError error = HdfsError.of(failure);
    boolean said =
        error.isAnswer() || !error.kind().isForbidden() && !error.is(HdfsErrorKind.OTHER);
    return said ? error.kind() : HdfsErrorKind.NODE_REFUSED;
  }

  /** Those of the pipeline that acknowledged nothing. */
  private Set<DatanodeInfo> unanswered() {
    Set<DatanodeInfo> nodes = new HashSet<>(output.pipeline());
    nodes.removeAll(OpenAttemptMonitor.answered(monitor));
    return nodes;
  }

  private void run(Step first, boolean overwritable)
      throws IOException, StreamLacksCapabilityException {
    begin(first);
    boolean overwrite = overwritable;
    int tries = 1;
    while (true) {
      long asked = deadline.now();
      Set<DatanodeInfo> before = OpenAttemptMonitor.excludedBy(monitor);
      IOException failure;
      HdfsErrorKind cause;
      try {
        exit.leave();
        output.create(step, overwrite, monitor);
        List<StorageType> media = output.media();
        if (!media.isEmpty() && media.size() + 1 < fallback.usualReplicas() && spare()) {
          output.discard();
          overwrite = true;
          continue;
        }
        if (!step.onDisk() && stalled.staysOnSsd(media)) {
          output.discard();
          overwrite = true;
          continue;
        }
        if (state(tries).keeps(media, fallback.usualReplicas())) {
          opened = true;
          stalled.opened();
          fallback.opened(path, media, output.shortfall());
          return;
        }
        output.discard();
        failure =
            new IOException(
                "it would have had "
                    + media.size()
                    + " of "
                    + fallback.usualReplicas()
                    + " replicas");
        cause = HdfsErrorKind.UNDER_REPLICATED;
      } catch (IOException e) {
        failure = e;
        cause = cause(e);
      }
      // A create may have arrived although its answer did not.
      overwrite = true;
      if (cause == HdfsErrorKind.NO_TARGET && spare()) {
        continue;
      }
      note(cause, before);
      Step next = state(tries).next(cause);
      if (next == Step.GIVE_UP) {
        if (cause.isRefusal()) {
          fallback.diskRefused(path);
        }
        throw cause.isNameNodes() ? deadline.over(failure) : failure;
      }
      if (next == Step.WAIT) {
        deadline.pause(asked, failure);
      } else if (next == step) {
        tries++;
      } else {
        LOG.info(
            "The WAL {} was not opened by {} ({}: {}); {} is next",
            path,
            step,
            cause,
            HdfsError.of(failure).text(),
            next);
        if (next.onDisk() && !step.onDisk()) {
          exit.decide(HdfsError.of(failure).text(), cause);
        }
        begin(next);
        tries = 1;
      }
    }
  }

  private void begin(Step next) {
    step = next;
    switch (next) {
      case SSD:
        monitor = new OpenAttemptMonitor(conf, path.getName(), stock).and(silent);
        break;
      case DISK:
        monitor = stock;
        break;
      case DISK_AFRESH:
        monitor = OpenAttemptMonitor.without(Set.of(), conf, path.getName(), stock);
        break;
      default:
        refused = false; // what refused before is asked again
        monitor = OpenAttemptMonitor.without(silent, conf, path.getName(), stock);
    }
  }

  private OpenState state(int tries) {
    return new OpenState(
        step,
        tries,
        hbaseExcludes,
        silent.size(),
        refused,
        output.namesRefusals() && fallback.getsDiskForSsd(),
        deadline.ssdNanosLeft(),
        deadline.nameNodeNanosLeft());
  }

  private void note(HdfsErrorKind cause, Set<DatanodeInfo> before) {
    refused |= cause.isRefusal();
    if (cause == HdfsErrorKind.NODE_SILENT && !step.onDisk()) {
      OpenAttemptMonitor.excludedBy(monitor).stream()
          .filter(node -> !before.contains(node))
          .forEach(silent::add);
    }
  }
}
