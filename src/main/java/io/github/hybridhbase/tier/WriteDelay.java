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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has calls that write to one region wait by its {@link WritePressure}, on the threads that handle
 * them and before they hold the lock of a row, while the SSD tier is open and has files of the
 * region on SSD. A call waits as long as the region that asks for most of those it writes to, once
 * for each, and a call to one region for no other: what a coprocessor writes on its behalf may come
 * under the lock of a row. A wait ends early where the pressure falls, another call waits for a
 * thread, the region closes, a bulk load begins, the server stops or the thread is interrupted.
 * Reads HBase's memory only, and takes no lock. Thread-safe.
 */
@InterfaceAudience.Private
public final class WriteDelay {
  /** After so many milliseconds a call that waits looks again: others may wait for its thread. */
  static final long SLICE_MILLIS = 5;

  /** A bulk load has begun to lock its region by then, or fails. */
  private static final long BULK_LOAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Waits. */
  interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  private final HRegion region;
  private final HStore[] stores;
  private final int mostFlushes;
  private final int mostMillis;
  private final WriteCalls calls;
  private final BooleanSupplier ended;
  private final Sleeper sleeper;

  /** Stands for the region where a thread remembers it: that must not keep a closed one. */
  private final Object mark = new Object();

  /** When a bulk load has locked the region; {@link System#nanoTime()}. */
  private volatile long bulkLoadNanos = System.nanoTime();

  /**
   * Reads a region.
   *
   * @param mostFlushes {@code hbase.hregion.memstore.block.multiplier} of its table
   * @param mostMillis the longest that a call waits
   * @param calls the server's
   * @param ended whether the server has stopped
   */
  WriteDelay(
      HRegion region,
      int mostFlushes,
      int mostMillis,
      WriteCalls calls,
      BooleanSupplier ended,
      Sleeper sleeper) {
    this.region = region;
    this.stores =
        region.getStores().stream()
            .filter(store -> store.getStoreEngine() instanceof HybridStoreEngine)
            .toArray(HStore[]::new);
    this.mostFlushes = mostFlushes;
    this.mostMillis = mostMillis;
    this.calls = calls;
    this.ended = ended;
    this.sleeper = sleeper;
  }

  /**
   * Called before each change, the first of a call without the lock of a row but of one that is
   * being checked. A change that came by replication never waits, nor does one of the server's own.
   */
  public void beforeWrite(Mutation change) {
    before(Optional.of(change));
  }

  /** Called before a row is checked, whose lock is not held yet. */
  public void beforeCheck() {
    before(Optional.empty());
  }

  /**
   * Called before a bulk load. One of several families locks the whole region, for which it, and
   * whoever comes after it, would wait as long as calls do here: so for a while none waits.
   */
  public void beforeBulkLoad() {
    if (stores.length > 1) {
      bulkLoadNanos = System.nanoTime() + BULK_LOAD_NANOS;
    }
  }

  private void before(Optional<Mutation> change) {
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (call.isPresent()) {
      WriteCalls.Waited waited = calls.waited(call.get());
      if (waited.isFirst(mark, call.get())
          && change.map(one -> one.getClusterIds().isEmpty()).orElse(true)) {
        await(call.get(), waited);
      }
    }
  }

  private void await(RpcCall call, WriteCalls.Waited waited) {
    if (asked(call) <= waited.millis() || !WriteCalls.mayWait(call) || !calls.enter()) {
      return;
    }
    long before = waited.millis();
    try {
      long left = left(call, waited);
      while (left > 0 && !region.isClosing() && !ended.getAsBoolean()) {
        long slice = Math.min(left, SLICE_MILLIS);
        sleeper.sleep(slice);
        waited.add(slice);
        left = left(call, waited);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      calls.leave();
      if (waited.millis() > before) {
        HybridMetrics.get().count(Metric.WRITES_DELAYED);
        HybridMetrics.get().count(Metric.WRITE_DELAY, waited.millis() - before);
      }
    }
  }

  private long left(RpcCall call, WriteCalls.Waited waited) {
    return WritePressure.leftMillis(asked(call), waited.millis(), true, calls.queued());
  }

  /** Milliseconds that the call is to wait altogether. */
  private long asked(RpcCall call) {
    double pressure = pressure();
    if (pressure < 0) {
      return 0;
    }
    long untilDeadline = call.getDeadline() - System.currentTimeMillis();
    return Math.min(
        WritePressure.mostMillis(mostMillis, untilDeadline),
        WritePressure.delayMillis(pressure, call.getSize(), mostMillis));
  }

  private double pressure() {
    if (bulkLoadNanos - System.nanoTime() > 0) {
      return WritePressure.NONE;
    }
    double flushSize = Math.max(1, region.getMemStoreFlushSize());
    double flushes = (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()) / flushSize;
    double most = WritePressure.NONE;
    for (HStore store : stores) {
      double pressure =
          WritePressure.of(
              flushes, mostFlushes, store.getStorefilesCount(), store.getBlockingFileCount());
      if (pressure > most && ((HybridStoreEngine) store.getStoreEngine()).hasTieredFiles()) {
        most = pressure;
      }
    }
    return most;
  }
}
