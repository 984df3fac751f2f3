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

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.WalOpener;
import io.github.hybridhbase.wal.fallback.WalOutput;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.util.CommonFSUtils.StreamLacksCapabilityException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The file of a writer of WALs: how its server opens it, and whether its syncs are hsyncs. A file
 * outside our WAL root (synchronous replication in 3.0) is created as in stock HBase. Threads: as
 * its writer.
 */
@InterfaceAudience.Private
abstract class WalFile implements WalOutput {
  /** {@code hbase.hybrid.wal.hsync=auto}; false for a file that is not ours. */
  final boolean auto;

  /** {@code hbase.wal.hsync}; false for a file that is not ours. */
  final boolean hsync;

  /** Null if HBase's own writer creates the file. */
  final WalOpener opener;

  private final HybridServer server;
  private final NewWal wal;
  private final boolean ours;
  private final Creation creation;
  private IoSupplier<Long> header;

  WalFile(Configuration conf, NewWal wal, Creation creation) {
    this.server = HybridServer.of(wal.path);
    this.wal = wal;
    this.creation = creation;
    this.ours = wal.isOurs(conf);
    this.auto = ours && HybridSettings.read(conf).get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    this.hsync = ours && conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    this.opener = server.opener(conf, wal, this);
  }

  /** Unless {@link #open} creates the file. */
  void init() throws IOException, StreamLacksCapabilityException {
    if (opener == null) {
      creation.create(wal.fs, wal.overwritable, wal.monitor);
    }
  }

  /**
   * Writes the header, on SSD if that takes it.
   *
   * @return its length in bytes
   */
  long open(IoSupplier<Long> writeHeader) throws IOException {
    header = writeHeader;
    long length = opener == null ? header.get() : opener.open();
    if (ours) {
      server.opened(wal, pipeline(), hsync);
    }
    return length;
  }

  @Override
  public long create(FileSystem client, boolean overwrite, StreamSlowMonitor monitor)
      throws IOException, StreamLacksCapabilityException {
    creation.create(client, overwrite, monitor);
    return header.get();
  }

  /** Whether its syncs are hsyncs because every replica is on SSD. */
  void durable(boolean now) {
    server.durable(wal, now);
  }

  void close() {
    if (opener != null) {
      opener.close();
    }
  }
}
