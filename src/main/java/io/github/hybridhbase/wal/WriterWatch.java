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
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.runtime.WriterShortfall.Capability;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A check, once a server's first WAL is open, which capabilities of its WAL writers are not in
 * force. If no writer of the plugin opened it, HBase used another one. Thread-safe.
 */
@InterfaceAudience.Private
final class WriterWatch {
  private static final Logger LOG = LoggerFactory.getLogger(WriterWatch.class);

  private final String server;
  private final boolean require;
  private final boolean refuses;
  private final Set<Capability> asked = EnumSet.noneOf(Capability.class);

  /** The site's provider for hbase:meta's WAL; "" if that is the plugin. */
  private final String metaProvider;

  // Of the plugin's writer that opened a file last.
  private boolean opened;
  private boolean coalesces;
  private String unknownOutput;

  private boolean judged;
  private boolean ended;

  private String refusal;

  /**
   * @param ownProvider false for that of a group or of hbase:meta
   */
  WriterWatch(
      String server,
      Configuration conf,
      HybridSettings settings,
      boolean master,
      boolean ownProvider) {
    this.server = server;
    this.require = settings.mode() == Mode.REQUIRE;
    this.refuses = require && ownProvider;
    boolean auto = settings.hsync() == WalHsync.AUTO;
    if (settings.policy(master ? Component.MASTER : Component.WAL).wantsSsd()) {
      asked.add(Capability.FALLBACK);
    }
    if (auto) {
      asked.add(Capability.AUTO);
    }
    // hflushes are not coalesced (HybridAsyncWriter).
    if (settings.delegate() != WalDelegate.FILESYSTEM
        && (auto || conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false))) {
      asked.add(Capability.COALESCING);
    }
    metaProvider = master ? "" : metaProvider(conf);
  }

  private static String metaProvider(Configuration conf) {
    String named = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String maker =
        named.equals("multiwal")
            ? conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER)
            : named;
    return WriterKind.PLUGIN.equals(maker) ? "" : named;
  }

  /** Stops publishing: a roll in flight may open one more file. */
  synchronized void end() {
    ended = true;
    HybridMetrics.get().writersEnded(server);
  }

  /**
   * @param output its output's class if the pipeline is unknown, otherwise ""
   */
  synchronized void opened(boolean shares, String output) {
    opened = true;
    coalesces = shares;
    unknownOutput = output;
  }

  /**
   * Called when a WAL's first file is open.
   *
   * @throws IOException in {@code hbase.hybrid.mode=require} if a required capability is not in
   *     force, also for later WALs; HBase then ends the server
   */
  synchronized void handedOut() throws IOException {
    if (!judged && !ended) {
      judged = true;
      try {
        judge();
      } catch (RuntimeException | LinkageError e) {
        Failures.swallowed("Could not tell what of the WAL writers is in force.", e);
      }
    }
    if (refusal != null) {
      throw new IOException(refusal);
    }
  }

  private void judge() {
    List<WriterShortfall> lacking = new ArrayList<>();
    Set<Capability> missing = EnumSet.noneOf(Capability.class);
    if (!opened) {
      add(lacking, missing, EnumSet.allOf(Capability.class), "hbase");
    } else {
      if (!metaProvider.isEmpty()) {
        add(lacking, missing, placing(), "meta", WALFactory.META_WAL_PROVIDER, metaProvider);
      }
      if (!unknownOutput.isEmpty()) {
        add(lacking, missing, EnumSet.of(Capability.AUTO), "output", unknownOutput);
      }
      if (!coalesces) {
        add(lacking, missing, EnumSet.of(Capability.COALESCING), "fields");
      }
    }
    HybridMetrics.get().writers(server, lacking);
    for (WriterShortfall shortfall : lacking) {
      String text = "Not in force for the WALs of " + server + ": " + shortfall;
      if (require) {
        LOG.error(text);
      } else {
        LOG.warn(text);
      }
    }
    missing.retainAll(placing()); // coalescing only concerns speed
    if (refuses && !missing.isEmpty()) {
      refusal =
          "hbase.hybrid.mode=require: what follows would not be in force, so this server does not"
              + " start. Fix it, or set hbase.hybrid.mode=prefer. "
              + lacking.stream().map(String::valueOf).collect(Collectors.joining(" "));
    }
  }

  private static Set<Capability> placing() {
    return EnumSet.of(Capability.FALLBACK, Capability.AUTO);
  }

  private void add(
      List<WriterShortfall> to,
      Set<Capability> missing,
      Set<Capability> those,
      String name,
      Object... facts) {
    those.retainAll(asked);
    those.removeAll(missing);
    if (!those.isEmpty()) {
      List<String> words = FindingId.causeAndRemedy("writer." + name, facts);
      to.add(WriterShortfall.of(those, words.get(0), words.get(1)));
      missing.addAll(those);
    }
  }
}
