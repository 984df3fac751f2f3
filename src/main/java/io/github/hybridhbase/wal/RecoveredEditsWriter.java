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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.WalFallback;
import io.github.hybridhbase.wal.fallback.WalOutput;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
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
 * <p>Costs one NameNode read in a minute, and the flush of one file's header in ten seconds. More
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

  /** Null if the file is not of a split on a server of this plugin whose WALs are for SSD. */
  private WalFallback wals;

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
    try {
      Optional<HybridServer> server = HybridServer.of(conf.get(SERVER, ""));
      if (server.isPresent() && path.getParent().getName().equals(HConstants.RECOVERED_EDITS_DIR)) {
        wals = server.get().fallback(conf, fs, replication);
      }
      onSsd = wals != null && wals.takesEdits();
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
      if (onSsd && !wals.areEditsProven()) {
        sync(false);
        wals.editsTaken();
      }
      return length;
    } catch (IOException e) {
      if (!ssdFailed(e)) {
        throw e;
      }
      IOUtils.cleanupWithLogger(LOG, output);
      output = null;
      try {
        create();
      } catch (StreamLacksCapabilityException lacking) {
        throw new IOException(lacking);
      }
      return super.writeMagicAndWALHeader(magic, header);
    }
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } catch (IOException e) {
      ssdFailed(e); // HBase splits that WAL again
      throw e;
    }
  }

  private void create() throws IOException, StreamLacksCapabilityException {
    FileSystem durable = HybridLogWriter.CreatingFileSystem.syncingBlocks(file.fs);
    creation.create(
        onSsd ? HybridLogWriter.CreatingFileSystem.under(StoragePolicy.ALL_SSD, durable) : durable,
        file.overwritable,
        file.monitor);
  }

  /** Whether SSD may be the cause; this server's next files leave it then. */
  private boolean ssdFailed(IOException failure) {
    if (!onSsd || !HdfsError.of(failure).kind.mayBeSsds()) {
      return false;
    }
    onSsd = false;
    wals.editsFailed();
    LOG.warn(
        "SSD did not take recovered edits, {}: {}. This server writes such files to the media of"
            + " their directories for {} minutes; no edit is lost, since HBase repeats a split that"
            + " fails. Look for full or failed SSD volumes: hdfs dfsadmin -report",
        file.path,
        HdfsError.of(failure).text,
        WalFallback.EDITS_PAUSE_MINUTES);
    return true;
  }
}
