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
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.RecoveredEditsMedia;
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
 * <p>If SSD does not take the first block, the file is created again under HOT, then under its
 * directory's policy. A file that breaks later fails the split, which HBase repeats. This server
 * then writes such files under HOT for ten minutes, and also while SSD refuses its WALs or a
 * DataNode is excluded from them.
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

  /** Null if the file follows its directory. */
  private StoragePolicy policy;

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
    file =
        new NewWal(
            fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
    media = media();
    policy = wanted();
    create();
  }

  /** See {@link HybridLogWriter#getWriterClassName}. */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    while (true) {
      try {
        long length = super.writeMagicAndWALHeader(magic, header);
        if (policy != null && !media.isProven(policy)) {
          sync(false);
          media.taken(policy);
        }
        return length;
      } catch (IOException e) {
        leave(e);
        try {
          create();
        } catch (StreamLacksCapabilityException lacking) {
          throw new IOException(lacking);
        }
      }
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

  private RecoveredEditsMedia media() {
    return HybridServer.of(conf.get(SERVER, ""))
        .filter(any -> file.path.getParent().getName().equals(HConstants.RECOVERED_EDITS_DIR))
        .map(server -> server.fallbacks().recoveredEdits())
        .orElse(null);
  }

  private StoragePolicy wanted() {
    try {
      return media == null ? null : media.policy(this::ofWals).orElse(null);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} follows its directory", file.path, e);
      return null;
    }
  }

  private StoragePolicy ofWals() throws IOException {
    HybridSettings settings = HybridSettings.read(conf);
    Path wals = new Path(CommonFSUtils.getWALRootDir(conf), HConstants.HREGION_LOGDIR_NAME);
    Optional<StorageNamespace> hdfs = HdfsNamespace.of(file.fs);
    return hdfs.isPresent() && settings.mode().places()
        ? new DirectoryPolicy(hdfs.get(), wals, Clock.SYSTEM)
            .forFile(settings.policy(Component.WAL))
        : StoragePolicy.NONE;
  }

  /** As stock if the NameNode refuses the file's policy or small block. */
  private void create() throws IOException, StreamLacksCapabilityException {
    try {
      createOnce();
    } catch (IOException e) {
      if (policy == null) {
        throw e;
      }
      LOG.debug("{} follows its directory", file.path, e);
      policy = null;
      createOnce();
    }
  }

  private void createOnce() throws IOException, StreamLacksCapabilityException {
    FileSystem durable = HybridLogWriter.CreatingFileSystem.syncingBlocks(file.fs);
    super.initOutput(
        policy == null ? durable : HybridLogWriter.CreatingFileSystem.under(policy, durable),
        file.path,
        file.overwritable,
        file.bufferSize,
        file.replication,
        policy == null || conf.get(BLOCK_SIZE) != null
            ? file.blockSize
            : Math.min(file.blockSize, MOST_BLOCK),
        file.monitor,
        file.noLocalWrite);
  }

  /**
   * Goes on to the next policy.
   *
   * @param failure thrown if there is none, or if SSD cannot have caused it
   */
  private void leave(IOException failure) throws IOException {
    if (policy == null || !HdfsError.of(failure).kind().mayBeSsds()) {
      throw failure;
    }
    IOUtils.cleanupWithLogger(LOG, output);
    output = null;
    if (policy.wantsSsd()) {
      pauseSsd("The file is created again on DISK", failure);
    }
    policy = policy.wantsSsd() ? StoragePolicy.HOT : null;
  }

  private IOException broken(IOException failure) {
    if (policy != null && policy.wantsSsd() && HdfsError.of(failure).kind().mayBeSsds()) {
      policy = null; // count and log it once
      pauseSsd("HBase splits that WAL again", failure);
    }
    return failure;
  }

  private void pauseSsd(String consequence, IOException failure) {
    media.failed();
    LOG.warn(
        "SSD did not take recovered edits, {}: {}. {}, and this server writes such files to DISK"
            + " for {} minutes; no edit is lost. Look for full or failed SSD volumes: hdfs dfsadmin"
            + " -report",
        file.path,
        HdfsError.of(failure).text(),
        consequence,
        RecoveredEditsMedia.PAUSE_MINUTES);
  }
}
