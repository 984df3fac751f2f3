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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.wal.failover.OpenLog;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one server, {@code host,port,startcode}, that its WAL providers, writers and
 * coprocessor share: its logs, the {@link WalFallback} of each of its WAL directories, and what its
 * WAL writers lack. After the last provider closes, no WAL is rolled any more.
 *
 * <p>Thread-safe. Looked up for each opened file, never per append.
 */
@InterfaceAudience.Private
public final class HybridServer {
  public static final String PLUGIN = "io.github.hybridhbase.wal.HybridWALProvider";

  private static final Logger LOG = LoggerFactory.getLogger(HybridServer.class);

  private static final String WALS = HConstants.HREGION_LOGDIR_NAME;

  /** Guards itself and all sets of providers. */
  private static final Map<String, HybridServer> SERVERS = new HashMap<>();

  public final LogOnChange logged = new LogOnChange();
  public final FailFastClient clients = new FailFastClient();

  private final String name;

  /** By file name without the roll's number. */
  private final Map<String, OpenLog> logs = new ConcurrentHashMap<>();

  /** By directory of WALs. */
  private final Map<Path, WalFallback> fallbacks = new ConcurrentHashMap<>();

  private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hybrid-wal-retry");
  private final Set<WALProvider> providers = ConcurrentHashMap.newKeySet();

  /** Whether an output of the plugin's names its replicas; null if none was opened. */
  private volatile Boolean visible;

  private boolean checked;
  private WriterShortfall lacking;

  private HybridServer(String name) {
    this.name = name;
  }

  public static HybridServer enter(String name, WALProvider provider) {
    synchronized (SERVERS) {
      HybridServer server = SERVERS.computeIfAbsent(name, HybridServer::new);
      if (server.providers.isEmpty()) {
        server.clients.acquire();
        HybridMetrics.get().excluding(name, server::excludedSince);
      }
      server.providers.add(provider);
      return server;
    }
  }

  /** Idempotent, throws nothing. Open files keep their client. */
  public void leave(WALProvider provider) {
    synchronized (SERVERS) {
      if (!providers.remove(provider) || !providers.isEmpty()) {
        return;
      }
      SERVERS.remove(name);
    }
    timer.shutdown();
    clients.release();
    HybridMetrics.get().wals().ended(name);
    HybridMetrics.get().excluding(name, Map::of);
    synchronized (this) {
      checked = true; // a roll in flight may open one more file
      HybridMetrics.get().writersEnded(name);
    }
  }

  /** Empty without a provider of the plugin. */
  public static Optional<HybridServer> of(String name) {
    synchronized (SERVERS) {
      return Optional.ofNullable(SERVERS.get(name));
    }
  }

  /**
   * Another one for each file if the server has ended. Null for a file outside our directory of
   * WALs, as of synchronous replication in 3.0. Never throws.
   */
  public static HybridServer of(Configuration conf, FileSystem fs, Path wal) {
    try {
      Path directory = fs.makeQualified(wal).getParent();
      if (new Path(CommonFSUtils.getWALRootDir(conf), WALS).equals(directory.getParent())) {
        return of(directory.getName()).orElseGet(() -> new HybridServer(directory.getName()));
      }
    } catch (IOException | RuntimeException e) {
      Failures.swallowed(
          "It is unknown whose a WAL is: HBase's own writer opens it. Check hbase.wal.dir.", e);
    }
    return null;
  }

  OpenLog log(Path file) {
    return logs.computeIfAbsent(WalFiles.log(file), OpenLog::new);
  }

  /**
   * Of the server's WALs below this configuration's root. Null if HBase's own writer should open
   * them: no storage policies, or not for SSD. Never throws.
   */
  public WalFallback fallback(Configuration conf, FileSystem fs) {
    try {
      Path root = CommonFSUtils.getWALRootDir(conf);
      HybridSettings settings = HybridSettings.read(conf);
      StoragePolicy policy = settings.policy(component(conf));
      String hbases = conf.getTrimmed(HConstants.WAL_STORAGE_POLICY, "");
      Optional<StorageNamespace> hdfs = StorageNamespace.of(fs);
      if (hdfs.isEmpty()
          || !settings.mode().places()
          || !policy.wantsSsd()
          || StoragePolicy.HOT.name().equalsIgnoreCase(hbases)) { // HBase's own key wins
        return null;
      }
      return fallbacks.computeIfAbsent(
          new Path(root, WALS + Path.SEPARATOR + name),
          path -> new WalFallback(conf, path, hdfs.get(), policy, Clock.SYSTEM, timer, this::roll));
    } catch (IOException | RuntimeException | LinkageError e) {
      Failures.swallowed(
          "HBase's own writer opens a WAL, so the server aborts if SSD refuses it.", e);
      return null;
    }
  }

  /** {@link Component#MASTER} if the configuration is of the master's local store. */
  public static Component component(Configuration conf) {
    Path root = new Path("/" + conf.get(HConstants.HBASE_DIR, ""));
    return Layout.isMasters(root) ? Component.MASTER : Component.WAL;
  }

  /** When each DataNode that the server's WALs exclude stalled. */
  private Map<String, String> excludedSince() {
    Map<String, String> since = new TreeMap<>();
    fallbacks.values().forEach(fallback -> since.putAll(fallback.stalled.since()));
    return since;
  }

  /** Records a file whose header is acknowledged. */
  void opened(FileSystem fs, Path file, OpenWal wal) {
    OpenLog log = log(file);
    visible = StorageNamespace.of(fs).isPresent();
    if (!providers.isEmpty()) {
      HybridMetrics.get().wals().opened(name, log.name, wal);
    }
    log.opened(file);
  }

  /**
   * Finds out, once, what the WAL writers lack; called when a WAL's first file is open. If no
   * writer of the plugin opened it, HBase used another one.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require} if something is lacking, also for
   *     later WALs; HBase then ends the server
   */
  public synchronized void check(Configuration conf) throws IOException {
    if (!checked) {
      checked = true;
      lacking = lacking(conf, HybridSettings.read(conf));
      if (lacking != null) {
        HybridMetrics.get().writers(name, lacking);
        LOG.warn("Not in force for the WALs of {}: {}", name, lacking);
      }
    }
    if (lacking != null && HybridSettings.read(conf).mode() == Mode.REQUIRE) {
      throw new IOException(
          "hbase.hybrid.mode=require (or set prefer), and not in force: " + lacking);
    }
  }

  private WriterShortfall lacking(Configuration conf, HybridSettings settings) {
    boolean auto = settings.get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    Component component = component(conf);
    String meta = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER);
    boolean plugins = PLUGIN.equals(meta.equals("multiwal") ? groups : meta);
    boolean others = visible != null && component == Component.WAL && !meta.isEmpty() && !plugins;
    String why = visible == null ? "hbase" : others ? "meta" : auto && !visible ? "output" : "";
    if (why.isEmpty() || !auto && !settings.policy(component).wantsSsd()) {
      return null;
    }
    Object[] facts = others ? new Object[] {WALFactory.META_WAL_PROVIDER, meta} : new Object[0];
    List<String> words = FindingId.causeAndRemedy("writer." + why, facts);
    String what = why.equals("output") ? "" : "the fall-back to DISK and ";
    return new WriterShortfall(what + "hbase.hybrid.wal.hsync", words.get(0), words.get(1));
  }

  /** Never blocks. */
  private void roll(Predicate<OpenLog> which) {
    for (WALProvider provider : providers) {
      for (WAL wal : provider.getWALs()) {
        AbstractFSWAL<?> of = wal instanceof AbstractFSWAL ? (AbstractFSWAL<?>) wal : null;
        Path file = of == null ? null : of.getCurrentFileName();
        if (file != null && which.test(log(file))) {
          of.requestLogRoll();
        }
      }
    }
  }
}
