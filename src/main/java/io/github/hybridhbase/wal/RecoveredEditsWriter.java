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

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.RecoveredEditsMedia;
import io.github.hybridhbase.wal.fallback.WalOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of {@code recovered.edits}, the dead server's edits that a split leaves to each region:
 * under ALL_SSD if the server's WALs are created under it.
 *
 * <p>If SSD does not take the first block, the file is created again under its directory's policy.
 * A file that breaks later fails the split, which HBase repeats. This server's next such files then
 * follow their directories for ten minutes, and also while SSD refuses its WALs or a DataNode is
 * excluded from them.
 *
 * <p>Costs one NameNode read, and the flush of one file's header, in ten seconds. More flushes
 * would do harm: HDFS must replace a dead DataNode of a flushed block, and a cluster of three
 * cannot. Names no DataNodes, unlike a WAL: HDFS skips its load check for those.
 *
 * <p>Named in the RegionServer's configuration in memory ({@code
 * WALFactory.createRecoveredEditsWriter}). One thread for each file.
 */
@InterfaceAudience.Private
public class RecoveredEditsWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredEditsWriter.class);

  private static final String BLOCK_SIZE = "hbase.regionserver.recoverededits.blocksize";

  /**
   * A DataNode reserves a whole block for each open file, one per region: HBase's default, twice
   * {@code dfs.blocksize}, could fill SSDs.
   */
  private static final long MOST_BLOCK = 8 << 20;

  static final String SERVER = RecoveredEditsWriter.class.getName() + ".server";

  /** Null if the file is not of a split on a server of this plugin. */
  private RecoveredEditsMedia media;

  private NewWal file;
  private WalOutput.Creation creation;

  /** Otherwise the file follows its directory. */
  private boolean onSsd;

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
                client,
                path,
                overwrite,
                bufferSize,
                replication,
                onSsd && conf.get(BLOCK_SIZE) == null ? Math.min(blockSize, MOST_BLOCK) : blockSize,
                to,
                noLocalWrite);
    file = new NewWal(fs, path, overwritable, replication, monitor);
    media =
        HybridServer.of(conf.get(SERVER, ""))
            .filter(any -> path.getParent().getName().equals(HConstants.RECOVERED_EDITS_DIR))
            .map(server -> server.fallbacks().recoveredEdits())
            .orElse(null);
    try {
      onSsd = media != null && media.isSsd(this::ofWals);
      if (onSsd) {
        create();
        return;
      }
    } catch (IOException | RuntimeException e) {
      // The NameNode refuses the policy or the small block, as it may.
      LOG.debug("{} follows its directory", path, e);
      onSsd = false;
    }
    create();
  }

  /** See {@link HybridLogWriter#getWriterClassName}. */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    try {
      long length = super.writeMagicAndWALHeader(magic, header);
      if (onSsd && !media.isProven()) {
        sync(false);
        media.taken();
      }
      return length;
    } catch (IOException e) {
      if (!isSsds(e)) {
        throw e;
      }
      IOUtils.cleanupWithLogger(LOG, output);
      output = null;
      pauseSsd("The file is created again on the medium of its directory", e);
      try {
        create();
      } catch (StreamLacksCapabilityException lacking) {
        throw new IOException(lacking);
      }
      return super.writeMagicAndWALHeader(magic, header);
    }
  }

  @Override
  public void append(WAL.Entry entry) throws IOException {
    try {
      super.append(entry);
    } catch (IOException e) {
      throw broken(e);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } catch (IOException e) {
      throw broken(e);
    }
  }

  private StoragePolicy ofWals() throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    Path wals = new Path(CommonFSUtils.getWALRootDir(conf), HConstants.HREGION_LOGDIR_NAME);
    Optional<StorageNamespace> hdfs = StorageNamespace.of(file.fs);
    return hdfs.isPresent() && settings.mode().places()
        ? new DirectoryPolicy(hdfs.get(), wals, Clock.SYSTEM)
            .forFile(settings.policy(Component.WAL))
        : StoragePolicy.NONE;
  }

  private void create() throws IOException, StreamLacksCapabilityException {
    FileSystem durable = HybridLogWriter.CreatingFileSystem.syncingBlocks(file.fs);
    creation.create(
        onSsd ? HybridLogWriter.CreatingFileSystem.under(StoragePolicy.ALL_SSD, durable) : durable,
        file.overwritable,
        file.monitor);
  }

  private boolean isSsds(IOException failure) {
    return onSsd && HdfsError.of(failure).kind.mayBeSsds();
  }

  private IOException broken(IOException failure) {
    if (isSsds(failure)) {
      pauseSsd("HBase splits that WAL again", failure);
    }
    return failure;
  }

  private void pauseSsd(String consequence, IOException failure) {
    onSsd = false; // count and log it once
    media.failed();
    LOG.warn(
        "SSD did not take recovered edits, {}: {}. {}, and this server writes such files to the"
            + " media of their directories for {} minutes; no edit is lost. Look for full or failed"
            + " SSD volumes: hdfs dfsadmin -report",
        file.path,
        HdfsError.of(failure).text,
        consequence,
        RecoveredEditsMedia.PAUSE_MINUTES);
  }
}
