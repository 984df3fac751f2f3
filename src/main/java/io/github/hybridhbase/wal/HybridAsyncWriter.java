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

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.WalHsync;
import io.github.hybridhbase.hdfs.Pipeline;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.Metric;
import io.github.hybridhbase.wal.fallback.FallbackAsyncWriter;
import io.github.hybridhbase.wal.fallback.WalFallbacks;
import io.github.hybridhbase.wal.sync.GatherPolicy;
import io.github.hybridhbase.wal.sync.GroupCommit;
import io.github.hybridhbase.wal.sync.GroupCommitOutput;
import io.github.hybridhbase.wal.sync.SyncStrength;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.hadoop.hbase.wal.WAL.Entry;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * AsyncFSWAL's writer, and with {@code hbase.hybrid.wal.hsync=auto} an hsync on every sync where
 * every replica is on SSD. In a log whose syncs are hsyncs one flush is under way at a time, shared
 * by all syncs that came meanwhile ({@link GroupCommit}); in one whose syncs are hflushes they pass
 * straight through, as in stock HBase: sharing them gained nothing that is certain.
 *
 * <p>Format, header, trailer, close and recovery are HBase's own. Only the output is replaced, and
 * its two fields are private in {@link AsyncProtobufLogWriter}: 2.5, 2.6 and 3.0 name them alike,
 * and where they don't, the writer is HBase's own in everything but the upgrade to hsync, and one
 * warning says so. Encoding entries here instead would tie the jar to one HBase line, because
 * {@code Codec.Encoder.write} takes another type in 3.0.
 *
 * <p>A file outside our WAL root is another cluster's (synchronous replication in 3.0): it is
 * written as stock HBase does.
 *
 * <p>Public with this constructor because {@code AsyncFSWALProvider.createAsyncWriter} makes it by
 * reflection, from {@code hbase.regionserver.wal.async.writer.impl}. Threads: as {@link
 * AsyncProtobufLogWriter}.
 */
@InterfaceAudience.Private
public class HybridAsyncWriter extends FallbackAsyncWriter {
  private static final Logger LOG = LoggerFactory.getLogger(HybridAsyncWriter.class);

  private static final VarHandle OUTPUT = field("output", AsyncFSOutput.class);
  private static final VarHandle STREAM = field("asyncOutputWrapper", java.io.OutputStream.class);

  private final EventLoopGroup events;
  private HybridServer server;
  private GroupCommitOutput coalescing;
  private boolean force;

  /** A file that is dropped as it is opened is recovered as well, and kept by nobody. */
  private volatile boolean closing;

  /** Called by {@code AsyncFSWALProvider}. */
  public HybridAsyncWriter(EventLoopGroup eventLoopGroup, Class<? extends Channel> channelClass) {
    super(eventLoopGroup, channelClass);
    this.events = eventLoopGroup;
  }

  /** Whether hsyncs are coalesced with this version of HBase. */
  public static boolean coalesces() {
    return OUTPUT != null && STREAM != null;
  }

  @Override
  protected WalFallbacks fallbacks(Path file) {
    return server.fallbacks();
  }

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
    if (server == null) { // the same file may be opened twice
      server = HybridServer.of(path);
    }
    super.initOutput(
        fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
    if (!WalOwner.isOurs(conf, fs, path)) {
      return;
    }
    HybridSettings settings = HybridSettings.read(conf);
    AsyncFSOutput output = getOutput();
    server.opened(Pipeline.unknown(output.getPipeline()) ? output.getClass().getName() : "");
    // Its pipeline never changes: a DataNode lost breaks the output, and the log is rolled.
    SyncStrength strength =
        SyncStrength.of(
            settings.hsync() == WalHsync.AUTO, Pipeline.everyReplicaOnSsd(output.getPipeline()));
    force = strength.forces();
    server.strengths().report(path, strength);
    boolean hsync = conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    server.media(path, Pipeline.media(output.getPipeline()), replication, hsync);
    coalescing = null;
    if (coalesces()) {
      AsyncFSOutput watched =
          watched((task, nanos) -> events.schedule(task, nanos, TimeUnit.NANOSECONDS));
      if (watched != output) {
        output = watched;
        OUTPUT.setVolatile(this, output);
      }
    }
    if (coalesces() && (force || hsync)) {
      coalescing =
          new GroupCommitOutput(
              output,
              force,
              new GatherPolicy(settings.gatherPercent()),
              (task, nanos) -> events.schedule(task, nanos, TimeUnit.NANOSECONDS),
              server.syncs(),
              () -> endDurably(fs, path));
      STREAM.set(this, coalescing.stream());
      OUTPUT.setVolatile(this, coalescing);
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
   * @return completes once every replica has acknowledged all that was appended before the call; it
   *     fails, and so does every later one, once one flush has failed. Never throws: AsyncFSWAL's
   *     consumer would not survive it.
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
    AsyncFSOutput output = getOutput();
    closing = true;
    long begin = System.nanoTime();
    try {
      super.close();
    } finally {
      if (output != null && output.isBroken()) {
        HybridMetrics.get().count(Metric.WAL_RECOVERIES);
        HybridMetrics.get()
            .count(
                Metric.WAL_RECOVERY_MILLIS,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
      }
    }
  }

  /** On HBase's closing thread: the log cannot be archived, nor be taken for closed, before. */
  private void endDurably(FileSystem fs, Path path) {
    if (closing) {
      RecoveredLog.endDurably(conf, fs, path);
    }
  }

  private static VarHandle field(String name, Class<?> type) {
    try {
      return MethodHandles.privateLookupIn(AsyncProtobufLogWriter.class, MethodHandles.lookup())
          .findVarHandle(AsyncProtobufLogWriter.class, name, type);
    } catch (ReflectiveOperationException | RuntimeException e) {
      LOG.warn(
          "AsyncProtobufLogWriter of this HBase has no field {}: syncs are not coalesced", name, e);
      return null;
    }
  }
}
