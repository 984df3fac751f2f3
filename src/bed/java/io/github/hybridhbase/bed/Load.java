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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hbase.thirdparty.com.google.common.collect.Maps;
import org.apache.yetus.audience.InterfaceAudience;

/** A client of a bed: a table whose rows are counted, and what an admin does. For one thread. */
@InterfaceAudience.Private
final class Load implements AutoCloseable {
  static final TableName TABLE = TableName.valueOf("rows");
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int REGIONS = 4;
  private static final byte[] PAD = Bytes.toBytes("p");

  /** Of a table with hot rows: eight flushes are soon there. */
  private static final int FLUSH_BYTES = 1 << 16;

  /** One row in so many is read. */
  private static final int ONE_IN = 50;

  private final Bed bed;
  final Connection connection;
  final DistributedFileSystem fs;
  private final Random random = new Random(1);
  private int acknowledged;
  private boolean hot;

  Load(Bed bed) throws IOException {
    this.bed = bed;
    Configuration conf = bed.client();
    connection = ConnectionFactory.createConnection(conf);
    fs = (DistributedFileSystem) FileSystem.newInstance(conf);
  }

  /** Rows are larger from now on, and some of them are read again and again, from files. */
  Load hot() {
    hot = true;
    return this;
  }

  void createTable() throws IOException {
    byte[][] splits = new byte[REGIONS - 1][];
    for (int at = 1; at < REGIONS; at++) {
      splits[at - 1] = new byte[] {(byte) (at * 256 / REGIONS)};
    }
    TableDescriptorBuilder table = TableDescriptorBuilder.newBuilder(TABLE);
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    if (hot) {
      table.setMemStoreFlushSize(FLUSH_BYTES).setValue("hbase.table.sanity.checks", "false");
      table.setValue("hbase.hybrid.hot.policy", "ALL_SSD").setValue("hbase.hybrid.hot.share", "10");
      family.setBlocksize(4_096).setBlockCacheEnabled(false);
    }
    connection.getAdmin().createTable(table.setColumnFamily(family.build()).build(), splits);
  }

  /** The rows that another client put. */
  void expect(int rows) {
    acknowledged = rows;
  }

  /** Rows go round all regions. */
  private static byte[] key(int row) {
    return Bytes.add(new byte[] {(byte) (row * 37)}, Bytes.toBytes(row));
  }

  /** Puts so many rows more, one by one; each is acknowledged when this returns. */
  void put(int rows) throws IOException {
    try (Table table = connection.getTable(TABLE)) {
      for (int i = 0; i < rows; i++) {
        byte[] value = Bytes.toBytes(acknowledged);
        Put put = new Put(key(acknowledged)).addColumn(FAMILY, FAMILY, value);
        table.put(hot ? put.addColumn(FAMILY, PAD, pad()) : put);
        acknowledged++;
      }
    }
  }

  private byte[] pad() {
    byte[] pad = new byte[500];
    random.nextBytes(pad);
    return pad;
  }

  /**
   * Reads a row that is read often.
   *
   * @throws AssertionError if it is not there
   */
  void readHot() throws IOException {
    int row = random.nextInt(acknowledged / ONE_IN + 1) * ONE_IN;
    if (hot && row < acknowledged) {
      try (Table table = connection.getTable(TABLE)) {
        byte[] value = table.get(new Get(key(row))).getValue(FAMILY, FAMILY);
        if (value == null || Bytes.toInt(value) != row) {
          throw new AssertionError("row " + row + " is " + Bytes.toStringBinary(value));
        }
      }
    }
  }

  /** How many rows were acknowledged. */
  int rows() {
    return acknowledged;
  }

  /** Every row is there once, and no other. */
  void assertAllThere() throws IOException {
    TreeMap<Integer, Integer> wanted = new TreeMap<>();
    for (int row = 0; row < acknowledged; row++) {
      wanted.put(row, 1);
    }
    Map<Integer, Integer> found = new TreeMap<>();
    try (Table table = connection.getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan())) {
      for (Result row : scanner) {
        found.merge(Bytes.toInt(row.getValue(FAMILY, FAMILY)), 1, Integer::sum);
      }
    }
    if (!wanted.equals(found)) {
      throw new AssertionError("expected and found: " + Maps.difference(wanted, found));
    }
  }

  /** Rolls the WALs of all RegionServers, and returns when each writes new ones. */
  void roll() throws IOException, InterruptedException {
    for (ServerName server : connection.getAdmin().getRegionServers()) {
      List<String> before = wals(server);
      connection.getAdmin().rollWALWriter(server);
      bed.await(
          "new WALs of " + server,
          () -> {
            if (!bed.aborts().isEmpty()) { // JUnit is not in the archive
              throw new AssertionError(bed.aborts());
            }
            List<String> now = wals(server);
            return !now.isEmpty() && now.stream().anyMatch(wal -> !before.contains(wal));
          });
    }
  }

  /** Asks all RegionServers to roll their WALs, and waits for nothing. */
  void requestRolls() throws IOException {
    for (ServerName server : connection.getAdmin().getRegionServers()) {
      connection.getAdmin().rollWALWriter(server);
    }
  }

  /** Flushes the table. */
  void flush() throws IOException {
    connection.getAdmin().flush(TABLE);
  }

  /** Asks for a major compaction of the table. */
  void compact() throws IOException {
    connection.getAdmin().majorCompact(TABLE);
  }

  private List<String> wals(ServerName server) throws IOException {
    List<String> names = new ArrayList<>();
    Path root = new Path(bed.keys().get("hbase.rootdir"));
    for (FileStatus file : fs.listStatus(new Path(new Path(root, "WALs"), server.toString()))) {
      names.add(file.getPath().getName());
    }
    return names;
  }

  @Override
  public void close() throws IOException {
    connection.close();
    fs.close();
  }
}
