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
import io.github.hybridhbase.hdfs.SsdNodeSearch;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.OpenLog;
import io.github.hybridhbase.wal.failover.StalledNodes;
import io.github.hybridhbase.wal.fallback.OpenState.Step;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The {@link WalFallback} of each WAL directory of one server, and the openers of the WALs.
 * Thread-safe; used once per opened file.
 */
@InterfaceAudience.Private
public final class WalFallbacks {
  private static final Logger LOG = LoggerFactory.getLogger(WalFallbacks.class);

  /** Longest wait for a scan of DataNodes. */
  private static final int MOST_SEARCH_MILLIS = 1_000;

  private static final String WAL_POLICY = HConstants.WAL_STORAGE_POLICY;

  private final Map<Path, WalFallback> fallbacks = new ConcurrentHashMap<>();
  private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hybrid-wal-retry");
  private final FailFastClient client = new FailFastClient();
  private final Consumer<BiPredicate<OpenLog, Path>> roller;
  private final RecoveredEditsMedia recoveredEdits =
      new RecoveredEditsMedia(this::isOffSsd, Clock.SYSTEM);

  /**
   * @param roller requests a roll of these logs, by their open files; never blocks
   */
  public WalFallbacks(Consumer<BiPredicate<OpenLog, Path>> roller) {
    this.roller = roller;
  }

  public void begin() {
    client.acquire();
  }

  private boolean isOffSsd() {
    return fallbacks.values().stream().anyMatch(WalFallback::isOffSsd);
  }

  public RecoveredEditsMedia recoveredEdits() {
    return recoveredEdits;
  }

  public FailFastClient client() {
    return client;
  }

  /**
   * HBase's own client for the last steps, otherwise the fail-fast one, which names DataNodes with
   * SSD.
   *
   * @param quick whether to use the fail-fast client for {@link Step#DISK_WITHOUT_SILENT}; an HDFS
   *     stream tries three times without a pause
   */
  private FailFastClient.Use client(NewWal wal, WalFallback fallback, Step step, boolean quick) {
    if (step.onDisk()) {
      return quick && step == Step.DISK_WITHOUT_SILENT ? client.use(wal.fs) : client.own(wal.fs);
    }
    FailFastClient.Use use = client.use(wal.fs);
    try {
      SsdNodeSearch.of(use.fs()).ifPresent(search -> search.refresh(searchMillis(fallback)));
    } catch (RuntimeException | LinkageError e) {
      LOG.debug("{} names no DataNodes", wal.path, e);
    }
    return use;
  }

  /** After a stall writers wait for this file, and the stalled DataNode may not answer. */
  static int searchMillis(WalFallback fallback) {
    return fallback.failOver.excluded().isEmpty() ? MOST_SEARCH_MILLIS : 0;
  }

  /**
   * Null if HBase's own writer should open the file: no storage policies, a file outside our WAL
   * root, or a component not for SSD.
   */
  public WalOpener opener(
      Configuration conf, HybridSettings settings, NewWal wal, OpenLog log, WalOutput output) {
    try {
      WalFallback fallback = of(conf, settings, wal);
      if (fallback == null) {
        return null;
      }
      long roll = conf.getLong("hbase.regionserver.logroll.wait.timeout.ms", 30_000);
      OpenDeadline deadline =
          new OpenDeadline(
              wal.path,
              (int) settings.get(HybridKeys.SSD_FALLBACK_TIMEOUT).toMillis(),
              roll,
              Clock.SYSTEM);
      return new WalOpener(
          conf,
          wal,
          log,
          fallback,
          deadline,
          step -> client(wal, fallback, step, output.namesRefusals()),
          output);
    } catch (IOException | RuntimeException | LinkageError e) {
      Failures.swallowed(
          "A WAL is opened by HBase's own writer and cannot fall back from SSD to DISK, so the"
              + " server aborts if SSD refuses it.",
          e);
      return null;
    }
  }

  private WalFallback of(Configuration conf, HybridSettings settings, NewWal wal)
      throws IOException {
    FileSystem fs = wal.fs;
    Path directory = wal.path.getParent();
    WalFallback known = fallbacks.get(directory);
    if (known != null) {
      return known;
    }
    Path root = CommonFSUtils.getWALRootDir(conf);
    boolean master = Layout.isMasters(root);
    StoragePolicy policy = settings.policy(master ? Component.MASTER : Component.WAL);
    Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
    Path wals = new Path(root, HConstants.HREGION_LOGDIR_NAME);
    boolean ours = namespace.isPresent() && fs.makeQualified(wals).equals(parent(fs, directory));
    if (!settings.mode().places() || !ours || !policy.wantsSsd() || isOnDisk(conf)) {
      return null;
    }
    WalFallback made =
        new WalFallback(
            directory,
            namespace.get(),
            policy,
            wal.replication,
            (int) settings.get(HybridKeys.SSD_RETRY).toSeconds(),
            Clock.SYSTEM,
            timer,
            logs ->
                roller.accept((log, file) -> directory.equals(file.getParent()) && logs.test(log)),
            new FailOver(
                new StalledNodes(settings.get(HybridKeys.SSD_RETRY).toNanos()),
                (int) settings.get(HybridKeys.WAL_STALL).toMillis(),
                Clock.SYSTEM::nanos,
                file -> roller.accept((log, open) -> open.equals(file))));
    WalFallback other = fallbacks.putIfAbsent(directory, made);
    return other == null ? made : other;
  }

  /** HBase's own key wins. */
  private static boolean isOnDisk(Configuration conf) {
    return StoragePolicy.HOT.name().equalsIgnoreCase(conf.getTrimmed(WAL_POLICY, ""));
  }

  /** When each DataNode that the server's WALs exclude stalled. */
  public Map<String, String> excludedSince() {
    Map<String, String> since = new TreeMap<>();
    fallbacks.values().forEach(fallback -> since.putAll(fallback.failOver.excludedSince()));
    return since;
  }

  private static Path parent(FileSystem fs, Path directory) {
    return directory.getParent() == null ? directory : fs.makeQualified(directory.getParent());
  }

  /** Call once, after {@link #begin}. Open files keep their client. Throws nothing. */
  public void end() {
    fallbacks.values().forEach(WalFallback::close);
    timer.shutdown();
    client.release();
  }
}
