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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.fallback.NewWal;
import io.github.hybridhbase.wal.fallback.WalFallbacks;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state of one server, {@code host,port,startcode}, that its WAL providers, writers and
 * coprocessor share. After the last provider closes, fallback retries and failover stop.
 *
 * <p>Thread-safe. Looked up for each opened file, never per append.
 */
@InterfaceAudience.Private
public final class HybridServer {
  private static final Logger LOG = LoggerFactory.getLogger(HybridServer.class);

  /** Guards itself and all sets of providers. */
  private static final Map<String, HybridServer> SERVERS = new HashMap<>();

  private final String name;

  /** By file name without the roll's number. */
  private final Map<String, OpenLog> logs = new ConcurrentHashMap<>();

  private final LogOnChange logged = new LogOnChange();
  private final WalFallbacks fallbacks = new WalFallbacks(this::roll);
  private final Set<WALProvider> providers = ConcurrentHashMap.newKeySet();
  private volatile HybridSettings settings;
  private volatile WriterCheck check;

  private HybridServer(String name) {
    this.name = name;
  }

  public static HybridServer enter(String name, WALProvider provider) {
    synchronized (SERVERS) {
      HybridServer server = SERVERS.get(name);
      if (server == null) {
        server = new HybridServer(name);
        server.fallbacks.begin();
        HybridMetrics.get().excluding(name, server.fallbacks::excludedSince);
        SERVERS.put(name, server);
      }
      server.providers.add(provider);
      return server;
    }
  }

  /** Idempotent, throws nothing. */
  public void leave(WALProvider provider) {
    synchronized (SERVERS) {
      if (!providers.remove(provider) || !providers.isEmpty()) {
        return;
      }
      SERVERS.remove(name);
    }
    fallbacks.end();
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

  void settings(HybridSettings read) {
    settings = read;
  }

  /**
   * @param conf read if the server has no provider of the plugin
   */
  HybridSettings settings(Configuration conf) {
    HybridSettings known = settings;
    return known != null ? known : HybridSettings.read(conf);
  }

  public LogOnChange logged() {
    return logged;
  }

  WalFallbacks fallbacks() {
    return fallbacks;
  }

  OpenLog log(Path file) {
    return logs.computeIfAbsent(WalFiles.log(file), OpenLog::new);
  }

  /**
   * @param ownProvider false for that of a group or of hbase:meta
   */
  synchronized WriterCheck check(
      Configuration conf, HybridSettings wanted, boolean master, boolean ownProvider) {
    if (check == null) {
      check = new WriterCheck(name, conf, wanted, master, ownProvider);
    }
    return check;
  }

  /**
   * Records a file whose header is acknowledged.
   *
   * @param seesMedia whether its output names its replicas
   */
  void opened(NewWal wal, DatanodeInfo[] pipeline, boolean hsync, boolean seesMedia) {
    OpenLog log = log(wal.path);
    log.media = Pipeline.media(pipeline);
    log.opened(wal.path, System.nanoTime());
    if (check != null) {
      check.opened(seesMedia);
    }
    if (!providers.isEmpty()) {
      int onSsd = Collections.frequency(log.media, StorageType.SSD);
      OpenWal open = new OpenWal(onSsd, log.media.size(), wal.replication, hsync);
      HybridMetrics.get().wals().opened(name, log.name, open);
    }
  }

  /** Logs whether a log's syncs are hsyncs under {@code auto}, if that changed. */
  void durable(NewWal wal, boolean forced) {
    OpenLog log = log(wal.path);
    if (log.isNews(forced)) {
      HybridMetrics.get().wals().durable(log.name, forced);
      LOG.info(
          "The syncs of the WAL {} are now {} (hbase.hybrid.wal.hsync=auto)",
          log.name,
          forced
              ? "hsyncs: all replicas are on SSD"
              : "as hbase.wal.hsync says: not every replica is known to be on SSD");
    }
  }

  /** Never blocks. */
  private void roll(BiPredicate<OpenLog, Path> which) {
    for (WALProvider provider : providers) {
      for (WAL wal : provider.getWALs()) {
        if (wal instanceof AbstractFSWAL) {
          Path file = ((AbstractFSWAL<?>) wal).getCurrentFileName();
          if (file != null && which.test(log(file), file)) {
            ((AbstractFSWAL<?>) wal).requestLogRoll();
          }
        }
      }
    }
  }
}
