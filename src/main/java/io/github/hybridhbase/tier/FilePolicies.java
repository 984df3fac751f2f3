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

/** The storage policies that store files of one server have of their own. */
@InterfaceAudience.Private
final class FilePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(FilePolicies.class);

  private static final int MOST = 10_000;

  /** Turns after which HDFS has reported a closed file's replicas. */
  private static final int TURNS = 3;

  private static final class Closed {
    private final TierStore store;
    private final Path file;
    private int turns;

    Closed(TierStore store, Path file) {
      this.store = store;
      this.file = file;
    }
  }

  private final String server;
  private final StorageNamespace namespace;
  private final LongSupplier clock;
  private final LogOnChange logged = new LogOnChange();
  private final Deque<Closed> unsure = new LinkedBlockingDeque<>(MOST);
  private volatile Backoff refusals;

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
   * Has a closed file looked at after some turns: HBase knows no replica of it on SSD, or its
   * policy is ONE_SSD.
   */
  void look(TierStore store, Path file) {
    boolean unused = unsure.offer(new Closed(store, file));
  }

  /**
   * Looks once at each closed file whose time has come, one NameNode read each. A file on DISK
   * loses its policy, so that no mover takes it to SSD; and one of which a block has a single
   * replica: on full SSDs HDFS writes that one under ONE_SSD, and completes it under another policy
   * only.
   *
   * @throws IOException if HDFS fails; the remaining files stay queued
   */
  void turn() throws IOException {
    unsure.forEach(one -> one.turns++);
    while (!unsure.isEmpty() && unsure.peek().turns >= TURNS && !isPaused()) {
      Closed one = unsure.peek();
      Optional<FileBlocks> blocks = namespace.blocks(one.file);
      if (blocks.isPresent()) {
        settle(one, blocks.get());
      }
      unsure.poll();
    }
  }

  private void settle(Closed one, FileBlocks blocks) throws IOException {
    long onSsd = blocks.bytes(StorageType.SSD);
    boolean single = blocks.blocks().stream().anyMatch(block -> block.replicas().size() == 1);
    if (onSsd > 0) {
      one.store.foundOnSsd(one.file.getName(), onSsd);
    }
    if (onSsd > 0 && !(single && blocks.underReplicatedBlocks() > 0)) {
      return;
    }
    try {
      namespace.unsetPolicy(one.file);
    } catch (FileNotFoundException e) {
      LOG.debug("{} went before its policy was taken away", one.file, e);
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
