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

import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.metrics.WalMetrics.OpenWal;
import io.github.hybridhbase.wal.fallback.WalFallbacks;
import io.github.hybridhbase.wal.sync.SyncMetrics;
import io.github.hybridhbase.wal.sync.SyncStrengthLog;
import io.github.hybridhbase.wal.sync.WalSyncStats;
import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one server shares among the parts of the plugin that HBase makes by reflection, none of
 * which is told of the others. Its map of servers is the only static of the plugin that changes,
 * but for the metrics, whose registry HBase has one of in each process.
 *
 * <ul>
 *   <li>All find it by the server's name, {@code host,port,startcode}, which no other server of
 *       this process has: a WAL provider has it from its factory, a writer from the directory of
 *       its file, the master's coprocessor from its environment.
 *   <li>It is made by the first of the server's providers as that is initialised (the server's own,
 *       hbase:meta's, those of groups), and ends with the last of them that is closed. Then nobody
 *       looks after the server's WALs any more.
 *   <li>Writers of a server that has none (a site names the writer beside a provider of HBase's
 *       own) share one, which lasts as long as one of their files is open or watched over.
 * </ul>
 *
 * <p>Thread-safe. Looked up for each file that is opened, never per append.
 */
@InterfaceAudience.Private
public final class HybridServer {
  /** By name; guards itself, and which providers each server has. */
  private static final Map<String, HybridServer> SERVERS = new HashMap<>();

  /** Those without a provider, by the directory of their WALs; guarded by the other map. */
  private static final Map<Path, WeakReference<HybridServer>> WITHOUT_PROVIDER = new HashMap<>();

  private final String name;
  private final WalSyncStats syncs;
  private final SyncStrengthLog strengths;
  private final LogOnChange said = new LogOnChange();
  private final WalFallbacks fallbacks = new WalFallbacks(this::roll);
  private final Set<WALProvider> providers = ConcurrentHashMap.newKeySet();
  private volatile WriterWatch watch;

  private HybridServer(String name, WalSyncStats syncs) {
    this.name = name;
    this.syncs = syncs;
    this.strengths = new SyncStrengthLog(syncs);
  }

  /**
   * The server, to which this provider belongs from now on.
   *
   * @param syncs what its writers tell about their syncs; the first provider's counts
   */
  public static HybridServer enter(String name, WALProvider provider, WalSyncStats syncs) {
    synchronized (SERVERS) {
      HybridServer server = SERVERS.get(name);
      if (server == null) {
        server = new HybridServer(name, syncs);
        server.fallbacks.begin();
        SERVERS.put(name, server);
      }
      server.providers.add(provider);
      return server;
    }
  }

  /** A provider of the server has ended; twice does no harm. Throws nothing. */
  public void leave(WALProvider provider) {
    synchronized (SERVERS) {
      if (!providers.remove(provider) || !providers.isEmpty()) {
        return;
      }
      SERVERS.remove(name);
    }
    fallbacks.end();
    HybridMetrics.get().wals().ended(name);
    if (watch != null) {
      watch.end();
    }
  }

  /** The server of this name; empty where it has no provider of the plugin. */
  public static Optional<HybridServer> of(String name) {
    synchronized (SERVERS) {
      return Optional.ofNullable(SERVERS.get(name));
    }
  }

  /** The server that writes this WAL. */
  static HybridServer of(Path wal) {
    Path directory = wal.getParent();
    synchronized (SERVERS) {
      HybridServer known = SERVERS.get(directory.getName());
      if (known != null) {
        return known;
      }
      WITHOUT_PROVIDER.values().removeIf(reference -> reference.get() == null);
      WeakReference<HybridServer> reference = WITHOUT_PROVIDER.get(directory);
      HybridServer found = reference == null ? null : reference.get();
      if (found == null) {
        found = new HybridServer(directory.getName(), new SyncMetrics());
        WITHOUT_PROVIDER.put(directory, new WeakReference<>(found));
      }
      return found;
    }
  }

  /** What it has said of its directories. */
  public LogOnChange said() {
    return said;
  }

  WalFallbacks fallbacks() {
    return fallbacks;
  }

  WalSyncStats syncs() {
    return syncs;
  }

  SyncStrengthLog strengths() {
    return strengths;
  }

  /**
   * What watches over its writers, as one more provider is initialised; the first one's arguments
   * count.
   *
   * @param ownProvider whether that is the server's own, not one of a group or of hbase:meta
   */
  WriterWatch watch(WriterFacts facts, Mode mode, boolean ownProvider) {
    synchronized (this) {
      if (watch == null) {
        watch = new WriterWatch(name, facts, mode, ownProvider);
      }
    }
    watch.tell();
    return watch;
  }

  /**
   * A writer of the plugin has opened a file of this server.
   *
   * @param unknownOutput class of its output where that does not tell its pipeline, else ""
   */
  void opened(String unknownOutput) {
    if (watch != null) {
      watch.opened(unknownOutput);
    }
  }

  /**
   * A writer of the plugin has opened a file of this server.
   *
   * @param media of each replica; empty where they are not known
   * @param wanted replicas that it should have
   * @param hsync whether every sync is an hsync by the configuration
   */
  void media(Path file, List<StorageType> media, int wanted, boolean hsync) {
    if (!providers.isEmpty()) {
      int onSsd = Collections.frequency(media, StorageType.SSD);
      String log = SyncStrengthLog.logName(file.getName());
      HybridMetrics.get().wals().opened(name, log, new OpenWal(onSsd, media.size(), wanted, hsync));
    }
  }

  /** Asks for a roll of these open files of WALs; the roller does it later. Never blocks. */
  private void roll(Predicate<Path> files) {
    for (WALProvider provider : providers) {
      for (WAL wal : provider.getWALs()) {
        if (wal instanceof AbstractFSWAL) {
          Path file = ((AbstractFSWAL<?>) wal).getCurrentFileName();
          if (file != null && files.test(file)) {
            ((AbstractFSWAL<?>) wal).requestLogRoll();
          }
        }
      }
    }
  }
}
