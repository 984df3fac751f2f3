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
 * FSHLog's writer, which opens on DISK at once what SSD refuses ({@link WalOpener}). HDFS allocates
 * no block before the first bytes, so the header is flushed here to learn whether it was taken;
 * FSHLog itself flushes it and swallows a failure ({@code FSHLog.preemptiveSync}).
 */
@InterfaceAudience.Private
public abstract class FallbackLogWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackLogWriter.class);

  /** Null where HBase's own writer opens the file. */
  private WalOpener opener;

  /** Keeps the client of the output that is open; null where that is HBase's own. */
  private FailFastClient.Use use;

  private boolean overwritable;
  private byte[] magic;
  private WALHeader header;
  private long headerLength;

  /** What opens the WALs of the server that this file belongs to. */
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
                    // A stream of HDFS tries three times without a pause: on DISK HBase's client is
                    // quick. The plugin's names DataNodes with SSD.
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

                  /** A stream of HDFS tries again without the DataNode that refused. */
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

  /** The file system as the file is to be created by it, whichever client that is. */
  protected FileSystem creating(FileSystem fs) {
    return fs;
  }

  /**
   * Overrides what HBase 2.5 puts into a WAL's header, the class's own name by default: its readers
   * refuse a WAL by a writer that they do not know. Later lines ask nobody.
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

  /** A stream of HDFS that broke leaves nothing behind with its close. */
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
