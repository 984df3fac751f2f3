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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.Pipeline;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of FSHLog that opens a WAL on DISK at once if SSD refuses it ({@link WalOpener}). HDFS
 * allocates a block upon the first bytes, so this class flushes the header to find out; FSHLog does
 * so too, but ignores a failure ({@code FSHLog.preemptiveSync}).
 */
@InterfaceAudience.Private
public abstract class FallbackLogWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackLogWriter.class);

  /** Null if HBase's own writer opens the file. */
  private WalOpener opener;

  /** Reference to the open output's client; null if HBase's own is used. */
  private FailFastClient.Use use;

  private boolean overwritable;
  private byte[] magic;
  private WALHeader header;
  private long headerLength;

  protected abstract WalFallbacks fallbacks(Path file);

  @Override
  protected void initOutput(
      FileSystem fs,
      Path path,
      boolean overwrites,
      int bufferSize,
      short replication,
      long blockSize,
      StreamSlowMonitor monitor,
      boolean noLocalWrite)
      throws IOException, StreamLacksCapabilityException {
    WalFallbacks fallbacks = fallbacks(path);
    opener =
        fallbacks
            .opener(
                conf,
                fs,
                path,
                replication,
                monitor,
                new WalOutput() {
                  @Override
                  public void create(
                      OpenState.Step step, boolean overwrite, StreamSlowMonitor watch)
                      throws IOException, StreamLacksCapabilityException {
                    discard();
                    // On DISK, HBase's client: an HDFS stream tries three times without a pause.
                    // Otherwise the plugin's, which names DataNodes with SSD.
                    use =
                        step.onDisk()
                            ? null
                            : fallbacks.use(fs, path, step, replication, blockSize, noLocalWrite);
                    try {
                      FallbackLogWriter.super.initOutput(
                          creating(use == null ? fs : use.fs()),
                          path,
                          overwrite,
                          bufferSize,
                          replication,
                          blockSize,
                          watch,
                          noLocalWrite);
                      headerLength = FallbackLogWriter.super.writeMagicAndWALHeader(magic, header);
                      sync(false);
                    } catch (IOException e) {
                      if (use != null) {
                        use.failed(e);
                      }
                      throw e;
                    }
                  }

                  @Override
                  public List<StorageType> media() {
                    return Pipeline.media(Pipeline.of(output));
                  }

                  @Override
                  public String shortfall() {
                    return use == null ? "" : use.shortfall();
                  }

                  @Override
                  public List<DatanodeInfo> pipeline() {
                    return List.of();
                  }

                  @Override
                  public boolean namesRefusals() {
                    return false;
                  }

                  @Override
                  public void discard() {
                    FSDataOutputStream failed = output;
                    output = null;
                    closeQuietly(failed);
                    endUse();
                  }
                })
            .orElse(null);
    overwritable = overwrites;
    if (opener == null) {
      super.initOutput(
          creating(fs),
          path,
          overwrites,
          bufferSize,
          replication,
          blockSize,
          monitor,
          noLocalWrite);
    }
  }

  /** Returns the file system that creates the file; subclasses may wrap it. */
  protected FileSystem creating(FileSystem fs) {
    return fs;
  }

  /**
   * Overrides the class name that HBase 2.5 writes into a WAL's header, whose readers reject
   * unknown writers. Later lines do not call it.
   */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magicBytes, WALHeader walHeader) throws IOException {
    if (opener == null) {
      return super.writeMagicAndWALHeader(magicBytes, walHeader);
    }
    magic = magicBytes;
    header = walHeader;
    boolean opened = false;
    try {
      opener.open(overwritable);
      opened = true;
    } catch (StreamLacksCapabilityException e) {
      throw new IOException(e);
    } finally {
      if (!opened) {
        endUse();
      }
    }
    return headerLength;
  }

  @Override
  public void close() throws IOException {
    try {
      super.close();
    } finally {
      endUse();
    }
  }

  private void endUse() {
    if (use != null) {
      use.close();
      use = null;
    }
  }

  /** A broken HDFS stream frees everything at close. */
  private static void closeQuietly(FSDataOutputStream stream) {
    if (stream != null) {
      try {
        stream.close();
      } catch (IOException | RuntimeException e) {
        LOG.debug("A WAL that was not opened did not close well", e);
      }
    }
  }
}
