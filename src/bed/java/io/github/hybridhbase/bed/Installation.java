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
package io.github.hybridhbase.bed;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin on a bed that began as stock HBase, put in and taken out of one process after the
 * other, as README tells an operator to. What is changed counts from a process's next start on.
 */
@InterfaceAudience.Private
final class Installation {
  private static final String JAR = "hbase-hybrid-storage-[0-9.]+(-SNAPSHOT)?\\.jar";
  static final String TOOL = "io.github.hybridhbase.tool.HybridTool";

  private final Bed bed;
  private final Path plugin;
  private final Map<String, String> keys;

  /** With these keys beside those of the plugin's site file. */
  Installation(Bed bed, Map<String, String> more) throws IOException {
    this.bed = bed;
    this.plugin = plugin();
    this.keys = SiteFile.read(site());
    keys.putAll(more);
  }

  /**
   * The jar, where the build has made it; else the classes, or the jar of an archive. Beside the
   * jar the build makes others with a word behind the version.
   */
  static Path plugin() throws IOException {
    Path target = Line.base().resolve("target");
    Path otherwise = Line.plugin();
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().matches(JAR))
          .findFirst()
          .orElse(otherwise);
    }
  }

  /** What enables it. */
  static Path site() {
    return Line.base().resolve("conf/hbase-site.xml");
  }

  /** Puts the jar and the keys of the site file in. */
  void putIn(ServerProcess process) throws IOException {
    process.command(bed.jars(), List.of(plugin));
    process.set(keys);
  }

  /** Takes the keys out of the site file; the jar stays. */
  void takeKeysOut(ServerProcess process) throws IOException {
    process.unset(keys.keySet());
  }

  /** Takes the jar away. */
  void takeJarAway(ServerProcess process) throws IOException {
    process.command(bed.jars(), List.of());
  }

  /** Runs {@code hbase-hybrid} as on a server that has the plugin. */
  Tool hybrid(String... words) throws IOException, InterruptedException {
    return hybrid(() -> false, words);
  }

  /** The same, killed as soon as a condition holds. */
  Tool hybrid(Callable<Boolean> killed, String... words) throws IOException, InterruptedException {
    Map<String, String> stock = bed.keys();
    SiteFile.write(bed.conf(), BedSpec.with(stock, keys));
    try {
      return Tool.run(bed.command(List.of(plugin), TOOL, words), killed);
    } finally {
      SiteFile.write(bed.conf(), stock);
    }
  }
}
