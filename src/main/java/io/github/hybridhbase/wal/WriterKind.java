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

import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridKeys.WalHsync;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Mode;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two kinds of WAL writers of HBase, and the plugin's subclasses. */
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

  /** Read once: HBase's defaults are some 2,000 lines of XML. */
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
   * The key that the running HBase reads; by reflection, since javac inlines constants, and 2.5 has
   * the field for asyncfs only.
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
   * The site file's writer: neither HBase 2.5's default nor the plugin's {@link
   * RecoveredEditsWriter}.
   */
  Optional<String> configured(Configuration conf) {
    String name = conf.getTrimmed(key());
    return Optional.ofNullable(name)
        .filter(set -> !set.equals(Defaults.WRITERS.get(this)))
        .filter(set -> !set.equals(RecoveredEditsWriter.class.getName()));
  }

  /**
   * Whether {@code hbase.hybrid.wal.hsync=auto} needs {@code dfs.datanode.synconclose} for durable
   * block ends, which HBase's asyncfs output cannot request.
   */
  public static boolean needsSyncOnClose(Configuration conf, HybridSettings settings) {
    return settings.mode() != Mode.OFF
        && settings.hsync() == WalHsync.AUTO
        && !isStream(settings.delegate(), conf);
  }

  private static boolean isStream(WalDelegate delegate, Configuration conf) {
    String groups = conf.getTrimmed(RegionGroupingProvider.DELEGATE_PROVIDER, "");
    return delegate == WalDelegate.FILESYSTEM
        || delegate == WalDelegate.MULTIWAL
            && List.of("filesystem", FSHLogProvider.class.getName()).contains(groups)
        || !AsyncFSWALProvider.load();
  }
}
