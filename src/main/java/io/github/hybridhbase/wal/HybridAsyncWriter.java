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
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import io.github.hybridhbase.wal.fallback.HybridServer;
import io.github.hybridhbase.wal.fallback.WalOpener;
import io.github.hybridhbase.wal.sync.GatherPolicy;
import io.github.hybridhbase.wal.sync.GroupCommit;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A writer of AsyncFSWAL that falls back to DISK ({@link WalOpener}) and, with {@code
 * hbase.hybrid.wal.hsync=auto}, makes every sync an hsync if every replica is on SSD. Logs with
 * hsyncs use {@link GroupCommit}.
 *
 * <p>It replaces two private fields of {@link AsyncProtobufLogWriter}.
 *
 * <p>Public for reflection. Threads: as {@link AsyncProtobufLogWriter}.
 */
@InterfaceAudience.Private
public class HybridAsyncWriter extends AsyncProtobufLogWriter {
  private static final Logger LOG = LoggerFactory.getLogger(HybridAsyncWriter.class);

  private static final VarHandle OUTPUT = field("output", AsyncFSOutput.class);
  private static final VarHandle STREAM = field("asyncOutputWrapper", java.io.OutputStream.class);

  private static final int GATHER_PERCENT = 50;

  private final EventLoopGroup events;
  private WalOpener file;

  /** Null if syncs are not shared. */
  private GroupCommit coalescing;

  private boolean force;

  public HybridAsyncWriter(EventLoopGroup eventLoopGroup, Class<? extends Channel> channelClass) {
    super(eventLoopGroup, channelClass);
    this.events = eventLoopGroup;
  }

  /** Whether this HBase's writer has the fields that are replaced. */
  static boolean isKnown() {
    return OUTPUT != null && STREAM != null;
  }

  /** Repeats HBase's own for each try. */
  @Override
  public void init(
      FileSystem fs,
      Path path,
      Configuration conf,
      boolean overwritable,
      long blockSize,
      StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException {
    HybridServer server = HybridServer.of(conf, fs, path);
    file =
        new WalOpener(server, conf, fs, path, true) {
          @Override
          protected void create(FileSystem client, boolean overwrite, StreamSlowMonitor to)
              throws IOException, StreamLacksCapabilityException {
            HybridAsyncWriter.super.init(client, path, conf, overwrite, blockSize, to);
          }

          @Override
          protected DatanodeInfo[] pipeline() {
            return getOutput() == null ? new DatanodeInfo[0] : getOutput().getPipeline();
          }

          @Override
          protected void discard(FailFastClient.Use client) {
            if (getOutput() != null) {
              discard(getOutput(), client);
              OUTPUT.setVolatile(HybridAsyncWriter.this, null);
            }
          }
        };
    file.open(overwritable, monitor);
    if (file.auto) {
      file.durable(force);
    }
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    AsyncFSOutput hbases = getOutput();
    // The pipeline is fixed: losing a DataNode breaks the output and rolls the log.
    force = file.auto && Pipeline.everyReplicaOnSsd(hbases.getPipeline());
    coalescing = null;
    if (force || file.hsync) {
      GatherPolicy policy = new GatherPolicy(GATHER_PERCENT);
      coalescing = new GroupCommit(hbases, force, policy, this::schedule);
      STREAM.set(this, coalescing.stream());
    }
    WatchedOutput output = coalescing == null ? new WatchedOutput(hbases) : coalescing;
    if (file.watch(output, this::schedule) || coalescing != null) {
      OUTPUT.setVolatile(this, output);
    }
    return super.writeMagicAndWALHeader(magic, header);
  }

  private boolean schedule(Runnable task, long nanos) {
    try {
      events.schedule(task, nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (RuntimeException | Error e) {
      LOG.debug("A task is not taken: the server ends, or has no threads left", e);
      return false;
    }
  }

  @Override
  public void append(Entry entry) {
    super.append(entry);
    if (coalescing != null) {
      coalescing.entryEnds();
    }
  }

  /**
   * Never throws, which would end AsyncFSWAL's consumer.
   *
   * @return completes once every replica has acknowledged everything appended before; fails if any
   *     flush of the file has failed
   */
  @Override
  public CompletableFuture<Long> sync(boolean forceSync) {
    try {
      return super.sync(forceSync || force);
    } catch (RuntimeException | Error e) {
      return CompletableFuture.failedFuture(e);
    }
  }

  @Override
  public synchronized void close() throws IOException {
    if (getOutput() == null) {
      return;
    }
    AsyncFSOutput output = getOutput();
    if (output instanceof WatchedOutput) {
      ((WatchedOutput) output).endsAfterAll(this::schedule);
    }
    long begin = System.nanoTime();
    try {
      super.close();
    } finally {
      if (output.isBroken()) {
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin);
        HybridMetrics.get().count(Metric.WAL_RECOVERIES);
        HybridMetrics.get().count(Metric.WAL_RECOVERY_MILLIS, millis);
      }
      file.close();
    }
  }

  /** The opener discards its failed tries. */
  @Override
  protected void closeOutputIfNecessary() {
    if (!file.fallsBack()) {
      super.closeOutputIfNecessary();
    }
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(AsyncProtobufLogWriter.class, MethodHandles.lookup())
          .findVarHandle(AsyncProtobufLogWriter.class, name, type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "AsyncProtobufLogWriter of this HBase has no field {}, so WALs of asyncfs are written as"
              + " in stock HBase. Run an HBase line of docs/install.md#versions.",
          name,
          e);
      return null;
    }
  }
}
