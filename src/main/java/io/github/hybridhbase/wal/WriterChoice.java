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

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives HBase's own provider the plugin's writers, by a copy of the configuration that only this
 * provider sees: recovered edits and everything else keep HBase's.
 */
@InterfaceAudience.Private
final class WriterChoice {
  private static final Logger LOG = LoggerFactory.getLogger(WriterChoice.class);

  /** {@code AsyncFSWALProvider.WRITER_IMPL}. */
  static final String ASYNC = "hbase.regionserver.wal.async.writer.impl";

  /** {@code FSHLogProvider.WRITER_IMPL}. */
  static final String STREAM = "hbase.regionserver.wal.writer.impl";

  private WriterChoice() {}

  /** Initialises the delegate with the plugin's writers. */
  static void init(
      WALProvider delegate,
      WALFactory factory,
      Configuration conf,
      String providerId,
      Abortable abortable)
      throws IOException {
    Configuration copy = HBaseConfiguration.create(conf);
    copy.setIfUnset(ASYNC, HybridAsyncWriter.class.getName());
    copy.setIfUnset(STREAM, HybridLogWriter.class.getName());
    // A NameNode that has restarted fails one call of each old connection, and HBase aborts the
    // server where that call is the archiving of a WAL (AbstractFSWAL.archive).
    copy.setIfUnset("hbase.regionserver.walroll.archive.retries", "3");
    WALFactory to =
        delegate instanceof RegionGroupingProvider
            ? grouping(factory, copy, providerId, abortable)
            : factory;
    delegate.init(to, copy, providerId, abortable);
  }

  /**
   * RegionGroupingProvider makes its groups with the configuration of its factory ({@code
   * WALFactory.createProvider}), which the copy does not reach: it gets a factory of its own.
   */
  private static WALFactory grouping(
      WALFactory factory, Configuration conf, String providerId, Abortable abortable) {
    try {
      Configuration inner = HBaseConfiguration.create(conf);
      inner.set(WALFactory.WAL_PROVIDER, Nothing.class.getName());
      return new WALFactory(inner, factory.getFactoryId(), abortable);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.warn("The groups of multiwal keep HBase's writers: a WAL refused by SSD may fail", e);
      return factory;
    }
  }

  /** A provider that makes no WAL, for a factory that is only asked to make others. */
  @InterfaceAudience.Private
  public static final class Nothing implements WALProvider {
    @Override
    public void init(WALFactory factory, Configuration conf, String id, Abortable abortable) {}

    @Override
    public WAL getWAL(RegionInfo region) throws IOException {
      throw new IOException("this factory makes no WAL");
    }

    @Override
    public List<WAL> getWALs() {
      return List.of();
    }

    @Override
    public void shutdown() {}

    @Override
    public void close() {}

    @Override
    public long getNumLogFiles() {
      return 0;
    }

    @Override
    public long getLogFileSize() {
      return 0;
    }

    @Override
    public void addWALActionsListener(WALActionsListener listener) {}
  }
}
