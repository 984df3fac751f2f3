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
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The command line in a JVM of its own, as a user runs it. */
@InterfaceAudience.Private
final class ForkedTool implements AutoCloseable {
  private static final int PATIENCE_MINUTES = 10;
  private static final int SAMPLE_MILLIS = 100;

  /**
   * Gives Ctrl-C its usual meaning back: a build that a shell started in the background has all its
   * children ignore it.
   */
  private static final List<String> DEFAULT_SIGNALS =
      runs("env", "--default-signal=INT", "true")
          ? List.of("env", "--default-signal=INT")
          : List.of();

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
    this(directory, new HashMap<>(), command(megabytes, args));
  }

  private ForkedTool(Path directory, Map<String, String> environment, List<String> command)
      throws IOException {
    out = Files.createTempFile(directory, "tool", ".out");
    err = Files.createTempFile(directory, "tool", ".err");
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    builder.environment().putAll(environment);
    process = builder.start();
  }

  /**
   * Starts it as {@code bin/hbase-hybrid} does where there is no HBase: by the class path of a
   * checkout. It is a copy of this one with what the launcher would have built.
   */
  static ForkedTool ofCheckout(Path directory, String... args) throws IOException {
    Path real = TypedCluster.baseDirectory().toAbsolutePath();
    Path copy = Files.createTempDirectory(directory, "checkout");
    for (String made : List.of("bin", "src/main", "src/test", "src/bed", "target")) {
      Files.createDirectories(copy.resolve(made));
    }
    Path launcher = copy.resolve("bin/hbase-hybrid");
    Files.copy(real.resolve("bin/hbase-hybrid"), launcher, StandardCopyOption.COPY_ATTRIBUTES);
    Files.copy(real.resolve("pom.xml"), copy.resolve("pom.xml"));
    for (String classes : List.of("target/classes", "target/test-classes")) {
      Files.createSymbolicLink(copy.resolve(classes), real.resolve(classes));
    }
    // Last, so that it is newer than the sources.
    Files.writeString(copy.resolve("target/hbase-hybrid.classpath"), classPath());
    Map<String, String> environment = new HashMap<>();
    environment.put("JAVA_HOME", System.getProperty("java.home"));
    environment.put("HBASE_HOME", "");
    environment.put(
        "PATH",
        Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
            .filter(at -> Files.notExists(Path.of(at, "hbase")))
            .collect(Collectors.joining(File.pathSeparator)));
    List<String> command = new ArrayList<>(List.of(launcher.toString()));
    command.addAll(List.of(args));
    return new ForkedTool(directory, environment, command);
  }

  private static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  private static List<String> command(int megabytes, String... args) {
    List<String> command = new ArrayList<>(DEFAULT_SIGNALS);
    command.add(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java");
    command.add("-Xmx" + megabytes + "m");
    command.add("-cp");
    command.add(classPath());
    command.add(HybridTool.class.getName());
    command.addAll(List.of(args));
    return command;
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

  /** Asks it to end, as Ctrl-C does. */
  void interrupt() {
    if (!runs("kill", "-INT", Long.toString(process.pid()))) {
      throw new AssertionError("no signal could be sent");
    }
  }

  /** Whether a command is there and answers 0. */
  private static boolean runs(String... command) {
    try {
      return new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start()
              .waitFor()
          == 0;
    } catch (IOException e) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /** Kills it, as the kernel does when memory is short. */
  void kill() {
    process.destroyForcibly();
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
