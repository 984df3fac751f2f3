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
import io.github.hybridhbase.wal.fallback.RecoveredEditsMedia;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of {@code recovered.edits}, the copy of a dead server's edits that a split leaves to
 * each region, under ALL_SSD if that is in force on {@code WALs}: a region then reads its edits
 * from SSD, and DISK has its seeks for the flush that follows. A demoted, held or unplaced {@code
 * WALs} has no policy for SSD, and neither has the copy.
 *
 * <p>If SSD does not take the first block, the file is created again under HOT; so hbase:meta,
 * whose directory is declared for SSD, comes back as well. A file that breaks later fails the
 * split, as any does, and HBase splits the WAL again; this server then writes such files under HOT
 * for ten minutes, and also while SSD refuses its own WALs.
 *
 * <p>Costs one NameNode read in ten seconds and a flush of each file's header; the policy is an
 * argument of HDFS's create (HDFS-13209). Named in the RegionServer's configuration in memory only
 * ({@code WALFactory.createRecoveredEditsWriter} reads that one). One thread for each file.
 */
@InterfaceAudience.Private
public class RecoveredEditsWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(RecoveredEditsWriter.class);

  /** Key of the server's name, in its configuration in memory. */
  static final String SERVER = RecoveredEditsWriter.class.getName() + ".server";

  /** Null if the file is none of a split of this plugin's server. */
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
    policy = wanted();
    try {
      create();
    } catch (IOException e) {
      createAgain(e);
    }
  }

  /**
   * The class name that HBase 2.5 writes into a WAL's header, whose readers reject unknown writers.
   */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    try {
      long length = super.writeMagicAndWALHeader(magic, header);
      if (isOnSsd()) {
        sync(false); // so that a refusal of the first block shows while the file can be replaced
      }
      return length;
    } catch (IOException e) {
      try {
        createAgain(e);
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

  private StoragePolicy wanted() {
    media =
        HybridServer.of(conf.get(SERVER, ""))
            .filter(any -> file.path.getParent().getName().equals(HConstants.RECOVERED_EDITS_DIR))
            .map(server -> server.fallbacks().recoveredEdits())
            .orElse(null);
    try {
      return media == null ? null : media.policy(conf, file.fs).orElse(null);
    } catch (IOException | RuntimeException e) {
      LOG.debug("{} follows its directory", file.path, e);
      return null;
    }
  }

  private void create() throws IOException, StreamLacksCapabilityException {
    super.initOutput(
        policy == null ? file.fs : HybridLogWriter.CreatingFileSystem.under(policy, file.fs),
        file.path,
        file.overwritable,
        file.bufferSize,
        file.replication,
        file.blockSize,
        file.monitor,
        file.noLocalWrite);
  }

  private boolean isOnSsd() {
    return policy != null && policy.wantsSsd();
  }

  /**
   * Creates the file under HOT.
   *
   * @param failure thrown if the file was not for SSD
   */
  private void createAgain(IOException failure) throws IOException, StreamLacksCapabilityException {
    if (!isOnSsd()) {
      throw failure;
    }
    StoragePolicy refused = policy;
    policy = StoragePolicy.HOT;
    IOUtils.cleanupWithLogger(LOG, output);
    output = null;
    try {
      create();
    } catch (IOException e) {
      e.addSuppressed(failure);
      throw e;
    }
    media.failed();
    LOG.warn(
        "HDFS did not take recovered edits under {}: {}. {} goes to DISK, and so do this server's "
            + "others for {} minutes; no edit is lost. Look for full or failed SSD volumes: "
            + "hdfs dfsadmin -report",
        refused,
        HdfsError.of(failure).text(),
        file.path,
        RecoveredEditsMedia.PAUSE_MINUTES);
  }

  private IOException broken(IOException failure) {
    if (isOnSsd()) {
      policy = StoragePolicy.HOT;
      media.failed();
      LOG.warn(
          "Recovered edits on SSD could not be written to {}: {}. HBase splits that WAL again, and "
              + "this server writes such files to DISK for {} minutes; no edit is lost. Look for full "
              + "or failed SSD volumes: hdfs dfsadmin -report",
          file.path,
          HdfsError.of(failure).text(),
          RecoveredEditsMedia.PAUSE_MINUTES);
    }
    return failure;
  }
}
