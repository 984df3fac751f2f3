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
package io.github.hybridhbase.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.bed.OwnedBed;
import io.github.hybridhbase.bed.Role;
import io.github.hybridhbase.bed.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.yetus.audience.InterfaceAudience;

/** What processes have used up to a moment, and what the RegionServer has counted. Immutable. */
@InterfaceAudience.Private
final class Sample {
  private static final Pattern BLANK = Pattern.compile(" ");
  private static final Pattern BLANKS = Pattern.compile(" +");

  /** Linux counts processor time in hundredths of a second, whatever its clock. */
  private static final double TICKS = 100;

  private static final int USER_TIME = 11; // fields behind the command's closing bracket
  private static final int SYSTEM_TIME = 12;
  private static final int START_TIME = 19;

  /** Of {@code /proc/stat}: user, nice, system, idle, waiting for I/O, and more. */
  private static final int IDLE = 3;

  private static final int WAITING = 4;
  private static final int STOLEN = 7;

  /** Of the bean Server: what grows. */
  private static final List<String> COUNTERS =
      List.of(
          "totalRequestCount",
          "blockCacheHitCount",
          "blockCacheMissCount",
          "l1CacheHitCount",
          "l1CacheMissCount",
          "l2CacheHitCount",
          "l2CacheMissCount",
          "updatesBlockedTime",
          "flushedCellsSize",
          "compactedCellsSize",
          "majorCompactedCellsSize",
          "flushedOutputBytes",
          "compactedOutputBytes");

  final long nanos = System.nanoTime();

  /** Id and start of each process: one that was started again counts from zero. */
  private final Map<String, String> lives = new TreeMap<>();

  /** Seconds by process; {@code client} is this JVM. */
  final Map<String, Double> processor = new TreeMap<>();

  /** Milliseconds by process. */
  final Map<String, Long> garbageCollection = new TreeMap<>();

  final Map<String, Long> counters = new LinkedHashMap<>();

  /** Processor time of the machine, whoever used it, by what it went to. */
  private long[] machine = new long[STOLEN + 1];

  Sample() {}

  static Sample of(OwnedBed bed) throws IOException {
    Sample sample = new Sample();
    sample.machine(Files.readAllLines(Path.of("/proc/stat")).get(0));
    sample.process("client", ProcessHandle.current().pid());
    for (ServerProcess process : bed.processes()) {
      sample.process(process.name(), process.id());
      if (process.role() == Role.DATANODE) {
        sample.gc(process, bed.dataNode(process, "name=JvmMetrics"));
      } else if (process.role() == Role.REGIONSERVER) {
        sample.gc(process, bed.hbase(process, "name=JvmMetrics"));
        JsonNode server = bed.hbase(process, "name=RegionServer,sub=Server");
        for (String counter : COUNTERS) {
          if (server.has(counter)) {
            sample.counters.put(counter, server.path(counter).asLong());
          }
        }
      }
    }
    return sample;
  }

  private void gc(ServerProcess process, JsonNode metrics) {
    garbageCollection.put(process.name(), metrics.path("GcTimeMillis").asLong());
  }

  private void process(String name, long pid) throws IOException {
    process(name, pid, Files.readString(Path.of("/proc", Long.toString(pid), "stat")));
  }

  /**
   * @param stat what {@code /proc/PID/stat} tells
   */
  void process(String name, long pid, String stat) {
    lives.put(name, pid + " " + fields(stat)[START_TIME]);
    processor.put(name, seconds(stat));
  }

  /**
   * @param stat the first line of {@code /proc/stat}
   */
  void machine(String stat) {
    machine =
        Arrays.stream(BLANKS.split(stat.trim(), -1))
            .skip(1)
            .limit(STOLEN + 1)
            .mapToLong(Long::parseLong)
            .toArray();
  }

  private static String[] fields(String stat) {
    return BLANK.split(stat.substring(stat.lastIndexOf(')') + 2), -1);
  }

  /** Processor time that {@code /proc/PID/stat} tells. */
  static double seconds(String stat) {
    String[] fields = fields(stat);
    return (Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME])) / TICKS;
  }

  /** Whether a process lived when the other sample was taken, and lives since. */
  private boolean goesOn(String name, Sample before) {
    return lives.containsKey(name) && lives.get(name).equals(before.lives.get(name));
  }

  /**
   * What lies between two samples. What a process that has ended in between used is not known:
   * sample right before its end.
   */
  Map<String, Object> since(Sample before) {
    double seconds = (nanos - before.nanos) / 1e9;
    double all = 0;
    Map<String, Object> used = new LinkedHashMap<>();
    for (Map.Entry<String, Double> one : processor.entrySet()) {
      String name = one.getKey();
      double own = one.getValue() - (goesOn(name, before) ? before.processor.get(name) : 0);
      used.put(name, Numbers.rounded(own / seconds));
      all += own;
    }
    used.put("ofAllCores", Numbers.rounded(all / seconds / cores()));
    long idle = between(before, IDLE) + between(before, WAITING);
    long machineAll = 0;
    for (int i = 0; i < machine.length; i++) {
      machineAll += between(before, i);
    }
    // With others' work, the kernel's and what the host of a virtual machine took.
    used.put("machineBusy", share(machineAll - idle, machineAll));
    used.put("stolen", share(between(before, STOLEN), machineAll));
    Map<String, Object> between = new LinkedHashMap<>();
    between.put("processor", used);
    Map<String, Long> collected = new LinkedHashMap<>();
    garbageCollection.forEach(
        (name, millis) ->
            collected.put(
                name,
                millis
                    - (goesOn(name, before)
                        ? before.garbageCollection.getOrDefault(name, 0L)
                        : 0)));
    between.put("gcMs", collected);
    Map<String, Long> counted = new LinkedHashMap<>();
    boolean sameServer = goesOn(Role.REGIONSERVER.name(0), before);
    counters.forEach(
        (name, value) ->
            counted.put(name, value - (sameServer ? before.counters.getOrDefault(name, 0L) : 0)));
    between.put("counters", counted);
    return between;
  }

  private long between(Sample before, int field) {
    return machine[field] - before.machine[field];
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : Numbers.rounded((double) part / all);
  }

  private static int cores() {
    return Runtime.getRuntime().availableProcessors();
  }
}
