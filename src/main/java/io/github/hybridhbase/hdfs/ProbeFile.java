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

import io.github.hybridhbase.hdfs.FailFastClient.FailFastFileSystem;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A small temporary file that shows HDFS's behaviour, deleted at close. Not thread-safe. */
@InterfaceAudience.Private
public final class ProbeFile implements AutoCloseable {
  public static final String PREFIX = ".hybrid-probe-";

  private static final Logger LOG = LoggerFactory.getLogger(ProbeFile.class);

  private static final FsPermission PERMISSION = new FsPermission((short) 0600);

  /** For a look at the DataNodes. */
  private static final int MOST_SEARCH_MILLIS = 2_000;

  private final DistributedFileSystem dfs;
  private final Path path;
  private FSDataOutputStream out;
  private NewFile placed;

  public ProbeFile(FileSystem fs, Path directory) throws IOException {
    this.dfs = FailFastClient.unwrap(fs).orElseThrow(() -> new IOException(fs + " is no HDFS"));
    this.path = new Path(directory, PREFIX + UUID.randomUUID());
  }

  /**
   * The media of one block's replicas, in the directory or the nearest above that exists: at its
   * first start HBase has not made it yet.
   *
   * @param millis about the longest wait for an unresponsive DataNode; HBase's own client waits
   *     longer
   */
  public static List<StorageType> media(
      FileSystem fs, Path directory, StoragePolicy policy, long blockSize, int millis)
      throws IOException {
    DistributedFileSystem hbases = FailFastClient.unwrap(fs).orElseThrow();
    SsdNodeSearch.of(hbases).refresh(MOST_SEARCH_MILLIS);
    Configuration brief = new Configuration(fs.getConf());
    brief.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, millis);
    try (DistributedFileSystem own = FailFastFileSystem.beside(hbases, brief)) {
      for (Path at = directory; ; at = at.getParent()) {
        try (ProbeFile file = new ProbeFile(own, at)) {
          file.create(policy, blockSize);
          return file.write();
        } catch (FileNotFoundException e) {
          if (at.isRoot()) {
            throw e;
          }
        }
      }
    }
  }

  /**
   * The first byte allocates its block.
   *
   * @param blockSize bytes to declare, by which HDFS judges space
   */
  public void create(StoragePolicy policy, long blockSize) throws IOException {
    placed =
        NewFiles.of(dfs)
            .map(files -> files.place(path, policy))
            .orElseThrow(() -> new IOException("HDFS's client cannot create files under a policy"));
    // Even in an erasure-coded directory.
    out =
        dfs.createFile(path)
            .permission(PERMISSION)
            .overwrite(false)
            .replicate()
            .replication(dfs.getDefaultReplication(path))
            .blockSize(blockSize)
            .build();
    if (!placed.isCarried()) {
      throw new IOException("The NameNode did not create it under " + policy);
    }
  }

  public void xattr(String name) throws IOException {
    dfs.setXAttr(path, name, new byte[] {'x'});
  }

  public List<StorageType> write() throws IOException {
    out.write(1);
    out.hflush();
    BlockLocation[] blocks = dfs.getFileBlockLocations(path, 0, 1);
    return blocks.length == 0 ? List.of() : List.of(blocks[0].getStorageTypes());
  }

  /** Never throws. */
  @Override
  public void close() {
    IOUtils.closeStream(out);
    delete();
  }

  private void delete() {
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
            "Could not delete the probe file {}, which the plugin wrote to test SSD. It does no"
                + " harm; delete it",
            path,
            e);
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
