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
import io.github.hybridhbase.wal.fallback.FallbackLogWriter;
import io.github.hybridhbase.wal.fallback.WalFallbacks;
import io.github.hybridhbase.wal.sync.SyncStrength;
import java.io.IOException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.WALHeader;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A writer of FSHLog that falls back to DISK and, with {@code hbase.hybrid.wal.hsync=auto}, makes
 * every sync an hsync while every replica is on SSD, and every block durable at its end ({@link
 * SyncedBlocks}).
 *
 * <p>Each sync reads the pipeline, because {@code DataStreamer} replaces failed DataNodes and each
 * block has its own; between two blocks the last strength stays in force. Syncs are not coalesced
 * here, as {@code FSHLog.SyncRunner} does so already.
 *
 * <p>Public, without parameters, for the reflection of {@code FSHLogProvider.createWriter}.
 * Threads: {@code sync} from several at a time.
 */
@InterfaceAudience.Private
public class HybridLogWriter extends FallbackLogWriter {
  private HybridServer server;
  private boolean ours;
  private boolean auto;
  private Path file;
  private int wanted;

  /** Null before the first block. */
  private volatile SyncStrength reported;

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
    file = path;
    wanted = replication;
    server = HybridServer.of(path);
    ours = WalOwner.isOurs(conf, fs, path);
    auto = ours && HybridSettings.read(conf).hsync() == WalHsync.AUTO;
    super.initOutput(
        fs, path, overwritable, bufferSize, replication, blockSize, monitor, noLocalWrite);
    if (ours && !auto) {
      report(SyncStrength.STOCK);
    }
  }

  /** Here, since the fall-back may create the file by another client than HBase's. */
  @Override
  protected FileSystem creating(FileSystem fs) {
    return auto ? new SyncedBlocks(fs) : fs;
  }

  @Override
  protected long writeMagicAndWALHeader(byte[] magic, WALHeader header) throws IOException {
    long length = super.writeMagicAndWALHeader(magic, header);
    if (ours) {
      // Only now, since opening on SSD includes the header.
      server.opened(Pipeline.isTold(output) ? "" : output.getWrappedStream().getClass().getName());
      boolean hsync = conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
      server.media(file, Pipeline.media(Pipeline.of(output)), wanted, hsync);
    }
    return length;
  }

  @Override
  public void sync(boolean forceSync) throws IOException {
    super.sync(forceSync || (auto && upgrade()));
  }

  private boolean upgrade() {
    SyncStrength last = reported;
    SyncStrength strength = SyncStrength.next(last, Pipeline.of(output));
    if (strength != last) {
      report(strength);
    }
    return strength != null && strength.forces();
  }

  private void report(SyncStrength strength) {
    reported = strength;
    server.strengths().report(file, strength);
  }
}
