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
package io.github.hybridhbase.docs;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Assumptions;

/**
 * The programs {@code promtool} and {@code prometheus} of Debian's package prometheus, on {@code
 * PATH} or named by {@code -Dhybrid.promtool=FILE} and {@code -Dhybrid.prometheus=FILE}.
 */
@InterfaceAudience.Private
final class PrometheusTools {
  private PrometheusTools() {}

  /** The program's file; without it the calling test is skipped. */
  static String find(String program) {
    Optional<Path> file =
        Stream.concat(
                Stream.ofNullable(System.getProperty("hybrid." + program)),
                Stream.of(System.getenv("PATH").split(":")).map(path -> path + "/" + program))
            .map(Path::of)
            .filter(Files::isExecutable)
            .findFirst();
    Assumptions.assumeTrue(
        file.isPresent(), "no " + program + ": Debian's package prometheus has it");
    return file.get().toString();
  }

  /** Runs {@code promtool}, which must succeed. */
  static void promtool(Path directory, String... arguments)
      throws IOException, InterruptedException {
    String[] command =
        Stream.concat(Stream.of(find("promtool")), Stream.of(arguments)).toArray(String[]::new);
    Path out = directory.resolve("promtool.out");
    int exit =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(out.toFile())
            .start()
            .waitFor();
    assertEquals(0, exit, () -> read(out));
  }

  static String read(Path file) {
    return assertDoesNotThrow(() -> Files.readString(file));
  }
}
