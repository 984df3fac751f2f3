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
import com.stumbleupon.async.Deferred;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.hbase.async.AtomicIncrementRequest;
import org.hbase.async.Config;
import org.hbase.async.DeleteRequest;
import org.hbase.async.GetRequest;
import org.hbase.async.HBaseClient;
import org.hbase.async.KeyValue;
import org.hbase.async.PutRequest;
import org.hbase.async.Scanner;

/**
 * A program of asynchbase's, which has HBase's protocol of its own: {@code java
 * AsyncHBaseClient.java QUORUM TABLE FAMILY write|read ROWS}.
 */
class AsyncHBaseClient {
  private static final long SECONDS = 120;
  private static final byte[] VALUE = bytes("v");
  private static final byte[] COUNTER = bytes("counter");

  private final HBaseClient client;
  private final byte[] table;
  private final byte[] family;

  private AsyncHBaseClient(HBaseClient client, String table, String family) {
    this.client = client;
    this.table = bytes(table);
    this.family = bytes(family);
  }

  public static void main(String[] words) throws Exception {
    Config config = new Config();
    config.overrideConfig("hbase.zookeeper.quorum", words[0]);
    // HBase 2 has no "closest row before" any more.
    config.overrideConfig("hbase.meta.scan", "true");
    // Else each row that is waited for waits a second.
    config.overrideConfig("hbase.rpcs.buffered_flush_interval", "0");
    HBaseClient client = new HBaseClient(config);
    int rows = Integer.parseInt(words[4]);
    try {
      AsyncHBaseClient program = new AsyncHBaseClient(client, words[1], words[2]);
      client.ensureTableFamilyExists(words[1], words[2]).join(TimeUnit.SECONDS.toMillis(SECONDS));
      if (words[3].equals("write")) {
        program.write(rows);
      }
      program.read(rows);
    } finally {
      client.shutdown().join(TimeUnit.SECONDS.toMillis(SECONDS));
    }
    System.out.println("done: " + words[3] + " " + rows);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] key(int row) {
    return bytes(String.format("%02x-%d", row * 37 & 0xff, row));
  }

  private static <T> T join(Deferred<T> answer) throws Exception {
    return answer.join(TimeUnit.SECONDS.toMillis(SECONDS));
  }

  private void write(int rows) throws Exception {
    for (int row = 0; row < rows; row++) {
      join(client.put(new PutRequest(table, key(row), family, VALUE, bytes("value " + row))));
      join(client.atomicIncrement(increment(bytes("counter"), 1)));
    }
    // Batched by the client itself.
    List<Deferred<Object>> all = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      all.add(client.put(new PutRequest(table, key(rows + row), family, VALUE, bytes("gone"))));
    }
    join(client.flush());
    for (Deferred<Object> one : all) {
      join(one);
    }
    for (int row = 0; row < rows; row++) {
      join(client.delete(new DeleteRequest(table, key(rows + row), family, VALUE)));
    }
    PutRequest next = new PutRequest(table, bytes("checked"), family, VALUE, bytes("new"));
    need(join(client.compareAndSet(next, new byte[0])), "a first compare-and-set");
    need(!join(client.compareAndSet(next, bytes("other"))), "a refused compare-and-set");
    join(client.delete(new DeleteRequest(table, bytes("checked"), family, VALUE)));
  }

  private AtomicIncrementRequest increment(byte[] row, long by) {
    return new AtomicIncrementRequest(table, row, family, COUNTER, by);
  }

  private void read(int rows) throws Exception {
    for (int row = 0; row < rows; row++) {
      List<KeyValue> found = join(client.get(new GetRequest(table, key(row), family, VALUE)));
      byte[] wanted = bytes("value " + row);
      need(found.size() == 1 && Arrays.equals(wanted, found.get(0).value()), "row " + row + found);
    }
    long counted = join(client.atomicIncrement(increment(bytes("counter"), 0)));
    need(counted == rows, "the counter is " + counted);
    Scanner scanner = client.newScanner(table);
    scanner.setFamily(family);
    scanner.setQualifier(VALUE);
    int scanned = 0;
    for (ArrayList<ArrayList<KeyValue>> some = join(scanner.nextRows());
        some != null;
        some = join(scanner.nextRows())) {
      scanned += some.size();
    }
    need(scanned == rows, scanned + " rows by a scan");
  }

  private static void need(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
