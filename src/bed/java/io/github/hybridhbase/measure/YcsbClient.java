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

import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.generator.ZipfianGenerator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * Transactions of YCSB's core workload on loaded rows, from some threads, until {@link #close()}.
 * It answers for spans of time that the caller chooses.
 */
@InterfaceAudience.Private
final class YcsbClient implements AutoCloseable {
  /** All operations of a transaction, from when it was due. */
  static final String TRANSACTION = "transaction";

  private static final long BATCHES_PER_SECOND = 1_000_000_000L;

  private final Workload workload = new Core();
  private final ExecutorService pool;
  private final List<Future<?>> running = new ArrayList<>();
  private final List<RecordingDb> clients = new ArrayList<>();
  private long failedBefore;
  private volatile boolean ended;

  /**
   * Begins at once.
   *
   * @param perSecond transactions a second of all threads, evenly spaced; 0 for as many as go.
   *     Where they are spaced, a latency counts from when the transaction was due
   */
  YcsbClient(Connection connection, Properties properties, int threads, int perSecond)
      throws Exception {
    Measurements.setProperties(properties);
    workload.init(properties);
    pool = Executors.newFixedThreadPool(threads);
    long gap = perSecond == 0 ? 0 : BATCHES_PER_SECOND * threads / perSecond;
    for (int thread = 0; thread < threads; thread++) {
      RecordingDb client = new RecordingDb(connection, properties.getProperty("table"));
      client.setProperties(properties);
      client.init();
      clients.add(client);
      Object state = workload.initThread(properties, thread, threads);
      long first = System.nanoTime() + gap * thread / threads;
      running.add(pool.submit(() -> transact(client, state, first, gap)));
    }
  }

  /** Also draws keys by {@link Mix#ZIPF}. */
  private static final class Core extends CoreWorkload {
    @Override
    public void init(Properties properties) throws WorkloadException {
      super.init(properties);
      if (Boolean.parseBoolean(properties.getProperty(Mix.ZIPF))) {
        keychooser = new ZipfianGenerator(recordcount);
      }
    }
  }

  private Void transact(RecordingDb client, Object state, long first, long gap) throws Exception {
    long due = first;
    while (!ended) {
      if (gap > 0) {
        TimeUnit.NANOSECONDS.sleep(due - System.nanoTime());
      } else {
        due = System.nanoTime();
      }
      long failed = client.errors();
      workload.doTransaction(client, state); // it answers that all is well, whatever comes of it
      if (client.errors() == failed) {
        client.record(TRANSACTION, System.nanoTime() - due);
      }
      due += gap;
    }
    client.cleanup();
    return null;
  }

  /** Forgets what was recorded, and what has failed; what comes counts. */
  void reset() {
    clients.forEach(RecordingDb::take);
    failedBefore = failed();
  }

  /** Waits, and fails as soon as a client does. */
  void sleep(double seconds) throws Exception {
    long end = System.nanoTime() + (long) (seconds * 1e9);
    while (System.nanoTime() < end) {
      for (Future<?> one : running) {
        if (one.isDone()) {
          one.get();
        }
      }
      TimeUnit.NANOSECONDS.sleep(Math.min(200_000_000L, Math.max(1, end - System.nanoTime())));
    }
  }

  /** What was recorded since the last call, or since {@link #reset}. */
  Latencies take() {
    Latencies all = new Latencies();
    clients.forEach(client -> all.add(client.take()));
    return all;
  }

  /** Operations that failed since {@link #reset}. */
  long errors() {
    return failed() - failedBefore;
  }

  private long failed() {
    return clients.stream().mapToLong(RecordingDb::errors).sum();
  }

  /** Ends all threads, after the transactions that are under way. */
  @Override
  public void close() throws InterruptedException {
    ended = true;
    pool.shutdown();
    if (!pool.awaitTermination(30, TimeUnit.SECONDS)) {
      pool.shutdownNow();
    }
  }
}
