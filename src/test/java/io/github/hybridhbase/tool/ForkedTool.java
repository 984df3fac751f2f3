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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/** A script of a checkout that ran to its end: its exit code and what it printed. */
@InterfaceAudience.Private
final class ForkedTool {
  static final String LAUNCHER = "bin/hbase-hybrid";

  final int exit;
  final String out;
  final String err;

  /**
   * Runs a program.
   *
   * @param directory where it runs, and where its output is kept
   */
  ForkedTool(Path directory, Map<String, String> environment, String... command)
      throws IOException, InterruptedException {
    Path stdout = Files.createTempFile(directory, "tool", ".out");
    Path stderr = Files.createTempFile(directory, "tool", ".err");
    ProcessBuilder builder = new ProcessBuilder(command).directory(directory.toFile());
    builder.environment().remove("HBASE_HOME");
    builder.environment().putAll(environment);
    Process process =
        builder.redirectOutput(stdout.toFile()).redirectError(stderr.toFile()).start();
    try {
      exit = process.waitFor();
    } finally {
      process.destroyForcibly();
    }
    out = Files.readString(stdout);
    err = Files.readString(stderr);
  }

  static Path checkout() {
    return TypedCluster.baseDirectory().toAbsolutePath();
  }

  /** Makes a checkout without sources that has a script of this one. */
  static Path copyOf(String script, Path checkout) throws IOException {
    for (String made : new String[] {"src/main", "src/test", "src/bed", "target", "bin", "bench"}) {
      Files.createDirectories(checkout.resolve(made));
    }
    return Files.copy(
        checkout().resolve(script), checkout.resolve(script), StandardCopyOption.COPY_ATTRIBUTES);
  }

  @Override
  public String toString() {
    return "exit " + exit + "\n" + out + err;
  }
}
