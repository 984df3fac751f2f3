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

import io.github.hybridhbase.demo.HybridYcsbBinding;
import io.github.hybridhbase.demo.YcsbLoad;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.measure.EmulatedDisk;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** One rival, loaded and measured on a cluster of its own. */
@InterfaceAudience.Private
final class TierRun {
  private static final TableName TABLE = TableName.valueOf("usertable");

  /** YCSB's keys are "user" and a hash of up to 19 digits. */
  private static final byte[][] SPLITS = {
    Bytes.toBytes("user3"), Bytes.toBytes("user5"), Bytes.toBytes("user7")
  };

  /** An archived file is gone after that, see TierComparison. */
  private static final int CLEANER_SECONDS = 12;

  private static final Map<Metric, String> COUNTERS =
      Map.of(
          Metric.TIERED_FILES, "tieredFiles",
          Metric.TIERED_BYTES, "tieredBytes",
          Metric.TIER_DIED_BYTES, "diedBytes",
          Metric.TIER_REWRITTEN_BYTES, "rewrittenBytes",
          Metric.TIER_OVER_BUDGET, "overBudget",
          Metric.TIER_REFUSED, "refused",
          Metric.DRAIN_REQUESTED, "compactionsAsked",
          Metric.WRITES_DELAYED, "callsDelayed",
          Metric.WRITE_DELAY, "delayMillis");

  private final TypedCluster cluster;
  private final TierRival rival;
  private final Options options;
  private final EmulatedDisk hdd;
  private final EmulatedDisk ssd;

  TierRun(
      TypedCluster cluster, TierRival rival, Options options, EmulatedDisk hdd, EmulatedDisk ssd) {
    this.cluster = cluster;
    this.rival = rival;
    this.options = options;
    this.hdd = hdd;
    this.ssd = ssd;
  }

  /** Fields of a JSON object. */
  String measure(String workload, int rows, int seconds) throws Exception {
    createTable();
    int threads = options.number("threads", 16);
    YcsbRun run = new YcsbRun(workload, TABLE.getNameAsString(), rows);
    double loadSeconds =
        new YcsbLoad(cluster.connection(), run.properties(), 4).run((done, after) -> {});
    settle();
    FlushWatch.take();
    Map<Metric, Long> before = counters();
    hdd.start();
    ssd.start();
    long cpu = Processor.nanos();
    try (StallWatch stalls = new StallWatch(cluster, TABLE)) {
      run.run(cluster.connection(), threads, seconds, options.number("target", 0));
      cpu = Processor.nanos() - cpu;
      int flushes = FlushWatch.count();
      return String.format(
              Locale.ROOT,
              "\"rival\":\"%s\",\"workload\":\"%s\",\"scale\":%s,\"rows\":%d,\"threads\":%d,"
                  + "\"loadSeconds\":%.1f,\"seconds\":%.1f",
              rival,
              workload,
              options.text("scale", "1"),
              rows,
              threads,
              loadSeconds,
              run.seconds())
          + run.json()
          + ",\"flushes\":"
          + flushes
          + FlushWatch.take().json("flush")
          + stalls.json()
          + String.format(
              Locale.ROOT, ",\"cpuUse\":%.2f", cpu / 1e9 / run.seconds() / Processor.cores())
          + hdd.json(run.seconds())
          + ssd.json(run.seconds())
          + String.format(
              Locale.ROOT,
              ",\"hddBytesPerByte\":%.2f",
              (double) hdd.traffic().bytesWritten / run.bytesWritten())
          + String.format(Locale.ROOT, ",\"ssdHeldPerByte\":%.2f", onSsd() / run.bytesWritten())
          + counted(before);
    } finally {
      hdd.release();
      ssd.release();
    }
  }

  private void createTable() throws Exception {
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(TABLE)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(HybridYcsbBinding.FAMILY_DEFAULT))
                .setCoprocessor(FlushWatch.class.getName())
                .build(),
            SPLITS);
    if (rival.tiered()) {
      cluster.await("the SSD tier", this::open);
      // Servers hear of it, and look at their stores, in their next turn.
      TimeUnit.SECONDS.sleep(2L * options.number("period", 1));
    }
  }

  private boolean open() {
    try {
      return TierState.on(HdfsNamespace.of(cluster.fs()).orElseThrow(), cluster.rootDir())
          .read()
          .map(TierState::open)
          .orElse(false);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * All rivals begin alike: with a file on DISK for each store, nothing left of what the load
   * compacted away, nothing to be written in page caches and nothing to be read from them.
   */
  private void settle() throws Exception {
    cluster.flush(TABLE);
    cluster.compact(TABLE, true);
    TimeUnit.SECONDS.sleep(CLEANER_SECONDS);
    new ProcessBuilder("sync").start().waitFor();
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "3");
    if (options.text("cold", "true").equals("false")) {
      readAll();
    }
  }

  /** Bytes of the table's replicas that SSD still holds, which the HDD may have to take later. */
  private double onSsd() throws IOException {
    long bytes = 0;
    RemoteIterator<LocatedFileStatus> files =
        cluster
            .fs()
            .listFiles(new org.apache.hadoop.fs.Path(cluster.rootDir(), "data/default"), true);
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        bytes +=
            block.getLength()
                * Arrays.stream(block.getStorageTypes()).filter(StorageType.SSD::equals).count();
      }
    }
    return bytes;
  }

  /**
   * HBase drops what a compaction writes from the page cache; this brings it back, every replica of
   * it: which one a get reads is chosen at random.
   */
  private void readAll() throws IOException {
    Files.walkFileTree(
        hdd.directory(),
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            try (InputStream bytes = Files.newInputStream(file)) {
              bytes.transferTo(OutputStream.nullOutputStream());
            } catch (NoSuchFileException e) {
              return visitFileFailed(file, e);
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path file, IOException e) {
            // A DataNode has deleted it meanwhile.
            return FileVisitResult.CONTINUE;
          }
        });
  }

  private static Map<Metric, Long> counters() {
    Map<Metric, Long> values = new EnumMap<>(Metric.class);
    COUNTERS.keySet().forEach(metric -> values.put(metric, HybridMetrics.get().value(metric)));
    return values;
  }

  private static String counted(Map<Metric, Long> before) {
    StringBuilder json = new StringBuilder();
    before.forEach(
        (metric, value) ->
            json.append(
                String.format(
                    ",\"%s\":%d",
                    COUNTERS.get(metric), HybridMetrics.get().value(metric) - value)));
    return json.toString();
  }
}
