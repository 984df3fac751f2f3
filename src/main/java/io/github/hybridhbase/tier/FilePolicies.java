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
package io.github.hybridhbase.tier;

import static java.util.stream.Collectors.toSet;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage policies of single files: a file placed on SSD has its own until it is compacted
 * away. Changes pause at growing intervals after a refusal, since most refusals are permanent
 * (policies disabled or reserved to the superuser) and each attempt costs a failing call.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class FilePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(FilePolicies.class);

  private static final int MOST = 10_000;

  /** Looks at a file after which HDFS should have reported or repaired its replicas. */
  private static final int LOOKS = 3;

  private static final long LOCAL_NANOS = TimeUnit.DAYS.toNanos(1);

  private static final class Placed {
    private final TrackedStore tracked;
    private final Path file;
    private final boolean hot;
    private final boolean oneSsd;
    private int looks;

    Placed(TrackedStore tracked, Path file, boolean hot) {
      this.tracked = tracked;
      this.file = file;
      this.hot = hot;
      StoragePolicy policy = hot ? tracked.config().hotPolicy() : tracked.config().policy();
      this.oneSsd = policy == StoragePolicy.ONE_SSD;
    }
  }

  private final String server;
  private final StorageNamespace namespace;
  private final LongSupplier clock;
  private final LogOnChange logged = new LogOnChange();

  /** Closed files with a policy for SSD whose replicas are to be looked at. */
  private final Deque<Placed> unsure = new LinkedBlockingDeque<>(MOST);

  private volatile Backoff refusals;

  /** Since when this server is known to read its ONE_SSD files from DISK; 0 if it is not. */
  private volatile long localDiskNanos;

  /** Whether this host has an SSD: a local replica on DISK is then for want of space. */
  private volatile boolean localSsd;

  /**
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  FilePolicies(String server, StorageNamespace namespace, int retrySeconds, LongSupplier clock) {
    this.server = server;
    this.namespace = namespace;
    this.clock = clock;
    this.refusals = Backoff.starting(TimeUnit.SECONDS.toNanos(retrySeconds));
  }

  boolean isPaused() {
    return refusals.waitNanos(clock.getAsLong()) > 0;
  }

  /**
   * Sets the policy of a new file without a block: one NameNode write. A hot file is marked, so
   * that reports accept it at any age.
   */
  void set(Path file, StoragePolicy policy, boolean hot) throws IOException {
    try {
      namespace.setPolicy(file, policy);
    } catch (IOException | RuntimeException e) {
      refused(e);
      throw e;
    }
    if (hot) {
      Failures.guarded(
          "A file of hot rows could not be marked; reports show it as due.",
          () -> namespace.markHot(file));
    }
  }

  /**
   * A file that was placed on SSD is closed.
   *
   * @param onSsd whether HBase knows a replica there
   */
  void closed(TrackedStore tracked, Path file, boolean hot, boolean onSsd) {
    Placed placed = new Placed(tracked, file, hot);
    if (placed.oneSsd || !onSsd) {
      unsure.offer(placed);
    }
  }

  /**
   * Whether hot rows under ONE_SSD gain nothing on this server: it has a DataNode without SSD, and
   * HDFS reads the nearest replica. Learnt from such a file, and again after a day.
   */
  boolean readsLocalDisk() {
    return localDiskNanos != 0 && clock.getAsLong() - localDiskNanos < LOCAL_NANOS;
  }

  /**
   * Looks at closed files: removes the policy of files on DISK, so that no mover takes them to SSD,
   * and of ONE_SSD files whose replicas HDFS cannot complete. HBase reads locations when it opens a
   * file, perhaps before the last replica is reported; so each file is read again, repeatedly while
   * under-replicated.
   *
   * @throws IOException if HDFS fails; the remaining files stay queued
   */
  void look() throws IOException {
    for (int left = unsure.size(); left > 0 && !isPaused(); left--) {
      Placed placed = unsure.peek();
      Optional<FileBlocks> blocks = namespace.blocks(placed.file);
      if (blocks.isPresent() && !isSettled(placed, blocks.get())) {
        unsure.offer(placed);
      }
      unsure.poll();
    }
  }

  private boolean isSettled(Placed placed, FileBlocks blocks) throws IOException {
    long onSsd = blocks.bytes(StorageType.SSD);
    if (onSsd > 0) {
      placed.tracked.store().foundOnSsd(placed.file.getName(), onSsd);
    }
    if (blocks.underReplicatedBlocks() > 0) {
      return placed.oneSsd && hasSingle(blocks) ? isRepairable(placed) : onSsd > 0;
    }
    if (onSsd == 0) {
      unset(placed.file);
    }
    if (placed.oneSsd) {
      lookAtLocal(placed, blocks);
    }
    return true;
  }

  /**
   * On full SSDs HDFS writes the blocks of ONE_SSD files with one replica, and repairs them under
   * another policy only.
   */
  private boolean isRepairable(Placed placed) throws IOException {
    if (++placed.looks < LOOKS) {
      return false;
    }
    unset(placed.file);
    if (logged.changed("single", "one replica")) {
      LOG.warn(
          "Blocks of {} have one replica: with ONE_SSD on full SSDs HDFS writes one and does not"
              + " repair it. The policy of such files is removed, so that HDFS writes the missing"
              + " replicas to DISK. Declare ALL_SSD, or set dfs.use.dfs.network.topology=false on"
              + " the NameNode. Logged once by each server.",
          placed.file);
    }
    return true;
  }

  /** Others wait for a DataNode that is away: HDFS repairs them under any policy. */
  private static boolean hasSingle(FileBlocks blocks) {
    return blocks.blocks().stream().anyMatch(block -> block.replicas().size() == 1);
  }

  private void lookAtLocal(Placed placed, FileBlocks blocks) {
    List<String> host = List.of(server.split(",")[0]);
    boolean wasKnown = readsLocalDisk();
    Set<StorageType> local =
        blocks.blocks().stream().flatMap(block -> block.on(host).stream()).collect(toSet());
    if (local.isEmpty()) {
      return; // the server's name is none of a DataNode
    }
    if (local.contains(StorageType.SSD)) {
      localDiskNanos = 0;
      localSsd = true;
    }
    if (localSsd || !placed.hot) {
      return;
    }
    localDiskNanos = clock.getAsLong();
    if (readsLocalDisk() && !wasKnown) {
      LOG.warn(
          "Hot rows under ONE_SSD gain nothing on {}: HDFS wrote the local replica of {} to DISK,"
              + " and Gets read the nearest one. For a day its compactions under ONE_SSD write no"
              + " file of hot rows. Set {}=ALL_SSD, which is read from other servers' SSD.",
          server,
          placed.file,
          HybridKeys.HOT_POLICY.name());
    }
  }

  private void unset(Path file) throws IOException {
    try {
      namespace.unsetPolicy(file);
    } catch (FileNotFoundException e) {
      LOG.debug("{} went before its policy was taken away", file, e);
    } catch (IOException e) {
      refused(e);
      throw e;
    }
  }

  private synchronized void refused(Exception e) {
    if (e instanceof FileNotFoundException) {
      return; // deleted meanwhile
    }
    refusals = refusals.refused(clock.getAsLong());
    String text = HdfsError.of(e).explain();
    if (logged.changed(server, text)) {
      LOG.warn(
          "Server {} could not change the storage policy of a store file: new ones go to DISK, "
              + "and the server retries at growing intervals (hbase.hybrid.ssd.retry). {}",
          server,
          text);
    }
  }
}
