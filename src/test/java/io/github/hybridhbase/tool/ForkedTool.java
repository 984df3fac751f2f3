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

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/** The command line in a JVM of its own, as a user runs it. */
@InterfaceAudience.Private
final class ForkedTool implements AutoCloseable {
  private static final int PATIENCE_MINUTES = 10;
  private static final int SAMPLE_MILLIS = 100;

  private final Path out;
  private final Path err;
  private final Process process;
  private Duration cpu = Duration.ZERO;

  /**
   * Starts it.
   *
   * @param directory where its output is kept
   * @param megabytes of heap
   */
  ForkedTool(Path directory, int megabytes, String... args) throws IOException {
    out = Files.createTempFile(directory, "tool", ".out");
    err = Files.createTempFile(directory, "tool", ".err");
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add("-Xmx" + megabytes + "m");
    command.add("-cp");
    command.add(
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")));
    command.add(HybridTool.class.getName());
    command.addAll(List.of(args));
    process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
  }

  /** Waits for its end and answers the exit code. */
  int await() throws InterruptedException {
    long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(PATIENCE_MINUTES);
    while (!process.waitFor(SAMPLE_MILLIS, TimeUnit.MILLISECONDS)) {
      process.info().totalCpuDuration().ifPresent(spent -> cpu = spent);
      if (System.nanoTime() - end > 0) {
        throw new AssertionError("the tool did not end: " + out() + err());
      }
    }
    return process.exitValue();
  }

  /** CPU time it took, its JVM's start and compiler included, short of the last moments. */
  Duration cpu() {
    return cpu;
  }

  /** Asks it to end, as Ctrl-C does, with the signal that Java can send. */
  void terminate() {
    process.destroy();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String out() {
    return read(out);
  }

  String err() {
    return read(err);
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
