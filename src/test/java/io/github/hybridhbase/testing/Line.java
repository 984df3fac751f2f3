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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A line of HBase as Maven has it: {@code src/test/lines} says which there are, the build resolves
 * their jars into {@code target/lines}. Immutable.
 */
@InterfaceAudience.Private
public final class Line {
  private static final String SERVER = "hbase-server-";

  private final String version;
  private final String extent;

  private Line(String version, String extent) {
    this.version = version;
    this.extent = extent;
  }

  /** All, by version. */
  public static List<Line> all() throws IOException {
    Properties lines = new Properties();
    try (InputStream in = Files.newInputStream(home().resolve("lines.properties"))) {
      lines.load(in);
    }
    return new TreeSet<>(lines.stringPropertyNames())
        .stream()
            .map(version -> new Line(version, lines.getProperty(version)))
            .collect(Collectors.toList());
  }

  /**
   * The line of a version, which may be short of its suffix: {@code 2.6.1} for {@code
   * 2.6.1-hadoop3}.
   *
   * @throws IllegalArgumentException where there is none; names those there are
   */
  public static Line of(String version) throws IOException {
    List<Line> all = all();
    return all.stream()
        .filter(line -> (line + "-").startsWith(version + "-"))
        .findFirst()
        .orElseThrow(
            () -> new IllegalArgumentException("no line " + version + " of HBase; only " + all));
  }

  /** The one that the plugin is compiled against. */
  public static Line built() throws IOException {
    return of(Files.readString(resolved().resolve("built")).trim());
  }

  /** Where the lines are declared, and their known gaps. An archive has the built line alone. */
  public static Path home() {
    Path archived = base().resolve("lib/bed");
    return Files.isDirectory(archived) ? archived : base().resolve("src/test/lines");
  }

  /** The plugin: the jar of an archive, the classes of a checkout. */
  public static Path plugin() throws IOException {
    Path lib = base().resolve("lib");
    if (!Files.isDirectory(lib)) {
      return base().resolve("target/classes");
    }
    try (var jars = Files.newDirectoryStream(lib, "hbase-hybrid-storage-*.jar")) {
      return jars.iterator().next();
    }
  }

  private static Path resolved() {
    return base().resolve("target/lines");
  }

  /**
   * The root of checkout or archive: what the launcher or Maven says, else the working directory.
   */
  public static Path base() {
    return Path.of(System.getProperty("hybrid.basedir", "")).toAbsolutePath();
  }

  /** HBase's version. */
  public String version() {
    return version;
  }

  /** Whether its jars are complete: else there is hbase-server alone. */
  public boolean isWhole() {
    return extent.equals("whole");
  }

  /**
   * What a server of it runs with: hbase-server and all it needs, HDFS included; of another line
   * where there is hbase-server alone.
   *
   * @throws java.nio.file.NoSuchFileException before {@code mvn process-test-resources}
   */
  public List<Path> jars() throws IOException {
    List<Path> jars = paths(".jars");
    if (!isWhole()) {
      Line other = of(extent.replace("hbase-server beside ", ""));
      jars.addAll(other.jars());
      jars.remove(other.server());
    }
    return jars;
  }

  /** hbase-server's own jar. */
  public Path server() throws IOException {
    return jars().stream()
        .filter(jar -> jar.getFileName().toString().startsWith(SERVER))
        .findFirst()
        .orElseThrow();
  }

  /** {@link #jars()}, and the jar that has HDFS's web applications, without which none starts. */
  public List<Path> serverJars() throws IOException {
    if (!isWhole()) {
      throw new IllegalArgumentException("of " + version + " only hbase-server is to be had");
    }
    List<Path> jars = new ArrayList<>(jars());
    jars.addAll(paths(".webapps"));
    return jars;
  }

  private List<Path> paths(String suffix) throws IOException {
    return Files.readAllLines(resolved().resolve(version + suffix)).stream()
        .map(Path::of)
        .collect(Collectors.toList());
  }

  @Override
  public String toString() {
    return version;
  }
}
