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
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One process of a bed. Its directory has its site files ({@code conf}), its command line ({@code
 * java.args}), what it said since the bed began ({@code log}) and its id ({@code pid}). Not safe
 * for several threads at once on one process.
 */
@InterfaceAudience.Private
public final class ServerProcess {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int TAIL = 4_000;

  private final Path directory;

  ServerProcess(Path directory) {
    this.directory = directory;
  }

  /** As in {@link Role#name(int)}. */
  public String name() {
    return directory.getFileName().toString();
  }

  public Role role() {
    return Role.of(name());
  }

  public Path directory() {
    return directory;
  }

  Path conf() {
    return directory.resolve("conf");
  }

  Path arguments() {
    return directory.resolve("java.args");
  }

  /** What it said, in all its lives. */
  public Path log() {
    return directory.resolve("log");
  }

  /** The value of one key of its site file, null where it is not set. */
  public String get(String key) {
    return SiteFile.read(conf().resolve("hbase-site.xml")).get(key);
  }

  /** Changes its site file; it sees that when it starts again. */
  public void set(Map<String, String> keys) throws IOException {
    change(all -> all.putAll(keys));
  }

  /** Takes keys out of its site file; it sees that when it starts again. */
  public void unset(Set<String> keys) throws IOException {
    change(all -> all.keySet().removeAll(keys));
  }

  private void change(Consumer<Map<String, String>> change) throws IOException {
    Map<String, String> all = SiteFile.read(conf().resolve("hbase-site.xml"));
    change.accept(all);
    SiteFile.write(conf(), all);
  }

  /**
   * Writes its command line, which it has from its next start on.
   *
   * @param added jars or directories of classes before those of HBase
   */
  void command(List<Path> jars, List<Path> added) throws IOException {
    command(jars, added, role().megabytes(), List.of());
  }

  /** The same with a heap of this many megabytes, and more flags of the JVM. */
  void command(List<Path> jars, List<Path> added, long megabytes, List<String> flags)
      throws IOException {
    List<Path> classPath = new ArrayList<>(List.of(conf()));
    classPath.addAll(added);
    classPath.addAll(jars);
    Java.write(
        arguments(),
        megabytes,
        directory.resolve("tmp"),
        flags,
        classPath,
        role().main(),
        role().arguments());
  }

  /** Gives it a heap of this many megabytes from its next start on. */
  public void heap(long megabytes) throws IOException {
    Java.heap(arguments(), megabytes);
  }

  /** Runs it in this network from its next start on. */
  void within(PrivateNetwork network) throws IOException {
    Files.writeString(directory.resolve(PrivateNetwork.FILE), network.name());
  }

  private Pid pid() {
    try {
      return Pid.read(directory.resolve("pid"));
    } catch (IOException e) {
      return null; // being written
    }
  }

  /**
   * Its id.
   *
   * @throws IllegalStateException where it was never started
   */
  public long id() {
    Pid pid = pid();
    if (pid == null) {
      throw new IllegalStateException(name() + " was never started");
    }
    return pid.id();
  }

  /** Starts it; waits for nothing. */
  public void start() throws IOException {
    if (isAlive()) {
      throw new IllegalStateException(name() + " runs already");
    }
    ProcessBuilder builder = Java.builder(arguments());
    PrivateNetwork network = PrivateNetwork.of(directory);
    if (network != null) {
      // Not "ip netns exec": it would not see what is mounted later.
      builder.command().addAll(0, List.of("nsenter", "--net=/run/netns/" + network.name(), "--"));
    }
    Process process =
        builder.redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile())).start();
    Pid.of(process.pid()).write(directory.resolve("pid"));
  }

  /** Whether there is such a process, stopped or not. */
  public boolean isAlive() {
    Pid pid = pid();
    return pid != null && pid.isAlive();
  }

  /** Ends it at once, as {@code kill -9}, and returns when it is gone. */
  public void kill() throws IOException, InterruptedException {
    signal("KILL");
    awaitEnd();
  }

  /** Asks it to end in good order, and returns when it is gone: killed where it took too long. */
  public void end() throws IOException, InterruptedException {
    signal("TERM");
    try {
      awaitEnd();
    } catch (AssertionError e) {
      kill();
    }
  }

  /** Stops it, as {@code kill -STOP}: it keeps its sockets and answers nobody. */
  public void stop() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on. */
  public void resume() throws IOException, InterruptedException {
    signal("CONT");
  }

  private void signal(String name) throws IOException, InterruptedException {
    Pid pid = pid();
    if (pid != null) {
      pid.signal(name);
    }
  }

  private void awaitEnd() throws InterruptedException {
    Waiting.until("the end of " + name(), PATIENCE, () -> !isAlive(), () -> null, this::tail);
  }

  /** Whether it has said this, in any of its lives. */
  public boolean said(String text) throws IOException {
    return !saying(text).isEmpty();
  }

  /** The lines in which it has said this, in all its lives. */
  public List<String> saying(String text) throws IOException {
    try (Stream<String> lines = lines()) {
      return lines.filter(line -> line.contains(text)).collect(Collectors.toList());
    }
  }

  /** The first lines of what it logged with a stack trace through the plugin, in all its lives. */
  List<String> sayingWithOurTrace() throws IOException {
    try (Stream<String> lines = lines()) {
      return LogTraces.having("io.github.hybridhbase", lines);
    }
  }

  private Stream<String> lines() throws IOException {
    return Files.exists(log()) ? Files.lines(log(), StandardCharsets.ISO_8859_1) : Stream.of();
  }

  /** The end of what it said. Never throws. */
  public String tail() {
    try (RandomAccessFile file = new RandomAccessFile(log().toFile(), "r")) {
      byte[] bytes = new byte[(int) Math.min(TAIL, file.length())];
      file.seek(file.length() - bytes.length);
      file.readFully(bytes);
      return "--- " + this + "\n" + new String(bytes, StandardCharsets.ISO_8859_1);
    } catch (IOException e) {
      return "--- " + this + ": no log\n";
    }
  }

  /** Its name, id and state. */
  @Override
  public String toString() {
    Pid pid = pid();
    String state = pid == null || !pid.isAlive() ? "down" : pid.isStopped() ? "stopped" : "up";
    return name() + " " + state + (pid == null ? "" : " pid " + pid);
  }
}
