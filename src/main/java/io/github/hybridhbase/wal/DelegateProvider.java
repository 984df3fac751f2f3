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

import io.github.hybridhbase.hdfs.DurableEnd;
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridSettings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufWALStreamReader;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A holder of HBase's own WAL provider, which gets the plugin's writers by a private copy of the
 * configuration; everything else keeps HBase's. A writer class of the site file stays: it may
 * encrypt.
 */
@InterfaceAudience.Private
final class DelegateProvider {
  private static final Logger LOG = LoggerFactory.getLogger(DelegateProvider.class);

  private final WALProvider provider;
  private final Configuration copy;
  private final WALFactory factory;
  private final WriterSupport writers;

  private DelegateProvider(
      WALProvider provider, Configuration copy, WALFactory factory, WriterSupport writers) {
    this.provider = provider;
    this.copy = copy;
    this.factory = factory;
    this.writers = writers;
  }

  /**
   * The configured provider as HBase would create it; not initialised. With {@code
   * hbase.hybrid.mode=off} only this runs.
   */
  static WALProvider stock(WalDelegate wanted, Configuration conf) {
    if (wanted == WalDelegate.MULTIWAL) {
      // A group with the plugin as its provider would recurse without end.
      if (!WriterKind.PLUGIN.equals(conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER))) {
        return new RegionGroupingProvider();
      }
      LOG.error(
          "hbase.hybrid.wal.delegate=multiwal and {}={} name each other; asyncfs is used."
              + " If hbase.wal.provider names the plugin, remove {}; if it is multiwal, remove"
              + " hbase.hybrid.wal.delegate.",
          RegionGroupingProvider.DELEGATE_PROVIDER,
          WriterKind.PLUGIN,
          RegionGroupingProvider.DELEGATE_PROVIDER);
    }
    if (wanted != WalDelegate.FILESYSTEM) {
      if (AsyncFSWALProvider.load()) {
        return new AsyncFSWALProvider();
      }
      // HBase falls back the same way (WALFactory.getProviderClass).
      LOG.warn(
          "HBase's provider asyncfs does not load on this Hadoop: WALs are written by "
              + "filesystem (FSHLogProvider), as stock HBase does. hbase.hybrid.wal.stall then has "
              + "no effect. Run a Hadoop of docs/install.md#versions.");
    }
    return new FSHLogProvider();
  }

  /** Creates the configured provider with the plugin's writers; not initialised. */
  static DelegateProvider of(
      WALFactory factory, Configuration conf, HybridSettings settings, Abortable abortable) {
    WALProvider provider = stock(settings.delegate(), conf);
    // HBaseConfiguration.create reads all defaults again, some 200 ms of a start's one thread.
    Configuration copy = new Configuration(conf);
    for (WriterKind kind : WriterKind.values()) {
      if (kind.lacking().isEmpty() && kind.configured(conf).isEmpty()) {
        copy.set(kind.key(), kind.writer());
      }
    }
    // After a NameNode's restart one call of each old connection fails, and HBase aborts the server
    // if that call archives a WAL (AbstractFSWAL.archive).
    copy.setIfUnset("hbase.regionserver.walroll.archive.retries", "3");
    WriterSupport.Facts facts = WriterKind.facts(conf, settings);
    WALFactory to = factory;
    if (provider instanceof RegionGroupingProvider) {
      try {
        to = grouping(factory, copy, abortable);
      } catch (LinkageError e) {
        // 3.0 lacks this constructor; its groups use their provider's configuration.
        LOG.debug("The groups of multiwal get their factory as it is", e);
      } catch (IOException | RuntimeException e) {
        facts.unreached = String.valueOf(e);
      }
    }
    return new DelegateProvider(provider, copy, to, WriterSupport.of(facts));
  }

  /**
   * Makes the factory split the logs of dead servers by a {@link SplitReader}; HBase 2.5 has other
   * readers, which stay. Never throws.
   */
  static void splitDurably(WALFactory factory) {
    try {
      Field reader = WALFactory.class.getDeclaredField("walStreamReaderClass");
      reader.setAccessible(true);
      if (reader.get(factory) == ProtobufWALStreamReader.class) {
        reader.set(factory, SplitReader.class);
      }
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      LOG.info(
          "The ends of dead servers' WALs are not made durable before they are split, since "
              + "this HBase has no place for it (as 2.5): a power cut of all DataNodes during a "
              + "split may leave such a WAL unreadable. Only HBase 2.6 or later changes that. ({})",
          e.toString());
    }
  }

  /**
   * Shortens what a RegionServer does to the WALs of a dead one, unless the site file has a value:
   * it asks after a second, not after four, whether HDFS has recovered a lease, and writes the
   * edits by a {@link RecoveredEditsWriter}. A server that dies leaves two WALs open, hbase:meta's
   * among them, which is split before all others.
   *
   * <p>Implementation note: HBase waits so that it does not interrupt a recovery by starting
   * another (HBASE-8354). HDFS 3 starts none while one is in flight ({@code
   * PendingRecoveryBlocks}), and from the second answer on HBase asks only whether the file is
   * closed.
   *
   * @param server the server's own configuration, in memory
   */
  static void prepareSplits(Configuration server, String name) {
    server.setIfUnset("hbase.lease.recovery.first.pause", "1000");
    WriterKind kind = WriterKind.STREAM;
    if (kind.lacking().isEmpty()
        && kind.configured(server).isEmpty()
        && HybridLogWriter.CreatingFileSystem.takesPolicies()) {
      server.set(kind.key(), RecoveredEditsWriter.class.getName());
      server.set(RecoveredEditsWriter.SERVER, name);
    }
  }

  WriterSupport writers() {
    return writers;
  }

  WALProvider init(String providerId, Abortable abortable) throws IOException {
    provider.init(factory, copy, providerId, abortable);
    return provider;
  }

  /**
   * A factory that carries the copy: RegionGroupingProvider of 2.5 and 2.6 creates its groups with
   * its factory's configuration ({@code WALFactory.createProvider}).
   */
  private static WALFactory grouping(WALFactory factory, Configuration conf, Abortable abortable)
      throws IOException {
    Configuration inner = new Configuration(conf);
    // Unused; a cheap one.
    inner.set(WALFactory.WAL_PROVIDER, "filesystem");
    return new WALFactory(inner, factory.getFactoryId(), abortable);
  }

  /**
   * A reader of WALs that durably ends a dead server's log before the log is split; otherwise a
   * power cut during the split could make it unreadable. HBase has recovered the lease ({@code
   * WALSplitter.getReader}) but offers no other hook before the first entry.
   *
   * <p>A log with a trailer that is older than {@link #LONG_MILLIS} is left alone, and one with a
   * DataNode that does not answer: its server closed it, so it still has a replica on the dead
   * host, for which an append would wait and exclude healthy DataNodes, whose replicas HDFS then
   * discards. Another may have been recovered during its close.
   *
   * <p>The site file does not name this class, since clients without the plugin share that file.
   */
  public static final class SplitReader extends ProtobufWALStreamReader {
    /** Age since the last modification, by the NameNode's and this host's clocks. */
    private static final long LONG_MILLIS = TimeUnit.MINUTES.toMillis(2);

    public SplitReader() {}

    @Override
    public void init(FileSystem fs, Path log, Configuration conf, long startPosition)
        throws IOException {
      super.init(fs, log, conf, startPosition);
      if (log.getParent().getName().endsWith(AbstractFSWALProvider.SPLITTING_EXT)
          && !(trailerPresent && isLeft(fs, log))) {
        DurableEnd.ofRecovered(conf, fs, log);
      }
    }

    /** Of a log with a trailer. */
    static boolean isLeft(FileSystem fs, Path log) {
      return isClosedForLong(fs, log) || DurableEnd.hasSilentNode(fs, log);
    }

    private static boolean isClosedForLong(FileSystem fs, Path log) {
      try {
        long age = System.currentTimeMillis() - fs.getFileStatus(log).getModificationTime();
        return age > LONG_MILLIS;
      } catch (IOException e) {
        return false;
      }
    }
  }
}
