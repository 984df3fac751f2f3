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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.config.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Probe files: small files that show whether a policy's medium takes a block. They are deleted at
 * once; those that a process left behind when it died in between are swept later.
 */
@InterfaceAudience.Private
final class ProbeFiles {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeFiles.class);

  private static final FsPermission PERMISSION = new FsPermission((short) 0600);

  private ProbeFiles() {}

  /** Writes one, reads where its block went, and deletes it. */
  static Probe write(
      DistributedFileSystem dfs, Path directory, StoragePolicy policy, long blockSize)
      throws IOException {
    Path file = new Path(directory, HdfsNamespace.PROBE_PREFIX + UUID.randomUUID());
    FSDataOutputStream out = null;
    try {
      short replication = dfs.getDefaultReplication(directory);
      // Replicated also where the directory is erasure coded, as HBase makes its WALs.
      out =
          dfs.createFile(file)
              .permission(PERMISSION)
              .overwrite(false)
              .replicate()
              .replication(replication)
              .blockSize(blockSize)
              .build();
      if (FileStatuses.policy(dfs.getFileStatus(file)) != policy.id()) {
        // No block is allocated before the first packet, so the file's own policy rules it.
        dfs.setStoragePolicy(file, policy.name());
      }
      out.write(1);
      out.hflush();
      return Probe.taken(policy, replicas(dfs, file), replication);
    } catch (IOException | RuntimeException e) {
      if (!aboutSpace(e)) {
        throw e;
      }
      String reason = e.getClass().getSimpleName() + ": " + HdfsError.of(e).text();
      return Probe.refused(policy, reason.replace(file.toUri().getPath(), "the probe file"));
    } finally {
      // What close says of a stream that failed is what was said already.
      IOUtils.closeStream(out);
      discard(dfs, file);
    }
  }

  /** Whether HDFS refused the block itself, and not the asking. */
  private static boolean aboutSpace(Exception e) {
    String message = String.valueOf(e.getMessage());
    return !(e instanceof AccessControlException)
        && !message.contains("dfs.storage.policy.enabled")
        && !message.contains("safe mode");
  }

  private static List<StorageType> replicas(DistributedFileSystem dfs, Path file)
      throws IOException {
    BlockLocation[] locations = dfs.getFileBlockLocations(file, 0, 1);
    return locations.length == 0 ? List.of() : Arrays.asList(locations[0].getStorageTypes());
  }

  private static void discard(DistributedFileSystem dfs, Path file) {
    // A server that stops interrupts its threads; the file must go all the same.
    boolean interrupted = Thread.interrupted();
    try {
      dfs.delete(file, false);
    } catch (IOException | RuntimeException e) {
      LOG.warn("Could not delete the probe file {}; it may be deleted by hand", file, e);
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * Deletes those that lie directly in a directory; one NameNode call for each thousand entries,
   * and one for each file.
   *
   * @param before milliseconds since 1970: younger ones may be in use and stay
   * @return how many there were; 0 also where the directory does not exist
   */
  static int sweep(DistributedFileSystem dfs, Path directory, long before) throws IOException {
    int swept = 0;
    try {
      RemoteIterator<FileStatus> entries = dfs.listStatusIterator(directory);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isFile()
            && entry.getPath().getName().startsWith(HdfsNamespace.PROBE_PREFIX)
            && entry.getModificationTime() < before
            && dfs.delete(entry.getPath(), false)) {
          swept++;
        }
      }
    } catch (FileNotFoundException e) {
      return swept;
    }
    return swept;
  }
}
