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
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Workload;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/**
 * YCSB's table, and the load phase of its CoreWorkload. For one thread.
 *
 * <p>Two loads of as many rows write the same keys with the same values, whatever the threads do:
 * keys are hashes of a counter, and {@code dataintegrity} derives each value from its key. (YCSB's
 * other values come from a generator that takes no seed.)
 */
@InterfaceAudience.Private
public final class UserTable {
  public static final String NAME = "usertable";

  static final TableName TABLE = TableName.valueOf(NAME);

  /** The fields of a row, and bytes in a field. */
  static final int FIELDS = 10;

  static final int FIELD_BYTES = 100;

  private static final int LOADERS = 4;
  private static final int PATIENCE_SECONDS = 1_800;

  /**
   * An archived file or WAL is gone after that with the keys of {@code bench/site.xml}, and its
   * blocks with a heartbeat.
   */
  private static final int CLEANER_SECONDS = 20;

  /** YCSB's keys are "user" and a hash of up to 19 digits. */
  private static final int FIRST_KEY = 1_000;

  private static final int LAST_KEY = 9_999;

  private final Connection connection;

  public UserTable(Connection connection) {
    this.connection = connection;
  }

  /** As HBase's guide splits it for YCSB. */
  private static byte[][] splits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes("user" + (FIRST_KEY + i * (LAST_KEY - FIRST_KEY) / regions));
    }
    return splits;
  }

  public void create(int regions, int blockBytes) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.createTable(
          TableDescriptorBuilder.newBuilder(TABLE)
              .setColumnFamily(
                  ColumnFamilyDescriptorBuilder.newBuilder(
                          Bytes.toBytes(HybridYcsbBinding.FAMILY_DEFAULT))
                      .setBlocksize(blockBytes)
                      .build())
              .build(),
          splits(regions));
    }
  }

  /** Of a load alone: fields with values that their keys give. */
  public static Properties properties(long rows) {
    Properties properties = new Properties();
    properties.setProperty("table", NAME);
    properties.setProperty("recordcount", Long.toString(rows));
    properties.setProperty("fieldcount", Integer.toString(FIELDS));
    properties.setProperty("fieldlength", Integer.toString(FIELD_BYTES));
    properties.setProperty("insertorder", "hashed");
    properties.setProperty("dataintegrity", "true");
    return properties;
  }

  /**
   * Writes all rows of a workload, whose {@code recordcount} says how many; returns when the
   * servers have acknowledged them, after how many seconds.
   *
   * @throws IOException when a row could not be written
   */
  public double load(Properties properties) throws IOException, InterruptedException {
    Measurements.setProperties(properties);
    Workload workload = new CoreWorkload();
    long rows = Long.parseLong(properties.getProperty("recordcount"));
    long start = System.nanoTime();
    ExecutorService pool = Executors.newFixedThreadPool(LOADERS);
    try {
      workload.init(properties);
      List<Callable<Void>> loaders = new ArrayList<>();
      for (int i = 0; i < LOADERS; i++) {
        long share = rows / LOADERS + (i < rows % LOADERS ? 1 : 0);
        Object state = workload.initThread(properties, i, LOADERS);
        DB db = new HybridYcsbBinding(connection, NAME, true);
        loaders.add(() -> load(workload, db, state, share));
      }
      for (Future<Void> loader : pool.invokeAll(loaders)) {
        loader.get();
      }
      return (System.nanoTime() - start) / 1e9;
    } catch (ExecutionException | WorkloadException e) {
      throw new IOException("the load failed: " + e.getCause(), e);
    } finally {
      pool.shutdownNow();
    }
  }

  private static Void load(Workload workload, DB db, Object state, long share)
      throws IOException, DBException {
    try {
      for (long i = 0; i < share; i++) {
        if (!workload.doInsert(db, state)) {
          throw new IOException("a row was refused");
        }
      }
    } finally {
      db.cleanup();
    }
    return null;
  }

  /**
   * One compaction of each region's files, and nothing left of what those came from, nor of its
   * WALs.
   *
   * @return seconds until the compactions had ended
   */
  public double compact() throws IOException, InterruptedException {
    long start = System.nanoTime();
    MajorCompaction compaction = beginMajorCompaction();
    Waiting.until(compaction, PATIENCE_SECONDS, compaction::ended);
    double took = (System.nanoTime() - start) / 1e9;
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        admin.rollWALWriter(server); // else the last ones stay, and count as SSD of every cell
      }
    }
    // There is no event to await: files are deleted by a chore.
    TimeUnit.SECONDS.sleep(CLEANER_SECONDS);
    return took;
  }

  /** Flushes each region, and returns when all are, without a procedure's pauses. */
  public void flush() {
    try (Admin admin = connection.getAdmin()) {
      for (RegionInfo region : admin.getRegions(TABLE)) {
        admin.flushRegion(region.getRegionName());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public MajorCompaction beginMajorCompaction() throws IOException {
    return MajorCompaction.begin(connection, TABLE);
  }

  /** Returns when every region has answered a read. */
  public void awaitServed() throws IOException, InterruptedException {
    Waiting.until("all regions", PATIENCE_SECONDS, this::isServed);
  }

  private boolean isServed() throws IOException {
    try (Table table = connection.getTable(TABLE);
        RegionLocator locator = connection.getRegionLocator(TABLE)) {
      for (byte[] start : locator.getStartKeys()) {
        table.exists(new Get(start.length == 0 ? Bytes.toBytes("user") : start));
      }
      return true;
    }
  }

  /** Reads every row through HBase's block cache; answers how many there are. */
  public long readAll() throws IOException {
    try (Table table = connection.getTable(TABLE);
        ResultScanner rows = table.getScanner(new Scan().setCaching(1_000))) {
      long count = 0;
      while (rows.next() != null) {
        count++;
      }
      return count;
    }
  }

  /** Has master and RegionServers end in good order. */
  public void shutDown() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.shutdown();
    }
  }
}
