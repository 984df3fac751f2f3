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
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.BufferedMutatorParams;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
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
 * <p>Inserts are buffered ({@value #BUFFER} bytes a thread by default, 0 = each by itself) and safe
 * only when {@link #cleanup()} has returned; every other call goes to the server at once, after
 * what is buffered. As YCSB has it, each thread owns one instance.
 */
@InterfaceAudience.Private
public class HybridYcsbBinding extends DB {
  /** The column family. */
  public static final String FAMILY_DEFAULT = "f";

  /** Sets the size of a thread's write buffer, in bytes. */
  public static final String BUFFER_PROPERTY = "clientbuffering.bytes";

  private static final long BUFFER = 2 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(HybridYcsbBinding.class);

  private static final byte[] FAMILY = Bytes.toBytes(FAMILY_DEFAULT);

  private final Connection connection;
  private long bufferBytes;
  private String tableName;
  private Table table;
  private BufferedMutator buffer;

  /** Uses a connection of the caller's, which stays open. */
  public HybridYcsbBinding(Connection connection) {
    this.connection = connection;
  }

  @Override
  public void init() {
    bufferBytes =
        Long.parseLong(getProperties().getProperty(BUFFER_PROPERTY, Long.toString(BUFFER)));
  }

  @Override
  public void cleanup() throws DBException {
    try {
      close();
    } catch (IOException e) {
      throw new DBException(e);
    }
  }

  private void close() throws IOException {
    if (buffer != null) {
      buffer.close();
      buffer = null;
    }
    if (table != null) {
      table.close();
      table = null;
    }
  }

  private void use(String name) throws IOException {
    if (!name.equals(tableName)) {
      close();
      TableName target = TableName.valueOf(name);
      table = connection.getTable(target);
      if (bufferBytes > 0) {
        buffer =
            connection.getBufferedMutator(
                new BufferedMutatorParams(target).writeBufferSize(bufferBytes));
      }
      tableName = name;
    }
  }

  /** Opens the table and sends what is buffered, so that reads see this thread's own writes. */
  private void useFlushed(String name) throws IOException {
    use(name);
    if (buffer != null) {
      buffer.flush();
    }
  }

  @Override
  public Status read(
      String name, String key, Set<String> fields, Map<String, ByteIterator> result) {
    try {
      useFlushed(name);
      Get get = new Get(Bytes.toBytes(key));
      if (fields == null) {
        get.addFamily(FAMILY);
      } else {
        fields.forEach(field -> get.addColumn(FAMILY, Bytes.toBytes(field)));
      }
      Result row = table.get(get);
      copy(row, result);
      return row.isEmpty() ? Status.NOT_FOUND : Status.OK;
    } catch (IOException e) {
      return failed("read", key, e);
    }
  }

  @Override
  @SuppressWarnings("NonApiType") // YCSB's signature
  public Status scan(
      String name,
      String startKey,
      int count,
      Set<String> fields,
      Vector<HashMap<String, ByteIterator>> result) {
    try {
      useFlushed(name);
      Scan scan = new Scan().withStartRow(Bytes.toBytes(startKey)).setLimit(count);
      scan.setCaching(count);
      if (fields == null) {
        scan.addFamily(FAMILY);
      } else {
        fields.forEach(field -> scan.addColumn(FAMILY, Bytes.toBytes(field)));
      }
      try (ResultScanner rows = table.getScanner(scan)) {
        for (Result row : rows) {
          HashMap<String, ByteIterator> values = new HashMap<>();
          copy(row, values);
          result.add(values);
        }
      }
      return Status.OK;
    } catch (IOException e) {
      return failed("scan", startKey, e);
    }
  }

  @Override
  public Status update(String name, String key, Map<String, ByteIterator> values) {
    try {
      useFlushed(name);
      table.put(put(key, values));
      return Status.OK;
    } catch (IOException e) {
      return failed("update", key, e);
    }
  }

  @Override
  public Status insert(String name, String key, Map<String, ByteIterator> values) {
    try {
      use(name);
      if (buffer == null) {
        table.put(put(key, values));
        return Status.OK;
      }
      buffer.mutate(put(key, values));
      return Status.BATCHED_OK;
    } catch (IOException e) {
      return failed("insert", key, e);
    }
  }

  @Override
  public Status delete(String name, String key) {
    try {
      useFlushed(name);
      table.delete(new Delete(Bytes.toBytes(key)));
      return Status.OK;
    } catch (IOException e) {
      return failed("delete", key, e);
    }
  }

  private Put put(String key, Map<String, ByteIterator> values) {
    Put put = new Put(Bytes.toBytes(key));
    values.forEach((field, value) -> put.addColumn(FAMILY, Bytes.toBytes(field), value.toArray()));
    return put;
  }

  private static void copy(Result row, Map<String, ByteIterator> into) {
    if (row.isEmpty()) {
      return;
    }
    for (Cell cell : row.listCells()) {
      into.put(
          Bytes.toString(CellUtil.cloneQualifier(cell)),
          new ByteArrayByteIterator(CellUtil.cloneValue(cell)));
    }
  }

  private static Status failed(String what, String key, IOException e) {
    // A timeout is one of these to Java, and nobody has interrupted this thread then.
    if (e instanceof InterruptedIOException && !(e instanceof SocketTimeoutException)) {
      Thread.currentThread().interrupt();
    }
    LOG.error("{} of {} failed", what, key, e);
    return Status.ERROR;
  }
}
