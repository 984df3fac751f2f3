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

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.WalFallback;
import io.github.hybridhbase.wal.fallback.WalOpener;
import io.github.hybridhbase.wal.fallback.WalOutput;
import java.io.IOException;
import java.util.Collections;
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
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one server, {@code host,port,startcode}, that its WAL providers, writers and
 * coprocessor share: its logs, and the {@link WalFallback} of each of its WAL directories. After
 * the last provider closes, no WAL is rolled any more.
 *
 * <p>Thread-safe. Looked up for each opened file, never per append.
 */
@InterfaceAudience.Private
public final class HybridServer {
  private static final Logger LOG = LoggerFactory.getLogger(HybridServer.class);

  private static final String WAL_POLICY = HConstants.WAL_STORAGE_POLICY;

  /** Guards itself and all sets of providers. */
  private static final Map<String, HybridServer> SERVERS = new HashMap<>();

  private final String name;

  /** By file name without the roll's number. */
  private final Map<String, OpenLog> logs = new ConcurrentHashMap<>();

  /** By directory of WALs. */
  private final Map<Path, WalFallback> fallbacks = new ConcurrentHashMap<>();

  private final LogOnChange logged = new LogOnChange();
  private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hybrid-wal-retry");
  private final FailFastClient clients = new FailFastClient();
  private final Set<WALProvider> providers = ConcurrentHashMap.newKeySet();
  private volatile WriterCheck check;

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
    if (check != null) {
      check.end();
    }
  }

  /** Empty without a provider of the plugin. */
  public static Optional<HybridServer> of(String name) {
    synchronized (SERVERS) {
      return Optional.ofNullable(SERVERS.get(name));
    }
  }

  /** Another one for each file if the server has ended. */
  static HybridServer of(Path wal) {
    String name = wal.getParent().getName();
    return of(name).orElseGet(() -> new HybridServer(name));
  }

  public LogOnChange logged() {
    return logged;
  }

  FailFastClient clients() {
    return clients;
  }

  private OpenLog log(Path file) {
    return logs.computeIfAbsent(WalFiles.log(file), OpenLog::new);
  }

  /**
   * Null if HBase's own writer should open the file: no storage policies, a file outside our WAL
   * root, or a component not for SSD.
   */
  WalOpener opener(Configuration conf, NewWal wal, WalOutput output) {
    try {
      WalFallback fallback = fallback(conf, wal.fs, wal.path.getParent(), wal.replication);
      if (fallback == null) {
        return null;
      }
      HybridSettings settings = HybridSettings.read(conf);
      int ssdMillis = (int) settings.get(HybridKeys.SSD_FALLBACK_TIMEOUT).toMillis();
      return new WalOpener(conf, wal, log(wal.path), fallback, ssdMillis, clients, output);
    } catch (IOException | RuntimeException | LinkageError e) {
      Failures.swallowed(
          "A WAL is opened by HBase's own writer and cannot fall back from SSD to DISK, so the"
              + " server aborts if SSD refuses it.",
          e);
      return null;
    }
  }

  /** Of the server's own WALs; null if they are not for SSD. */
  WalFallback fallback(Configuration conf, FileSystem fs, int replication) throws IOException {
    return fallback(conf, fs, directory(conf), replication);
  }

  private Path directory(Configuration conf) throws IOException {
    Path wals = new Path(CommonFSUtils.getWALRootDir(conf), HConstants.HREGION_LOGDIR_NAME);
    return new Path(wals, name);
  }

  private WalFallback fallback(Configuration conf, FileSystem fs, Path directory, int replication)
      throws IOException {
    WalFallback known = fallbacks.get(fs.makeQualified(directory));
    if (known != null) {
      return known; // each roll comes here
    }
    Path ours = fs.makeQualified(directory(conf));
    HybridSettings declared = HybridSettings.read(conf);
    boolean master = Layout.isMasters(CommonFSUtils.getWALRootDir(conf));
    StoragePolicy policy = declared.policy(master ? Component.MASTER : Component.WAL);
    Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
    if (namespace.isEmpty()
        || !ours.equals(fs.makeQualified(directory))
        || !declared.mode().places()
        || !policy.wantsSsd()
        // HBase's own key wins.
        || StoragePolicy.HOT.name().equalsIgnoreCase(conf.getTrimmed(WAL_POLICY, ""))) {
      return null;
    }
    return fallbacks.computeIfAbsent(
        ours,
        path ->
            new WalFallback(
                path,
                namespace.get(),
                policy,
                replication,
                declared,
                Clock.SYSTEM,
                timer,
                this::roll));
  }

  /** When each DataNode that the server's WALs exclude stalled. */
  private Map<String, String> excludedSince() {
    Map<String, String> since = new TreeMap<>();
    fallbacks.values().forEach(fallback -> since.putAll(fallback.stalled.since()));
    return since;
  }

  /**
   * @param own false for the provider of a group or of hbase:meta
   */
  synchronized WriterCheck check(Configuration conf, boolean master, boolean own) {
    if (check == null) {
      check = new WriterCheck(name, conf, master, own);
    }
    return check;
  }

  /** Records a file whose header is acknowledged. */
  void opened(NewWal wal, DatanodeInfo[] pipeline, boolean hsync) {
    OpenLog log = log(wal.path);
    log.opened(wal.path, System.nanoTime());
    if (check != null) {
      check.opened(wal.fs);
    }
    if (!providers.isEmpty()) {
      List<StorageType> media = Pipeline.media(pipeline);
      int onSsd = Collections.frequency(media, StorageType.SSD);
      OpenWal open = new OpenWal(onSsd, media.size(), wal.replication, hsync);
      HybridMetrics.get().wals().opened(name, log.name, open);
    }
  }

  /** Records, and logs if that changed, whether a log's syncs are hsyncs under {@code auto}. */
  void durable(NewWal wal, boolean forced) {
    String log = WalFiles.log(wal.path);
    HybridMetrics.get().wals().durable(log, forced);
    String syncs = forced ? "hsyncs" : "as hbase.wal.hsync says";
    if (logged.changed(log, syncs)) {
      LOG.info("Syncs of {}, by hbase.hybrid.wal.hsync=auto and its media: {}", log, syncs);
    }
  }

  /** Never blocks. */
  private void roll(Predicate<OpenLog> which) {
    for (WALProvider provider : providers) {
      for (WAL wal : provider.getWALs()) {
        if (wal instanceof AbstractFSWAL) {
          Path file = ((AbstractFSWAL<?>) wal).getCurrentFileName();
          if (file != null && which.test(log(file))) {
            ((AbstractFSWAL<?>) wal).requestLogRoll();
          }
        }
      }
    }
  }
}
