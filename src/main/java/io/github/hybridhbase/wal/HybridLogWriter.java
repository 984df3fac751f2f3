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
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.WalOpener;
import io.github.hybridhbase.wal.fallback.WalOutput;
import java.io.IOException;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
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

  private HybridServer server;

  private NewWal wal;
  private WalOutput.Creation creation;
  private boolean ours;
  private boolean auto;
  private boolean hsync;

  private WalOpener opener;

  private IoSupplier<Long> writeHeader;

  /** Null before the first block. */
  private volatile Boolean onSsd;

  @Override
  protected void initOutput(
      FileSystem fs,
      Path path,
      boolean overwritable,
      int bufferSize,
      short replication,
      long blockSize,
      StreamSlowMonitor monitor,
      boolean noLocalWrite)
      throws IOException, StreamLacksCapabilityException {
    creation =
        (client, overwrite, to) ->
            super.initOutput(
                // Otherwise a closed WAL could be unreadable after a power cut.
                auto || ours && hsync ? CreatingFileSystem.syncingBlocks(client) : client,
                path,
                overwrite,
                bufferSize,
                replication,
                blockSize,
                to,
                noLocalWrite);
    wal = new NewWal(fs, path, overwritable, replication, monitor);
    server = HybridServer.of(path);
    ours = wal.isOurs(conf);
    hsync = conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    auto = ours && server.settings(conf).get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    opener = server.opener(conf, wal, new Output());
    if (opener == null) {
      creation.create(fs, overwritable, monitor);
    }
  }

  /** In a WAL's header; HBase 2.5's readers reject unknown names. */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magicBytes, WALHeader walHeader) throws IOException {
    if (wal == null) { // initOutput has other parameters in this HBase
      return super.writeMagicAndWALHeader(magicBytes, walHeader);
    }
    writeHeader = () -> super.writeMagicAndWALHeader(magicBytes, walHeader);
    long length = opener == null ? writeHeader.get() : opener.open();
    if (ours) {
      // Only now, since opening on SSD includes the header.
      server.opened(wal, Pipeline.of(output), hsync, Pipeline.isVisible(output));
    }
    return length;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      if (opener != null) {
        opener.close();
      }
    }
  }

  private final class Output implements WalOutput {
    @Override
    public long create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
        throws IOException, StreamLacksCapabilityException {
      creation.create(client, overwrite, monitor);
      long length = writeHeader.get();
      sync(false);
      return length;
    }

    @Override
    public DatanodeInfo[] pipeline() {
      return Pipeline.of(output);
    }

    @Override
    public boolean namesRefusals() {
      return false;
    }

    @Override
    public void discard(FailFastClient.Use client) {
      FSDataOutputStream failed = output;
      output = null;
      if (failed != null) {
        try {
          failed.close();
        } catch (IOException | RuntimeException e) {
          LOG.debug("A WAL that was not opened did not close well", e);
        }
      }
    }
  }

  /**
   * Changes how HDFS creates files, which {@code CommonFSUtils.createForWal} does not offer.
   * Closing it leaves the wrapped one open.
   */
  static final class CreatingFileSystem extends FilterFileSystem {
    private final Consumer<HdfsDataOutputStreamBuilder> creating;

    private CreatingFileSystem(FileSystem fs, Consumer<HdfsDataOutputStreamBuilder> creating) {
      super(fs);
      this.creating = creating;
    }

    /**
     * DataNodes fsync each finished replica and its directories. Otherwise a power cut may put a
     * replica back into {@code rbw}, which HDFS treats as corrupt for a closed file.
     */
    static FileSystem syncingBlocks(FileSystem fs) {
      return new CreatingFileSystem(fs, HdfsDataOutputStreamBuilder::syncBlock);
    }

    /** Creates files under the policy (HDFS-13209), without a further NameNode call. */
    static FileSystem under(StoragePolicy policy, FileSystem fs) {
      return new CreatingFileSystem(fs, builder -> builder.storagePolicyName(policy.name()));
    }

    @Override
    @SuppressWarnings("rawtypes")
    public FSDataOutputStreamBuilder createFile(Path path) {
      FSDataOutputStreamBuilder<?, ?> builder = super.createFile(path);
      if (builder instanceof HdfsDataOutputStreamBuilder) {
        creating.accept((HdfsDataOutputStreamBuilder) builder);
      }
      return builder;
    }
  }

  @Override
  public void sync(boolean forceSync) throws IOException {
    super.sync(forceSync || (auto && upgrade()));
  }

  private boolean upgrade() {
    DatanodeInfo[] pipeline = Pipeline.of(output);
    // empty between two blocks
    Boolean now =
        pipeline.length == 0 ? onSsd : Boolean.valueOf(Pipeline.everyReplicaOnSsd(pipeline));
    if (now != null && !now.equals(onSsd)) {
      onSsd = now;
      server.durable(wal, now);
    }
    return now != null && now;
  }
}
