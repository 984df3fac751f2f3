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
package io.github.hybridhbase.testing;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A client that writes one row after the other all the while, with HBase's default timeouts and
 * retries, and remembers which were acknowledged. One thread of its own.
 */
@InterfaceAudience.Private
public final class SteadyClient implements AutoCloseable {
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final long PAUSE_MILLIS = 5;

  private final Connection connection;
  private final TableName table;
  private final Thread thread;
  private final List<IOException> failures = new CopyOnWriteArrayList<>();
  private volatile int acknowledged;
  private volatile long longestNanos;
  private volatile boolean done;

  /** Starts to write. */
  public SteadyClient(Configuration cluster, TableName table) throws IOException {
    Configuration conf = HBaseConfiguration.create(cluster);
    // HBase's own defaults, whatever the cluster's test utility prefers.
    conf.setInt("hbase.client.retries.number", 15);
    conf.setInt("hbase.client.pause", 100);
    conf.setInt("hbase.rpc.timeout", 60_000);
    conf.setInt("hbase.client.operation.timeout", 1_200_000);
    this.connection = ConnectionFactory.createConnection(conf);
    this.table = table;
    this.thread = new Thread(this::write, "steady-client");
    thread.setDaemon(true);
    thread.start();
  }

  private void write() {
    int row = 0;
    try (Table to = connection.getTable(table)) {
      while (!done) {
        long start = System.nanoTime();
        try {
          to.put(new Put(Bytes.toBytes(row)).addColumn(FAMILY, FAMILY, Bytes.toBytes(row)));
          row++;
          acknowledged = row;
          longestNanos = Math.max(longestNanos, System.nanoTime() - start);
          Thread.sleep(PAUSE_MILLIS);
        } catch (IOException e) {
          if (!done) {
            failures.add(e);
          }
        }
      }
    } catch (IOException e) {
      failures.add(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Rows acknowledged so far. */
  public int acknowledged() {
    return acknowledged;
  }

  /** Of an acknowledged write. */
  public long longestMillis() {
    return TimeUnit.NANOSECONDS.toMillis(longestNanos);
  }

  /** Operations that failed for the client. */
  public List<IOException> failures() {
    return List.copyOf(failures);
  }

  /** Writes no more; returns when the last operation has ended. */
  public void finish() throws InterruptedException {
    done = true;
    thread.join();
  }

  /** Every acknowledged row is there. */
  public void assertAllThere() throws IOException {
    try (Table from = connection.getTable(table)) {
      for (int row = 0; row < acknowledged; row++) {
        int found = Bytes.toInt(from.get(new Get(Bytes.toBytes(row))).value());
        if (found != row) { // JUnit is not in the archive
          throw new AssertionError("row " + row + " has " + found);
        }
      }
    }
  }

  /** Ends, also in the middle of an operation that nobody will answer. */
  @Override
  public void close() throws IOException {
    done = true;
    thread.interrupt();
    connection.close();
  }
}
