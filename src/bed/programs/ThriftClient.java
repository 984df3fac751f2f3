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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.hbase.thrift.generated.BatchMutation;
import org.apache.hadoop.hbase.thrift.generated.ColumnDescriptor;
import org.apache.hadoop.hbase.thrift.generated.Hbase;
import org.apache.hadoop.hbase.thrift.generated.Mutation;
import org.apache.hadoop.hbase.thrift.generated.TCell;
import org.apache.hadoop.hbase.thrift.generated.TRowResult;
import org.apache.hadoop.hbase.thrift.generated.TScan;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.transport.TSocket;

/** A program of Thrift's: {@code java ThriftClient.java HOST PORT write|read ROWS}. */
class ThriftClient {
  private static final ByteBuffer TABLE = bytes("thrift");
  private static final ByteBuffer COLUMN = bytes("f:v");
  private static final ByteBuffer COUNTER = bytes("f:counter");
  private static final Map<ByteBuffer, ByteBuffer> NONE = Map.of();
  private static final int MILLIS = 120_000;
  private static final int BATCH = 100;

  private ThriftClient() {}

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
  }

  private static ByteBuffer key(int row) {
    return bytes(String.format("%06d", row));
  }

  public static void main(String[] words) throws Exception {
    int rows = Integer.parseInt(words[3]);
    int port = Integer.parseInt(words[1]);
    try (TSocket socket = new TSocket(new TConfiguration(), words[0], port, MILLIS)) {
      socket.open();
      Hbase.Client client = new Hbase.Client(new TBinaryProtocol(socket));
      if (words[2].equals("write")) {
        write(client, rows);
      }
      read(client, rows);
    }
    System.out.println("done: " + words[2] + " " + rows);
  }

  private static void write(Hbase.Client client, int rows) throws Exception {
    ColumnDescriptor family = new ColumnDescriptor();
    family.setName(bytes("f:"));
    client.createTable(TABLE, List.of(family));
    List<BatchMutation> batch = new ArrayList<>();
    for (int row = 0; row < rows; row++) {
      Mutation put = new Mutation(false, COLUMN, bytes("value " + row), true);
      batch.add(new BatchMutation(key(row), List.of(put)));
      if (batch.size() == BATCH || row == rows - 1) {
        client.mutateRows(TABLE, batch, NONE);
        batch.clear();
      }
      client.atomicIncrement(TABLE, bytes("counter"), COUNTER, 1);
    }
    client.mutateRow(
        TABLE, bytes("gone"), List.of(new Mutation(false, COLUMN, bytes("x"), true)), NONE);
    client.deleteAllRow(TABLE, bytes("gone"), NONE);
  }

  private static void read(Hbase.Client client, int rows) throws Exception {
    for (int row = 0; row < rows; row++) {
      List<TCell> cells = client.get(TABLE, key(row), COLUMN, NONE);
      need(
          cells.size() == 1 && cells.get(0).value.equals(bytes("value " + row)),
          "row " + row + ": " + cells);
    }
    long counted = client.atomicIncrement(TABLE, bytes("counter"), COUNTER, 0);
    need(counted == rows, "the counter is " + counted);
    TScan scan = new TScan();
    scan.setColumns(List.of(COLUMN));
    int scanner = client.scannerOpenWithScan(TABLE, scan, NONE);
    int scanned = 0;
    for (List<TRowResult> some = client.scannerGetList(scanner, BATCH);
        !some.isEmpty();
        some = client.scannerGetList(scanner, BATCH)) {
      scanned += some.size();
    }
    client.scannerClose(scanner);
    need(scanned == rows, scanned + " rows by a scan");
  }

  private static void need(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException(what);
    }
  }
}
