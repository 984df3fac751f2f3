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

import io.github.hybridhbase.hdfs.Pipeline;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
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
 *
 * <p>Public with no arguments because {@code FSHLogProvider.createWriter} makes it by reflection,
 * from {@code hbase.regionserver.wal.writer.impl}.
 */
@InterfaceAudience.Private
public class FallbackLogWriter extends ProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackLogWriter.class);

  /** Writes the header, on DISK where SSD refuses its block. */
  private interface HeaderOpener {
    long open(byte[] magic, WALHeader header) throws IOException;
  }

  private HeaderOpener opener;

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
    Optional<WalFallback> fallback = WalFallbackRegistry.of(conf, fs, path, replication);
    if (fallback.isEmpty()) {
      super.initOutput(
          fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
      return;
    }
    opener =
        (magic, header) -> {
          long[] length = new long[1];
          WalOpener.Output output =
              new WalOpener.Output() {
                @Override
                public void create(boolean failFast, boolean overwrite, StreamSlowMonitor watch)
                    throws IOException, StreamLacksCapabilityException {
                  // A stream of HDFS tries three times without a pause: HBase's client is quick.
                  discard();
                  FallbackLogWriter.super.initOutput(
                      fs, path, overwrite, bufferSize, replication, blockSize, watch, noLocalWrite);
                  length[0] = FallbackLogWriter.super.writeMagicAndWALHeader(magic, header);
                  sync(false);
                }

                @Override
                public List<StorageType> media() {
                  return Pipeline.media(Pipeline.of(FallbackLogWriter.this.output));
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
                  FSDataOutputStream failed = FallbackLogWriter.this.output;
                  FallbackLogWriter.this.output = null;
                  closeQuietly(failed);
                }
              };
          try {
            new WalOpener(conf, path, monitor, fallback.get(), output).open(overwritable);
          } catch (StreamLacksCapabilityException e) {
            throw new IOException(e);
          }
          return length[0];
        };
  }

  /**
   * Overrides what HBase 2.5 puts into a WAL's header, the class's own name by default: its readers
   * refuse a WAL by a writer that they do not know. Later lines ask nobody.
   */
  protected String getWriterClassName() {
    return ProtobufLogWriter.class.getSimpleName();
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    return opener == null
        ? super.writeMagicAndWALHeader(magic, header)
        : opener.open(magic, header);
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
