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

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.StartCheck;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.PluginVersion;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.fallback.HybridServer;
import io.github.hybridhbase.wal.fallback.OpenDeadline;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseInterfaceAudience;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A {@link WALProvider}, named by {@code hbase.wal.provider}, whose writers create WALs under
 * {@code hbase.hybrid.wal.policy}, in the master's local store under {@code
 * hbase.hybrid.master.policy}. It hands out the WALs of HBase's own provider, unwrapped; without
 * storage policies it behaves like that one.
 *
 * <p>It never creates {@code WALs/<server>}: HBase takes its absence as proof that no other server
 * writes there (HBASE-29797).
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

  private Configuration conf;

  /**
   * @throws IOException if the delegate cannot be created; in {@code hbase.hybrid.mode=require}
   *     also if the placement cannot hold
   */
  @Override
  public void init(WALFactory factory, Configuration given, String providerId, Abortable abortable)
      throws IOException {
    if (delegate != null) {
      throw new IllegalStateException("WALProvider.init should only be called once.");
    }
    HybridSettings settings = HybridSettings.read(given);
    WALProvider made = DelegateProvider.stock(settings.get(HybridKeys.WAL_DELEGATE), given);
    boolean own = providerId == null;
    if (!settings.mode().places()) {
      if (own && HybridKeys.MODE.problem(given).isPresent()) {
        StartCheck.log(settings, new LogOnChange());
      }
      made.init(factory, given, providerId, abortable);
      delegate = made;
      return;
    }
    PluginVersion.announce(settings.declared());
    conf = given;
    Component component = HybridServer.component(conf);
    boolean master = component == Component.MASTER;
    // A tool, or on HBase 2 a master for its local store, has nothing to abort; the provider of a
    // group, or of hbase:meta, is created while the server runs.
    boolean serves = abortable != null || master;
    if (serves) {
      // The server's regions, or the master's own, open with this configuration. By name, since
      // this package must not import tier.
      conf.setIfUnset(ENGINE_KEY, ENGINE);
    }
    server = HybridServer.enter(factory.getFactoryId(), this);
    try {
      StartCheck.log(settings, server.logged);
      if (settings.mode() == Mode.REQUIRE && serves && own) {
        Path root = CommonFSUtils.getWALRootDir(conf);
        new StartCheck(conf, settings).require(component, root.getFileSystem(conf), root);
      }
      DelegateProvider.init(made, factory, conf, providerId, abortable);
      if (own && abortable != null && !master) {
        DelegateProvider.prepareSplits(conf, factory.getFactoryId());
      }
      made.addWALActionsListener(new ArchiveDelay(conf, Clock.SYSTEM));
      made.addWALActionsListener(new WalMeter());
      delegate = made;
    } catch (IOException | RuntimeException | Error e) {
      server.leave(this);
      throw e;
    }
  }

  @Override
  public List<WAL> getWALs() {
    WALProvider made = delegate;
    return made == null ? List.of() : made.getWALs();
  }

  @Override
  public WAL getWAL(RegionInfo region) throws IOException {
    WAL wal = delegate.getWAL(region);
    if (server != null) {
      server.check(conf);
    }
    return wal;
  }

  @Override
  public void shutdown() throws IOException {
    leave();
    if (delegate != null) {
      delegate.shutdown();
    }
  }

  @Override
  public void close() throws IOException {
    leave();
    if (delegate != null) {
      delegate.close();
    }
  }

  /** Also of a provider whose {@link #init} failed. */
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
   * Counts one provider's appends and syncs. With several groups a sync counts on the medium of the
   * file opened last. No lock, allocation or RPC; throws nothing.
   */
  static final class WalMeter implements WALActionsListener {
    private final WalMetrics metrics = HybridMetrics.get().wals();

    private final AtomicLong edits = new AtomicLong();

    private volatile OpenWal current = OpenWal.UNKNOWN;

    @Override
    public void postLogRoll(Path oldPath, Path newPath) {
      if (newPath != null) {
        String server = newPath.getParent().getName();
        Failures.guarded(
            "A WAL is not counted on its medium.",
            () -> current = metrics.rolled(server, WalFiles.log(newPath)));
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
      // after a roll HBase's own sync is empty
      if (since > 0 || handlerSyncs > 0) {
        metrics.synced(current, nanos, since);
      }
    }
  }

  /**
   * Delays the archiving of a WAL while the NameNode does not take writes, because HBase aborts the
   * server if archiving fails ({@code AbstractFSWAL.archive}). Blocks the WAL's archiving thread
   * for at most {@value #MOST_MINUTES} minutes, and never once the WAL is being closed. One
   * NameNode call per archived WAL.
   */
  static class ArchiveDelay implements WALActionsListener {
    static final int MOST_MINUTES = 10;

    private final Configuration conf;
    private final Clock clock;
    private volatile boolean closing;

    ArchiveDelay(Configuration conf, Clock clock) {
      this.conf = conf;
      this.clock = clock;
    }

    @Override
    public void preLogArchive(Path from, Path to) {
      try {
        OpenDeadline limit = new OpenDeadline(from, TimeUnit.MINUTES.toMillis(MOST_MINUTES), clock);
        while (!closing && limit.nanosLeft() > 0 && !isArchivable(from)) {
          limit.pause("unavailable or in safe mode");
        }
      } catch (IOException | RuntimeException | LinkageError e) {
        LOG.debug("{} is archived at once", from, e); // an exception would abort the server
      }
    }

    private boolean isArchivable(Path wal) {
      try {
        return takesWrites(wal);
      } catch (IOException e) {
        return false;
      }
    }

    /** True if nothing is known, or it is not HDFS. */
    boolean takesWrites(Path wal) throws IOException {
      Optional<StorageNamespace> hdfs = StorageNamespace.of(wal.getFileSystem(conf));
      return hdfs.isEmpty() || hdfs.get().takesWrites();
    }

    @Override
    public void logCloseRequested() {
      closing = true;
    }
  }
}
