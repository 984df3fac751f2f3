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
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.github.hybridhbase.bed.MajorCompaction;
import io.github.hybridhbase.bed.ServerProcess;
import io.github.hybridhbase.bed.UserTable;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** Measures one cell on a bed that was loaded. For one thread. */
@InterfaceAudience.Private
final class CellRun {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final double MB = 1e6;

  /** How often a server that is busy is asked again for what it has counted. */
  private static final int SAMPLE_TRIES = 5;

  private static final int LONGEST_SECONDS = 900;
  private static final double STEP_SECONDS = 0.2;

  /** How old what HBase's JMX tells may be, and one more. */
  private static final int JMX_SECONDS = 11;

  /** Operations for each second that others take: an HDD serves some 200. */
  private static final double D_PER_SECOND = 333;

  /**
   * Of each region, while it is measured: HBase compacts after the third, early enough to count.
   */
  private static final int FLUSHES = 6;

  private final Cell cell;
  private final BenchBed bed;
  private final RunSettings settings;
  private final Machine machine;
  private final ObjectNode result = JSON.createObjectNode();
  private CompletableFuture<Void> flush = CompletableFuture.completedFuture(null);
  private int flushed;

  CellRun(Cell cell, BenchBed bed, RunSettings settings, Machine machine) {
    this.cell = cell;
    this.bed = bed;
    this.settings = settings;
    this.machine = machine;
    result.put("id", cell.id());
    result.put("at", Instant.now().toString());
    for (Axis axis : Axis.values()) {
      result.put(axis.label(), cell.get(axis));
    }
  }

  /** What it came to. Processes are down when it returns, and devices as fast as they can be. */
  ObjectNode measure() throws Exception {
    result.put("perSecond", cell.number(Axis.TARGET));
    result.put("heapMb", bed.scale(cell).heapMb());
    result.put("blockCacheMb", bed.scale(cell).blockCacheMb());
    bed.prepare(cell);
    try (SsdPeak peak = new SsdPeak(bed.ssd.path())) {
      bed.start();
      if (!cell.readsHitMemory()) {
        bed.bound(machine.memory);
      }
      try (Connection connection = ConnectionFactory.createConnection(bed.conf())) {
        UserTable table = new UserTable(connection);
        table.awaitServed();
        if (bed.setup.plugin()) {
          bed.awaitTier();
        }
        result.put("cachesEmptied", PageCache.empty());
        if (cell.readsHitMemory()) {
          PageCache.fill(bed.hdd.path());
          PageCache.fill(bed.ssd.path());
          result.put("rowsReadBefore", table.readAll());
        }
        if (cell.experiment() == Experiment.YCSB) {
          warmUp(connection);
        }
        machine.start(cell.slower());
        measure(connection, table);
      }
      result.put("ssdPeakMb", Numbers.rounded(peak.peak() / MB));
      result.put("cacheMb", bed.scale.cacheMb(cell.cachePercent()));
      result.put("storedOnHddMb", Numbers.rounded(SavedFiles.bytes(bed.hdd.path()) / MB));
      return result;
    } finally {
      machine.release();
      bed.kill();
    }
  }

  private Properties properties(Mix mix) {
    return mix.properties(UserTable.NAME, settings.rows, settings.fields, cell.keys());
  }

  /**
   * Reads alone, from devices without limits: what fills caches within seconds would take a cache
   * on SSD hours at an HDD's seeks. Whatever has a bound is as full then as it would be, and a
   * young JVM no longer takes several times the processors.
   */
  private void warmUp(Connection connection) throws Exception {
    int threads = cell.number(Axis.THREADS);
    try (YcsbClient reads = new YcsbClient(connection, properties(Mix.C), threads, 0)) {
      reads.sleep(settings.warm / 2.0);
      result.put("warmingReads", reads.take().count(YcsbClient.TRANSACTION));
    }
  }

  private void measure(Connection connection, UserTable table) throws Exception {
    int threads = cell.number(Axis.THREADS);
    int target = cell.number(Axis.TARGET);
    try (YcsbClient client = new YcsbClient(connection, properties(cell.mix()), threads, target)) {
      switch (cell.experiment()) {
        case YCSB:
          double warm = settings.warm / 2.0 / settings.seconds;
          until(client, (took, done) -> part(took, done) >= warm);
          span(client, "", (took, done) -> flushing(table, part(took, done)) >= 1);
          break;
        case COMPACTION:
          client.sleep(settings.warm);
          span(client, "before", (took, done) -> took >= settings.seconds);
          compaction(client, table);
          break;
        case RECOVERY:
          fill(client);
          break;
        default:
          throw new AssertionError(cell);
      }
    }
    if (cell.experiment() == Experiment.RECOVERY) {
      recover();
    }
  }

  /**
   * How much of what is measured is done. D reads the newest rows, so that who inserts more of them
   * in a time reads others: it has as many operations everywhere.
   */
  private double part(double seconds, long operations) {
    return cell.mix() == Mix.D
        ? operations / (D_PER_SECOND * settings.seconds)
        : seconds / (cell.longer() * settings.seconds);
  }

  /** Flushes where reads meet writes: HBase flushes hourly, also what is written slowly. */
  private double flushing(UserTable table, double part) {
    if (cell.mix().mixed() && (part >= 1 || part * FLUSHES >= flushed && flush.isDone())) {
      flush.join(); // in the end a cell that was not flushed fails
      flush = part < 1 ? CompletableFuture.runAsync(table::flush) : flush;
      flushed++;
    }
    return part;
  }

  private static void until(YcsbClient client, End end) throws Exception {
    long start = System.nanoTime();
    long done = 0;
    while (!end.reached((System.nanoTime() - start) / 1e9, done)) {
      client.sleep(STEP_SECONDS);
      done += client.take().count(YcsbClient.TRANSACTION);
    }
  }

  /** Whether a span ends, after some seconds and operations. */
  private interface End {
    boolean reached(double seconds, long operations) throws IOException;
  }

  /**
   * Measures until something holds, looked at every second.
   *
   * @param name in the result; empty for the result itself
   */
  private void span(YcsbClient client, String name, End end) throws Exception {
    Sample before = sample();
    machine.hdd.count();
    machine.ssd.count();
    client.reset();
    long start = System.nanoTime();
    WalSyncs walSyncs = new WalSyncs();
    Latencies latencies = new Latencies();
    List<Long> counts = new ArrayList<>();
    double took;
    do {
      client.sleep(cell.mix() == Mix.D ? STEP_SECONDS : 1);
      walSyncs.look(wal());
      latencies.add(client.take());
      took = (System.nanoTime() - start) / 1e9;
      counts.add(latencies.count(YcsbClient.TRANSACTION));
    } while (!end.reached(took, latencies.count(YcsbClient.TRANSACTION)));
    ObjectNode into = name.isEmpty() ? result : result.putObject(name);
    into.set("operationsBySecond", JSON.valueToTree(counts));
    into.put("seconds", Numbers.rounded(took));
    into.put("opsPerSecond", Numbers.rounded(latencies.count(YcsbClient.TRANSACTION) / took));
    into.put("errors", client.errors());
    into.set(
        "hdd", device(machine.hdd, took)); // before all that takes time: it is a share of what took
    into.set("ssd", device(machine.ssd, took));
    into.put("walSyncP99Ms", walSyncs.mostP99());
    into.set("latencies", JSON.valueToTree(latencies.describe()));
    Map<String, Object> used = sample().since(before);
    if (cell.mix() == Mix.D) { // may take less time than JMX is late
      TimeUnit.SECONDS.sleep(JMX_SECONDS);
      used.put("counters", sample().since(before).get("counters"));
    }
    used.forEach((key, value) -> into.set(key, JSON.valueToTree(value)));
    if (cell.hotPercent() > 0) {
      into.set("hot", HotLearning.seen(bed));
    }
  }

  /** What the RegionServer says of its WAL; of the last ten seconds or so. */
  private JsonNode wal() throws IOException {
    try {
      return bed.bed.hbase(bed.regionServer(), "name=RegionServer,sub=WAL");
    } catch (SocketTimeoutException e) {
      return MissingNode.getInstance(); // it is busy: that is no reason to lose a cell
    }
  }

  private Sample sample() throws IOException {
    for (int again = SAMPLE_TRIES; ; again--) {
      try {
        return new Sample(bed.bed);
      } catch (SocketTimeoutException e) {
        if (again == 0) {
          throw e;
        }
      }
    }
  }

  private static JsonNode device(Disk disk, double seconds) throws IOException {
    Disk.Traffic traffic = disk.traffic();
    if (traffic == null) {
      return JSON.nullNode();
    }
    ObjectNode node = JSON.createObjectNode();
    node.put("use", Numbers.rounded(disk.use(traffic, seconds)));
    node.put("limitPerSecond", disk.ios());
    node.put("readsPerSecond", Numbers.rounded(traffic.reads / seconds));
    node.put("writesPerSecond", Numbers.rounded(traffic.writes / seconds));
    node.put("readMb", Numbers.rounded(traffic.bytesRead / MB));
    node.put("writtenMb", Numbers.rounded(traffic.bytesWritten / MB));
    return node;
  }

  /**
   * Measures beside major compactions, one after the other: for at least as long as without, and
   * until the last one has ended. The first begins, with its flush, within what is measured.
   */
  private void compaction(YcsbClient client, UserTable table) throws Exception {
    MajorCompaction[] running = new MajorCompaction[1];
    int[] ended = new int[1];
    span(
        client,
        "beside",
        (took, done) -> {
          if (running[0] != null && !running[0].ended()) {
            if (took > LONGEST_SECONDS) {
              throw new IOException(
                  "after " + Math.round(took) + " s there still is " + running[0]);
            }
            return false;
          }
          ended[0] += running[0] == null ? 0 : 1;
          if (ended[0] > 0 && took >= settings.seconds) {
            return true;
          }
          running[0] = table.beginMajorCompaction();
          return false;
        });
    result.put("compactions", ended[0]);
  }

  /** Updates until the WALs are as large as they are to be; nothing is flushed meanwhile. */
  private void fill(YcsbClient client) throws Exception {
    machine.release();
    until(
        client,
        (took, rows) -> {
          if (took > LONGEST_SECONDS) {
            throw new IOException(rows + " rows after " + LONGEST_SECONDS + " s");
          }
          return rows * Scale.ROW >= settings.walMb * MB;
        });
    result.put("errors", client.errors());
  }

  /** Kills the RegionServer and starts it again; nothing of its WALs is in page caches. */
  private void recover() throws Exception {
    ServerProcess server = bed.regionServer();
    TimeUnit.SECONDS.sleep(JMX_SECONDS); // nobody writes any more
    result.put("walMb", Numbers.rounded(wal().path("writtenBytes").asLong() / MB));
    result.put("cachesEmptied", PageCache.empty());
    machine.start(cell.slower());
    Sample before = sample();
    long start = System.nanoTime();
    server.kill();
    server.start();
    if (!cell.readsHitMemory()) {
      bed.bound(machine.memory);
    }
    ImpatientClient.awaitServed(bed.conf());
    double took = (System.nanoTime() - start) / 1e9;
    result.put("recoverySeconds", Numbers.rounded(took));
    result.set("hdd", device(machine.hdd, took));
    result.set("ssd", device(machine.ssd, took));
    result.set("processor", JSON.valueToTree(sample().since(before).get("processor")));
  }
}
