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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.Layout;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The {@link WalFallback} of every server in this process, from its first WAL to its close. */
@InterfaceAudience.Private
public final class WalFallbackRegistry {
  private static final Logger LOG = LoggerFactory.getLogger(WalFallbackRegistry.class);

  private static final Map<Path, WalFallback> FALLBACKS = new ConcurrentHashMap<>();

  /** Rolls the WALs of a directory; the provider, which knows them, binds it. */
  private static volatile Consumer<Path> roller = directory -> {};

  private WalFallbackRegistry() {}

  /** Binds what asks for a roll of every WAL in a directory; it must never block. */
  public static void rollBy(Consumer<Path> how) {
    roller = how;
  }

  static void roll(Path directory) {
    roller.accept(directory);
  }

  /**
   * The fallback of a WAL; empty where the plugin has nothing to say about it: a file system
   * without policies, a file outside this HBase's WAL root, a component not meant for SSD.
   */
  static Optional<WalFallback> of(Configuration conf, FileSystem fs, Path wal, int replication) {
    Path directory = wal.getParent();
    WalFallback known = FALLBACKS.get(directory);
    if (known != null) {
      return Optional.of(known);
    }
    try {
      HybridSettings settings = HybridSettings.read(conf);
      Path root = CommonFSUtils.getWALRootDir(conf);
      boolean master = root.getName().equals(Layout.MASTER_DATA);
      Component component = master ? Component.MASTER : Component.WAL;
      Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
      Path wals = new Path(root, HConstants.HREGION_LOGDIR_NAME);
      boolean ours = namespace.isPresent() && fs.makeQualified(wals).equals(parent(fs, directory));
      if (settings.mode() == Mode.OFF || !ours || !settings.policy(component).wantsSsd()) {
        return Optional.empty();
      }
      WalFallback fallback =
          new WalFallback(
              new WalDirectory(
                  directory,
                  namespace.get(),
                  settings.policy(component),
                  conf.getLong("hbase.regionserver.hlog.blocksize", 0)),
              settings,
              replication,
              conf.getLong("hbase.regionserver.logroll.wait.timeout.ms", 30_000),
              WalClock.SYSTEM);
      WalFallback other = FALLBACKS.putIfAbsent(directory, fallback);
      return Optional.of(other == null ? fallback : other);
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.warn("{} is opened as HBase's own writer opens it", wal, e);
      return Optional.empty();
    }
  }

  private static Path parent(FileSystem fs, Path directory) {
    return directory.getParent() == null ? directory : fs.makeQualified(directory.getParent());
  }

  /** Stops looking after a directory whose WALs one server has closed. */
  public static void close(Path directory) {
    WalFallback fallback = FALLBACKS.remove(directory);
    if (fallback != null) {
      fallback.close();
    }
  }
}
