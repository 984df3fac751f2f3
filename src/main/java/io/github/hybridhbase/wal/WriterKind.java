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

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.WriterShortfall;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The two kinds of WAL writers of HBase, and the plugin's subclasses: which one a configuration
 * chooses, and what it can do on this HBase.
 */
@InterfaceAudience.Private
public enum WriterKind {
  ASYNC(
      AsyncFSWALProvider.class,
      "hbase.regionserver.hlog.async.writer.impl",
      HybridAsyncWriter.class),
  STREAM(FSHLogProvider.class, "hbase.regionserver.hlog.writer.impl", HybridLogWriter.class);

  static final String PLUGIN = "io.github.hybridhbase.wal.HybridWALProvider";

  private static final Logger LOG = LoggerFactory.getLogger(WriterKind.class);

  private static final Set<String> REPLACED = Set.of("initOutput", "writeMagicAndWALHeader");

  /** HBase's defaults, read once: they are some 2,000 lines of XML. */
  private static final class Defaults {
    static final Map<WriterKind, String> WRITERS = new EnumMap<>(WriterKind.class);

    static {
      Configuration defaults = new Configuration(false);
      defaults.addResource("hbase-default.xml");
      for (WriterKind kind : values()) {
        WRITERS.put(kind, defaults.getTrimmed(kind.key(), ""));
      }
    }

    private Defaults() {}
  }

  private final Class<?> provider;
  private final String oldKey;
  private final Class<?> writer;

  WriterKind(Class<?> provider, String oldKey, Class<?> writer) {
    this.provider = provider;
    this.oldKey = oldKey;
    this.writer = writer;
  }

  String writer() {
    return writer.getName();
  }

  /**
   * The key that the running HBase reads. Reflection, since javac inlines constants; 2.5 has the
   * field for asyncfs only.
   */
  String key() {
    try {
      return (String) provider.getField("WRITER_IMPL").get(null);
    } catch (ReflectiveOperationException e) {
      return oldKey;
    }
  }

  /** A method that HBase's writer lacks; otherwise "". */
  String lacking() {
    List<Method> found = new ArrayList<>();
    try {
      for (Method ours : writer.getDeclaredMethods()) {
        if (REPLACED.contains(ours.getName())) {
          found.add(
              writer.getSuperclass().getDeclaredMethod(ours.getName(), ours.getParameterTypes()));
        }
      }
      return found.size() < REPLACED.size() ? REPLACED.toString() : "";
    } catch (NoSuchMethodException | LinkageError e) {
      return String.valueOf(e.getMessage());
    }
  }

  /**
   * The writer that the site file names, compared with HBase 2.5's defaults, which name one too,
   * and with the plugin's own of recovered edits, which is set in a server's memory.
   */
  Optional<String> configured(Configuration conf) {
    String name = conf.getTrimmed(key());
    return Optional.ofNullable(name)
        .filter(set -> !set.equals(Defaults.WRITERS.get(this)))
        .filter(set -> !set.equals(RecoveredEditsWriter.class.getName()));
  }

  /** What a writer class can do; nothing if it does not load. */
  static Set<WriterShortfall.Capability> abilities(Configuration conf, String writer) {
    Class<?> named = null;
    try {
      named = conf.getClassByNameOrNull(writer);
    } catch (LinkageError e) {
      LOG.debug("{} does not load", writer, e);
    }
    if (named == null || Modifier.isAbstract(named.getModifiers())) {
      return Set.of();
    }
    if (HybridAsyncWriter.class.isAssignableFrom(named)) {
      return Set.of(WriterShortfall.Capability.values());
    }
    return HybridLogWriter.class.isAssignableFrom(named)
        ? Set.of(WriterShortfall.Capability.FALLBACK, WriterShortfall.Capability.AUTO)
        : Set.of();
  }

  /** Empty for groups of a provider unknown to the plugin. */
  static Optional<WriterKind> of(WalDelegate delegate, Configuration conf) {
    WriterKind async = AsyncFSWALProvider.load() ? ASYNC : STREAM;
    switch (delegate) {
      case FILESYSTEM:
        return Optional.of(STREAM);
      case MULTIWAL:
        String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER, "asyncfs");
        if (groups.equals("filesystem") || groups.equals(FSHLogProvider.class.getName())) {
          return Optional.of(STREAM);
        }
        boolean known =
            List.of("asyncfs", "defaultProvider", AsyncFSWALProvider.class.getName(), PLUGIN)
                .contains(groups);
        return known ? Optional.of(async) : Optional.empty();
      default:
        return Optional.of(async);
    }
  }

  /** Finds out what of the WAL writers is in force without opening a WAL. */
  public static WriterSupport support(Configuration conf, HybridSettings settings) {
    return WriterSupport.of(facts(conf, settings));
  }

  static WriterSupport.Facts facts(Configuration conf, HybridSettings settings) {
    WriterSupport.Facts facts = new WriterSupport.Facts();
    if (settings.mode() == Mode.OFF) {
      return facts;
    }
    boolean master =
        Layout.MASTER_DATA.equals(
            conf.get(HConstants.HBASE_DIR, "").replaceAll("/+$", "").replaceAll(".*/", ""));
    facts.asked = EnumSet.noneOf(WriterShortfall.Capability.class);
    if (settings.policy(master ? Component.MASTER : Component.WAL).wantsSsd()) {
      facts.asked.add(WriterShortfall.Capability.FALLBACK);
    }
    if (settings.hsync() == WalHsync.AUTO) {
      facts.asked.add(WriterShortfall.Capability.AUTO);
    }
    // The master's store has no hbase:meta.
    facts.metaProvider = master ? "" : metaProvider(conf);
    Optional<WriterKind> found = of(settings.delegate(), conf);
    if (found.isEmpty()) {
      facts.unreached =
          "the plugin does not know "
              + RegionGroupingProvider.DELEGATE_PROVIDER
              + "="
              + conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER);
      return facts;
    }
    WriterKind kind = found.get();
    // hflushes are not coalesced (HybridAsyncWriter).
    boolean hsyncs =
        settings.hsync() == WalHsync.AUTO || conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    if (kind == ASYNC && hsyncs) {
      facts.asked.add(WriterShortfall.Capability.COALESCING);
    }
    facts.key = kind.key();
    facts.lacking = kind.lacking();
    facts.fields = facts.lacking.isEmpty() && kind == ASYNC && HybridAsyncWriter.coalesces();
    kind.configured(conf)
        .ifPresent(
            name -> {
              facts.configured = name;
              facts.provided = abilities(conf, name);
            });
    return facts;
  }

  /** The site's provider for hbase:meta's WAL; "" if that is the plugin. */
  private static String metaProvider(Configuration conf) {
    String named = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String maker =
        named.equals("multiwal")
            ? conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER)
            : named;
    return PLUGIN.equals(maker) ? "" : named;
  }

  /**
   * Whether {@code hbase.hybrid.wal.hsync=auto} needs {@code dfs.datanode.synconclose} for durable
   * block ends, which HBase's asyncfs output cannot request.
   */
  public static boolean needsSyncOnClose(Configuration conf, HybridSettings settings) {
    return settings.mode() != Mode.OFF
        && settings.hsync() == WalHsync.AUTO
        && of(settings.delegate(), conf).filter(kind -> kind == STREAM).isEmpty();
  }
}
