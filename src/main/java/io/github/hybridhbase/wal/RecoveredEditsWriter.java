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
import io.github.hybridhbase.wal.HybridLogWriter.SyncedBlocks;
import io.github.hybridhbase.wal.fallback.HybridServer;
import io.github.hybridhbase.wal.fallback.WalFallback;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
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

  /** Null if the file follows its directory. */
  private WalFallback ssd;

  private Path path;

  @Override
  public void init(
      FileSystem fs,
      Path path,
      Configuration conf,
      boolean overwritable,
      long blockSize,
      StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException {
    this.path = path;
    try {
      ssd = ssd(fs, path, conf);
      if (ssd != null) {
        long block = conf.get(BLOCK_SIZE) == null ? Math.min(blockSize, MOST_BLOCK) : blockSize;
        FileSystem onSsd = new SyncedBlocks(fs, StoragePolicy.ALL_SSD);
        super.init(onSsd, path, conf, overwritable, block, monitor);
        if (!Boolean.TRUE.equals(ssd.edits())) {
          sync(false);
          ssd.edits(true);
        }
        return;
      }
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} follows its directory", path, e);
      if (output != null) { // otherwise the NameNode refuses the policy or the small block
        leaveSsd(e);
      }
      IOUtils.cleanupWithLogger(LOG, output);
      ssd = null;
    }
    FileSystem ofDirectory = new SyncedBlocks(fs, StoragePolicy.NONE);
    super.init(ofDirectory, path, conf, overwritable, blockSize, monitor);
  }

  /** Null if the file is not of a split on a server of this plugin, or not for SSD. */
  private static WalFallback ssd(FileSystem fs, Path path, Configuration conf) {
    return HybridServer.of(conf.get(SERVER, ""))
        .filter(server -> path.getParent().getName().equals(HConstants.RECOVERED_EDITS_DIR))
        .map(server -> server.fallback(conf, fs))
        .filter(WalFallback::takesEdits)
        .orElse(null);
  }

  /** See {@link HybridLogWriter#getWriterClassName}. */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } catch (IOException e) {
      leaveSsd(e); // HBase splits that WAL again
      throw e;
    }
  }

  /** This server's next files leave SSD if it may be the cause. */
  private void leaveSsd(Exception failure) {
    HdfsError error = HdfsError.of(failure);
    if (ssd == null || !error.kind.mayBeSsds()) {
      return;
    }
    ssd.edits(false);
    LOG.warn(
        "SSD did not take recovered edits, {}: {}. Such files follow their directories for a while;"
            + " HBase repeats a split that failed. {}",
        path,
        error.text,
        WalFallback.REMEDY);
  }
}
