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
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.config.WalDelegate;
import io.github.hybridhbase.directory.FlushFallback;
import io.github.hybridhbase.directory.ServerPlacement;
import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.metrics.Failures;
import io.github.hybridhbase.metrics.PluginVersion;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.wal.fallback.WalFallbackRegistry;
import io.github.hybridhbase.wal.sync.SyncMetrics;
import io.github.hybridhbase.wal.sync.WalSyncStats;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Places the write-ahead logs, then gets out of the way: {@code hbase.wal.provider} set to this
 * class gives a server the WALs of HBase's own provider, unwrapped, written on the storage policy
 * {@code hbase.hybrid.wal.policy}.
 *
 * <p>HBase makes a provider in three places, each before the first file of its kind is written:
 *
 * <table>
 *   <caption>Scope</caption>
 *   <tr><th>where</th><th>what is placed</th></tr>
 *   <tr><td>RegionServer, at start</td><td>{@code WALs}, which every server's directory inherits</td></tr>
 *   <tr><td>RegionServer, for hbase:meta</td><td>nothing: it lies in the same directory</td></tr>
 *   <tr><td>active master, for its local store</td><td>{@code MasterData} below both roots</td></tr>
 * </table>
 *
 * <p>It never creates {@code WALs} or {@code WALs/<server>}: HBase takes the absence of the latter
 * for proof that no other server writes there (HBASE-29797). On a file system without storage
 * policies, and with {@code hbase.hybrid.mode=off}, it behaves as the delegate does.
 *
 * <p>Configuration to paste:
 *
 * <pre>{@code
 * <property>
 *   <name>hbase.wal.provider</name>
 *   <value>io.github.hybridhbase.wal.HybridWALProvider</value>
 * </property>
 * }</pre>
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridWALProvider implements WALProvider {
  private static final Logger LOG = LoggerFactory.getLogger(HybridWALProvider.class);

  /** Providers in use, so that a WAL can be asked to roll; each leaves with its close. */
  private static final Set<HybridWALProvider> LIVE = ConcurrentHashMap.newKeySet();

  private WALProvider delegate;
  private WALActionsListener masterStore;
  private WALActionsListener delay;
  private WriterWatch watch;

  /**
   * Places the directory that this provider's WALs are written in, and makes the delegate.
   *
   * @throws IOException where the delegate cannot be made, or in {@code hbase.hybrid.mode=require}
   *     where the placement cannot hold, or the WALs' writers cannot do what is asked of them
   */
  @Override
  public void init(WALFactory factory, Configuration conf, String providerId, Abortable abortable)
      throws IOException {
    if (delegate != null) {
      throw new IllegalStateException("WALProvider.init should only be called once.");
    }
    HybridSettings settings = HybridSettings.read(conf);
    if (settings.mode() != Mode.OFF) {
      PluginVersion.announce();
      place(conf, settings, providerId);
    }
    WALProvider made = delegate(settings.delegate(), conf);
    if (settings.mode() == Mode.OFF) {
      made.init(factory, conf, providerId, abortable);
    } else {
      if (WalSyncStats.bound() == WalSyncStats.NONE) {
        WalSyncStats.bind(new SyncMetrics());
      }
      WriterChoice choice = WriterChoice.of(made, factory, conf, settings, abortable);
      refuse(settings, choice.facts(), providerId);
      choice.init(made, providerId, abortable);
      boolean own = providerId == null;
      watch = WriterWatch.start(factory.getFactoryId(), choice.facts(), settings.mode(), own);
      if (own && WriterChoice.needsSyncOnClose(conf, settings)) {
        LOG.info(
            "hbase.hybrid.wal.hsync=auto: a WAL of asyncfs that was just rolled outlives a power cut"
                + " of all replicas only with dfs.datanode.synconclose=true on the DataNodes;"
                + " 'hybrid doctor' looks whether it is.");
      }
    }
    if (masterStore != null) {
      made.addWALActionsListener(masterStore);
    }
    if (delay != null) {
      made.addWALActionsListener(delay);
    }
    delegate = made;
    FailFastClient.acquire();
    LIVE.add(this);
    WalFallbackRegistry.rollBy(HybridWALProvider::roll);
  }

  /**
   * In {@code require}: writers that cannot do what is asked of them keep the server from starting.
   */
  private static void refuse(HybridSettings settings, WriterFacts facts, String providerId)
      throws IOException {
    Optional<String> refusal = WriterStatus.of(facts).refusal();
    if (settings.mode() == Mode.REQUIRE && providerId == null && refusal.isPresent()) {
      throw new IOException(refusal.get());
    }
  }

  /** Asks for a roll of every WAL in this directory; the roller does it later. Never blocks. */
  public static void roll(Path directory) {
    for (HybridWALProvider provider : LIVE) {
      for (WAL wal : provider.getWALs()) {
        if (wal instanceof AbstractFSWAL && directory.equals(directoryOf((AbstractFSWAL<?>) wal))) {
          ((AbstractFSWAL<?>) wal).requestLogRoll();
        }
      }
    }
  }

  private static Path directoryOf(AbstractFSWAL<?> wal) {
    Path file = wal.getCurrentFileName();
    return file == null ? null : file.getParent();
  }

  /** Runs the end of the delegate; then nobody looks after its WALs any more. */
  private void end(Closing closing) throws IOException {
    boolean first = LIVE.remove(this);
    Set<Path> directories = new HashSet<>();
    for (WAL wal : delegate.getWALs()) {
      if (wal instanceof AbstractFSWAL) {
        Path directory = directoryOf((AbstractFSWAL<?>) wal);
        if (directory != null) {
          directories.add(directory);
        }
      }
    }
    try {
      closing.run();
    } finally {
      directories.forEach(WalFallbackRegistry::close);
      if (first) {
        FailFastClient.release();
        if (watch != null) {
          watch.stop();
        }
      }
    }
  }

  /** How the delegate ends. */
  private interface Closing {
    void run() throws IOException;
  }

  private void place(Configuration conf, HybridSettings settings, String providerId)
      throws IOException {
    try {
      ServerPlacement placement = ServerPlacement.of(conf, settings);
      Layout layout = placement.layout();
      delay =
          HdfsNamespace.of(layout.walRoot().getFileSystem(conf))
              .map(hdfs -> new ArchiveDelay(hdfs, System::nanoTime, ArchiveDelay.PAUSE_MILLIS))
              .orElse(null);
      boolean master = layout.walRoot().getName().equals(Layout.MASTER_DATA);
      // The master hands its local store's directories to the provider as the roots.
      List<DirectoryRule> rules =
          master
              ? new Layout(layout.root().getParent(), layout.walRoot().getParent())
                  .masterRules(settings)
              : layout.walRules(settings);
      if (master && providerId == null) {
        masterStore = new MasterStoreWatch(new FlushFallback(placement, rules));
        placement.startMaster(rules);
      } else if (providerId == null) {
        placement.start(rules);
      } else if (!AbstractFSWALProvider.META_WAL_PROVIDER_ID.equals(providerId)) {
        // A group's provider, made while the server runs: too late to refuse. hbase:meta's needs
        // nothing: it comes when the server's own has placed the directory, and must not wait.
        placement.place(rules);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      if (settings.mode() == Mode.REQUIRE && providerId == null) {
        throw e;
      }
      Failures.swallowed(
          "Could not place the write-ahead logs; they are written where HDFS puts them.", e);
    }
  }

  private static WALProvider delegate(WalDelegate wanted, Configuration conf) {
    switch (wanted) {
      case FILESYSTEM:
        return new FSHLogProvider();
      case MULTIWAL:
        if (groupsWithUs(conf)) {
          LOG.error(
              "hbase.hybrid.wal.delegate=multiwal and {}={} name each other; asyncfs is used."
                  + " Remove one of the two.",
              RegionGroupingProvider.DELEGATE_PROVIDER,
              HybridWALProvider.class.getName());
          return async();
        }
        return new RegionGroupingProvider();
      default:
        return async();
    }
  }

  /** Whether a multiwal delegate would make this class again for each of its groups, for ever. */
  private static boolean groupsWithUs(Configuration conf) {
    return HybridWALProvider.class
        .getName()
        .equals(conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER));
  }

  /** HBase falls back the same way ({@code WALFactory.getProviderClass}). */
  private static WALProvider async() {
    if (AsyncFSWALProvider.load()) {
      return new AsyncFSWALProvider();
    }
    LOG.warn("AsyncFSWALProvider does not load on this Hadoop; FSHLogProvider is used instead");
    return new FSHLogProvider();
  }

  @Override
  public List<WAL> getWALs() {
    return delegate.getWALs();
  }

  @Override
  public WAL getWAL(RegionInfo region) throws IOException {
    WAL wal = delegate.getWAL(region);
    if (watch != null) {
      watch.handedOut();
    }
    return wal;
  }

  @Override
  public void shutdown() throws IOException {
    if (delegate != null) {
      end(delegate::shutdown);
    }
  }

  @Override
  public void close() throws IOException {
    if (delegate != null) {
      end(delegate::close);
    }
  }

  @Override
  public long getNumLogFiles() {
    return delegate.getNumLogFiles();
  }

  @Override
  public long getLogFileSize() {
    return delegate.getLogFileSize();
  }

  @Override
  public void addWALActionsListener(WALActionsListener listener) {
    delegate.addWALActionsListener(listener);
  }
}
