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

import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Tells by how much one region asks writers to wait, while the SSD tier is open and has files of
 * the region on SSD, and has the calls that come there wait ({@link WriteCalls}). Thread-safe.
 */
@InterfaceAudience.Private
public final class WriteDelay implements WriteCalls.WrittenRegion {
  /** A bulk load has begun to lock its region by then, or fails. */
  private static final long BULK_LOAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private final HRegion region;
  private final HStore[] stores;
  private final int mostFlushes;
  private final WriteCalls calls;

  /** Whether files put the flush off that is due. */
  private volatile boolean putOff;

  /** When a bulk load has locked the region; {@link System#nanoTime()}. */
  private volatile long bulkLoadNanos = System.nanoTime();

  /**
   * Reads a region.
   *
   * @param mostFlushes {@code hbase.hregion.memstore.block.multiplier} of its table
   * @param calls the server's
   */
  WriteDelay(HRegion region, int mostFlushes, WriteCalls calls) {
    this.region = region;
    this.stores =
        region.getStores().stream()
            .filter(store -> store.getStoreEngine() instanceof HybridStoreEngine)
            .toArray(HStore[]::new);
    this.mostFlushes = mostFlushes;
    this.calls = calls;
  }

  /**
   * Called before each change, the first of a call without the lock of a row but of one that is
   * being checked. A change that came by replication never waits, nor does one of the server's own.
   */
  public void beforeWrite(Mutation change) {
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (call.isPresent()) {
      calls.before(call.get(), this, change.getClusterIds().isEmpty());
    }
  }

  /** Called before a row is checked, whose lock is not held yet. */
  public void beforeCheck() {
    RpcServer.getCurrentCall().ifPresent(call -> calls.before(call, this, true));
  }

  /**
   * Called before a bulk load. One of several families locks the whole region, for which it, and
   * whoever comes after it, would wait as long as calls do here: so for a while none waits.
   */
  public void beforeBulkLoad() {
    if (region.getStores().size() > 1) {
      bulkLoadNanos = System.nanoTime() + BULK_LOAD_NANOS;
    }
  }

  @Override
  public boolean isAboutToLock() {
    return region.isClosing() || bulkLoadNanos - System.nanoTime() > 0;
  }

  @Override
  public double pressure() {
    double flushSize = Math.max(1, region.getMemStoreFlushSize());
    double flushes = (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()) / flushSize;
    boolean late = putOff;
    if (flushes < 1 && !late) {
      return WritePressure.NONE;
    }
    for (HStore store : stores) {
      late =
          WritePressure.putOff(
              late, flushes, store.getStorefilesCount(), store.getBlockingFileCount());
    }
    putOff = late;
    double most = WritePressure.NONE;
    for (HStore store : stores) {
      double pressure =
          WritePressure.of(
              flushes, mostFlushes, store.getStorefilesCount(), store.getBlockingFileCount(), late);
      if (pressure > most && ((HybridStoreEngine) store.getStoreEngine()).hasTieredFiles()) {
        most = pressure;
      }
    }
    return most;
  }
}
