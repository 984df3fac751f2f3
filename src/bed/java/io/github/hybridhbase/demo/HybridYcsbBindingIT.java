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
package io.github.hybridhbase.demo;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.Status;

class HybridYcsbBindingIT {
  private static final byte[] FAMILY = Bytes.toBytes(HybridYcsbBinding.FAMILY_DEFAULT);
  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = TypedCluster.spec().start();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @Test
  @SuppressWarnings("JdkObsolete") // YCSB's signature wants the Vector
  void everyOperationDoesWhatYcsbAsks() throws Exception {
    cluster.util().createTable(TableName.valueOf("ops"), FAMILY);
    HybridYcsbBinding db = new HybridYcsbBinding(); // connects by its properties
    Properties properties = new Properties();
    for (String key :
        new String[] {"hbase.zookeeper.quorum", "hbase.zookeeper.property.clientPort"}) {
      properties.setProperty(key, cluster.conf().get(key));
    }
    db.setProperties(properties);
    db.init();
    assertEquals(Status.BATCHED_OK, db.insert("ops", "a", row("x", "1", "y", "2")));
    assertEquals(Status.BATCHED_OK, db.insert("ops", "b", row("x", "3")));
    assertEquals(Map.of("x", "1", "y", "2"), read(db, "a", null), "sees its own buffered writes");
    assertEquals(Map.of("y", "2"), read(db, "a", Set.of("y")));

    assertEquals(Status.OK, db.update("ops", "a", row("x", "4")));
    assertEquals(Map.of("x", "4", "y", "2"), read(db, "a", null));

    Vector<HashMap<String, ByteIterator>> rows = new Vector<>();
    assertEquals(Status.OK, db.scan("ops", "a", 1, null, rows));
    assertEquals(1, rows.size());
    assertEquals(Status.OK, db.scan("ops", "a", 9, Set.of("x"), rows));
    assertEquals(3, rows.size());

    assertEquals(Status.OK, db.delete("ops", "a"));
    assertEquals(Status.NOT_FOUND, db.read("ops", "a", null, new HashMap<>()));
    db.cleanup();
  }

  @Test
  void twoLoadsWriteTheSameRowsWhateverTheThreadsDo() throws Exception {
    List<Result> one = load("one", 1);
    List<Result> three = load("three", 3);
    assertEquals(1_000, one.size());
    assertEquals(one.size(), three.size());
    for (int i = 0; i < one.size(); i++) {
      assertArrayEquals(one.get(i).getRow(), three.get(i).getRow());
      assertEquals(YcsbLoad.FIELDS, one.get(i).size());
      for (int f = 0; f < YcsbLoad.FIELDS; f++) {
        byte[] field = Bytes.toBytes("field" + f);
        assertEquals(YcsbLoad.FIELD_BYTES, one.get(i).getValue(FAMILY, field).length);
        assertArrayEquals(one.get(i).getValue(FAMILY, field), three.get(i).getValue(FAMILY, field));
      }
    }
  }

  @Test
  void aLoadThatCannotWriteFails() {
    assertThrows(
        IOException.class,
        () -> new YcsbLoad(cluster.connection(), "none", 10, 2).run((rows, seconds) -> {}));
  }

  private static List<Result> load(String table, int threads) throws Exception {
    cluster.util().createTable(TableName.valueOf(table), FAMILY);
    List<Long> progress = new ArrayList<>();
    new YcsbLoad(cluster.connection(), table, 1_000, threads)
        .run((rows, seconds) -> progress.add(rows));
    assertEquals(1_000, progress.get(progress.size() - 1));
    List<Result> results = new ArrayList<>();
    try (Table t = cluster.connection().getTable(TableName.valueOf(table));
        ResultScanner scanner = t.getScanner(new Scan())) {
      scanner.forEach(results::add);
    }
    return results;
  }

  private static Map<String, ByteIterator> row(String... fieldsAndValues) {
    Map<String, ByteIterator> row = new HashMap<>();
    for (int i = 0; i < fieldsAndValues.length; i += 2) {
      row.put(fieldsAndValues[i], new ByteArrayByteIterator(Bytes.toBytes(fieldsAndValues[i + 1])));
    }
    return row;
  }

  private static Map<String, String> read(HybridYcsbBinding db, String key, Set<String> fields) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertEquals(Status.OK, db.read("ops", key, fields, result));
    Map<String, String> text = new HashMap<>();
    result.forEach((field, value) -> text.put(field, Bytes.toString(value.toArray())));
    return text;
  }
}
