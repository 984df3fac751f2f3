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

import io.github.hybridhbase.demo.HybridYcsbBinding;
import io.github.hybridhbase.demo.YcsbLoad;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.WorkloadException;

/**
 * YCSB's core workload from some threads: reads and inserts, and each read compared with what was
 * written. A read that got no answer is no failure; a row that is not there, lacks a field or has
 * another value, is.
 */
@InterfaceAudience.Private
final class YcsbCore implements ForeignLoad {
  private static final String TABLE = "ycsb";
  private static final int RECORDS = 2_000;
  private static final int THREADS = 4;
  private static final long ROUND_SECONDS = 20;
  private static final long PAUSE_MILLIS = 40;
  private static final Duration PATIENCE = Duration.ofMinutes(20);

  /** In the mean, of the last verification, while others verify too. */
  private static final long READ_MILLIS = 50;

  private final Connection connection;
  private final Properties properties = new Properties();
  private final CheckedWorkload workload;
  private final ExecutorService pool = Executors.newFixedThreadPool(THREADS);
  private final AtomicLong missing = new AtomicLong();
  private final AtomicLong unanswered = new AtomicLong();
  private volatile boolean closed;

  /** Makes its table, with its first rows. */
  YcsbCore(Bed bed) throws IOException, InterruptedException {
    properties.setProperty("table", TABLE);
    properties.setProperty("recordcount", Integer.toString(RECORDS));
    properties.setProperty("readproportion", "0.7");
    // A value follows from its key, so that an update writes what is there: its loss is not seen.
    properties.setProperty("updateproportion", "0");
    properties.setProperty("insertproportion", "0.3");
    // What was written just now is what a fault would lose.
    properties.setProperty("requestdistribution", "latest");
    properties.setProperty(HybridYcsbBinding.BUFFER_PROPERTY, "0");
    try {
      workload = CheckedWorkload.of(properties);
    } catch (WorkloadException e) {
      throw new IOException(e);
    }
    Configuration conf = HBaseConfiguration.create();
    bed.keys().forEach(conf::set);
    conf.setInt("hbase.client.operation.timeout", 60_000);
    conf.setInt("hbase.rpc.timeout", 20_000);
    connection = ConnectionFactory.createConnection(conf);
    try {
      createTable();
      new YcsbLoad(connection, properties, THREADS).run((rows, seconds) -> {});
    } catch (IOException | InterruptedException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  private void createTable() throws IOException {
    byte[][] splits = {Bytes.toBytes("user3"), Bytes.toBytes("user5"), Bytes.toBytes("user7")};
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TableName.valueOf(TABLE))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(HybridYcsbBinding.FAMILY_DEFAULT))
              .build(),
          splits);
    }
  }

  private DB db() throws DBException {
    DB db =
        new AcknowledgedDb(new HybridYcsbBinding(connection), missing, unanswered, () -> closed);
    db.setProperties(properties);
    db.init();
    return db;
  }

  @Override
  public long round(int number) throws IOException, InterruptedException {
    long before = workload.right();
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(ROUND_SECONDS);
    List<Callable<Void>> clients = new ArrayList<>();
    for (int client = 0; client < THREADS; client++) {
      clients.add(() -> transact(end));
    }
    try {
      for (Future<Void> client : pool.invokeAll(clients)) {
        client.get();
      }
    } catch (ExecutionException e) {
      // An operation that a fault has prevented is counted and no exception.
      throw new IllegalStateException("a client has died: " + e.getCause(), e.getCause());
    }
    check();
    return workload.right() - before;
  }

  private Void transact(long end) throws DBException, InterruptedException {
    DB db = db();
    while (!closed && System.nanoTime() - end < 0) {
      workload.doTransaction(db, null);
      Thread.sleep(PAUSE_MILLIS);
    }
    db.cleanup();
    return null;
  }

  @Override
  public long verify() throws IOException {
    try {
      DB db = db();
      long rows = workload.readAll(db);
      db.cleanup();
      check();
      return rows;
    } catch (DBException e) {
      throw new IOException(e);
    }
  }

  private void check() throws IOException {
    if (missing.get() > 0 || workload.wrong() > 0) {
      throw new AssertionError(
          missing
              + " rows were not there, "
              + workload.wrong()
              + " had other values or lacked some");
    }
  }

  @Override
  public Duration patience() {
    return PATIENCE.plusMillis(READ_MILLIS * workload.rows());
  }

  @Override
  public String verifies() {
    return "reads";
  }

  @Override
  public String remark() {
    return unanswered + " operations without an answer";
  }

  @Override
  public void close() throws IOException {
    closed = true;
    pool.shutdownNow();
    connection.close();
  }
}
