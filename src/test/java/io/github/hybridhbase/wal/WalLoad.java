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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.testing.Await;
import io.github.hybridhbase.wal.failover.WatchedOutput;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.io.asyncfs.FanOutOneBlockAsyncDFSOutput;
import org.apache.hadoop.hbase.regionserver.MultiVersionConcurrencyControl;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.util.RecoverLeaseFSUtils;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.hadoop.hbase.wal.WALKeyImpl;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hbase.thirdparty.com.google.common.util.concurrent.RateLimiter;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Writers on a write-ahead log that note what was acknowledged, a roller as the RegionServer's, and
 * the look whether all of it is in the files.
 */
@InterfaceAudience.Private
final class WalLoad {
  /** Whoever makes a factory without one is a tool, for which nothing is placed. */
  private static final Abortable SERVER = mock(Abortable.class);

  private static final byte[] FAMILY = "f".getBytes(StandardCharsets.UTF_8);
  private static final NavigableMap<byte[], Integer> SCOPES = Collections.emptyNavigableMap();

  private final Configuration conf;
  private final FileSystem fs;
  private final WALFactory factory;
  private final Set<String> acked = ConcurrentHashMap.newKeySet();
  private final AtomicLong acknowledged = new AtomicLong();
  private final AtomicLong refused = new AtomicLong();
  private final Set<WAL> wals = ConcurrentHashMap.newKeySet();
  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final ExecutorService roller = Executors.newSingleThreadExecutor();
  private final List<Future<?>> writers = new ArrayList<>();
  private volatile IOException lastRefusal;

  /** Bytes of all writers. */
  private final RateLimiter pace = RateLimiter.create(20_000_000);

  private volatile boolean stopping;
  private volatile boolean dark;
  private volatile boolean mixed = true;
  private final Set<Path> ended = ConcurrentHashMap.newKeySet();
  private final int largest;
  private final Set<String> readBack = new HashSet<>();

  /** What each file gave to {@link #check}, for its message. */
  private final List<String> looks = new ArrayList<>();

  WalLoad(Configuration conf, int writerCount) throws IOException {
    this(conf, writerCount, 2_000);
  }

  /**
   * @param largest bytes of an edit, at most
   */
  WalLoad(Configuration conf, int writerCount, int largest) throws IOException {
    this.largest = largest;
    this.conf = conf;
    this.fs = CommonFSUtils.getWALFileSystem(conf);
    this.factory = new WALFactory(conf, "load,16020," + System.nanoTime(), SERVER);
    for (int i = 0; i < writerCount; i++) {
      int number = i;
      RegionInfo region =
          RegionInfoBuilder.newBuilder(TableName.valueOf("t"))
              .setStartKey(new byte[] {(byte) i})
              .setEndKey(new byte[] {(byte) (i + 1)})
              .build();
      WAL wal = factory.getWAL(region);
      if (wals.add(wal)) {
        wal.registerWALActionsListener(
            new WALActionsListener() {
              @Override
              public void logRollRequested(RollRequestReason reason) {
                roller.execute(() -> roll(wal));
              }
            });
      }
      writers.add(threads.submit(() -> write(wal, region, number)));
    }
  }

  /** Syncs as {@code hbase.wal.hsync} says from now on, no longer a mixture. */
  void useDefaultDurability() {
    mixed = false;
  }

  long acknowledged() {
    return acknowledged.get();
  }

  /** Waits until so many more are acknowledged: a busy machine comes to some twenty a second. */
  void awaitMore(long edits) {
    long all = acknowledged() + edits;
    Await.until(this, 300_000, () -> acknowledged() >= all);
  }

  long refused() {
    return refused.get();
  }

  private void write(WAL wal, RegionInfo region, int number) {
    ThreadLocalRandom random = ThreadLocalRandom.current();
    MultiVersionConcurrencyControl mvcc = new MultiVersionConcurrencyControl();
    for (int i = 0; !stopping; i++) {
      int bytes = 1 + random.nextInt(largest);
      pace.acquire(bytes);
      String name = number + "-" + i;
      byte[] row = name.getBytes(StandardCharsets.UTF_8);
      WALEdit edit = new WALEdit();
      edit.add(new KeyValue(row, FAMILY, row, i + 1L, new byte[bytes]));
      WALKeyImpl key =
          new WALKeyImpl(region.getEncodedNameAsBytes(), region.getTable(), i + 1L, mvcc, SCOPES);
      try {
        long txid = wal.appendData(region, key, edit);
        if (mixed && random.nextInt(4) == 0) {
          wal.sync(txid, true);
        } else {
          wal.sync(txid);
        }
        if (!dark) {
          acked.add(name);
          acknowledged.incrementAndGet();
        }
      } catch (IOException e) {
        lastRefusal = e;
        refused.incrementAndGet();
      } finally {
        if (key.getWriteEntry() != null) {
          mvcc.complete(key.getWriteEntry());
        }
      }
    }
  }

  private void roll(WAL wal) {
    try {
      wal.rollWriter(true);
    } catch (IOException | RuntimeException e) {
      // As LogRoller would on its next round; a writer that waits asks again. Stock HBase's writer
      // throws an IllegalStateException where a header's flush was never answered.
      if (!stopping && !roller.isShutdown()) {
        roller.execute(() -> roll(wal));
      }
    }
  }

  /** Rolls every log, with all writers at work. */
  void roll() throws Exception {
    for (WAL wal : wals) {
      roller.submit(() -> roll(wal)).get();
    }
  }

  /**
   * Waits until so many logs are closed: that happens behind a roll. FSHLog rides over a close that
   * failed, and then only the next log's counts: after 10 s it is rolled again.
   */
  void awaitClosed(int logs) throws Exception {
    long begin = System.nanoTime();
    long again = begin + TimeUnit.SECONDS.toNanos(10);
    for (int closed = 0; closed < logs; TimeUnit.MILLISECONDS.sleep(5)) {
      long now = System.nanoTime();
      assertTrue(now - begin < TimeUnit.SECONDS.toNanos(90), "No log was closed: " + this);
      if (now > again) {
        again = now + TimeUnit.SECONDS.toNanos(10);
        roll();
      }
      closed = 0;
      for (Path file : files()) {
        closed += isClosed(file) ? 1 : 0;
      }
    }
  }

  /** The output of this type of a log of asyncfs. */
  private static <T> T output(WAL wal, Class<T> type) throws ReflectiveOperationException {
    Object output = FieldUtils.readField(wal, "fsOut", true);
    while (!type.isInstance(output)) {
      output = FieldUtils.readField(output, "output", true);
    }
    return type.cast(output);
  }

  /** Gives up the file of each log of asyncfs that is open, as a fail-over does. */
  void giveUp() throws Exception {
    mark();
    for (WAL wal : wals) {
      output(wal, WatchedOutput.class).giveUp(new IOException("given up by the test"));
    }
  }

  /** Closes a connection of each log of asyncfs: HBase then recovers the leases. */
  void breakOff() throws Exception {
    mark();
    for (WAL wal : wals) {
      Object output = output(wal, FanOutOneBlockAsyncDFSOutput.class);
      Map<?, ?> channels = (Map<?, ?>) FieldUtils.readField(output, "datanodeInfoMap", true);
      ((Channel) channels.keySet().iterator().next()).close();
    }
  }

  /** The files that are open now are to end soon. */
  void mark() {
    wals.forEach(wal -> ended.add(((AbstractFSWAL<?>) wal).getCurrentFileName()));
  }

  Set<Path> ended() {
    return ended;
  }

  /** Waits until HBase has ended all that was marked, and takes it for closed. */
  void awaitEnded() throws Exception {
    long begin = System.nanoTime();
    for (boolean over = false; !over; TimeUnit.MILLISECONDS.sleep(5)) {
      assertTrue(System.nanoTime() - begin < TimeUnit.SECONDS.toNanos(90), "Not closed: " + this);
      over = true;
      for (Path file : ended) { // the next one has its name before this one begins to close
        over &= isClosed(file);
      }
      for (WAL wal : wals) {
        over &= ((AbstractFSWAL<?>) wal).getInflightWALCloseCount() == 0;
      }
    }
    System.out.printf(
        "Ended after %d ms%n", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin));
  }

  /** What is said to be synced must be what a reader can see. */
  void checkSyncedLength() {
    try {
      for (WAL wal : wals) {
        AbstractFSWAL<?> log = (AbstractFSWAL<?>) wal;
        Path path = log.getCurrentFileName();
        OptionalLong synced = log.getLogFileSizeIfBeingWritten(path);
        if (synced.isPresent() && synced.getAsLong() > 0) {
          try (HdfsDataInputStream in =
              (HdfsDataInputStream) ((DistributedFileSystem) fs).open(path)) {
            assertTrue(in.getVisibleLength() >= synced.getAsLong(), path.toString());
          }
        }
      }
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public String toString() {
    return acknowledged + " acknowledged, " + refused + " refused, last " + lastRefusal;
  }

  /** Lets every writer finish its edit and closes the logs. */
  void stop() throws Exception {
    stopping = true;
    for (Future<?> writer : writers) {
      writer.get(120, TimeUnit.SECONDS);
    }
    factory.close();
    threads.shutdown();
    roller.shutdown();
    assertTrue(roller.awaitTermination(60, TimeUnit.SECONDS));
  }

  /** The power is off: what is acknowledged from now on has reached nobody. */
  void powerOff() {
    dark = true;
  }

  /**
   * Ends the writers and leaves the logs as they are, as a RegionServer that has lost its power.
   */
  void abandon() throws Exception {
    stopping = true;
    roller.shutdownNow();
    for (Future<?> writer : writers) {
      writer.get(120, TimeUnit.SECONDS);
    }
    threads.shutdown();
  }

  private List<Path> files() throws IOException {
    List<Path> found = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = fs.listFiles(CommonFSUtils.getWALRootDir(conf), true);
    while (files.hasNext()) {
      found.add(files.next().getPath());
    }
    return found;
  }

  private boolean isClosed(Path file) throws IOException {
    return ((DistributedFileSystem) fs).isFileClosed(file);
  }

  /** Reads the files that are closed, for {@link #check}, and deletes them. */
  void readBackAndDelete() throws IOException {
    for (Path file : files()) {
      if (isClosed(file)) {
        read(file, readBack);
        fs.delete(file, false);
      }
    }
  }

  private void read(Path file, Set<String> rows) throws IOException {
    try {
      WalEntries.read(
          fs,
          file,
          factory,
          entry ->
              rows.add(
                  new String(
                      CellUtil.cloneRow(entry.getEdit().getCells().get(0)),
                      StandardCharsets.UTF_8)));
    } catch (IOException e) {
      // A file that was broken ends in the middle of an entry that nobody was told of; of one that
      // a power cut took nothing can be read. What was acknowledged is missed all the same.
      looks.add(file.getName() + ": " + e);
    }
  }

  /** Every acknowledged edit is in the files. */
  void check() throws IOException {
    assertTrue(acknowledged.get() > 0);
    // Of the files that are there now, whatever an earlier check has read.
    Set<String> found = new HashSet<>(readBack);
    for (Path file : files()) {
      RecoverLeaseFSUtils.recoverFileLease(fs, file, conf);
      int before = found.size();
      read(file, found);
      looks.add(file + ": " + fs.getFileStatus(file).getLen() + " B, " + (found.size() - before));
    }
    Set<String> missing = new HashSet<>(acked);
    missing.removeAll(found);
    assertEquals(Set.of(), missing, missing.size() + " of " + acked.size() + " in " + looks);
  }
}
