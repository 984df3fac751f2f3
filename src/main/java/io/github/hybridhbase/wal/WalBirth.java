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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.hdfs.FirstLine;
import io.github.hybridhbase.hdfs.NameNodeTrouble;
import io.github.hybridhbase.hdfs.QuickClient;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a WAL where its directory says, and on DISK at once where SSD refuses: HBase answers an
 * IOException at a roll by aborting the server ({@code AbstractWALRoller.run}).
 *
 * <p>At most {@value #TRIES} tries on SSD within {@code hbase.hybrid.ssd.fallback.timeout}, each
 * without the DataNodes that refused the one before; a try that ends with fewer replicas than usual
 * counts as refused. The tries have an exclude list of their own ({@link TryMonitor}), so that
 * those DataNodes are not avoided on DISK as well, nor for the next six hours. Only one that does
 * not answer at all is left out on DISK too, for this WAL. What HBase's own list holds of failed
 * connects is taken off it when a probe has all replicas and a WAL has not: else a DataNode that
 * restarted is avoided for six hours, and on three DataNodes WALs have one or two replicas for as
 * long. Where the NameNode itself cannot be asked (restart, failover, safe mode) both media are as
 * good as the other, and opening waits for it as long as HBase would wait between retries of a
 * roll.
 *
 * <p>Blocks the calling thread, which is HBase's roller or the thread that starts the server.
 */
@InterfaceAudience.Private
final class WalBirth {
  private static final Logger LOG = LoggerFactory.getLogger(WalBirth.class);

  static final int TRIES = 4;
  private static final long PAUSE_MILLIS = 500;

  /** One way of writing: HBase's fan-out output, or a stream of HDFS. */
  interface Output {
    /** Makes the file and its first block; throws where either is refused. */
    void create(FileSystem fs, boolean overwrite, StreamSlowMonitor monitor)
        throws IOException, StreamLacksCapabilityException;

    /** The client for tries on SSD: one that gives up at once. */
    FileSystem quick(FileSystem fs);

    /** The medium of each replica of what {@link #create} made; empty where it is not known. */
    List<StorageType> media();

    /** Closes what {@link #create} made, however far it came. Never throws. */
    void discard();
  }

  private final Configuration conf;
  private final FileSystem fs;
  private final Path path;
  private final StreamSlowMonitor monitor;
  private final WalHome home;
  private final Output output;

  /** DataNodes that did not answer in time: they are left out on DISK as well. */
  private final Set<DatanodeInfo> silent = new HashSet<>();

  WalBirth(
      Configuration conf,
      FileSystem fs,
      Path path,
      StreamSlowMonitor monitor,
      WalHome home,
      Output output) {
    this.conf = conf;
    this.fs = fs;
    this.path = path;
    this.monitor = monitor;
    this.home = home;
    this.output = output;
  }

  /**
   * Opens the WAL.
   *
   * @param overwritable as HBase asks for; a file of a try that failed is always overwritten
   * @throws IOException where neither medium takes it
   */
  void open(boolean overwritable) throws IOException, StreamLacksCapabilityException {
    TryMonitor.forgetConnectErrors(monitor, home.wholeAt());
    boolean overwrite = overwritable;
    if (home.inherits()) {
      String refusal = tryAsTheDirectorySays(overwritable);
      if (refusal == null) {
        return;
      }
      overwrite = true;
      leave(refusal);
    }
    openPatiently(overwrite);
  }

  /**
   * Opens on DISK a WAL whose first bytes failed on SSD.
   *
   * @param failure what failed
   * @return whether it is open again; false where SSD is not to blame
   */
  boolean openAgain(IOException failure) throws StreamLacksCapabilityException {
    if (!home.inherits()) {
      return false;
    }
    output.discard();
    try {
      leave(FirstLine.of(failure));
      openPatiently(true);
      return true;
    } catch (IOException e) {
      failure.addSuppressed(e);
      return false;
    }
  }

  /** Answers why it was refused, null where it is open. */
  private String tryAsTheDirectorySays(boolean overwritable)
      throws IOException, StreamLacksCapabilityException {
    long start = home.clock();
    TryMonitor tries = new TryMonitor(conf, path.getName(), monitor);
    boolean excludes = !tries.excluded().isEmpty();
    String refusal = tryOnSsd(overwritable, tries, start);
    if (refusal != null && excludes && home.clock() - start <= home.fallbackNanos()) {
      // What other files met may have put every DataNode on HBase's exclude list, for hours.
      refusal = tryOnSsd(true, TryMonitor.withoutExcludes(conf, path.getName(), monitor), start);
    }
    return refusal;
  }

  private String tryOnSsd(boolean overwritable, TryMonitor tries, long start)
      throws IOException, StreamLacksCapabilityException {
    FileSystem quick = output.quick(fs);
    boolean overwrite = overwritable;
    String refusal = "no try";
    for (int attempt = 1; attempt <= TRIES; attempt++) {
      Set<DatanodeInfo> before = tries.excluded();
      try {
        output.create(quick, overwrite, tries);
      } catch (IOException e) {
        if (OpenFailure.isOver(e)) {
          throw e;
        }
        if (NameNodeTrouble.is(e) && home.clock() - start < home.nameNodeWaitNanos()) {
          pause();
          // A create may have arrived although its answer did not.
          overwrite = true;
          attempt--;
          continue;
        }
        QuickClient.forget(quick, e);
        overwrite = true;
        refusal = FirstLine.of(e);
        if (OpenFailure.isSilence(e)) {
          tries.excluded().stream().filter(node -> !before.contains(node)).forEach(silent::add);
        }
        if (OpenFailure.isNameNodes(e) || home.clock() - start > home.fallbackNanos()) {
          break;
        }
        continue;
      }
      List<StorageType> media = output.media();
      if (media.isEmpty() || media.size() >= home.usualReplicas()) {
        home.opened(path, media);
        return null;
      }
      refusal = "it would have had " + media.size() + " of " + home.usualReplicas() + " replicas";
      output.discard();
      break;
    }
    return refusal;
  }

  private void leave(String refusal) throws InterruptedIOException {
    for (boolean again = true; ; again = false) {
      try {
        if (home.wantsSsd()) {
          home.leaveSsd(path, refusal);
        }
        return;
      } catch (IOException | RuntimeException e) {
        if (!again || e instanceof RemoteException) {
          LOG.warn("{} cannot be turned to HOT; the WAL is tried as it is", home.directory(), e);
          return;
        }
        // The connection of a NameNode that has restarted fails once.
        pause();
      }
    }
  }

  private void openPatiently(boolean overwritable)
      throws IOException, StreamLacksCapabilityException {
    boolean overwrite = overwritable;
    if (!silent.isEmpty()) {
      if (openedWithoutTheSilent(overwrite)) {
        return;
      }
      overwrite = true;
    }
    long start = home.clock();
    StreamSlowMonitor mine = monitor;
    while (true) {
      try {
        output.create(fs, overwrite, mine);
        home.opened(path, output.media());
        return;
      } catch (IOException e) {
        if (OpenFailure.isOver(e)) {
          throw e;
        }
        overwrite = true;
        if (NameNodeTrouble.is(e)) {
          if (home.clock() - start >= home.nameNodeWaitNanos()) {
            throw e;
          }
          pause();
        } else if (mine == monitor && mine != null) {
          // What other files met may have put every DataNode on HBase's exclude list.
          LOG.warn("The WAL {} was refused; tried again without HBase's exclude list", path, e);
          mine = TryMonitor.withoutExcludes(conf, path.getName(), monitor);
        } else {
          throw e;
        }
      }
    }
  }

  /** Else HBase's own client would wait a minute for each of them. */
  private boolean openedWithoutTheSilent(boolean overwrite)
      throws IOException, StreamLacksCapabilityException {
    try {
      TryMonitor without = TryMonitor.without(silent, conf, path.getName(), monitor);
      output.create(output.quick(fs), overwrite, without);
      home.opened(path, output.media());
      return true;
    } catch (IOException e) {
      if (OpenFailure.isOver(e)) {
        throw e;
      }
      LOG.warn("The WAL {} was refused without {} as well", path, silent, e);
      return false;
    }
  }

  private static void pause() throws InterruptedIOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("told to stop while the NameNode could not be asked");
    }
  }
}
