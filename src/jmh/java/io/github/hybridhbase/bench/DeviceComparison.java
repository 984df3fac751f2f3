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
import io.github.hybridhbase.measure.EmulatedDisk;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.wal.HybridWALProvider;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.io.IOException;
import java.io.StringReader;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.LongAdder;
import org.HdrHistogram.Histogram;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Plays rivals against each other in turns on one HDFS, and counts what they cost a block device.
 * Options, each {@code name=value}: {@code disks} and {@code counters} (see {@link EmulatedDisk};
 * {@code ;} between one DataNode's disk and the next one's; without them nothing is emulated nor
 * counted), {@code datanodes} 1, {@code policy} ALL_SSD, {@code hsync} true, {@code rivals}, {@code
 * writers} 1,10,100, {@code seconds} 30, {@code rounds} 3, {@code bytes} 1024, {@code ssd.us} and
 * {@code disk.us} (injected fsync latency, 0), {@code hdfs} (settings of HDFS, {@code
 * name=value,…}). A rival may carry settings: {@code HYBRID_ASYNCFS/hbase.hybrid.wal.stall=0}.
 * Prints one JSON object a run; packets are counted by every replica.
 */
@InterfaceAudience.Private
public final class DeviceComparison {
  private final Properties options = new Properties();

  /** Empty where nothing is emulated. */
  private final List<EmulatedDisk> disks = new ArrayList<>();

  private DeviceComparison(String[] args) throws IOException {
    options.load(new StringReader(String.join("\n", args)));
    for (String disk : list("disks", "", ";")) {
      if (!disk.isEmpty()) {
        disks.add(new EmulatedDisk(disk, Path.of(options.getProperty("counters"))));
      }
    }
  }

  private String[] list(String name, String otherwise, String between) {
    return options.getProperty(name, otherwise).split(between);
  }

  private int number(String name, int otherwise) {
    return Integer.parseInt(options.getProperty(name, "" + otherwise));
  }

  /** Runs the comparison. */
  public static void main(String[] args) throws Exception {
    new DeviceComparison(args).run();
    System.exit(0);
  }

  private void run() throws Exception {
    List<Path> volumes = new ArrayList<>();
    for (EmulatedDisk disk : disks) {
      volumes.add(disk.directory.resolve("dfs"));
      disk.start(1);
    }
    String[] rivals = list("rivals", "ASYNCFS,FILESYSTEM,HYBRID_ASYNCFS", ",");
    String[] writers = list("writers", "1,10,100", ",");
    try (TypedHdfs hdfs =
        HdfsUnderTest.start(
            Path.of("target/bench-dfs").toAbsolutePath(),
            volumes,
            number("datanodes", 1),
            settings(list("hdfs", "", ",")))) {
      SlowFsync.of(hdfs.cluster(), number("ssd.us", 0), number("disk.us", 0));
      // The first log of a JVM pays for class loading.
      for (String rival : rivals) {
        measure(hdfs, rival, 10, Math.min(5, number("seconds", 30)));
      }
      for (int round = 1; round <= number("rounds", 3); round++) {
        for (String count : writers) {
          for (int i = 0; i < rivals.length; i++) {
            // Each round begins with another rival: whoever follows the same one pays for its heap.
            String rival = rivals[(i + round) % rivals.length];
            String result = measure(hdfs, rival, Integer.parseInt(count), number("seconds", 30));
            System.out.println("{\"round\":" + round + "," + result + "}");
          }
        }
      }
    }
  }

  /** Of the words those that are {@code name=value}. */
  private static Map<String, String> settings(String[] words) {
    Map<String, String> settings = new HashMap<>();
    for (String word : words) {
      if (word.contains("=")) {
        settings.put(word.split("=")[0], word.split("=")[1]);
      }
    }
    return settings;
  }

  private String measure(TypedHdfs hdfs, String rival, int threads, int seconds) throws Exception {
    String[] parts = rival.split("/");
    Map<String, String> settings = settings(parts);
    boolean hsync = Boolean.parseBoolean(options.getProperty("hsync", "true"));
    org.apache.hadoop.fs.Path root =
        hdfs.directory("bench", options.getProperty("policy", "ALL_SSD"));
    WALProvider noProvider = new HybridWALProvider(); // holds the server while its WALs are open
    HybridServer server = HybridServer.enter(WalUnderTest.SERVER, noProvider);
    Histogram latency = new Histogram(3);
    long edits;
    long elapsed;
    long ios;
    long cpu;
    long packets;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (WalUnderTest wal =
        new WalUnderTest(hdfs.fs(), root, Rival.valueOf(parts[0]), hsync, settings)) {
      CountDownLatch go = new CountDownLatch(1);
      long[] times = new long[2];
      List<Future<Histogram>> all = new ArrayList<>();
      LongAdder made = new LongAdder();
      for (int i = 0; i < threads; i++) {
        WalUnderTest.Writer writer = wal.writer(number("bytes", 1024));
        all.add(
            pool.submit(
                () -> {
                  go.await();
                  return write(writer, times, made);
                }));
      }
      long before = deviceIos();
      long packetsBefore = hdfs.packets();
      long cpuBefore = processorNanos();
      times[0] = System.nanoTime();
      // The first second warms up and is not sampled.
      times[1] = times[0] + seconds * 1_000_000_000L;
      go.countDown();
      for (Future<Histogram> one : all) {
        latency.add(one.get());
      }
      edits = made.sum();
      elapsed = System.nanoTime() - times[0];
      ios = deviceIos() - before;
      cpu = processorNanos() - cpuBefore;
      packets = hdfs.packets() - packetsBefore;
    } catch (ExecutionException e) {
      throw new IOException(rival, e.getCause());
    } finally {
      pool.shutdown();
      server.leave(noProvider);
    }
    return String.format(
        Locale.ROOT,
        "\"rival\":\"%s\",\"writers\":%d,\"hsync\":%b,\"seconds\":%d,\"bytes\":%d,"
            + "\"datanodes\":%d,\"policy\":\"%s\",\"opsPerSecond\":%.0f,"
            + "\"p50ms\":%.2f,\"p99ms\":%.2f,\"iosPerEdit\":%.3f,\"cpuMicrosPerEdit\":%.1f"
            + ",\"packetsPerEdit\":%.4f",
        rival,
        threads,
        hsync,
        seconds,
        number("bytes", 1024),
        number("datanodes", 1),
        options.getProperty("policy", "ALL_SSD"),
        edits * 1e9 / elapsed,
        latency.getValueAtPercentile(50) / 1e6,
        latency.getValueAtPercentile(99) / 1e6,
        (double) ios / edits,
        cpu / 1e3 / edits,
        (double) packets / edits);
  }

  /** Returns latencies in nanoseconds. */
  private static Histogram write(WalUnderTest.Writer writer, long[] times, LongAdder made)
      throws IOException {
    Histogram mine = new Histogram(3);
    long start = System.nanoTime();
    while (start < times[1]) {
      writer.append();
      long end = System.nanoTime();
      made.increment();
      if (start - times[0] > 1_000_000_000L) {
        mine.recordValue(end - start);
      }
      start = end;
    }
    return mine;
  }

  private static long processorNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private long deviceIos() throws IOException {
    long ios = 0;
    for (EmulatedDisk disk : disks) {
      ios += disk.traffic().writes;
    }
    return ios;
  }
}
