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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Backoff;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Deque;
import java.util.Optional;
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

  private static final class Placed {
    private final TrackedStore tracked;
    private final Path file;

    Placed(TrackedStore tracked, Path file) {
      this.tracked = tracked;
      this.file = file;
    }
  }

  private final String server;
  private final StorageNamespace namespace;
  private final LongSupplier clock;
  private final LogOnChange logged = new LogOnChange();

  /** Files with a policy for SSD but no known replica there. */
  private final Deque<Placed> onDisk = new LinkedBlockingDeque<>(MOST);

  private volatile Backoff refusals;

  /**
   * @param retrySeconds the pause after the first refusal
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

  void fellBack(TrackedStore tracked, Path file) {
    onDisk.offer(new Placed(tracked, file));
  }

  /**
   * Removes the policy of files on DISK, so that no mover takes them to SSD. HBase reads locations
   * when it opens a file, perhaps before the last replica is reported; so each file is read again,
   * repeatedly while under-replicated.
   *
   * @throws IOException if HDFS fails; the remaining files stay queued
   */
  void free() throws IOException {
    for (int left = onDisk.size(); left > 0 && !isPaused(); left--) {
      Placed placed = onDisk.peek();
      Optional<FileBlocks> blocks = namespace.blocks(placed.file);
      if (blocks.isPresent()) {
        long onSsd = blocks.get().bytes(StorageType.SSD);
        if (onSsd > 0) {
          placed.tracked.store().foundOnSsd(placed.file.getName(), onSsd);
        } else if (blocks.get().underReplicatedBlocks() > 0) {
          onDisk.offer(placed);
        } else {
          unset(placed.file);
        }
      }
      onDisk.poll();
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

  /** Logs each new reason once. */
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
