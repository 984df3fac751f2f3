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
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check, once a server's first WAL is open, what its WAL writers lack. If no writer of the plugin
 * opened it, HBase used another one. Thread-safe.
 */
@InterfaceAudience.Private
final class WriterCheck {
  static final String PLUGIN = "io.github.hybridhbase.wal.HybridWALProvider";

  private static final Logger LOG = LoggerFactory.getLogger(WriterCheck.class);

  private static final String AUTO = "hbase.hybrid.wal.hsync";

  private final String server;
  private final boolean refuses;
  private final boolean auto;

  /** The site's provider for hbase:meta's WAL; "" if that is the plugin. */
  private final String meta;

  /** Whether an output of the plugin's names its replicas; null if none was opened. */
  private Boolean visible;

  private boolean checked;
  private WriterShortfall lacking;

  /**
   * @param own false for the provider of a group or of hbase:meta
   */
  WriterCheck(String server, Configuration conf, boolean master, boolean own) {
    HybridSettings settings = HybridSettings.read(conf);
    this.server = server;
    this.refuses = settings.mode() == Mode.REQUIRE && own;
    this.auto = settings.get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    this.checked = !auto && !settings.policy(master ? Component.MASTER : Component.WAL).wantsSsd();
    String named = master ? "" : conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER);
    this.meta = PLUGIN.equals(named.equals("multiwal") ? groups : named) ? "" : named;
  }

  /** Stops publishing: a roll in flight may open one more file. */
  synchronized void end() {
    checked = true;
    HybridMetrics.get().writersEnded(server);
  }

  /** A writer of the plugin opened a file; outputs of HDFS name their replicas. */
  synchronized void opened(FileSystem fs) {
    visible = StorageNamespace.of(fs).isPresent();
  }

  /**
   * Called when a WAL's first file is open.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require} if something is lacking, also for
   *     later WALs; HBase then ends the server
   */
  synchronized void handedOut() throws IOException {
    if (!checked) {
      checked = true;
      if (visible == null) {
        lacks("the fall-back to DISK and " + AUTO, "hbase");
      } else if (!meta.isEmpty()) {
        lacks("the fall-back to DISK and " + AUTO, "meta", WALFactory.META_WAL_PROVIDER, meta);
      } else if (auto && !visible) {
        lacks(AUTO, "output");
      }
    }
    if (lacking != null && refuses) {
      throw new IOException(
          "hbase.hybrid.mode=require: what follows would not be in force, so this server does not"
              + " start. Fix it, or set hbase.hybrid.mode=prefer. "
              + lacking);
    }
  }

  private void lacks(String what, String why, Object... facts) {
    List<String> words = FindingId.causeAndRemedy("writer." + why, facts);
    lacking = new WriterShortfall(what, words.get(0), words.get(1));
    HybridMetrics.get().writers(server, lacking);
    LOG.warn("Not in force for the WALs of {}: {}", server, lacking);
  }
}
