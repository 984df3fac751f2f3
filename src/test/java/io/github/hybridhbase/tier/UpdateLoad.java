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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.testing.TypedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** Random updates of the rows of one table, which remembers what was acknowledged. */
@InterfaceAudience.Private
final class UpdateLoad {
  /** Keys are below it. */
  static final int KEYS = 4_000;

  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final int VALUE = 1_000;
  private static final int BATCH = 200;

  private final TypedCluster cluster;
  private final TableName table;
  private final TreeMap<Integer, Integer> acknowledged = new TreeMap<>();
  private long bytes;

  private UpdateLoad(TypedCluster cluster, TableName table) {
    this.cluster = cluster;
    this.table = table;
  }

  /** Makes the table, of two regions; nothing is written yet. */
  static UpdateLoad create(TypedCluster cluster, TableName table) throws Exception {
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
                .build(),
            new byte[][] {Bytes.toBytes(KEYS / 2)});
    return new UpdateLoad(cluster, table);
  }

  /** Bytes that no codec makes smaller, the same for the same stamp. */
  static byte[] value(int stamp) {
    byte[] value = new byte[VALUE];
    new Random(stamp).nextBytes(value);
    return value;
  }

  /** Writes at least so many bytes. */
  void write(long more, Random random) throws Exception {
    long until = bytes() + more;
    writeUntil(() -> bytes() >= until, random);
  }

  /** Writes until that is enough. */
  void writeUntil(BooleanSupplier enough, Random random) throws Exception {
    try (Table open = cluster.connection().getTable(table)) {
      while (!enough.getAsBoolean()) {
        batch(open, random);
      }
    }
  }

  private synchronized void batch(Table open, Random random) throws Exception {
    TreeMap<Integer, Integer> batch = new TreeMap<>();
    for (int i = 0; i < BATCH; i++) {
      batch.put(random.nextInt(KEYS), random.nextInt());
    }
    List<Put> puts = new ArrayList<>();
    batch.forEach(
        (key, stamp) ->
            puts.add(new Put(Bytes.toBytes(key)).addColumn(FAMILY, FAMILY, value(stamp))));
    open.put(puts);
    acknowledged.putAll(batch);
    bytes += (long) batch.size() * VALUE;
  }

  /** Bytes of values that were acknowledged. */
  synchronized long bytes() {
    return bytes;
  }

  /** Waits until another thread has written so much more. */
  void await(long more) {
    long until = bytes() + more;
    cluster.await("more load", () -> bytes() >= until);
  }

  /** Reads all back: what was acknowledged last, and nothing else. */
  void assertAllThere() throws Exception {
    int found = 0;
    try (Table open = cluster.connection().getTable(table);
        ResultScanner scanner = open.getScanner(new Scan())) {
      for (Result row : scanner) {
        int key = Bytes.toInt(row.getRow());
        assertArrayEquals(value(acknowledged.get(key)), row.value(), "row " + key);
        found++;
      }
    }
    assertEquals(acknowledged.size(), found);
  }
}
