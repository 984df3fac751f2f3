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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.config.WalHsync;
import io.github.hybridhbase.metrics.WriterCapability;
import io.github.hybridhbase.placement.Layout;
import java.lang.reflect.Modifier;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A reader of the configuration that finds out which WAL writers it chooses and what they can do on
 * this HBase.
 */
@InterfaceAudience.Private
public final class WriterChoice {
  private static final Logger LOG = LoggerFactory.getLogger(WriterChoice.class);

  private WriterChoice() {}

  /** Collects the facts without opening a WAL. */
  public static WriterFacts facts(Configuration conf, HybridSettings settings) {
    Set<WriterCapability> asked = EnumSet.noneOf(WriterCapability.class);
    if (settings.mode() == Mode.OFF) {
      return WriterFacts.asking(asked, "");
    }
    boolean master =
        Layout.MASTER_DATA.equals(
            conf.get(HConstants.HBASE_DIR, "").replaceAll("/+$", "").replaceAll(".*/", ""));
    if (settings.policy(master ? Component.MASTER : Component.WAL).wantsSsd()) {
      asked.add(WriterCapability.FALLBACK);
    }
    if (settings.hsync() == WalHsync.AUTO) {
      asked.add(WriterCapability.AUTO);
    }
    // The master's store has no hbase:meta.
    String metaProvider = master ? "" : metaProvider(conf);
    Optional<WriterKind> kind = WriterKind.of(settings.delegate(), conf);
    if (kind.isEmpty()) {
      return WriterFacts.asking(asked, "")
          .metaBy(metaProvider)
          .unreached(
              "the plugin does not know "
                  + RegionGroupingProvider.DELEGATE_PROVIDER
                  + "="
                  + conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER));
    }
    // hflushes are not coalesced (HybridAsyncWriter).
    boolean hsyncs =
        settings.hsync() == WalHsync.AUTO || conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    if (kind.get() == WriterKind.ASYNC && hsyncs) {
      asked.add(WriterCapability.COALESCING);
    }
    String key = kind.get().key();
    String lacking = kind.get().lacking();
    boolean fields =
        lacking.isEmpty() && kind.get() == WriterKind.ASYNC && HybridAsyncWriter.coalesces();
    WriterFacts facts = WriterFacts.asking(asked, key).linked(lacking, fields).metaBy(metaProvider);
    return configured(conf, key)
        .map(name -> facts.configured(name, abilities(conf, name)))
        .orElse(facts);
  }

  /**
   * Whether {@code hbase.hybrid.wal.hsync=auto} needs {@code dfs.datanode.synconclose} for durable
   * block ends, which HBase's asyncfs output cannot request.
   */
  public static boolean needsSyncOnClose(Configuration conf, HybridSettings settings) {
    return settings.mode() != Mode.OFF
        && settings.hsync() == WalHsync.AUTO
        && WriterKind.of(settings.delegate(), conf)
            .filter(kind -> kind == WriterKind.STREAM)
            .isEmpty();
  }

  /**
   * The writer class that a site file names. HBase 2.5's defaults name one too; a copied
   * configuration has lost its sources, so values are compared.
   */
  static Optional<String> configured(Configuration conf, String key) {
    Configuration defaults = new Configuration(false);
    defaults.addResource("hbase-default.xml");
    String name = conf.getTrimmed(key);
    return Optional.ofNullable(name).filter(set -> !set.equals(defaults.getTrimmed(key)));
  }

  private static Set<WriterCapability> abilities(Configuration conf, String writer) {
    Set<WriterCapability> can = EnumSet.noneOf(WriterCapability.class);
    Class<?> named = loaded(conf, writer);
    if (named != null && !Modifier.isAbstract(named.getModifiers())) {
      if (HybridAsyncWriter.class.isAssignableFrom(named)) {
        can.addAll(EnumSet.allOf(WriterCapability.class));
      }
      if (HybridLogWriter.class.isAssignableFrom(named)) {
        can.add(WriterCapability.FALLBACK);
        can.add(WriterCapability.AUTO);
      }
    }
    return can;
  }

  /** The site's provider for hbase:meta's WAL; "" if that is the plugin. */
  private static String metaProvider(Configuration conf) {
    String named = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String maker =
        named.equals("multiwal")
            ? conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER)
            : named;
    return WriterKind.PLUGIN.equals(maker) ? "" : named;
  }

  private static Class<?> loaded(Configuration conf, String name) {
    try {
      return conf.getClassByNameOrNull(name);
    } catch (LinkageError e) {
      LOG.debug("{} does not load", name, e);
      return null;
    }
  }
}
