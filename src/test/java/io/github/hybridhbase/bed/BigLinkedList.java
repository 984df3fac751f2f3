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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * HBase's {@code IntegrationTestBigLinkedList} as load: one run after the other, each in a JVM of
 * its own with MapReduce's local job runner and a table of its own. A run writes linked lists, then
 * follows every link; a node that is undefined or lost fails it. MapReduce keeps its files outside
 * HDFS, so that they mind no fault.
 */
@InterfaceAudience.Private
final class BigLinkedList implements AutoCloseable {
  private static final String MAIN = "org.apache.hadoop.hbase.test.IntegrationTestBigLinkedList";
  private static final int MEGABYTES = 768;
  private static final long PATIENCE_MINUTES = 30;
  private static final String NODES = "50000";
  private static final String WIDTH = "1000";
  private static final String WRAP = "25";

  private final Bed bed;
  private final List<Path> jars;
  private final Thread thread = new Thread(this::run, "big-linked-list");
  private final List<String> failures = new ArrayList<>();
  private volatile boolean ended;
  private volatile Process running;
  private int runs;

  /** Begins. */
  BigLinkedList(Bed bed) throws IOException {
    this.bed = bed;
    Path list = Line.base().resolve("target/lines/it.jars");
    this.jars = Files.readAllLines(list).stream().map(Path::of).collect(Collectors.toList());
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    try {
      while (!ended) {
        once(runs);
        runs++;
      }
    } catch (IOException e) {
      failures.add(e.toString());
    } catch (InterruptedException e) {
      failures.add("given up");
    }
  }

  private void once(int number) throws IOException, InterruptedException {
    Path home = Files.createDirectories(bed.directory().resolve("itbll-" + number));
    List<Path> classPath = new ArrayList<>(List.of(bed.conf()));
    classPath.addAll(bed.jars());
    classPath.addAll(jars);
    Path file = home.resolve("list.args");
    Java.write(
        file,
        MEGABYTES,
        home.resolve("tmp"),
        List.of(),
        classPath,
        MAIN,
        "-Dfs.defaultFS=file:///",
        "-Dhadoop.tmp.dir=" + home.resolve("tmp"),
        "-Dhbase.client.retries.number=50",
        "-DIntegrationTestBigLinkedList.table=list" + number,
        "Loop",
        "1",
        "2",
        NODES,
        home.resolve("out").toString(),
        "2",
        WIDTH,
        WRAP);
    Path log = bed.directory().resolve("itbll-" + number + ".log");
    running = Java.builder(file).redirectOutput(log.toFile()).start();
    int exit = running.waitFor();
    if (exit != 0) {
      failures.add("run " + number + " ended with " + exit + ", see " + log.getFileName());
    }
  }

  /** Waits for the run that is under way; how many there were. */
  int end() throws InterruptedException {
    ended = true;
    thread.join(TimeUnit.MINUTES.toMillis(PATIENCE_MINUTES));
    if (thread.isAlive()) {
      close();
    }
    if (!failures.isEmpty()) {
      throw new AssertionError("IntegrationTestBigLinkedList: " + failures);
    }
    return runs;
  }

  /** Ends it where it is. */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    Process last = running;
    if (last != null) {
      last.destroyForcibly();
    }
    thread.interrupt();
    thread.join(TimeUnit.MINUTES.toMillis(1));
  }
}
