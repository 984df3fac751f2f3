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

import io.github.hybridhbase.config.WalDelegate;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.RegionGroupingProvider;
import org.apache.yetus.audience.InterfaceAudience;

/** The two kinds of WAL writers of HBase, and the plugin's subclasses. */
@InterfaceAudience.Private
enum WriterKind {
  ASYNC(
      AsyncFSWALProvider.class,
      "hbase.regionserver.hlog.async.writer.impl",
      HybridAsyncWriter.class),
  STREAM(FSHLogProvider.class, "hbase.regionserver.hlog.writer.impl", HybridLogWriter.class);

  /** The plugin's provider, which groups may name as theirs. */
  static final String PLUGIN = "io.github.hybridhbase.wal.HybridWALProvider";

  /** Methods that the plugin's writers override. */
  private static final Set<String> REPLACED = Set.of("initOutput", "writeMagicAndWALHeader");

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
}
