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

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.runtime.Backoff.Jitter;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WALProvider} that places the write-ahead logs on {@code hbase.hybrid.wal.policy} and
 * then returns the WALs of HBase's own provider, unwrapped.
 *
 * <p>HBase creates a provider in these places, each before the first file of its kind:
 *
 * <table>
 *   <caption>Scope</caption>
 *   <tr><th>creator</th><th>directory to place</th></tr>
 *   <tr><td>RegionServer, at start</td><td>{@code WALs}, which every server's directory inherits</td></tr>
 *   <tr><td>RegionServer, for hbase:meta</td><td>none: hbase:meta uses the same directory</td></tr>
 *   <tr><td>a tool ({@code ReplicationSyncUp})</td><td>nothing</td></tr>
 *   <tr><td>active master, for its local store</td><td>{@code MasterData} below both roots</td></tr>
 * </table>
 *
 * <p>It never creates {@code WALs} or {@code WALs/<server>}: HBase takes the absence of the latter
 * as proof that no other server writes there (HBASE-29797). Without storage policies, and with
 * {@code hbase.hybrid.mode} off or observe, it behaves like the delegate. With canary each WAL is
 * created for SSD, and no directory is placed.
 *
 * <p>Named by {@code hbase.wal.provider}.
 */
@InterfaceAudience.LimitedPrivate(HBaseInterfaceAudience.CONFIG)
public class HybridWALProvider implements WALProvider {
  private static final Logger LOG = LoggerFactory.getLogger(HybridWALProvider.class);

  /** {@code StoreEngine.STORE_ENGINE_CLASS_KEY}. */
  static final String ENGINE_KEY = "hbase.hstore.engine.class";

  static final String ENGINE = "io.github.hybridhbase.tier.HybridStoreEngine";

  /** Null until initialised. */
  private volatile WALProvider delegate;

  /** Null if HBase's own writers are in force. */
  private HybridServer server;

  private WALActionsListener delay;
  private WriterWatch watch;

  /**
   * Places the WAL directory and creates the delegate.
   *
   * @throws IOException if the delegate cannot be created; in {@code hbase.hybrid.mode=require}
   *     also if the placement cannot hold
   */
  @Override
  public void init(WALFactory factory, Configuration conf, String providerId, Abortable abortable)
      throws IOException {
    if (delegate != null) {
      throw new IllegalStateException("WALProvider.init should only be called once.");
    }
    HybridSettings settings = HybridSettings.read(conf);
    if (settings.mode() != Mode.OFF) {
      PluginVersion.announce(settings.declared());
    }
    if (!writes(conf, settings)) {
      boolean metas = AbstractFSWALProvider.META_WAL_PROVIDER_ID.equals(providerId);
      if (settings.mode().observes() && !metas && !isMasters(conf)) {
        ServerPlacement.logSettings(settings, new LogOnChange());
      }
      WALProvider made = DelegateProvider.stock(settings.delegate(), conf);
      made.init(factory, conf, providerId, abortable);
      if (settings.mode() != Mode.OFF) {
        made.addWALActionsListener(new WalMeter());
      }
      delegate = made;
      return;
    }
    if (settings.mode().places() && (abortable != null || isMasters(conf))) {
      // The regions of this server, or the master's own, are opened with this configuration; a
      // tool (ReplicationSyncUp) opens none. By name: this package knows no tier.
      conf.setIfUnset(ENGINE_KEY, ENGINE);
    }
    server = HybridServer.enter(factory.getFactoryId(), this);
    server.settings(settings);
    try {
      place(conf, settings, providerId, abortable == null);
      delegate = make(factory, conf, settings, providerId, abortable);
    } catch (IOException | RuntimeException | Error e) {
      server.leave(this);
      throw e;
    }
  }

  private static boolean writes(Configuration conf, HybridSettings settings) {
    return isMasters(conf) ? settings.mode().places() : settings.mode().placesOwnWals();
  }

  private static boolean isMasters(Configuration conf) {
    return Layout.MASTER_DATA.equals(
        conf.get(HConstants.HBASE_DIR, "").replaceAll("/+$", "").replaceAll(".*/", ""));
  }

  private WALProvider make(
      WALFactory factory,
      Configuration conf,
      HybridSettings settings,
      String providerId,
      Abortable abortable)
      throws IOException {
    DelegateProvider made = DelegateProvider.of(factory, conf, settings, abortable);
    WALProvider provider = made.init(providerId, abortable);
    boolean own = providerId == null;
    if (own && abortable != null && !isMasters(conf)) {
      DelegateProvider.prepareSplits(conf, factory.getFactoryId());
    }
    watch = server.watch(conf, settings, isMasters(conf), own);
    if (own && WriterKind.needsSyncOnClose(conf, settings)) {
      LOG.info(
          "hbase.hybrid.wal.hsync=auto: a WAL of asyncfs that was just rolled survives a power cut"
              + " of all replicas only with dfs.datanode.synconclose=true on the DataNodes. Set it"
              + " there if acknowledged rows must survive that; 'hbase-hybrid doctor' checks it.");
    }
    if (delay != null) {
      provider.addWALActionsListener(delay);
    }
    provider.addWALActionsListener(new WalMeter());
    return provider;
  }

  /**
   * @param nobodyToAbort whether a tool made the factory ({@code ReplicationSyncUp}), or a master
   *     for its local store on HBase 2
   */
  private void place(
      Configuration conf, HybridSettings settings, String providerId, boolean nobodyToAbort)
      throws IOException {
    try {
      ServerPlacement placement = ServerPlacement.of(conf, settings, server.logged());
      Layout layout = placement.layout();
      delay =
          HdfsNamespace.of(layout.walRoot().getFileSystem(conf))
              .map(hdfs -> new ArchiveDelay(hdfs, System::nanoTime, ArchiveDelay.PAUSE_MILLIS))
              .orElse(null);
      boolean master = Layout.isMasters(layout.walRoot());
      // The master passes its local store's directories as the roots.
      List<DirectoryRule> rules =
          master
              ? new Layout(layout.root().getParent(), layout.walRoot().getParent())
                  .masterRules(settings)
              : layout.walRules(settings);
      if (settings.mode() == Mode.CANARY) {
        placement.logSettings();
        LOG.info(
            "hbase.hybrid.mode=canary: the plugin creates only this server's own WALs for SSD; "
                + "the rest of the cluster is as without the plugin. To end the trial, set "
                + "hbase.hybrid.mode=off and restart this server.");
        return;
      }
      if (nobodyToAbort && !master) {
        LOG.info(
            "This process is a tool that creates a WALFactory, such as ReplicationSyncUp: the "
                + "plugin sets no storage policy for it. Nothing to do.");
        return;
      }
      if (!master) {
        placement = placement.ofRegionServer();
      }
      if (master && providerId == null) {
        placement.startMaster(rules);
      } else if (providerId == null && settings.mode() == Mode.REQUIRE) {
        placement.start(rules);
      } else if (providerId == null) {
        ServerPlacement own = placement;
        server.place(() -> own.start(rules));
      } else if (!AbstractFSWALProvider.META_WAL_PROVIDER_ID.equals(providerId)) {
        // A group's provider is created while the server runs, too late to refuse. hbase:meta's
        // needs nothing: the server's own has placed the directory.
        placement.place(rules);
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      if (settings.mode() == Mode.REQUIRE && providerId == null) {
        throw e;
      }
      Failures.swallowed(HybridServer.NOT_PLACED, e);
    }
  }

  @Override
  public List<WAL> getWALs() {
    WALProvider made = delegate;
    return made == null ? List.of() : made.getWALs();
  }

  @Override
  public WAL getWAL(RegionInfo region) throws IOException {
    if (server != null) {
      server.awaitPlaced();
    }
    WAL wal = delegate.getWAL(region);
    if (watch != null) {
      watch.handedOut();
    }
    return wal;
  }

  @Override
  public void shutdown() throws IOException {
    try {
      if (delegate != null) {
        delegate.shutdown();
      }
    } finally {
      leave();
    }
  }

  @Override
  public void close() throws IOException {
    try {
      if (delegate != null) {
        delegate.close();
      }
    } finally {
      leave();
    }
  }

  private void leave() {
    if (server != null) {
      server.leave(this);
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

  /**
   * A listener that counts appends and syncs of one provider's WALs, as {@code MetricsWAL} does.
   * With several groups a sync counts on the medium of the file opened last. No lock, allocation or
   * RPC; throws nothing.
   */
  static final class WalMeter implements WALActionsListener {
    private final WalMetrics metrics = HybridMetrics.get().wals();

    private final AtomicLong edits = new AtomicLong();

    private volatile OpenWal current = OpenWal.UNKNOWN;

    @Override
    public void postLogRoll(Path oldPath, Path newPath) {
      try {
        if (newPath != null) {
          String log = WalFiles.log(newPath);
          current = metrics.rolled(newPath.getParent().getName(), log);
        }
      } catch (RuntimeException e) {
        Failures.swallowed("A WAL is not counted on its medium.", e);
      }
    }

    @Override
    public void postAppend(long entryLen, long elapsedMillis, WALKey key, WALEdit edit) {
      edits.incrementAndGet();
      metrics.appended(current, entryLen);
    }

    @Override
    public void postSync(long nanos, int handlerSyncs) {
      long since = edits.getAndSet(0);
      // An empty sync is HBase's own, after a roll.
      if (since > 0 || handlerSyncs > 0) {
        metrics.synced(current, nanos, since);
      }
    }
  }

  /**
   * A listener that delays the archiving of a WAL while the NameNode is in safe mode or not
   * responding, because HBase aborts the server if archiving fails ({@code AbstractFSWAL.archive}).
   *
   * <p>Blocks the WAL's archiving thread for at most {@value #MOST_MINUTES} minutes, and never once
   * the WAL is being closed. One NameNode call for each archived WAL.
   */
  static final class ArchiveDelay implements WALActionsListener {
    private static final Logger LOG = LoggerFactory.getLogger(ArchiveDelay.class);

    static final int MOST_MINUTES = 10;

    static final long PAUSE_MILLIS = 500;

    private final StorageNamespace namespace;
    private final LongSupplier clock;
    private final long pauseMillis;
    private final Jitter jitter = Jitter.random();
    private volatile boolean closing;

    /**
     * @param clock nanoseconds, as {@link System#nanoTime()}
     */
    ArchiveDelay(StorageNamespace namespace, LongSupplier clock, long pauseMillis) {
      this.namespace = namespace;
      this.clock = clock;
      this.pauseMillis = pauseMillis;
    }

    @Override
    public void preLogArchive(Path from, Path to) throws IOException {
      long start = clock.getAsLong();
      boolean logged = false;
      while (!closing && !takesWrites()) {
        if (clock.getAsLong() - start > TimeUnit.MINUTES.toNanos(MOST_MINUTES)) {
          LOG.warn(
              "The NameNode still takes no writes after {} minutes: the WAL {} is archived"
                  + " nonetheless, and HBase aborts the server if that fails. Let the NameNode"
                  + " leave safe mode.",
              MOST_MINUTES,
              from);
          return;
        }
        if (!logged) {
          LOG.warn(
              "The NameNode takes no writes (safe mode, or unavailable): the WAL {} is archived"
                  + " once it does, at the latest after {} minutes, so that HBase does not abort"
                  + " the server. Let the NameNode leave safe mode.",
              from,
              MOST_MINUTES);
          logged = true;
        }
        if (!pause()) {
          return;
        }
      }
    }

    private boolean pause() {
      try {
        // Jitter, since all servers wait for the same NameNode.
        TimeUnit.MILLISECONDS.sleep(jitter.cut(pauseMillis));
        return true;
      } catch (InterruptedException e) {
        // An exception from here would abort the server.
        Thread.currentThread().interrupt();
        return false;
      }
    }

    private boolean takesWrites() {
      try {
        return namespace.takesWrites();
      } catch (IOException e) {
        LOG.debug("The NameNode does not say whether it takes writes", e);
        return false;
      } catch (RuntimeException | LinkageError e) {
        LOG.debug("Not known whether the NameNode takes writes", e);
        return true;
      }
    }

    @Override
    public void logCloseRequested() {
      closing = true;
    }
  }
}
