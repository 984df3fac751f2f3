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

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage policies of single files: one has its own from its creation until a look finds it in
 * its store, so that nothing keeps it on SSD for good. Where HDFS refuses a change none is asked
 * for for a while ({@link PolicyPause}). Thread-safe but for {@link #unset}.
 */
@InterfaceAudience.Private
final class FilePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(FilePolicies.class);

  /** Leftovers that are held; the rest is left to whoever opens the store. */
  private static final int MOST = 10_000;

  private final StorageNamespace namespace;
  private final PolicyPause pause;
  private final UnaryOperator<Path> archive;

  /**
   * Committed files of stores that closed before a look has seen them. The region may never be
   * opened again (a disabled or dropped table), so nobody else would look.
   */
  private final Deque<Path> leftovers = new LinkedBlockingDeque<>(MOST);

  /**
   * No file has one.
   *
   * @param retrySeconds the pause after a first refusal
   * @param clock nanoseconds, as {@link System#nanoTime()}
   * @param archive where HBase puts the files of a directory once it is done with them
   */
  FilePolicies(
      String server,
      StorageNamespace namespace,
      int retrySeconds,
      LongSupplier clock,
      UnaryOperator<Path> archive) {
    this.namespace = namespace;
    this.pause = new PolicyPause(server, retrySeconds, clock);
    this.archive = archive;
  }

  /** Whether it is too soon to ask HDFS again. */
  boolean isPaused() {
    return pause.lasts();
  }

  /** Gives a new file, which has no block yet, its own policy: one NameNode write. */
  void set(Path file, StoragePolicy policy) throws IOException {
    try {
      namespace.setPolicy(file, policy);
    } catch (IOException | RuntimeException e) {
      pause.refused(e);
      throw e;
    }
  }

  /** A committed file of a store that closed before a look has seen it. */
  void leave(Path file) {
    leftovers.offer(file);
  }

  /** Whether no file of a closed store is left. */
  boolean isEmpty() {
    return leftovers.isEmpty();
  }

  /**
   * Frees files of closed stores from the policy they were created with; twice does no harm.
   *
   * @throws IOException where HDFS does not answer; the rest is kept for the next call
   */
  void letGo() throws IOException {
    if (isPaused()) {
      return;
    }
    try {
      for (Path file = leftovers.peek(); file != null; file = leftovers.peek()) {
        if (!unset(file)) {
          unset(new Path(archive.apply(file.getParent()), file.getName()));
        }
        leftovers.poll();
      }
    } catch (IOException e) {
      pause.refused(e);
      throw e;
    }
  }

  private boolean unset(Path file) throws IOException {
    try {
      namespace.unsetPolicy(file);
      return true;
    } catch (FileNotFoundException e) {
      return false;
    }
  }

  /**
   * Takes away the policy that a file was created with, so that nothing keeps it on SSD. After a
   * crash this is done by whoever opens the store next. The working thread alone.
   */
  void unset(TrackedStore tracked, List<TieredFile> files) throws IOException {
    Set<String> sticky = new HashSet<>();
    for (TieredFile file : files) {
      if (!file.sticky() || !tracked.servable || isPaused()) {
        continue;
      }
      sticky.add(file.key());
      if (tracked.unset.contains(file.key())) {
        LOG.warn(
            "{} still has {}, so it comes from above: somebody gave a directory a policy. Nothing"
                + " goes to SSD in this store until its region is opened again.",
            file.key(),
            tracked.config().policy());
        tracked.servable = false;
        continue;
      }
      try {
        if (unset(file.path())) {
          tracked.unset.add(file.key());
        }
      } catch (IOException e) {
        pause.refused(e);
        throw e;
      }
    }
    tracked.unset.retainAll(sticky);
  }
}
