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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.fallback.HybridServer;
import io.github.hybridhbase.wal.fallback.WalOpener;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of FSHLog that falls back to DISK ({@link WalOpener}) and, with {@code
 * hbase.hybrid.wal.hsync=auto}, makes every sync an hsync while every replica is on SSD. With that
 * or {@code hbase.wal.hsync=true} every block is durable at its end.
 *
 * <p>HDFS allocates a block upon the first bytes, so the header is flushed to find out whether SSD
 * takes the WAL. Each sync reads the pipeline, because {@code DataStreamer} replaces failed
 * DataNodes.
 *
 * <p>Public for reflection. Threads: {@code sync} from several at a time.
 */
@InterfaceAudience.Private
public class HybridLogWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(HybridLogWriter.class);

  private WalOpener file;

  /** Null before the first block. */
  private volatile Boolean onSsd;

  /** Repeats HBase's own for each try. */
  @Override
  public void init(
      FileSystem fs,
      Path path,
      Configuration conf,
      boolean overwritable,
      long blockSize,
      StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException {
    HybridServer server = HybridServer.of(conf, fs, path);
    file =
        new WalOpener(server, conf, fs, path, false) {
          @Override
          protected void create(FileSystem client, boolean overwrite, StreamSlowMonitor to)
              throws IOException, StreamLacksCapabilityException {
            // Otherwise a closed WAL could be unreadable after a power cut.
            boolean sync = auto || hsync;
            FileSystem in = sync ? new SyncedBlocks(client, StoragePolicy.NONE) : client;
            HybridLogWriter.super.init(in, path, conf, overwrite, blockSize, to);
            if (fallsBack()) {
              HybridLogWriter.this.sync(false);
            }
          }

          @Override
          protected DatanodeInfo[] pipeline() {
            return Pipeline.of(output);
          }

          @Override
          protected void discard(FailFastClient.Use client) {
            IOUtils.cleanupWithLogger(LOG, output);
            output = null;
          }
        };
    file.open(overwritable, monitor);
  }

  /** In a WAL's header; HBase 2.5's readers reject unknown names. */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  public void sync(boolean forceSync) throws IOException {
    super.sync(forceSync || (file.auto && upgrade()));
  }

  private boolean upgrade() {
    DatanodeInfo[] pipeline = Pipeline.of(output);
    // empty between two blocks
    Boolean now =
        pipeline.length == 0 ? onSsd : Boolean.valueOf(Pipeline.everyReplicaOnSsd(pipeline));
    if (now != null && !now.equals(onSsd)) {
      onSsd = now;
      file.durable(now);
    }
    return now != null && now;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      file.close();
    }
  }

  /**
   * Has DataNodes fsync each finished replica and its directories, which {@code
   * CommonFSUtils.createForWal} does not offer. Otherwise a power cut may put a replica back into
   * {@code rbw}, which HDFS treats as corrupt for a closed file. Closing it leaves the wrapped one
   * open.
   */
  static final class SyncedBlocks extends FilterFileSystem {
    private final StoragePolicy policy;

    /**
     * @param policy of the files (HDFS-13209), without a further NameNode call; {@link
     *     StoragePolicy#NONE} if they follow their directory
     */
    SyncedBlocks(FileSystem fs, StoragePolicy policy) {
      super(fs);
      this.policy = policy;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public FSDataOutputStreamBuilder createFile(Path path) {
      FSDataOutputStreamBuilder<?, ?> builder = super.createFile(path);
      if (builder instanceof HdfsDataOutputStreamBuilder) {
        HdfsDataOutputStreamBuilder hdfs = ((HdfsDataOutputStreamBuilder) builder).syncBlock();
        return policy == StoragePolicy.NONE ? hdfs : hdfs.storagePolicyName(policy.name());
      }
      return builder;
    }
  }
}
