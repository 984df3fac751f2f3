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

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A small temporary file that shows HDFS's behaviour, deleted at close or later by {@link #sweep}.
 * Not thread-safe.
 */
@InterfaceAudience.Private
public final class ProbeFile implements AutoCloseable {
  public static final String PREFIX = ".hybrid-probe-";

  private static final Logger LOG = LoggerFactory.getLogger(ProbeFile.class);

  private static final FsPermission PERMISSION = new FsPermission((short) 0600);

  /** After these nothing is known about the block. */
  private static final Set<HdfsError.Kind> NOT_ASKED =
      EnumSet.of(
          HdfsError.Kind.PERMISSION,
          HdfsError.Kind.SUPERUSER_ONLY,
          HdfsError.Kind.POLICIES_DISABLED,
          HdfsError.Kind.SAFE_MODE);

  private final DistributedFileSystem dfs;
  private final Path path;
  private final short replication;
  private FSDataOutputStream out;

  /** Null if no DataNodes are named. */
  private NewFile placed;

  ProbeFile(DistributedFileSystem dfs, Path directory) {
    this(dfs, directory, dfs.getDefaultReplication(directory));
  }

  ProbeFile(DistributedFileSystem dfs, Path directory, short replication) {
    this.dfs = dfs;
    this.path = new Path(directory, PREFIX + UUID.randomUUID());
    this.replication = replication;
  }

  static Probe probe(
      DistributedFileSystem dfs, Path directory, StoragePolicy policy, long blockSize)
      throws IOException {
    for (Path at = directory; ; at = at.getParent()) {
      try (ProbeFile file = new ProbeFile(dfs, at)) {
        return file.probe(policy, blockSize);
      } catch (FileNotFoundException e) {
        // At its first start HBase has not made the directory yet; what is above decides.
        if (at.isRoot()) {
          throw e;
        }
      }
    }
  }

  private Probe probe(StoragePolicy policy, long blockSize) throws IOException {
    try {
      create(policy, blockSize);
      return Probe.taken(policy, write(), replication);
    } catch (IOException | RuntimeException e) {
      if (isNotAsked(e) || e instanceof FileNotFoundException) {
        throw e;
      }
      return refused(policy, e);
    }
  }

  /** The first byte allocates its block. */
  void create(StoragePolicy policy, long blockSize, InetSocketAddress... nodes) throws IOException {
    placed =
        NewFiles.of(dfs)
            .map(files -> files.place(path, policy))
            .orElseThrow(() -> new IOException("HDFS's client cannot create files under a policy"));
    create(blockSize, StoragePolicy.NONE, nodes);
    if (!placed.isCarried()) {
      throw new IOException("The NameNode did not create it under " + policy);
    }
  }

  static boolean isNotAsked(Exception failure) {
    return NOT_ASKED.contains(HdfsError.of(failure).kind());
  }

  Probe refused(StoragePolicy policy, Exception failure) {
    String reason = failure.getClass().getSimpleName() + ": " + HdfsError.of(failure).text();
    return Probe.refused(policy, reason.replace(path.toUri().getPath(), "the probe file"));
  }

  /** Writes a byte; returns milliseconds. */
  long flush(boolean durable) throws IOException {
    long began = System.nanoTime();
    out.write(1);
    if (durable) {
      out.hsync();
    } else {
      out.hflush();
    }
    return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - began);
  }

  Path path() {
    return path;
  }

  /**
   * @param policy used if no DataNodes are named; NONE for the directory's
   */
  void create(long blockSize, StoragePolicy policy, InetSocketAddress... nodes) throws IOException {
    // Even in an erasure-coded directory.
    HdfsDataOutputStreamBuilder builder =
        dfs.createFile(path)
            .permission(PERMISSION)
            .overwrite(false)
            .replicate()
            .replication(replication)
            .blockSize(blockSize);
    if (policy != StoragePolicy.NONE) {
      builder.storagePolicyName(policy.name());
    }
    out = nodes.length == 0 ? builder.build() : builder.favoredNodes(nodes).build();
  }

  List<StorageType> write() throws IOException {
    flush(false);
    BlockLocation[] blocks = dfs.getFileBlockLocations(path, 0, 1);
    return blocks.length == 0 ? List.of() : List.of(blocks[0].getStorageTypes());
  }

  int replication() {
    return replication;
  }

  /** Keeps the file. Never throws. */
  void finish() {
    IOUtils.closeStream(out);
  }

  /** Never throws. */
  @Override
  public void close() {
    finish();
    delete();
  }

  /**
   * Deletes the open file, so that {@link #close} does not wait 12 s for replicas. Never throws.
   */
  void delete() {
    if (placed != null) {
      placed.close();
    }
    // A stopping server interrupts its threads.
    boolean interrupted = Thread.interrupted();
    try {
      dfs.delete(path, false);
    } catch (IOException | RuntimeException e) {
      if (out != null) {
        LOG.warn(
            "Could not delete the probe file {}, which the plugin wrote to test SSD; it does no "
                + "harm, and the active master deletes it later",
            path,
            e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /**
   * One NameNode call per thousand entries and per file.
   *
   * @param before milliseconds since 1970; younger ones may be in use
   */
  static int sweep(DistributedFileSystem dfs, Path directory, long before) throws IOException {
    int swept = 0;
    try {
      RemoteIterator<FileStatus> entries = dfs.listStatusIterator(directory);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isFile()
            && entry.getPath().getName().startsWith(PREFIX)
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
