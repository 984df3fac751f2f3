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

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.Workload;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Transactions of YCSB's core workload on loaded rows, for some seconds. */
@InterfaceAudience.Private
final class YcsbRun {
  private static final int ROW_BYTES = 1_000;

  private final Properties properties;
  private final List<TimedDb> clients = new ArrayList<>();
  private double seconds;

  /**
   * @param workload {@code update}: updates only, or {@code a}: as many reads as updates
   */
  YcsbRun(String workload, String table, int rows) {
    properties = new Properties();
    properties.setProperty("table", table);
    properties.setProperty("recordcount", "" + rows);
    properties.setProperty("operationcount", "0"); // the clock ends it
    properties.setProperty("fieldcount", "1");
    properties.setProperty("fieldlength", "" + ROW_BYTES);
    properties.setProperty("insertorder", "hashed");
    properties.setProperty("requestdistribution", "zipfian");
    String reads = workload.equals("a") ? "0.5" : "0";
    properties.setProperty("readproportion", reads);
    properties.setProperty("updateproportion", "" + (1 - Double.parseDouble(reads)));
    Measurements.setProperties(properties);
  }

  /** What YCSB is told, for the load. */
  Properties properties() {
    return properties;
  }

  /**
   * @param perSecond operations a second of all threads, evenly spaced; 0 for as many as go
   */
  void run(Connection connection, int threads, int forSeconds, int perSecond) throws Exception {
    Workload workload = new CoreWorkload();
    workload.init(properties);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (int i = 0; i < threads; i++) {
        clients.add(new TimedDb(connection, properties));
      }
      long start = System.nanoTime();
      long end = start + forSeconds * 1_000_000_000L;
      List<Future<?>> running = new ArrayList<>();
      for (TimedDb client : clients) {
        Object state = workload.initThread(properties, running.size(), threads);
        long gap = perSecond == 0 ? 0 : 1_000_000_000L * threads / perSecond;
        running.add(pool.submit(() -> transact(workload, client, state, end, gap)));
      }
      for (Future<?> one : running) {
        one.get();
      }
      seconds = (System.nanoTime() - start) / 1e9;
    } finally {
      pool.shutdownNow();
    }
  }

  private static Void transact(
      Workload workload, TimedDb client, Object state, long end, long gapNanos) throws Exception {
    long next = System.nanoTime();
    while (System.nanoTime() < end) {
      workload.doTransaction(client, state);
      next += gapNanos;
      TimeUnit.NANOSECONDS.sleep(next - System.nanoTime());
    }
    client.cleanup();
    return null;
  }

  private List<Long> all(Function<TimedDb, List<Long>> which) {
    return clients.stream().map(which).flatMap(Collection::stream).collect(Collectors.toList());
  }

  double seconds() {
    return seconds;
  }

  long bytesWritten() {
    return (long) all(client -> client.updates).size() * ROW_BYTES;
  }

  String json() {
    List<Long> updates = all(client -> client.updates);
    List<Long> reads = all(client -> client.reads);
    return String.format(
            Locale.ROOT, ",\"opsPerSecond\":%.0f", (updates.size() + reads.size()) / seconds)
        + Percentiles.of(updates).json("put")
        + Percentiles.of(reads).json("get")
        + ",\"errors\":"
        + clients.stream().mapToLong(client -> client.errors).sum();
  }
}
