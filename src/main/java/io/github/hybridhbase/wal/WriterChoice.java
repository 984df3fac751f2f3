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
import io.github.hybridhbase.config.WalDelegate;
import io.github.hybridhbase.config.WalHsync;
import io.github.hybridhbase.metrics.WriterCapability;
import io.github.hybridhbase.placement.Layout;
import io.github.hybridhbase.wal.fallback.FallbackAsyncWriter;
import io.github.hybridhbase.wal.fallback.FallbackLogWriter;
import java.io.IOException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Gives HBase's own provider the plugin's writers, by a copy of the configuration that only this
 * provider sees: recovered edits and everything else keep HBase's. A class that the site file names
 * stays: it may encrypt.
 */
@InterfaceAudience.Private
public final class WriterChoice {
  private static final Logger LOG = LoggerFactory.getLogger(WriterChoice.class);

  /** Methods of HBase's writers that the plugin's replace and call. */
  private static final Set<String> REPLACED = Set.of("initOutput", "writeMagicAndWALHeader");

  /** The two kinds of writers that HBase knows. */
  private enum Kind {
    ASYNC(
        AsyncFSWALProvider.class,
        "hbase.regionserver.hlog.async.writer.impl",
        FallbackAsyncWriter.class,
        HybridAsyncWriter.class),
    STREAM(
        FSHLogProvider.class,
        "hbase.regionserver.hlog.writer.impl",
        FallbackLogWriter.class,
        HybridLogWriter.class);

    private final Class<?> provider;
    private final String oldKey;
    private final Class<?> base;
    private final Class<?> writer;

    Kind(Class<?> provider, String oldKey, Class<?> base, Class<?> writer) {
      this.provider = provider;
      this.oldKey = oldKey;
      this.base = base;
      this.writer = writer;
    }

    /**
     * The key that the running HBase reads. Asked of the class, since javac copies constants; 2.5
     * has one for asyncfs only.
     */
    String key() {
      try {
        return (String) provider.getField("WRITER_IMPL").get(null);
      } catch (ReflectiveOperationException e) {
        return oldKey;
      }
    }

    /** A method that HBase's writer must have and has not; "" where all are there. */
    String lacking() {
      List<Method> found = new ArrayList<>();
      try {
        for (Method ours : base.getDeclaredMethods()) {
          if (REPLACED.contains(ours.getName())) {
            found.add(
                base.getSuperclass().getDeclaredMethod(ours.getName(), ours.getParameterTypes()));
          }
        }
        return found.size() < REPLACED.size() ? REPLACED.toString() : "";
      } catch (NoSuchMethodException | LinkageError e) {
        return String.valueOf(e.getMessage());
      }
    }
  }

  private final Configuration copy;
  private final WALFactory to;
  private final WriterFacts facts;

  private WriterChoice(Configuration copy, WALFactory to, WriterFacts facts) {
    this.copy = copy;
    this.to = to;
    this.facts = facts;
  }

  /** Chooses for a delegate that is not initialised yet. */
  static WriterChoice of(
      WALProvider delegate,
      WALFactory factory,
      Configuration conf,
      HybridSettings settings,
      Abortable abortable) {
    Configuration copy = HBaseConfiguration.create(conf);
    copy.setClassLoader(conf.getClassLoader());
    for (Kind kind : Kind.values()) {
      if (kind.lacking().isEmpty() && configured(conf, kind.key()).isEmpty()) {
        copy.set(kind.key(), kind.writer.getName());
      }
    }
    // A NameNode that has restarted fails one call of each old connection, and HBase aborts the
    // server where that call is the archiving of a WAL (AbstractFSWAL.archive).
    copy.setIfUnset("hbase.regionserver.walroll.archive.retries", "3");
    WriterFacts facts = facts(conf, settings);
    if (!(delegate instanceof RegionGroupingProvider)) {
      return new WriterChoice(copy, factory, facts);
    }
    try {
      return new WriterChoice(copy, grouping(factory, copy, abortable), facts);
    } catch (LinkageError e) {
      // 3.0 has no such constructor, and its groups take the configuration of their provider.
      LOG.debug("The groups of multiwal get their factory as it is", e);
      return new WriterChoice(copy, factory, facts);
    } catch (IOException | RuntimeException e) {
      return new WriterChoice(copy, factory, facts.unreached(String.valueOf(e)));
    }
  }

  /** What is known before any WAL is made. */
  WriterFacts facts() {
    return facts;
  }

  /** Initialises the delegate with the plugin's writers. */
  void init(WALProvider delegate, String providerId, Abortable abortable) throws IOException {
    delegate.init(to, copy, providerId, abortable);
  }

  /** What a configuration and the HBase on the class path let be known of a server's writers. */
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
    Optional<Kind> kind = kind(settings.delegate(), conf);
    if (kind.isEmpty()) {
      return WriterFacts.asking(asked, "")
          .metaBy(metaProvider)
          .unreached(
              "the plugin does not know "
                  + RegionGroupingProvider.DELEGATE_PROVIDER
                  + "="
                  + conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER));
    }
    // hflushes are not shared (HybridAsyncWriter).
    boolean hsyncs =
        settings.hsync() == WalHsync.AUTO || conf.getBoolean(HRegion.WAL_HSYNC_CONF_KEY, false);
    if (kind.get() == Kind.ASYNC && hsyncs) {
      asked.add(WriterCapability.COALESCING);
    }
    String key = kind.get().key();
    String lacking = kind.get().lacking();
    boolean fields = lacking.isEmpty() && kind.get() == Kind.ASYNC && HybridAsyncWriter.coalesces();
    WriterFacts facts = WriterFacts.asking(asked, key).linked(lacking, fields).metaBy(metaProvider);
    return configured(conf, key)
        .map(name -> facts.configured(name, abilities(conf, name)))
        .orElse(facts);
  }

  /**
   * Whether {@code hbase.hybrid.wal.hsync=auto} is durable to the end only with {@code
   * dfs.datanode.synconclose}: HBase's asyncfs output cannot end a block durably by itself.
   */
  public static boolean needsSyncOnClose(Configuration conf, HybridSettings settings) {
    return settings.mode() != Mode.OFF
        && settings.hsync() == WalHsync.AUTO
        && kind(settings.delegate(), conf).filter(kind -> kind == Kind.STREAM).isEmpty();
  }

  /**
   * The class that somebody has chosen. HBase's own defaults name one as well, under the key that
   * 2.5 reads; a copied configuration does not tell its sources, so that the values are compared.
   */
  private static Optional<String> configured(Configuration conf, String key) {
    Configuration defaults = new Configuration(false);
    defaults.addResource("hbase-default.xml");
    String name = conf.getTrimmed(key);
    return Optional.ofNullable(name).filter(set -> !set.equals(defaults.getTrimmed(key)));
  }

  private static Set<WriterCapability> abilities(Configuration conf, String writer) {
    Set<WriterCapability> can = EnumSet.noneOf(WriterCapability.class);
    Class<?> named = loaded(conf, writer);
    if (named != null) {
      if (FallbackAsyncWriter.class.isAssignableFrom(named)
          || FallbackLogWriter.class.isAssignableFrom(named)) {
        can.add(WriterCapability.FALLBACK);
      }
      if (HybridAsyncWriter.class.isAssignableFrom(named)) {
        can.add(WriterCapability.COALESCING);
        can.add(WriterCapability.AUTO);
      }
      if (HybridLogWriter.class.isAssignableFrom(named)) {
        can.add(WriterCapability.AUTO);
      }
    }
    return can;
  }

  /** What the site names for hbase:meta's WAL where that does not come to the plugin, else "". */
  private static String metaProvider(Configuration conf) {
    String named = conf.getTrimmed(WALFactory.META_WAL_PROVIDER, "");
    String maker =
        named.equals("multiwal")
            ? conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER)
            : named;
    if (named.isEmpty() || maker == null) {
      return named;
    }
    Class<?> provider = loaded(conf, maker);
    boolean ours = provider != null && HybridWALProvider.class.isAssignableFrom(provider);
    return ours ? "" : named;
  }

  private static Class<?> loaded(Configuration conf, String name) {
    try {
      return conf.getClassByNameOrNull(name);
    } catch (LinkageError e) {
      LOG.debug("{} does not load", name, e);
      return null;
    }
  }

  /** The writers of a delegate; empty for groups of a provider that is not HBase's. */
  private static Optional<Kind> kind(WalDelegate delegate, Configuration conf) {
    Kind async = AsyncFSWALProvider.load() ? Kind.ASYNC : Kind.STREAM;
    switch (delegate) {
      case FILESYSTEM:
        return Optional.of(Kind.STREAM);
      case MULTIWAL:
        String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER, "asyncfs");
        if (groups.equals("filesystem") || groups.equals(FSHLogProvider.class.getName())) {
          return Optional.of(Kind.STREAM);
        }
        boolean known =
            List.of(
                    "asyncfs",
                    "defaultProvider",
                    AsyncFSWALProvider.class.getName(),
                    HybridWALProvider.class.getName())
                .contains(groups);
        return known ? Optional.of(async) : Optional.empty();
      default:
        return Optional.of(async);
    }
  }

  /**
   * RegionGroupingProvider of 2.5 and 2.6 makes its groups with the configuration of its factory
   * ({@code WALFactory.createProvider}), which the copy does not reach: it gets a factory of its
   * own.
   */
  private static WALFactory grouping(WALFactory factory, Configuration conf, Abortable abortable)
      throws IOException {
    Configuration inner = HBaseConfiguration.create(conf);
    inner.set(WALFactory.WAL_PROVIDER, Nothing.class.getName());
    return new WALFactory(inner, factory.getFactoryId(), abortable);
  }

  /** A provider that makes no WAL, for a factory that is only asked to make others. */
  @InterfaceAudience.Private
  public static final class Nothing implements WALProvider {
    @Override
    public void init(WALFactory factory, Configuration conf, String id, Abortable abortable) {}

    @Override
    public WAL getWAL(RegionInfo region) throws IOException {
      throw new IOException("this factory makes no WAL");
    }

    @Override
    public List<WAL> getWALs() {
      return List.of();
    }

    @Override
    public void shutdown() {}

    @Override
    public void close() {}

    @Override
    public long getNumLogFiles() {
      return 0;
    }

    @Override
    public long getLogFileSize() {
      return 0;
    }

    @Override
    public void addWALActionsListener(WALActionsListener listener) {}
  }
}
