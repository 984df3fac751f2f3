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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/** A table and the rows that HBase acknowledged for it. */
@InterfaceAudience.Private
public final class Rows {
  static final byte[] FAMILY = Bytes.toBytes("f");
  static final byte[] QUALIFIER = Bytes.toBytes("q");

  private final TypedCluster cluster;
  private final TableName table;
  private final TreeMap<byte[], byte[]> acknowledged = new TreeMap<>(Bytes.BYTES_COMPARATOR);
  private final Random random;

  private Rows(TypedCluster cluster, TableName table, Random random) {
    this.cluster = cluster;
    this.table = table;
    this.random = random;
  }

  /**
   * Creates a table of three regions.
   *
   * @param tracker the store-file tracker, DEFAULT or FILE
   * @param familyPolicy the family's STORAGE_POLICY, or null
   */
  public static Rows create(
      TypedCluster cluster, String name, String tracker, String familyPolicy, Random random)
      throws IOException {
    TableName table = TableName.valueOf(name);
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    if (familyPolicy != null) {
      family.setStoragePolicy(familyPolicy);
    }
    cluster
        .connection()
        .getAdmin()
        .createTable(
            TableDescriptorBuilder.newBuilder(table)
                .setColumnFamily(family.build())
                .setValue("hbase.store.file-tracker.impl", tracker)
                .build(),
            new byte[][] {Bytes.toBytes("3"), Bytes.toBytes("6")});
    return new Rows(cluster, table, random);
  }

  /** The same acknowledged rows, in another table that should hold them. */
  public Rows as(String otherTable) {
    Rows other = new Rows(cluster, TableName.valueOf(otherTable), random);
    other.acknowledged.putAll(acknowledged);
    return other;
  }

  public TableName table() {
    return table;
  }

  /** Puts rows, spread over all regions, and keeps those that were acknowledged. */
  public void put(int count) throws IOException {
    try (Table to = cluster.connection().getTable(table)) {
      for (int i = 0; i < count; i++) {
        byte[] value = new byte[200];
        random.nextBytes(value);
        byte[] key = Bytes.toBytes(String.format("%08d", random.nextInt(100_000_000)));
        to.put(new Put(key).addColumn(FAMILY, QUALIFIER, value));
        acknowledged.put(key, value);
      }
    }
  }

  /** Deletes rows that were acknowledged, the first in their order. */
  public void delete(int count) throws IOException {
    try (Table from = cluster.connection().getTable(table)) {
      for (int i = 0; i < count; i++) {
        from.delete(new Delete(acknowledged.firstKey()));
        acknowledged.remove(acknowledged.firstKey());
      }
    }
  }

  /** Remembers a row that came in by another way, a bulk load say. */
  public void remember(byte[] key, byte[] value) {
    acknowledged.put(key, value);
  }

  /** Asserts that every acknowledged row reads back, and no other. */
  public void assertAllThere() throws IOException {
    List<String> found = new ArrayList<>();
    try (Table from = cluster.connection().getTable(table);
        ResultScanner scanner = from.getScanner(new Scan())) {
      for (Result row : scanner) {
        String key = Bytes.toStringBinary(row.getRow());
        found.add(key);
        assertArrayEquals(acknowledged.get(row.getRow()), row.getValue(FAMILY, QUALIFIER), key);
      }
    }
    List<String> wanted =
        acknowledged.keySet().stream().map(Bytes::toStringBinary).collect(Collectors.toList());
    assertEquals(wanted, found);
  }
}
