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

  private static final String FALLBACK =
      "the fall-back to DISK (a WAL that SSD refuses fails, and HBase aborts a server whose WAL"
          + " cannot be rolled)";
  private static final String AUTO =
      "hbase.hybrid.wal.hsync=auto (acknowledged edits may be in page caches only, as in stock"
          + " HBase)";

  private final String server;
  private final boolean refuses;
  private final boolean places;
  private final boolean auto;

  /** The site's provider for hbase:meta's WAL; "" if that is the plugin. */
  private final String metaProvider;

  /** Whether an output of the plugin's names its replicas; null if none was opened. */
  private Boolean visible;

  private boolean checked;
  private WriterShortfall lacking;

  /**
   * @param own false for the provider of a group or of hbase:meta
   */
  WriterCheck(
      String server, Configuration conf, HybridSettings settings, boolean master, boolean own) {
    this.server = server;
    this.refuses = settings.mode() == Mode.REQUIRE && own;
    this.auto = settings.get(HybridKeys.WAL_HSYNC) == WalHsync.AUTO;
    this.places = settings.policy(master ? Component.MASTER : Component.WAL).wantsSsd();
    this.checked = !places && !auto;
    this.metaProvider = master ? "" : metaProvider(conf);
  }

  private static String metaProvider(Configuration conf) {
    String named = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String maker =
        named.equals("multiwal")
            ? conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER)
            : named;
    return PLUGIN.equals(maker) ? "" : named;
  }

  /** Stops publishing: a roll in flight may open one more file. */
  synchronized void end() {
    checked = true;
    HybridMetrics.get().writersEnded(server);
  }

  /**
   * A writer of the plugin opened a file.
   *
   * @param seesMedia whether its output names its replicas
   */
  synchronized void opened(boolean seesMedia) {
    visible = seesMedia;
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
      lacking = lacking();
      if (lacking != null) {
        HybridMetrics.get().writers(server, lacking);
        LOG.warn("Not in force for the WALs of {}: {}", server, lacking);
      }
    }
    if (lacking != null && refuses) {
      throw new IOException(
          "hbase.hybrid.mode=require: what follows would not be in force, so this server does not"
              + " start. Fix it, or set hbase.hybrid.mode=prefer. "
              + lacking);
    }
  }

  private WriterShortfall lacking() {
    String what = !auto ? FALLBACK : places ? FALLBACK + ", " + AUTO : AUTO;
    if (visible == null) {
      return of(what, "hbase");
    }
    if (!metaProvider.isEmpty()) {
      return of(what, "meta", WALFactory.META_WAL_PROVIDER, metaProvider);
    }
    return auto && !visible ? of(AUTO, "output") : null;
  }

  private static WriterShortfall of(String what, String name, Object... facts) {
    List<String> words = FindingId.causeAndRemedy("writer." + name, facts);
    return new WriterShortfall(what, words.get(0), words.get(1));
  }
}
