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

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.github.hybridhbase.testing.Line;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Something that people run beside HBase, on a bed with the plugin: its jars, its programs. */
@InterfaceAudience.Private
final class Neighbour {
  private static final int MEGABYTES = 384;

  private final String name;
  final List<Path> jars;

  private Neighbour(String name, List<Path> jars) {
    this.name = name;
    this.jars = jars;
  }

  /** By the name of its list of jars, which {@code -Dbed.neighbours=true} has the build make. */
  static Neighbour of(String name) throws IOException {
    Path list = Line.base().resolve("target/lines/" + name + ".jars");
    assumeTrue(Files.exists(list), "its jars: -Dbed.neighbours=true");
    return new Neighbour(
        name, Files.readAllLines(list).stream().map(Path::of).collect(Collectors.toList()));
  }

  /** A program. */
  static Path source(String name) {
    return Line.base().resolve("src/bed/programs/" + name);
  }

  /** Runs a program of {@code src/bed/programs} with its jars, and these before them. */
  void program(Bed bed, List<Path> before, String source, String... arguments)
      throws IOException, InterruptedException {
    List<Path> classPath = new ArrayList<>(before);
    classPath.addAll(jars);
    Path file = Files.createTempFile(bed.directory(), name, ".args");
    Java.write(
        file,
        MEGABYTES,
        bed.directory().resolve("tmp"),
        List.of(),
        classPath,
        source(source).toString(),
        arguments);
    String said = Tool.run(file).fine().said();
    assertTrue(said.contains("done: "), said);
    System.out.println(said.substring(said.lastIndexOf("done: ")));
  }

  /**
   * Waits until all store files of a table are on a medium.
   *
   * @param table its directory below {@code data}
   */
  static void awaitFilesOn(Bed bed, String medium, String table)
      throws IOException, InterruptedException {
    bed.await(
        "store files of " + table + " on " + medium,
        () -> {
          List<Fsck.File> files = storeFiles(bed, table);
          System.out.println(table + ": " + files);
          return !files.isEmpty() && files.stream().allMatch(file -> file.isAllOn(medium));
        });
  }

  private static List<Fsck.File> storeFiles(Bed bed, String table)
      throws IOException, InterruptedException {
    return bed.fsck("/hbase/data/" + table).files.stream()
        .filter(file -> file.path.matches(".*/[0-9a-f]{32}/[^./]+/[0-9a-f]{32}[^/]*"))
        .filter(file -> !file.path.contains("/recovered.edits/"))
        .collect(Collectors.toList());
  }
}
