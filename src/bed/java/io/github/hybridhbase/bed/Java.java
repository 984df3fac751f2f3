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

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A JVM's command line, kept in a file: {@code java @FILE} starts it, by hand too. */
@InterfaceAudience.Private
public final class Java {
  /** What makes a small server start soon. */
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseSerialGC",
          "-XX:+ExitOnOutOfMemoryError",
          "-Djava.net.preferIPv4Stack=true",
          // Or ZooKeeper's listens on port 8080 of every address.
          "-Dzookeeper.admin.enableServer=false");

  private Java() {}

  /**
   * Writes the file.
   *
   * @param temporary the JVM's directory for temporary files, which is made
   * @param more flags that come last
   */
  public static void write(
      Path file,
      long megabytes,
      Path temporary,
      List<String> more,
      List<Path> classPath,
      String main,
      String... arguments)
      throws IOException {
    Files.createDirectories(temporary);
    List<String> words = new ArrayList<>(FLAGS);
    // What HBase needs opened on Java 17 is opened in this JVM too.
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(flag -> flag.startsWith("--add-"))
        .forEach(words::add);
    words.add(heap(megabytes));
    words.add("-Djava.io.tmpdir=" + temporary);
    words.addAll(more);
    words.add("-cp");
    words.add(
        classPath.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    words.add(main);
    words.addAll(List.of(arguments));
    Files.write(
        file,
        words.stream()
            .map(word -> '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"')
            .collect(Collectors.toList()));
  }

  private static String heap(long megabytes) {
    return "-Xmx" + megabytes + "m";
  }

  /** Writes the file again with another heap. */
  static void heap(Path file, long megabytes) throws IOException {
    Files.write(
        file,
        Files.readAllLines(file).stream()
            .map(word -> word.startsWith("\"-Xmx") ? '"' + heap(megabytes) + '"' : word)
            .collect(Collectors.toList()));
  }

  /** What starts it, from any directory, whatever the shell has set for Hadoop and HBase. */
  public static ProcessBuilder builder(Path file) {
    ProcessBuilder builder =
        new ProcessBuilder(System.getProperty("java.home") + "/bin/java", "@" + file)
            .directory(file.getParent().toFile())
            .redirectErrorStream(true)
            .redirectInput(new File("/dev/null"));
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.matches("HADOOP_.*|HBASE_.*|JAVA_TOOL_OPTIONS"));
    return builder;
  }
}
