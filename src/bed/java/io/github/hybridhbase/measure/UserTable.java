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

import io.github.hybridhbase.bed.HybridYcsbBinding;
import io.github.hybridhbase.bed.MajorCompaction;
import io.github.hybridhbase.bed.Waiting;
import io.github.hybridhbase.bed.YcsbLoad;
import java.io.IOException;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
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

  /** An archived file or WAL is gone after that, see BenchBed, and its blocks with a heartbeat. */
  private static final int CLEANER_SECONDS = 20;

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
    return YcsbLoad.run(connection, properties, LOADERS, (rows, seconds) -> {});
  }

  /**
   * One compaction of each region's files, and nothing left of what those came from, nor of its
   * WALs.
   *
   * @return seconds until the compactions had ended
   */
  double compact() throws IOException, InterruptedException {
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

  MajorCompaction beginMajorCompaction() throws IOException {
    return MajorCompaction.begin(connection, TABLE);
  }

  /** Returns when every region has answered a read. */
  void awaitServed() throws IOException, InterruptedException {
    Waiting.until("all regions", PATIENCE_SECONDS, this::isServed);
  }

  /** Reads every row through HBase's block cache; answers how many there are. */
  long readAll() throws IOException {
    return YcsbLoad.count(connection, TABLE);
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

  /** Has master and RegionServers end in good order. */
  void shutDown() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      admin.shutdown();
    }
  }
}
