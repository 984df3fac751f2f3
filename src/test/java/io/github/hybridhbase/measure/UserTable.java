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

import io.github.hybridhbase.demo.HybridYcsbBinding;
import io.github.hybridhbase.demo.YcsbLoad;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.TierState;
import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.RegionMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.CompactionState;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.RegionLocator;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** YCSB's table. For one thread. */
@InterfaceAudience.Private
final class UserTable {
  static final String NAME = "usertable";

  private static final TableName TABLE = TableName.valueOf(NAME);
  private static final int LOADERS = 4;
  private static final int PATIENCE_SECONDS = 1_800;

  /** An archived file is gone after that, see BenchBed. */
  private static final int CLEANER_SECONDS = 12;

  /** Nothing compacts any more after that. */
  private static final int QUIET_SECONDS = 5;

  /** YCSB's keys are "user" and a hash of up to 19 digits. */
  private static final int FIRST_KEY = 1_000;

  private static final int LAST_KEY = 9_999;

  private final Connection connection;

  UserTable(Connection connection) {
    this.connection = connection;
  }

  /** As HBase's guide splits it for YCSB. */
  static byte[][] splits(int regions) {
    byte[][] splits = new byte[regions - 1][];
    for (int i = 1; i < regions; i++) {
      splits[i - 1] = Bytes.toBytes("user" + (FIRST_KEY + i * (LAST_KEY - FIRST_KEY) / regions));
    }
    return splits;
  }

  void create(int regions, int blockBytes) throws IOException {
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

  /** Writes all rows; answers how many seconds that took. */
  double load(Properties properties) throws IOException, InterruptedException {
    return new YcsbLoad(connection, properties, LOADERS).run((rows, seconds) -> {});
  }

  /** One store file a region, and nothing left of what that came from. */
  void compact() throws IOException, InterruptedException {
    long began = System.currentTimeMillis();
    beginMajorCompaction();
    try (Admin admin = connection.getAdmin()) {
      long[] busy = {System.nanoTime()};
      await(
          "a major compaction",
          () -> {
            if (isCompacting() || storeFiles() > regions()) {
              busy[0] = System.nanoTime();
              return false;
            }
            // Between two regions it compacts nothing for a moment.
            return admin.getLastMajorCompactionTimestamp(TABLE) >= began
                || System.nanoTime() - busy[0] > TimeUnit.SECONDS.toNanos(QUIET_SECONDS);
          });
    }
    // There is no event to await: files are deleted by a chore.
    TimeUnit.SECONDS.sleep(CLEANER_SECONDS);
  }

  void beginMajorCompaction() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.flush(TABLE);
      admin.majorCompact(TABLE);
    }
  }

  boolean isCompacting() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getCompactionState(TABLE) != CompactionState.NONE;
    }
  }

  private int regions() throws IOException {
    try (RegionLocator locator = connection.getRegionLocator(TABLE)) {
      return locator.getStartKeys().length;
    }
  }

  private int storeFiles() throws IOException {
    int files = 0;
    try (Admin admin = connection.getAdmin()) {
      for (ServerName server : admin.getRegionServers()) {
        for (RegionMetrics region : admin.getRegionMetrics(server, TABLE)) {
          files += region.getStoreFileCount();
        }
      }
    }
    return files;
  }

  /** Returns when every region has answered a read. */
  void awaitServed() throws IOException, InterruptedException {
    await("all regions", this::isServed);
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

  /** Whether the plugin says that young store files go to SSD; within some time. */
  boolean awaitTier(Configuration conf, int seconds) throws IOException, InterruptedException {
    Path root = new Path(conf.get("hbase.rootdir"));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    try (FileSystem fs = FileSystem.newInstance(root.toUri(), conf)) {
      while (System.nanoTime() < end) {
        if (HdfsNamespace.of(fs).orElseThrow().tierState(root).map(TierState::open).orElse(false)) {
          return true;
        }
        TimeUnit.SECONDS.sleep(1);
      }
    }
    return false;
  }

  /** Has master and RegionServers end in good order. */
  void shutDown() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.shutdown();
    }
  }

  private static void await(String what, Callable<Boolean> condition)
      throws IOException, InterruptedException {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    IOException last = null;
    while (System.nanoTime() < end) {
      try {
        if (condition.call()) {
          return;
        }
      } catch (InterruptedException e) {
        throw e;
      } catch (IOException e) {
        last = e;
      } catch (Exception e) {
        throw new IOException(e);
      }
      TimeUnit.MILLISECONDS.sleep(100);
    }
    throw new IOException("waited in vain for " + what, last);
  }
}
