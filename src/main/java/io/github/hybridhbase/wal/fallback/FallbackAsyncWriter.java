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
import io.github.hybridhbase.metrics.Failures;
import io.github.hybridhbase.wal.failover.Connections;
import io.github.hybridhbase.wal.failover.OutputWatch;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of AsyncFSWAL that opens a WAL on DISK at once if SSD refuses it ({@link WalOpener}).
 *
 * <p>A subclass that wraps the output must do so after {@code super.initOutput}, which runs again
 * if the header fails on SSD.
 */
@InterfaceAudience.Private
public abstract class FallbackAsyncWriter extends AsyncProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(FallbackAsyncWriter.class);

  /** A second call of {@link #initOutput}, to open the file again. */
  private interface Reopening {
    boolean openAgain(IOException failure) throws IOException;
  }

  private Reopening reopening = failure -> false;
  private WalOpener opener;
  private Runnable nodeIsBack;

  /** Reference to the open output's client; null if HBase's own is used. */
  private FailFastClient.Use use;

  private IOException failedHeader;

  protected FallbackAsyncWriter(
      EventLoopGroup eventLoopGroup, Class<? extends Channel> channelClass) {
    super(eventLoopGroup, channelClass);
  }

  protected abstract WalFallbacks fallbacks(Path file);

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
    if (failedHeader != null) {
      if (!opener.openAgain(failedHeader)) {
        throw failedHeader;
      }
      return;
    }
    WalFallbacks fallbacks = fallbacks(path);
    Optional<WalOpener> found =
        fallbacks.opener(
            conf,
            fs,
            path,
            replication,
            monitor,
            new WalOutput() {
              @Override
              public void create(OpenState.Step step, boolean overwrite, StreamSlowMonitor watch)
                  throws IOException, StreamLacksCapabilityException {
                use =
                    step.isQuick()
                        ? fallbacks.use(fs, path, step, replication, blockSize, noLocalWrite)
                        : null;
                boolean made = false;
                try {
                  FallbackAsyncWriter.super.initOutput(
                      use == null ? fs : use.fs(),
                      path,
                      overwrite,
                      bufferSize,
                      replication,
                      blockSize,
                      watch,
                      noLocalWrite);
                  made = true;
                } catch (IOException e) {
                  if (use != null) {
                    use.failed(e);
                  }
                  throw e;
                } finally {
                  if (!made) {
                    endUse();
                  }
                }
              }

              @Override
              public List<StorageType> media() {
                return Pipeline.media(getOutput().getPipeline());
              }

              @Override
              public String shortfall() {
                return use == null ? "" : use.shortfall();
              }

              @Override
              public List<DatanodeInfo> pipeline() {
                return List.of(getOutput().getPipeline());
              }

              @Override
              public boolean namesRefusals() {
                return true;
              }

              @Override
              public void discard() {
                drop();
              }
            });
    if (found.isEmpty()) {
      super.initOutput(
          fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
      return;
    }
    opener = found.get();
    nodeIsBack = fallbacks::nodeIsBack;
    opener.open(overwritable);
    reopening =
        failure -> {
          failedHeader = failure;
          try {
            initOutput(fs, path, true, bufferSize, replication, blockSize, monitor, noLocalWrite);
            return true;
          } catch (StreamLacksCapabilityException e) {
            throw new IOException(e);
          }
        };
  }

  /**
   * Returns the open output, which fails if a DataNode of it stalls, and which must be written to
   * from then on; the original one if it is not watched.
   */
  protected final AsyncFSOutput watched(OutputWatch.Scheduler scheduler) {
    AsyncFSOutput output = getOutput();
    try {
      OutputWatch watch = opener == null ? null : opener.watch(output, scheduler, nodeIsBack);
      return watch == null ? output : watch.output();
    } catch (RuntimeException | LinkageError e) {
      Failures.swallowed("A WAL is not watched for DataNodes that stall.", e);
      return output;
    }
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    while (true) {
      try {
        return super.writeMagicAndWALHeader(magic, header);
      } catch (IOException e) {
        // At most once more on SSD, then twice on DISK.
        if (!reopening.openAgain(e)) {
          throw e;
        }
      }
    }
  }

  @Override
  protected void closeOutputIfNecessary() {
    if (use != null) {
      drop();
      return;
    }
    try {
      super.closeOutputIfNecessary();
    } catch (RuntimeException e) {
      // Must not hide why the WAL was not opened.
      LOG.debug("A WAL that was not opened did not close well", e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    try {
      super.close();
    } finally {
      endUse();
    }
  }

  /** Closes an output that will not be written, even a broken one. Never throws. */
  private void drop() {
    AsyncFSOutput output = getOutput();
    try {
      if (Connections.of(WatchedOutput.unwrap(output)).isOneClosed()) {
        throw new IOException("A connection was lost: the end of the block is never acknowledged");
      }
      output.close();
    } catch (IOException | RuntimeException e) {
      LOG.debug("A WAL that was not opened did not close well", e);
      abandon(output);
    } finally {
      endUse();
    }
  }

  /**
   * Frees buffer, connections and lease renewal of an output. With another HDFS client, buffer and
   * lease renewal stay until that client closes: HBase frees them only with a lease recovery, which
   * would disturb the next writer of the name.
   */
  private void abandon(AsyncFSOutput output) {
    if (use != null) {
      try {
        use.withoutLeaseRecovery(() -> output.recoverAndClose(null));
      } catch (IOException | RuntimeException e) {
        LOG.debug("A WAL that was not opened leaves something behind", e);
      }
    }
  }

  private void endUse() {
    if (use != null) {
      use.close();
      use = null;
    }
  }
}
