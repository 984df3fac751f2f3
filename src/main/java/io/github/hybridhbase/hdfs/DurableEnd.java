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

import io.github.hybridhbase.runtime.Action;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.NoRouteToHostException;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.util.RecoverLeaseFSUtils;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.NetUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operation that ends the last block of a closed file again, so that it survives a power cut of
 * all its DataNodes.
 *
 * <p>Implementation note. Lease recovery renames a block's files without an fsync, whatever {@code
 * dfs.datanode.synconclose} is ({@code FsDatasetImpl.updateReplicaUnderRecovery}). Appending zero
 * bytes with {@code SYNC_BLOCK} takes the replica back to {@code rbw}, and the empty last packet
 * makes {@code BlockReceiver} fsync its files and directories. Readers see a new mtime only.
 */
@InterfaceAudience.Private
public final class DurableEnd {
  private static final Logger LOG = LoggerFactory.getLogger(DurableEnd.class);

  private static final int TRIES = 3;

  private static final int SOCKET_MILLIS = 10_000;

  private static final int CONNECT_MILLIS = 1_000;

  /** Limit for a file that a failed attempt has left open; HBase allows 15 minutes. */
  private static final int RECOVERY_MILLIS = 60_000;

  private DurableEnd() {}

  /**
   * Durably ends a WAL with hsyncs that HBase closed by lease recovery: after a failover, a dead
   * DataNode, a failed close, or the end of its server. Blocks; never throws.
   */
  public static void ofRecovered(Configuration conf, FileSystem fs, Path log) {
    try {
      Configuration shorter = new Configuration(conf);
      int most = shorter.getInt("hbase.lease.recovery.timeout", RECOVERY_MILLIS);
      shorter.setInt("hbase.lease.recovery.timeout", Math.min(most, RECOVERY_MILLIS));
      if (of(fs, log, () -> RecoverLeaseFSUtils.recoverFileLease(fs, log, shorter))) {
        LOG.info(
            "Recovered the lease of the WAL {} and ended it durably: its edits now survive a "
                + "power cut of all its DataNodes. Nothing to do.",
            log);
      }
    } catch (IOException | RuntimeException | Error e) {
      if (HdfsError.of(e).is(HdfsError.Kind.STOPPED)) {
        Thread.currentThread().interrupt(); // a stop request for the thread that splits the log
      }
      HybridMetrics.get().count(Metric.WAL_RECOVERIES_NOT_DURABLE);
      LOG.warn(
          "Could not end the WAL {} durably after lease recovery: until its DataNodes' kernels "
              + "have written it back, a power cut of all of them loses its edits. The plugin does "
              + "not retry. Flush the tables of this server, and check the DataNodes' logs. The "
              + "metric {} counts further ones.",
          log,
          Metric.WAL_RECOVERIES_NOT_DURABLE.label(),
          e);
    }
  }

  /**
   * Whether a DataNode of the last block takes no connection, as a host without power. HDFS would
   * exclude a healthy DataNode from an append, since the first of the pipeline waits for the silent
   * one for longer than the client waits for the first, and discard its replica. Blocks for some
   * {@value #CONNECT_MILLIS} ms if one is silent; never throws.
   */
  public static boolean hasSilentNode(FileSystem fs, Path file) {
    try {
      Optional<DistributedFileSystem> hdfs = FailFastClient.unwrap(fs);
      return hdfs.isPresent()
          && addresses(hdfs.get(), file).stream().anyMatch(DurableEnd::isSilent);
    } catch (IOException | RuntimeException e) {
      LOG.debug("Could not look for the DataNodes of {}", file, e);
      return false;
    }
  }

  /** Of the DataNodes of the last block, as HDFS's client connects to them. */
  private static List<String> addresses(DistributedFileSystem fs, Path file) throws IOException {
    boolean byName = fs.getConf().getBoolean("dfs.client.use.datanode.hostname", false);
    List<String> addresses = new ArrayList<>();
    BlockLocation[] blocks = fs.getFileBlockLocations(file, 0, Long.MAX_VALUE);
    if (blocks.length > 0) {
      BlockLocation last = blocks[blocks.length - 1];
      for (int i = 0; i < last.getNames().length; i++) {
        String address = last.getNames()[i];
        String port = address.substring(address.lastIndexOf(':'));
        addresses.add(byName ? last.getHosts()[i] + port : address);
      }
    }
    return addresses;
  }

  private static boolean isSilent(String address) {
    try (Socket socket = new Socket()) {
      socket.connect(NetUtils.createSocketAddr(address), CONNECT_MILLIS);
      return false;
    } catch (SocketTimeoutException | NoRouteToHostException e) {
      return true;
    } catch (IOException e) {
      LOG.debug("{} answers, but refuses", address, e);
      return false;
    }
  }

  /**
   * Blocks, on DataNodes too.
   *
   * @param file without a writer; need not exist
   * @param recover blocks until lease recovery has closed the file after a failed attempt
   * @return false if the file is gone (another server took over), has no acknowledged bytes or is
   *     not on HDFS, or this server is closing its client
   * @throws IOException if the file may not be durable
   */
  static boolean of(FileSystem fs, Path file, Action<IOException> recover) throws IOException {
    Optional<DistributedFileSystem> hdfs = FailFastClient.unwrap(fs);
    try {
      return hdfs.isPresent() && isThere(hdfs.get(), file) && end(hdfs.get(), file, recover);
    } catch (FileNotFoundException e) {
      return false;
    } catch (IOException e) {
      if (hdfs.get().getClient().isClientRunning()) {
        throw e;
      }
      return false; // the server is stopping: whoever splits the log will end it
    }
  }

  private static boolean isThere(DistributedFileSystem fs, Path file) throws IOException {
    LocatedBlock last = last(fs, file);
    if (last == null || last.getBlockSize() == 0) {
      return false; // nothing was acknowledged
    }
    // HDFS cannot append to a full block; of one beyond its size (HBase's output has no limit) the
    // NameNode would leave the file half open.
    if (last.getBlockSize() >= fs.getFileStatus(file).getBlockSize()) {
      throw new IOException("Its last block is full");
    }
    return true;
  }

  private static boolean end(DistributedFileSystem fs, Path file, Action<IOException> recover)
      throws IOException {
    Configuration conf = new Configuration(fs.getConf());
    conf.setInt(HdfsClientConfigKeys.DFS_CLIENT_SOCKET_TIMEOUT_KEY, SOCKET_MILLIS);
    // The replacement of a slow DataNode would have to copy the block first.
    conf.setBoolean(HdfsClientConfigKeys.BlockWrite.ReplaceDatanodeOnFailure.ENABLE_KEY, false);
    IOException failure = new IOException("HDFS ended it without a sync");
    for (int tries = 0; tries < TRIES; tries++) {
      // A separate client, so that no lease of a failed attempt is renewed.
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
      recover.run();
      if (HdfsError.of(failure).is(HdfsError.Kind.STOPPED)) {
        break;
      }
    }
    throw failure;
  }

  private static boolean once(DistributedFileSystem fs, Path file) throws IOException {
    long stamp;
    try (FSDataOutputStream out =
        fs.append(file, EnumSet.of(CreateFlag.APPEND, CreateFlag.SYNC_BLOCK), 512, null)) {
      out.hsync();
      stamp = last(fs, file).getBlock().getGenerationStamp();
    }
    // A further stamp: a DataNode failed and the others ended the block without a sync
    // (DataNode.recoverClose).
    return stamp == last(fs, file).getBlock().getGenerationStamp();
  }

  private static LocatedBlock last(DistributedFileSystem fs, Path file) throws IOException {
    LocatedBlocks blocks = fs.getClient().getLocatedBlocks(file.toUri().getPath(), 0, 1);
    return blocks == null ? null : blocks.getLastLocatedBlock();
  }
}
