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
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * The load phase of YCSB's CoreWorkload: rows of 10 fields of 100 bytes under hashed keys.
 *
 * <p>Two loads of as many rows write the same keys with the same values, whatever the threads do:
 * keys are hashes of a counter, and {@code dataintegrity} derives each value from its key. (YCSB's
 * other values come from a generator that takes no seed.)
 */
@InterfaceAudience.Private
public final class YcsbLoad {
  /** The fields of a row. */
  static final int FIELDS = 10;

  /** Bytes in a field. */
  static final int FIELD_BYTES = 100;

  private static final long PROGRESS_SECONDS = 3;

  private YcsbLoad() {}

  /**
   * Writes all rows of a workload, whose {@code recordcount} says how many, into a table that
   * exists, with the family of the binding's default; returns when the servers have acknowledged
   * them.
   *
   * @param progress told every few seconds, and once at the end: rows so far, seconds so far
   * @return seconds it took
   * @throws IOException when a row could not be written
   */
  public static double run(
      Connection connection, Properties properties, int threads, BiConsumer<Long, Double> progress)
      throws IOException, InterruptedException {
    Measurements.setProperties(properties);
    Workload workload = new CoreWorkload();
    AtomicLong done = new AtomicLong();
    long rows = Long.parseLong(properties.getProperty("recordcount"));
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      workload.init(properties);
      List<Future<?>> loaders = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        long share = rows / threads + (i < rows % threads ? 1 : 0);
        Object state = workload.initThread(properties, i, threads);
        DB db = new HybridYcsbBinding(connection, properties.getProperty("table"), true);
        loaders.add(pool.submit(() -> load(workload, db, state, share, done)));
      }
      pool.shutdown();
      while (!pool.awaitTermination(PROGRESS_SECONDS, TimeUnit.SECONDS)) {
        progress.accept(done.get(), secondsSince(start));
      }
      for (Future<?> loader : loaders) {
        loader.get();
      }
      progress.accept(done.get(), secondsSince(start));
      return secondsSince(start);
    } catch (ExecutionException | WorkloadException e) {
      throw new IOException("the load failed: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Void load(Workload workload, DB db, Object state, long share, AtomicLong done)
      throws IOException, DBException {
    try {
      for (long i = 0; i < share; i++) {
        if (!workload.doInsert(db, state)) {
          throw new IOException("a row was refused");
        }
        done.incrementAndGet();
      }
    } finally {
      db.cleanup();
    }
    return null;
  }

  /** Of a load alone: fields with values that their keys give. */
  public static Properties properties(String table, long rows) {
    Properties properties = new Properties();
    properties.setProperty("table", table);
    properties.setProperty("recordcount", Long.toString(rows));
    properties.setProperty("fieldcount", Integer.toString(FIELDS));
    properties.setProperty("fieldlength", Integer.toString(FIELD_BYTES));
    properties.setProperty("insertorder", "hashed");
    properties.setProperty("dataintegrity", "true");
    return properties;
  }

  /** Reads every row through HBase's block cache; answers how many there are. */
  public static long count(Connection connection, TableName name) throws IOException {
    try (Table table = connection.getTable(name);
        ResultScanner rows = table.getScanner(new Scan().setCaching(1_000))) {
      long count = 0;
      while (rows.next() != null) {
        count++;
      }
      return count;
    }
  }

  private static double secondsSince(long start) {
    return (System.nanoTime() - start) / 1e9;
  }
}
