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

import com.sun.management.OperatingSystemMXBean;
import io.github.hybridhbase.wal.WalSyncStats;
import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Plays rivals against each other in turns on one HDFS, and counts what they cost a block device.
 * Options, each {@code name=value}: {@code dir} (volumes), {@code device} ({@code major:minor}; its
 * I/Os are read from blkio, none without it), {@code datanodes} 1, {@code policy} ALL_SSD, {@code
 * hsync} true, {@code rivals}, {@code writers} 1,10,100, {@code seconds} 30, {@code rounds} 3,
 * {@code bytes} 1024, {@code ssd.us} and {@code disk.us} (injected fsync latency, 0). A rival may
 * carry settings: {@code HYBRID_ASYNCFS/hbase.hybrid.wal.gather.percent=0}. Prints one JSON object
 * a run.
 */
@InterfaceAudience.Private
public final class DeviceComparison {
  /** Bounds memory; what comes later in a run is not sampled. */
  private static final int SAMPLES = 200_000;

  /** What the plugin's writer tells about a run; stock tells nothing. */
  private static final class Counted implements WalSyncStats {
    final LongAdder flushes = new LongAdder();
    final LongAdder edits = new LongAdder();
    final LongAdder nanos = new LongAdder();
    final LongAdder timeouts = new LongAdder();
    final LongAdder lockNanos = new LongAdder();
    final LongAdder lockWaits = new LongAdder();

    @Override
    public void flushed(int syncs, int carried, long bytes, boolean forced, long took) {
      flushes.increment();
      edits.add(carried);
      nanos.add(took);
    }

    @Override
    public void gatheringTimedOut(int came, int expected) {
      timeouts.increment();
    }

    @Override
    public void waitedForFlush(long took) {
      lockWaits.increment();
      lockNanos.add(took);
    }

    String json() {
      double count = Math.max(1, flushes.sum());
      return String.format(
          Locale.ROOT,
          ",\"editsPerFlush\":%.1f,\"flushMs\":%.2f,\"timeoutsPerFlush\":%.2f"
              + ",\"lockWaitsPerFlush\":%.3f,\"lockWaitMicros\":%.1f",
          edits.sum() / count,
          nanos.sum() / count / 1e6,
          timeouts.sum() / count,
          lockWaits.sum() / count,
          lockNanos.sum() / 1e3 / Math.max(1, lockWaits.sum()));
    }
  }

  private final Map<String, String> options = new HashMap<>();

  private DeviceComparison(String[] args) {
    for (String arg : args) {
      String[] pair = arg.split("=", 2);
      options.put(pair[0], pair[1]);
    }
  }

  /** Runs the comparison. */
  public static void main(String[] args) throws Exception {
    new DeviceComparison(args).run();
    System.exit(0);
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(options.getOrDefault(name, "" + otherwise));
  }

  private void run() throws Exception {
    File dir = new File(options.getOrDefault("dir", "target/bench-dfs")).getAbsoluteFile();
    String[] rivals =
        options.getOrDefault("rivals", "ASYNCFS,FILESYSTEM,HYBRID_ASYNCFS").split(",");
    String[] writers = options.getOrDefault("writers", "1,10,100").split(",");
    try (TypedCluster cluster =
        TypedCluster.start(
            dir, number("datanodes", 1), number("ssd.us", 0), number("disk.us", 0))) {
      // The first log of a JVM pays for class loading.
      for (String rival : rivals) {
        measure(cluster, rival, 10, Math.min(5, number("seconds", 30)));
      }
      for (int round = 1; round <= number("rounds", 3); round++) {
        for (String count : writers) {
          for (int i = 0; i < rivals.length; i++) {
            // Each round begins with another rival: whoever follows the same one pays for its heap.
            String rival = rivals[(i + round) % rivals.length];
            String result = measure(cluster, rival, Integer.parseInt(count), number("seconds", 30));
            System.out.println("{\"round\":" + round + "," + result + "}");
          }
        }
      }
    }
  }

  private String measure(TypedCluster cluster, String rival, int threads, int seconds)
      throws Exception {
    String[] parts = rival.split("/");
    Map<String, String> settings = new HashMap<>();
    for (String setting : Arrays.asList(parts).subList(1, parts.length)) {
      settings.put(setting.split("=")[0], setting.split("=")[1]);
    }
    boolean hsync = Boolean.parseBoolean(options.getOrDefault("hsync", "true"));
    Path root = cluster.directory("bench", options.getOrDefault("policy", "ALL_SSD"));
    Counted counted = new Counted();
    WalSyncStats.bind(counted);
    List<long[]> samples = new ArrayList<>();
    long edits = 0;
    long elapsed;
    long ios;
    long cpu;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (WalUnderTest wal =
        new WalUnderTest(cluster.fileSystem(), root, Rival.valueOf(parts[0]), hsync, settings)) {
      CountDownLatch go = new CountDownLatch(1);
      long[] times = new long[2];
      List<Future<long[]>> all = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        WalUnderTest.Writer writer = wal.writer(number("bytes", 1024));
        int perThread = SAMPLES / threads;
        all.add(
            pool.submit(
                () -> {
                  go.await();
                  return write(writer, times, perThread);
                }));
      }
      long before = deviceIos();
      long cpuBefore = cpuNanos();
      times[0] = System.nanoTime();
      // The first second warms up and is not sampled.
      times[1] = times[0] + seconds * 1_000_000_000L;
      go.countDown();
      for (Future<long[]> one : all) {
        long[] mine = one.get();
        edits += mine[0];
        samples.add(Arrays.copyOfRange(mine, 1, mine.length));
      }
      elapsed = System.nanoTime() - times[0];
      ios = deviceIos() - before;
      cpu = cpuNanos() - cpuBefore;
    } catch (ExecutionException e) {
      throw new IOException(rival, e.getCause());
    } finally {
      pool.shutdown();
    }
    long[] sorted = samples.stream().flatMapToLong(Arrays::stream).sorted().toArray();
    return String.format(
            Locale.ROOT,
            "\"rival\":\"%s\",\"writers\":%d,\"hsync\":%b,\"opsPerSecond\":%.0f,"
                + "\"p50ms\":%.2f,\"p99ms\":%.2f,\"iosPerEdit\":%.3f,\"cpuMicrosPerEdit\":%.1f",
            rival,
            threads,
            hsync,
            edits * 1e9 / elapsed,
            percentile(sorted, 50),
            percentile(sorted, 99),
            (double) ios / edits,
            cpu / 1e3 / edits)
        + (Rival.valueOf(parts[0]).hybrid() ? counted.json() : "");
  }

  /** Returns the number of edits, then latencies in nanoseconds. */
  private static long[] write(WalUnderTest.Writer writer, long[] times, int max)
      throws IOException {
    long[] mine = new long[max + 1];
    int kept = 0;
    long edits = 0;
    long start = System.nanoTime();
    while (start < times[1]) {
      writer.append();
      long end = System.nanoTime();
      edits++;
      if (kept < max && start - times[0] > 1_000_000_000L) {
        mine[++kept] = end - start;
      }
      start = end;
    }
    mine[0] = edits;
    return Arrays.copyOf(mine, kept + 1);
  }

  private static double percentile(long[] sorted, int percent) {
    return sorted.length == 0
        ? Double.NaN
        : sorted[(int) ((long) (sorted.length - 1) * percent / 100)] / 1e6;
  }

  /** Of the whole process, HDFS included: says more than throughput where the machine is shared. */
  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long deviceIos() throws IOException {
    String device = options.get("device");
    if (device == null) {
      return 0;
    }
    String file =
        options.getOrDefault("counter", "/sys/fs/cgroup/blkio/blkio.throttle.io_serviced");
    for (String line : Files.readAllLines(Paths.get(file))) {
      String[] words = line.split(" ");
      if (words[0].equals(device) && words[1].equals("Write")) {
        return Long.parseLong(words[2]);
      }
    }
    return 0;
  }
}
