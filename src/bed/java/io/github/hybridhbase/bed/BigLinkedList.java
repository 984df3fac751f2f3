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
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's IntegrationTestBigLinkedList on a bed, round after round in a thread of its own: each
 * writes a table of nodes that refer to each other and verifies it by MapReduce's local job runner,
 * in a process of its own. A round that a fault has cut short proves nothing, and is counted.
 */
@InterfaceAudience.Private
final class BigLinkedList implements AutoCloseable {
  /** Paths of hbase-it and MapReduce, if the build was asked for them. */
  private static final Path JARS = Line.base().resolve("target/lines/it.jars");

  private static final String MAIN = "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList";
  private static final int MAPPERS = 2;
  private static final int NODES = 50_000; // of each, a multiple of WIDTH * WRAP
  private static final int WIDTH = 1_000;
  private static final int WRAP = 25;
  private static final int MEGABYTES = 512;
  private static final int TRIES = 3;
  private static final Pattern COUNTER = Pattern.compile("\t\t(\\w+)=(\\d+)");

  private final Bed bed;
  private final Thread thread = new Thread(this::run, "itbll");
  private volatile boolean ended;
  private volatile Throwable failure;
  private volatile int rounds;
  private volatile int cutShort;
  private int table;

  /** Begins. */
  BigLinkedList(Bed bed) {
    this.bed = bed;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      List<Integer> written = new ArrayList<>();
      while (!ended) {
        round(written);
      }
      // All servers are up now: what was written under faults last, and a round without one.
      for (int each : written) {
        verify(each, TRIES);
      }
      for (int tries = 0, before = rounds; rounds == before; tries++) {
        if (tries == TRIES) {
          throw new AssertionError("nothing was verified at the end");
        }
        round(new ArrayList<>());
      }
    } catch (Throwable e) { // else a load that died would count as one that found nothing
      failure = e;
    }
  }

  /**
   * @param written gets the table, in place of an earlier one that is verified
   */
  private void round(List<Integer> written) throws IOException, InterruptedException {
    table++;
    try {
      job("Generator", MAPPERS, NODES, "out", WIDTH, WRAP);
      written.add(table);
      verify(table, 1);
      written.removeIf(each -> each != table);
      rounds++;
    } catch (IOException e) {
      cutShort++;
    }
  }

  /** Throws an AssertionError if a node is missing, an IOException if that could not be seen. */
  private void verify(int of, int tries) throws IOException, InterruptedException {
    int current = table;
    table = of;
    try {
      job("Verify", "out", 2);
    } catch (IOException e) {
      if (tries == 1) {
        throw e;
      }
      verify(of, tries - 1);
    } finally {
      table = current;
    }
  }

  private void job(Object... words) throws IOException, InterruptedException {
    Path home = Files.createTempDirectory(bed.directory(), "itbll");
    List<Path> classPath = new ArrayList<>(List.of(bed.conf()));
    classPath.addAll(bed.jars());
    for (String jar : Files.readAllLines(JARS)) {
      classPath.add(Path.of(jar));
    }
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dfs.defaultFS=file:///");
    arguments.add("-Dhadoop.tmp.dir=" + home.resolve("tmp"));
    arguments.add("-Dhbase.client.retries.number=50");
    arguments.add("-DIntegrationTestBigLinkedList.table=itbll" + table);
    for (Object word : words) {
      arguments.add(word.toString());
    }
    Path file = home.resolve("job.args");
    Java.write(
        file,
        MEGABYTES,
        home.resolve("tmp"),
        // It lives for a minute, beside servers that want the processors too.
        List.of("-XX:TieredStopAtLevel=1"),
        classPath,
        MAIN,
        arguments.toArray(new String[0]));
    Path said = bed.directory().resolve("itbll-" + table + "-" + words[0] + ".log");
    ProcessBuilder builder = Java.builder(file).redirectOutput(said.toFile());
    builder.command().addAll(0, List.of("nice", "-n", "10"));
    Process process = builder.start();
    // The bed's end finds it there, should this JVM be killed.
    Pid.of(process.pid()).write(home.resolve("pid"));
    try {
      int exit = process.waitFor();
      judge(Files.readString(said, StandardCharsets.ISO_8859_1), exit, words[0]);
    } finally {
      process.destroyForcibly();
    }
  }

  /** A job that verifies fails of itself if it finds something, and is judged by its counters. */
  static void judge(String log, int exit, Object what) throws IOException {
    boolean verifies = what.equals("Verify");
    long referenced = 0;
    for (Matcher counter = COUNTER.matcher(log); counter.find(); ) {
      long value = Long.parseLong(counter.group(2));
      if (counter.group(1).equals("REFERENCED")) {
        referenced = value;
      } else if (verifies
          && value > 0
          && List.of("UNDEFINED", "UNREFERENCED", "LOST_FAMILIES").contains(counter.group(1))) {
        throw new AssertionError("not all nodes are there: " + counter.group().strip());
      }
    }
    boolean completed = log.contains(" completed successfully");
    if (verifies && completed && referenced != (long) MAPPERS * NODES) {
      throw new AssertionError(referenced + " nodes are there");
    }
    if (exit != 0 || !completed) {
      throw new IOException(what + " ended with " + exit);
    }
  }

  /**
   * Looks whether something was missing.
   *
   * @throws AssertionError if it was
   */
  void check() {
    if (failure != null) {
      throw new AssertionError("itbll: " + failure, failure);
    }
  }

  /** Has it verify once more, all servers being up from now on. Returns whether that goes on. */
  boolean isEnding() {
    ended = true;
    return thread.isAlive();
  }

  @Override
  public String toString() {
    return String.format(
        "itbll: %d rounds of %,d nodes verified, %d cut short by faults; failures: %s",
        rounds, MAPPERS * NODES, cutShort, failure == null ? "none" : failure);
  }

  @Override
  public void close() {
    ended = true;
    thread.interrupt();
  }
}
