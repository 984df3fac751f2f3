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
package io.github.hybridhbase.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Processor time and context switches by groups of threads, the JVM's own included, and of the
 * machine. Linux only: reads {@code /proc}, four times a second because threads end with each log.
 */
@InterfaceAudience.Private
final class ThreadGroups implements AutoCloseable {
  private static final Path TASKS = Paths.get("/proc/self/task");
  private static final int USER = 0;
  private static final int SYSTEM = 1;
  private static final int SWITCHES = 2;

  private final Map<String, long[]> before = new HashMap<>();
  private final Map<String, long[]> now = new HashMap<>();
  private final Map<String, String> groups = new HashMap<>();
  private final long[] machineBefore = machine();
  private final Thread sampler = new Thread(this::run, "thread-groups");

  ThreadGroups() {
    sample(before);
    sampler.setDaemon(true);
    sampler.start();
  }

  private void run() {
    try {
      while (true) {
        Thread.sleep(250);
        sample(now);
      }
    } catch (InterruptedException e) {
      sample(now);
    }
  }

  @Override
  public void close() {
    sampler.interrupt();
    try {
      sampler.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** After {@link #close}: fields of a JSON object, for so many edits. */
  String json(long edits) {
    Map<String, long[]> sums = new TreeMap<>();
    now.forEach(
        (id, end) -> {
          long[] start = before.getOrDefault(id, new long[3]);
          long[] sum = sums.computeIfAbsent(groups.get(id), name -> new long[3]);
          for (int i = 0; i < sum.length; i++) {
            sum[i] += end[i] - start[i];
          }
        });
    StringBuilder json = new StringBuilder(",\"threads\":{");
    String comma = "";
    for (Map.Entry<String, long[]> group : sums.entrySet()) {
      long[] sum = group.getValue();
      // Ticks are 10 ms.
      json.append(
          String.format(
              Locale.ROOT,
              "%s\"%s\":{\"userMicrosPerEdit\":%.2f,\"systemMicrosPerEdit\":%.2f"
                  + ",\"switchesPerEdit\":%.3f}",
              comma,
              group.getKey(),
              sum[USER] * 1e4 / edits,
              sum[SYSTEM] * 1e4 / edits,
              (double) sum[SWITCHES] / edits));
      comma = ",";
    }
    long[] end = machine();
    long all = 0;
    for (int i = 0; i < 8; i++) {
      all += end[i] - machineBefore[i];
    }
    String[] names = {"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"};
    json.append("},\"machine\":{");
    for (int i = 0; i < 8; i++) {
      json.append(
          String.format(
              Locale.ROOT,
              "%s\"%s\":%.3f",
              i == 0 ? "" : ",",
              names[i],
              (end[i] - machineBefore[i]) / (double) all));
    }
    return json.append("}").toString();
  }

  private void sample(Map<String, long[]> into) {
    try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
      for (Path task : tasks) {
        try {
          String stat = Files.readString(task.resolve("stat"), StandardCharsets.ISO_8859_1);
          String status = Files.readString(task.resolve("status"), StandardCharsets.ISO_8859_1);
          int end = stat.lastIndexOf(')');
          String[] rest = stat.substring(end + 2).split(" ");
          String id = task.getFileName().toString();
          into.put(
              id,
              new long[] {
                Long.parseLong(rest[11]),
                Long.parseLong(rest[12]),
                number(status, "\nvoluntary_ctxt_switches:")
                    + number(status, "\nnonvoluntary_ctxt_switches:")
              });
          groups.put(id, group(stat.substring(stat.indexOf('(') + 1, end)));
        } catch (IOException e) {
          // It has ended.
        }
      }
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static long number(String status, String field) {
    int at = status.indexOf(field) + field.length();
    return Long.parseLong(status.substring(at, status.indexOf('\n', at)).trim());
  }

  private static String group(String name) {
    if (name.startsWith("AsyncFSWAL-")) {
      return name.contains("-hd") ? "WAL consumer" : "WAL event loop";
    }
    return name.startsWith("pool-") ? "writers" : name.replaceAll("[^A-Za-z ]+.*", "").trim();
  }

  private static long[] machine() {
    try {
      String[] words = Files.readAllLines(Paths.get("/proc/stat")).get(0).split(" +");
      long[] ticks = new long[8];
      for (int i = 0; i < ticks.length; i++) {
        ticks[i] = Long.parseLong(words[i + 1]);
      }
      return ticks;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }
}
