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

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What a command line tool said and answered, run in a JVM of its own. Immutable. */
@InterfaceAudience.Private
public final class Tool {
  private static final Duration PATIENCE = Duration.ofMinutes(10);

  private final int exit;
  private final String said;

  private Tool(int exit, String said) {
    this.exit = exit;
    this.said = said;
  }

  /** Runs one to its end; {@code file} as {@link Java#write} made it, removed afterwards. */
  static Tool run(Path file) throws IOException, InterruptedException {
    return run(file, () -> false);
  }

  /**
   * The same, killed as by {@code kill -9} as soon as a condition holds; what it throws does not.
   */
  static Tool run(Path file, Callable<Boolean> killed) throws IOException, InterruptedException {
    Path out = Path.of(file + ".out");
    Process process = Java.builder(file).redirectOutput(out.toFile()).start();
    try {
      Waiting.until(
          "the end of a tool",
          PATIENCE,
          () -> {
            if (process.isAlive() && killed.call()) {
              process.destroyForcibly().waitFor();
            }
            return !process.isAlive();
          },
          () -> null,
          () -> said(out));
      return new Tool(process.exitValue(), said(out));
    } finally {
      process.destroyForcibly();
      Files.deleteIfExists(file);
      Files.deleteIfExists(out);
    }
  }

  private static String said(Path out) {
    try {
      return Files.readString(out, StandardCharsets.UTF_8);
    } catch (IOException e) {
      return e.toString();
    }
  }

  public int exit() {
    return exit;
  }

  /** Output and errors. */
  public String said() {
    return said;
  }

  List<String> lines() {
    return said.lines().collect(Collectors.toList());
  }

  /** Itself, where it answered 0. */
  Tool fine() throws IOException {
    if (exit != 0) {
      throw new IOException("answered " + exit + ":\n" + said);
    }
    return this;
  }
}
