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
package io.github.hybridhbase.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One write-ahead log, opened and rolled as a RegionServer does it, with writers that append one
 * edit and sync it, as a put does.
 */
@InterfaceAudience.Private
public final class WalUnderTest implements AutoCloseable {
  /** Name of the server that the log is of. */
  static final String SERVER = "bench,16020,1";

  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.UTF_8);
  private static final NavigableMap<byte[], Integer> SCOPES = Collections.emptyNavigableMap();

  /** A factory that no server makes is a tool's, for which nothing is placed. */
  private static final class Nobody implements Abortable {
    @Override
    public void abort(String why, Throwable e) {
      throw new IllegalStateException(why, e);
    }

    @Override
    public boolean isAborted() {
      return false;
    }
  }

  private final FileSystem fs;
  private final Path root;
  private final WALFactory factory;
  private final Set<WAL> seen = ConcurrentHashMap.newKeySet();
  private final AtomicInteger writers = new AtomicInteger();
  private final ExecutorService roller =
      Executors.newSingleThreadExecutor(
          task -> {
            Thread thread = new Thread(task, "bench-log-roller");
            thread.setDaemon(true);
            return thread;
          });

  /**
   * @param hsync {@code hbase.wal.hsync}
   * @param settings further settings, may be empty
   */
  public WalUnderTest(
      FileSystem fs, Path root, Rival rival, boolean hsync, Map<String, String> settings)
      throws IOException {
    this.fs = fs;
    this.root = root;
    Configuration conf = HBaseConfiguration.create(fs.getConf());
    CommonFSUtils.setRootDir(conf, root);
    conf.setBoolean("hbase.wal.hsync", hsync);
    rival.configure(conf);
    settings.forEach(conf::set);
    this.factory = new WALFactory(conf, SERVER, new Nobody());
  }

  /** A writer for one thread, with a region of its own. */
  public Writer writer(int bytes) throws IOException {
    return new Writer(bytes);
  }

  private void rollOnRequest(WAL wal) {
    wal.registerWALActionsListener(
        new WALActionsListener() {
          @Override
          public void logRollRequested(RollRequestReason reason) {
            roller.execute(() -> roll(wal));
          }

          @Override
          public void postLogRoll(Path oldPath, Path newPath) throws IOException {
            if (oldPath != null) {
              // Nothing is ever flushed here, so nothing would be archived: make space.
              fs.deleteOnExit(oldPath);
            }
          }
        });
  }

  private static void roll(WAL wal) {
    try {
      wal.rollWriter(false);
    } catch (IOException e) {
      throw new IllegalStateException("A roll failed", e);
    }
  }

  @Override
  public void close() throws IOException {
    factory.close();
    roller.shutdown();
    try {
      if (!roller.awaitTermination(30, TimeUnit.SECONDS)) {
        throw new IOException("The roller does not end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    fs.delete(root, true);
  }

  /** Appends and syncs; not thread-safe. */
  @InterfaceAudience.Private
  public final class Writer {
    private final RegionInfo region;
    private final TableName table = TableName.valueOf("bench");
    private final WAL wal;
    private final MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
    private final byte[] row = new byte[16];
    private final byte[] value;

    private Writer(int bytes) throws IOException {
      int number = writers.incrementAndGet();
      region =
          RegionInfoBuilder.newBuilder(table)
              .setStartKey(String.format("%06d", number).getBytes(StandardCharsets.UTF_8))
              .setEndKey(String.format("%06d", number + 1).getBytes(StandardCharsets.UTF_8))
              .build();
      wal = factory.getWAL(region);
      value = new byte[bytes];
      ThreadLocalRandom.current().nextBytes(value);
      if (seen.add(wal)) {
        rollOnRequest(wal);
      }
    }

    /** One edit, acknowledged on return. */
    public long append() throws IOException {
      ThreadLocalRandom.current().nextBytes(row);
      long now = System.currentTimeMillis();
      WALEdit edit = new WALEdit();
      edit.add(new KeyValue(row, FAMILY, FAMILY, now, value));
      WALKeyImpl key = new WALKeyImpl(region.getEncodedNameAsBytes(), table, now, mvcc, SCOPES);
      long txid = wal.appendData(region, key, edit);
      try {
        wal.sync(txid);
      } finally {
        mvcc.complete(key.getWriteEntry());
      }
      return txid;
    }
  }
}
