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
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage policies of single files: one that is placed on SSD has its own until it is compacted
 * away. Where HDFS refuses a change none is asked for for a while ({@link PolicyPause}).
 * Thread-safe.
 */
@InterfaceAudience.Private
final class FilePolicies {
  private static final Logger LOG = LoggerFactory.getLogger(FilePolicies.class);

  /** Files on DISK that are held; the others keep their policy until they are compacted away. */
  private static final int MOST = 10_000;

  private final StorageNamespace namespace;
  private final PolicyPause pause;

  /** A file that was placed on SSD, and its store. */
  private static final class Placed {
    private final TrackedStore tracked;
    private final Path file;

    Placed(TrackedStore tracked, Path file) {
      this.tracked = tracked;
      this.file = file;
    }
  }

  /** Files that have a policy for SSD, and of which HBase knows no replica there. */
  private final Deque<Placed> onDisk = new LinkedBlockingDeque<>(MOST);

  /**
   * No file has one.
   *
   * @param retrySeconds the pause after a first refusal
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  FilePolicies(String server, StorageNamespace namespace, int retrySeconds, LongSupplier clock) {
    this.namespace = namespace;
    this.pause = new PolicyPause(server, retrySeconds, clock);
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

  /** HBase knows no replica on SSD of a file that was placed there. */
  void fellBack(TrackedStore tracked, Path file) {
    onDisk.offer(new Placed(tracked, file));
  }

  /**
   * Takes the policy from files that are on DISK, so that nobody moves them to SSD later. HBase
   * read where a file is when it opened it, which may be before the last replica was reported. So
   * each is looked at once more, one NameNode read, and again while it lacks a replica.
   *
   * @throws IOException where HDFS does not answer; the rest is kept for the next call
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
      pause.refused(e);
      throw e;
    }
  }
}
