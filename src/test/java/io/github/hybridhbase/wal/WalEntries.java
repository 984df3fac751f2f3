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
package io.github.hybridhbase.wal;

import java.io.Closeable;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Entries for WALs, and those of a file by the reader of the HBase that runs: 2.5 has another one
 * than 2.6.
 */
@InterfaceAudience.Private
final class WalEntries {
  private static final byte[] REGION = Bytes.toBytes("region");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private WalEntries() {}

  /** Of a table t, with the row {@code row-N} and the timestamp N + 1. */
  static WAL.Entry entry(int number, int bytes) {
    byte[] row = Bytes.toBytes("row-" + number);
    WALEdit edit = new WALEdit();
    edit.add(new KeyValue(row, FAMILY, row, 1L + number, new byte[bytes]));
    return new WAL.Entry(new WALKeyImpl(REGION, TableName.valueOf("t"), 1L + number), edit);
  }

  /**
   * Reads a file from its start.
   *
   * @param factory whose configuration says how long it tries; that of the static ones is the first
   *     of the process
   * @throws IOException where it ends in the middle of an entry; those before it were handed over
   */
  static void read(FileSystem fs, Path file, WALFactory factory, Consumer<WAL.Entry> to)
      throws IOException {
    try {
      Method open = open();
      Method next = open.getReturnType().getMethod("next");
      try (Closeable reader = (Closeable) open.invoke(factory, fs, file)) {
        Object entry = next.invoke(reader);
        while (entry != null) {
          to.accept((WAL.Entry) entry);
          entry = next.invoke(reader);
        }
      }
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException) {
        throw (IOException) e.getCause();
      }
      throw new IllegalStateException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Method open() throws NoSuchMethodException {
    Class<?>[] arguments = {FileSystem.class, Path.class};
    try {
      return WALFactory.class.getMethod("createStreamReader", arguments);
    } catch (NoSuchMethodException e) {
      return WALFactory.class.getMethod("createReader", arguments);
    }
  }
}
