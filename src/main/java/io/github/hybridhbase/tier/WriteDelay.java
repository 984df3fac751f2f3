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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Has the writes of one region wait by its {@link WritePressure}, each call once, on the thread
 * that handles it, before it holds a lock of a row. A part of a server's handlers waits at most, so
 * that calls that read find one. Reads HBase's memory only; while no write has to wait it allocates
 * nothing. Thread-safe.
 */
@InterfaceAudience.Private
public final class WriteDelay {
  /** Waits. */
  interface Sleeper {
    void sleep(long millis) throws InterruptedException;
  }

  /** The calls that wait; one of these for all regions of a server. */
  static final class Calls {
    /** When the call began that was here last on a thread. */
    private final ThreadLocal<long[]> last = ThreadLocal.withInitial(() -> new long[1]);

    private final Semaphore places;

    /** Lets so many wait at a time. */
    Calls(int most) {
      places = new Semaphore(most);
    }

    /** A call of many writes waits with the first of them. */
    private boolean isNew(RpcCall call) {
      long[] began = last.get();
      boolean other = began[0] != call.getStartTime();
      began[0] = call.getStartTime();
      return other;
    }
  }

  private final HRegion region;
  private final HStore[] stores;
  private final int mostFlushes;
  private final int mostMillis;
  private final Calls calls;
  private final Sleeper sleeper;

  /**
   * Reads a region.
   *
   * @param mostFlushes {@code hbase.hregion.memstore.block.multiplier}
   * @param mostMillis the longest that a call waits
   */
  WriteDelay(HRegion region, int mostFlushes, int mostMillis, Calls calls, Sleeper sleeper) {
    this.region = region;
    List<HStore> all = region.getStores();
    this.stores = all.toArray(new HStore[0]);
    this.mostFlushes = mostFlushes;
    this.mostMillis = mostMillis;
    this.calls = calls;
    this.sleeper = sleeper;
  }

  /** Waits where the region is near its limits. A write of the server's own never waits. */
  public void beforeWrite() {
    double pressure = pressure();
    if (pressure < WritePressure.FREE) {
      return;
    }
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (call.isEmpty() || !calls.isNew(call.get()) || !calls.places.tryAcquire()) {
      return;
    }
    try {
      await(call.get(), pressure);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      calls.places.release();
    }
  }

  private void await(RpcCall call, double pressure) throws InterruptedException {
    long millis = WritePressure.delayMillis(pressure, call.getSize(), mostMillis);
    HybridMetrics.get().count(Metric.WRITES_DELAYED);
    HybridMetrics.get().count(Metric.WRITE_DELAY, millis);
    sleeper.sleep(millis);
  }

  private double pressure() {
    double flushSize = Math.max(1, region.getMemStoreFlushSize());
    double flushes = (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()) / flushSize;
    double pressure = 0;
    for (HStore store : stores) {
      pressure =
          Math.max(
              pressure,
              WritePressure.of(
                  flushes, mostFlushes, store.getStorefilesCount(), store.getBlockingFileCount()));
    }
    return pressure;
  }
}
