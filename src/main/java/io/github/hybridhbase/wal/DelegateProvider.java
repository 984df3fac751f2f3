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
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.regionserver.wal.AsyncProtobufLogWriter;
import org.apache.hadoop.hbase.regionserver.wal.ProtobufLogWriter;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * HBase's own WAL provider with a private copy of the configuration, which names the plugin's
 * writers. A writer class of the site file stays, since it may encrypt.
 */
@InterfaceAudience.Private
public final class DelegateProvider {
  private static final Logger LOG = LoggerFactory.getLogger(DelegateProvider.class);

  private DelegateProvider() {}

  /** As stock HBase creates it; not initialised. */
  static WALProvider stock(WalDelegate wanted, Configuration conf) {
    if (wanted == WalDelegate.MULTIWAL) {
      // The plugin inside a group of its own would recurse without end.
      if (!HybridServer.PLUGIN.equals(conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER))) {
        return new RegionGroupingProvider();
      }
      LOG.error(
          "hbase.hybrid.wal.delegate=multiwal and {} name each other; asyncfs is used. Remove one.",
          RegionGroupingProvider.DELEGATE_PROVIDER);
    }
    if (wanted != WalDelegate.FILESYSTEM) {
      if (AsyncFSWALProvider.load()) {
        return new AsyncFSWALProvider();
      }
      // As WALFactory.getProviderClass.
      LOG.warn(
          "asyncfs does not load on this Hadoop: filesystem writes WALs, without"
              + " hbase.hybrid.wal.stall. Run a Hadoop of docs/install.md#versions.");
    }
    return new FSHLogProvider();
  }

  /** Initialises HBase's own provider with the plugin's writers. */
  static void init(
      WALProvider made, WALFactory factory, Configuration conf, String id, Abortable abortable)
      throws IOException {
    Configuration copy = copy(conf);
    boolean groups = made instanceof RegionGroupingProvider;
    made.init(groups ? grouping(factory, copy, abortable) : factory, copy, id, abortable);
  }

  /** With the plugin's writers. */
  static Configuration copy(Configuration conf) {
    // HBaseConfiguration.create would read all defaults again, which takes 200 ms.
    Configuration copy = new Configuration(conf);
    if (HybridAsyncWriter.isKnown()) {
      name(HybridAsyncWriter.class, ".async.writer.impl", AsyncProtobufLogWriter.class, copy);
    }
    name(HybridLogWriter.class, ".writer.impl", ProtobufLogWriter.class, copy);
    // After a NameNode's restart a call of each old connection fails, and HBase aborts if it
    // archives a WAL (AbstractFSWAL.archive).
    copy.setIfUnset("hbase.regionserver.walroll.archive.retries", "3");
    return copy;
  }

  /**
   * Speeds up the split of a dead server's WALs, unless the site file has a value: asks after one
   * second, not four, whether HDFS has recovered a lease, and writes edits by {@link
   * RecoveredEditsWriter}. HBase waits so as not to interrupt a recovery (HBASE-8354); HDFS 3
   * starts no second one.
   *
   * @param server the server's own configuration, in memory
   */
  static void prepareSplits(Configuration server, String name) {
    server.setIfUnset("hbase.lease.recovery.first.pause", "1000");
    name(RecoveredEditsWriter.class, ".writer.impl", ProtobufLogWriter.class, server);
    server.set(RecoveredEditsWriter.SERVER, name);
  }

  /** Under the keys of HBase 2.6 and of 2.5, unless the site file names a writer of its own. */
  private static void name(Class<?> writer, String suffix, Class<?> stock, Configuration conf) {
    List<String> keys =
        List.of("hbase.regionserver.wal" + suffix, "hbase.regionserver.hlog" + suffix);
    List<String> known = List.of(stock.getName(), RecoveredEditsWriter.class.getName());
    if (keys.stream().allMatch(key -> known.contains(conf.getTrimmed(key, stock.getName())))) {
      keys.forEach(key -> conf.set(key, writer.getName()));
    }
  }

  /**
   * Whether {@code hbase.hybrid.wal.hsync=auto} needs {@code dfs.datanode.synconclose} for durable
   * block ends, which HBase's asyncfs output cannot request.
   */
  public static boolean needsSyncOnClose(Configuration conf, HybridSettings settings) {
    String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER, "");
    WalDelegate delegate = settings.get(HybridKeys.WAL_DELEGATE);
    boolean streams =
        delegate == WalDelegate.FILESYSTEM
            || delegate == WalDelegate.MULTIWAL
                && List.of("filesystem", FSHLogProvider.class.getName()).contains(groups)
            || !AsyncFSWALProvider.load();
    return settings.mode() != Mode.OFF
        && settings.get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO
        && !streams;
  }

  /**
   * A factory that carries the copy: RegionGroupingProvider of 2.5 and 2.6 creates its groups with
   * it ({@code WALFactory.createProvider}). 3.0 lacks this constructor and uses the provider's
   * configuration.
   */
  private static WALFactory grouping(WALFactory factory, Configuration copy, Abortable abortable) {
    try {
      Configuration inner = new Configuration(copy);
      inner.set(WALFactory.WAL_PROVIDER, "filesystem"); // unused
      return new WALFactory(inner, factory.getFactoryId(), abortable);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("The groups of multiwal get their factory as it is", e);
      return factory;
    }
  }
}
