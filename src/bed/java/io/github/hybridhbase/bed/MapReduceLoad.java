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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One of HBase's integration tests that write and verify by MapReduce. Each job has a JVM of its
 * own with MapReduce's local job runner, which keeps its files outside HDFS, so that they mind no
 * fault.
 */
@InterfaceAudience.Private
abstract class MapReduceLoad extends TableLoad {
  /** Paths of hbase-it and MapReduce, where the build was asked for them. */
  static final Path JARS = Line.base().resolve("target/lines/it.jars");

  /** Servers that come back need the processors first. */
  private static final Semaphore ONE_AT_A_TIME = new Semaphore(1, true);

  private static final Predicate<String> TROUBLE =
      Pattern.compile("^(Caused by: |Exception in thread |[\\w.]+(Exception|Error)\\b)")
          .asPredicate();
  private static final int MEGABYTES = 512;
  private static final Duration JOB = Duration.ofMinutes(15);

  /** Of this kind, which have their jobs one after the other. */
  private static final int MOST_LOADS = 2;

  private static final int TRIES = 3;

  private final Bed bed;
  private final String name;
  private final List<Path> jars;
  private int logs;
  private volatile Process running;
  private volatile boolean closed;

  MapReduceLoad(Bed bed, String name) throws IOException {
    this.bed = bed;
    this.name = name;
    this.jars = Files.readAllLines(JARS).stream().map(Path::of).collect(Collectors.toList());
  }

  /** The class that writes, and its arguments. */
  abstract List<String> writing(String table);

  /** The class that verifies, and its arguments; the current directory is new and empty. */
  abstract List<String> verifying(String table);

  /**
   * How much was verified.
   *
   * @param counters of the job that verified
   * @throws AssertionError where something is missing
   */
  abstract long verified(JobCounters counters);

  @Override
  final void write(int table) throws IOException, InterruptedException {
    run(table, writing(name + table), true);
  }

  /** A job that a fault has cut short says nothing of the rows, and is tried again. */
  @Override
  final long verify(int table) throws IOException, InterruptedException {
    for (int tries = TRIES; ; tries--) {
      try {
        return verified(run(table, verifying(name + table), false));
      } catch (IOException e) {
        if (tries == 1 || closed) {
          throw e;
        }
      }
    }
  }

  private JobCounters run(int number, List<String> words, boolean writes)
      throws IOException, InterruptedException {
    String log = name + "-" + number + "-" + logs++ + ".log";
    Path home = Files.createDirectories(home(number));
    Path work = Files.createTempDirectory(home, "work");
    List<Path> classPath = new ArrayList<>(List.of(bed.conf()));
    classPath.addAll(bed.jars());
    classPath.addAll(jars);
    List<String> arguments = new ArrayList<>();
    arguments.add("-Dfs.defaultFS=file:///");
    arguments.add("-Dhadoop.tmp.dir=" + work.resolve("tmp"));
    arguments.add("-Dhbase.client.retries.number=50");
    arguments.addAll(words.subList(1, words.size()));
    Path file = work.resolve("job.args");
    Java.write(
        file,
        MEGABYTES,
        work.resolve("tmp"),
        // It lives for a minute, beside servers that want the processors too.
        List.of("-XX:TieredStopAtLevel=1"),
        classPath,
        words.get(0),
        arguments.toArray(new String[0]));
    Path said = bed.directory().resolve(log);
    ProcessBuilder builder = Java.builder(file).redirectOutput(said.toFile());
    builder.command().addAll(0, List.of("nice", "-n", "10"));
    ONE_AT_A_TIME.acquire();
    Process process = null;
    try {
      process = builder.start();
      running = process;
      // The bed's end finds it there, should this JVM be killed.
      Pid.of(process.pid()).write(home.resolve("pid"));
      if (closed || !process.waitFor(JOB.toMinutes(), TimeUnit.MINUTES)) {
        throw new IOException("not at its end after " + JOB.toMinutes() + " minutes, see " + log);
      }
    } finally {
      if (process != null) {
        process.destroyForcibly();
      }
      ONE_AT_A_TIME.release();
    }
    List<String> lines = Files.readAllLines(said, StandardCharsets.ISO_8859_1);
    try {
      return outcome(lines, process.exitValue(), writes);
    } catch (IOException e) {
      throw new IOException(e.getMessage() + ", see " + log, e);
    }
  }

  /**
   * What came of jobs that have ended.
   *
   * @param lines of their log
   * @param writes whether all of several jobs must have come to their end; the one that verifies
   *     fails of itself where it finds something, and is judged by its counters
   * @throws IOException where they were cut short
   */
  static JobCounters outcome(List<String> lines, int exit, boolean writes) throws IOException {
    JobCounters counters = JobCounters.parse(lines);
    if (counters.isEmpty() || (writes && exit != 0)) {
      String why = lines.stream().filter(TROUBLE).reduce("", (first, second) -> second);
      throw new IOException("ended with " + exit + ": " + why);
    }
    return counters;
  }

  /** Each of its jobs has its own, and may wait for that of another load. */
  @Override
  public final Duration patience() {
    return JOB.multipliedBy((long) MOST_LOADS * TRIES * (2 + unverified()));
  }

  private Path home(int number) {
    return bed.directory().resolve(name + "-" + number);
  }

  @Override
  final void drop(int number) throws IOException {
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    conf.setInt("hbase.client.operation.timeout", 60_000);
    TableName table = TableName.valueOf(name + number);
    try (Connection connection = ConnectionFactory.createConnection(conf);
        Admin admin = connection.getAdmin()) {
      if (admin.tableExists(table)) {
        if (admin.isTableEnabled(table)) {
          admin.disableTable(table);
        }
        admin.deleteTable(table);
      }
    }
    FileUtil.fullyDelete(home(number).toFile());
  }

  @Override
  public final void close() {
    closed = true;
    Process last = running;
    if (last != null) {
      last.destroyForcibly();
    }
  }
}
