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
import io.github.hybridhbase.bed.Pid;
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
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/** What processes have used up to a moment, and what the RegionServer has counted. Immutable. */
@InterfaceAudience.Private
final class Sample {
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
          "FlushTime_num_ops",
          "CompactionTime_num_ops",
          "flushedCellsSize",
          "compactedCellsSize",
          "majorCompactedCellsSize",
          "flushedOutputBytes",
          "compactedOutputBytes");

  private final long nanos = System.nanoTime();

  /** Id and start of each process: one that was started again counts from zero. */
  private final Map<String, String> lives = new TreeMap<>();

  /** Ticks by process; {@code client} is this JVM. */
  private final Map<String, Long> processor = new TreeMap<>();

  private final Map<String, Long> counters = new LinkedHashMap<>();

  /** Ticks of the machine, whoever used them, by what they went to. */
  private final long[] machine;

  Sample(OwnedBed bed) throws IOException {
    String stat = Files.readAllLines(Path.of("/proc/stat")).get(0);
    machine = Arrays.stream(BLANKS.split(stat, -1)).skip(1).mapToLong(Long::parseLong).toArray();
    process("client", ProcessHandle.current().pid());
    for (ServerProcess process : bed.processes()) {
      process(process.name(), process.id());
      if (process.role() == Role.REGIONSERVER) {
        JsonNode server = bed.hbase(process, "name=RegionServer,sub=Server");
        for (String counter : COUNTERS) {
          if (server.has(counter)) {
            counters.put(counter, server.path(counter).asLong());
          }
        }
      }
    }
  }

  private void process(String name, long pid) throws IOException {
    String[] fields = Pid.stat(pid);
    lives.put(name, pid + " " + fields[START_TIME]);
    processor.put(name, Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[SYSTEM_TIME]));
  }

  /**
   * What lies between two samples. What a process that has ended in between used is not known:
   * sample right before its end.
   */
  Map<String, Object> since(Sample before) {
    double ticks = (nanos - before.nanos) / 1e9 * TICKS;
    Map<String, Long> own = between(processor, before, before.processor);
    Map<String, Object> used = new LinkedHashMap<>();
    own.forEach((name, one) -> used.put(name, Numbers.rounded(one / ticks)));
    double all = own.values().stream().mapToLong(Long::longValue).sum();
    used.put(
        "ofAllCores", Numbers.rounded(all / ticks / Runtime.getRuntime().availableProcessors()));
    long machineAll =
        IntStream.rangeClosed(0, STOLEN).mapToLong(i -> machine[i] - before.machine[i]).sum();
    long idle = machine[IDLE] + machine[WAITING] - before.machine[IDLE] - before.machine[WAITING];
    // With others' work, the kernel's and what the host of a virtual machine took.
    used.put("machineBusy", share(machineAll - idle, machineAll));
    used.put("stolen", share(machine[STOLEN] - before.machine[STOLEN], machineAll));
    Map<String, Object> between = new LinkedHashMap<>();
    between.put("processor", used);
    Map<String, Long> counted = new LinkedHashMap<>(counters);
    if (goesOn(Role.REGIONSERVER.name(0), before)) {
      counted.replaceAll((name, now) -> now - before.counters.getOrDefault(name, 0L));
    }
    between.put("counters", counted);
    return between;
  }

  private Map<String, Long> between(Map<String, Long> all, Sample before, Map<String, Long> then) {
    Map<String, Long> between = new LinkedHashMap<>(all);
    between.replaceAll(
        (name, now) -> now - (goesOn(name, before) ? then.getOrDefault(name, 0L) : 0));
    return between;
  }

  /** Whether a process lived when the other sample was taken, and lives since. */
  private boolean goesOn(String name, Sample before) {
    return lives.containsKey(name) && lives.get(name).equals(before.lives.get(name));
  }

  private static double share(long part, long all) {
    return all == 0 ? 0 : Numbers.rounded((double) part / all);
  }
}
