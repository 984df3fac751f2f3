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
import java.io.InterruptedIOException;
import java.net.SocketTimeoutException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.Vector;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import site.ycsb.ByteArrayByteIterator;
import site.ycsb.ByteIterator;
import site.ycsb.DB;
import site.ycsb.DBException;
import site.ycsb.Status;

/**
 * YCSB on the HBase 2 client, fields as qualifiers of one column family.
 *
 * <p>What is buffered is safe only when {@link #cleanup()} has returned; every other call goes to
 * the server at once. As YCSB has it, each thread owns one instance.
 */
@InterfaceAudience.Private
public class HybridYcsbBinding extends DB {
  /** The column family. */
  public static final String FAMILY_DEFAULT = "f";

  private static final long BUFFER_BYTES = 2 << 20;
  private static final Logger LOG = LoggerFactory.getLogger(HybridYcsbBinding.class);
  private static final byte[] FAMILY = Bytes.toBytes(FAMILY_DEFAULT);

  private final Table table;

  /** Null if every write is a call of its own. */
  private final BufferedMutator buffer;

  /**
   * Uses a connection of the caller's, which stays open.
   *
   * @param buffered whether inserts are sent many at once; nothing is read then
   */
  public HybridYcsbBinding(Connection connection, String name, boolean buffered)
      throws IOException {
    TableName target = TableName.valueOf(name);
    table = connection.getTable(target);
    buffer =
        buffered
            ? connection.getBufferedMutator(
                new BufferedMutatorParams(target).writeBufferSize(BUFFER_BYTES))
            : null;
  }

  @Override
  public void cleanup() throws DBException {
    try {
      if (buffer != null) {
        buffer.close();
      }
      table.close();
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  /** A call of HBase's client. */
  private interface Call {
    Status answer() throws IOException;
  }

  private Status call(String what, String key, Call call) {
    long start = System.nanoTime();
    Status status;
    try {
      status = call.answer();
    } catch (IOException e) {
      // A timeout is one of these to Java, and nobody has interrupted this thread then.
      if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
        Thread.currentThread().interrupt();
      }
      LOG.error("{} of {} failed", what, key, e);
      status = Status.ERROR;
    }
    answered(what, System.nanoTime() - start, status);
    return status;
  }

  /** What came of each call. */
  protected void answered(String what, long nanos, Status status) {}

  /** All fields, as YCSB has it by default. */
  @Override
  public Status read(
      String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
    return call(
        "read",
        key,
        () -> {
          Result row = table.get(new Get(Bytes.toBytes(key)).addFamily(FAMILY));
          copy(row, result);
          return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
        });
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String name,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    return call(
        "scan",
        startKey,
        () -> {
          Scan scan = new Scan().withStartRow(Bytes.toBytes(startKey)).setLimit(count);
          try (ResultScanner rows = table.getScanner(scan.setCaching(count).addFamily(FAMILY))) {
            for (Result row : rows) {
              HashMap<String, ByteIterator> values = new HashMap<>();
              copy(row, values);
              result.add(values);
            }
          }
          return Status.OK;
        });
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> values) {
    return write("update", key, values);
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    return write("insert", key, values);
  }

  private Status write(String what, String key, Map<String, ByteIterator> values) {
    return call(
        what,
        key,
        () -> {
          Put put = new Put(Bytes.toBytes(key));
          values.forEach(
              (field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
          if (buffer != null) {
            buffer.mutate(put);
            return Status.BATCHED_OK;
          }
          table.put(put);
          return Status.OK;
        });
  }

  @Override
  public Status delete(String name, String key) {
    return Status.NOT_IMPLEMENTED; // the core workload deletes nothing
  }

  private static void copy(Result row, Map<String, ByteIterator> into) {
    if (!row.isEmpty()) {
      row.getFamilyMap(FAMILY)
          .forEach(
              (field, value) -> into.put(Bytes.toString(field), new ByteArrayByteIterator(value)));
    }
  }
}
