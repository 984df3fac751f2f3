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

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Ends the last block of a closed file once more, so that it survives a power cut of all its
 * DataNodes.
 *
 * <p>A DataNode that ends a block because its lease was recovered renames its files and fsyncs
 * neither them nor a directory, whatever {@code dfs.datanode.synconclose} is ({@code
 * FsDatasetImpl.updateReplicaUnderRecovery}). This appends nothing to the file with {@code
 * SYNC_BLOCK}: the replica goes back to {@code rbw}, and the empty packet that ends the block has
 * {@code BlockReceiver} fsync its files and, once it is finalized, the directories. The bytes and
 * their number stay, so readers see no change; the mtime does.
 */
@InterfaceAudience.Private
public final class DurableEnd {
  private static final int TRIES = 3;

  /** Whoever follows the log waits for this. */
  private static final int SOCKET_MILLIS = 10_000;

  private DurableEnd() {}

  /**
   * Ends it durably. Blocks, for DataNodes too.
   *
   * @param fs whose settings count
   * @param file nobody writes to it; it need not exist any more
   * @param recover closes the file by recovering its lease, after a try that failed half-way
   * @return whether it did: not for a file that is gone, as another server has taken it over, nor
   *     where this server ends and closes its client, nor outside of HDFS
   * @throws IOException if it is not known to be durable
   */
  public static boolean of(FileSystem fs, Path file, Recovery recover) throws IOException {
    Optional<DistributedFileSystem> hdfs = FailFastClient.unwrap(fs);
    try {
      return hdfs.isPresent() && isThere(hdfs.get(), file) && end(hdfs.get(), file, recover);
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      if (hdfs.get().getClient().isClientRunning()) {
        throw e;
      }
      return false; // the server ends: whoever splits the log ends it
    }
  }

  private static boolean isThere(DistributedFileSystem fs, Path file) throws IOException {
    LocatedBlock last = last(fs, file);
    if (last == null || last.getBlockSize() == 0) {
      return false; // nothing was acknowledged
    }
    // HDFS appends to no full block, and a NameNode that is asked to append to one that is longer
    // than a block (HBase's output knows no limit) leaves the file half open.
    if (last.getBlockSize() >= fs.getFileStatus(file).getBlockSize()) {
      throw new IOException("Its last block is full");
    }
    return true;
  }

  private static boolean end(DistributedFileSystem fs, Path file, Recovery recover)
      throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, SOCKET_MILLIS);
    // A DataNode in the place of one that stalls would have to copy the block first.
    conf.setBoolean(HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure.ENABLE_KEY, false);
    IOException failure = new IOException("HDFS ended it without a sync");
    for (int tries = 0; tries < TRIES; tries++) {
      // A client of its own, so that a failed try leaves no lease that is renewed.
      try (DistributedFileSystem client =
          (DistributedFileSystem) FileSystem.newInstance(fs.getUri(), conf)) {
        if (once(client, file)) {
          return true;
        }
      } catch (FileNotFoundException e) {
        throw e;
      } catch (IOException e) {
        failure = e;
      }
      recover.of(file);
    }
    throw failure;
  }

  /** How a file is closed that a failed try has left open. */
  @FunctionalInterface
  @InterfaceAudience.Private
  public interface Recovery {
    /** Blocks until it is closed. */
    void of(Path file) throws IOException;
  }

  private static boolean once(DistributedFileSystem fs, Path file) throws IOException {
    long stamp;
    try (FSDataOutputStream out =
        fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.SYNC_BLOCK), 512, null)) {
      out.hsync();
      stamp = last(fs, file).getBlock().getGenerationStamp();
    }
    // One more stamp: a DataNode failed at the end, and the others ended the block by themselves
    // (DataNode.recoverClose), which syncs nothing.
    return stamp == last(fs, file).getBlock().getGenerationStamp();
  }

  private static LocatedBlock last(DistributedFileSystem fs, Path file) throws IOException {
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, 1);
    return blocks == null ? null : blocks.getLastLocatedBlock();
  }
}
