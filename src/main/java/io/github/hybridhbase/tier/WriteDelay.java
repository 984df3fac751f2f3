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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Throttles writes to one region while the SSD tier is open and serves it, even if flushes go to
 * HDD. Thread-safe.
 */
@InterfaceAudience.Private
public final class WriteDelay {
  /** By then a bulk load has begun to lock the region, or has failed. */
  private static final long BULK_LOAD_NANOS = TimeUnit.SECONDS.toNanos(10);

  private static final String MULTIPLIER = HConstants.HREGION_MEMSTORE_BLOCK_MULTIPLIER;
  private static final int DEFAULT_MULTIPLIER =
      HConstants.DEFAULT_HREGION_MEMSTORE_BLOCK_MULTIPLIER;

  private final HRegion region;
  private final HStore[] stores;
  private final Predicate<HStore> served;
  private final int mostFlushes;
  private final long mostMillis;
  private final WriteCalls calls;
  private final LongSupplier clock;

  private final BooleanSupplier aboutToLock = this::isAboutToLock;

  private volatile long deferredSince = WritePressure.NOT_DEFERRED;

  private volatile long bulkLoadNanos;

  /**
   * @param served whether the tier is open and serves a store
   * @param clock nanoseconds, above 0
   */
  WriteDelay(
      HRegion region,
      Predicate<HStore> served,
      int mostFlushes,
      long mostMillis,
      WriteCalls calls,
      LongSupplier clock) {
    this.region = region;
    this.stores = region.getStores().toArray(new HStore[0]);
    this.mostFlushes = mostFlushes;
    this.mostMillis = mostMillis;
    this.calls = calls;
    this.clock = clock;
    this.served = served;
  }

  public static WriteDelay of(
      HRegion region, Predicate<HStore> served, long mostMillis, WriteCalls calls) {
    int mostFlushes = region.getReadOnlyConfiguration().getInt(MULTIPLIER, DEFAULT_MULTIPLIER);
    long start = System.nanoTime() - 1;
    WriteDelay delay =
        new WriteDelay(
            region, served, mostFlushes, mostMillis, calls, () -> System.nanoTime() - start);
    calls.opened(region.getRegionInfo().getRegionName(), delay::askedMillis);
    return delay;
  }

  /** Delays no change by replication or by the server itself. */
  public void beforeWrite(Mutation change) {
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (call.isPresent()) {
      calls.before(call.get(), aboutToLock, change.getClusterIds().isEmpty());
    }
  }

  /** Call it before the row is locked. */
  public void beforeCheck() {
    RpcServer.getCurrentCall().ifPresent(call -> calls.before(call, aboutToLock, true));
  }

  /**
   * Suspends throttling: a bulk load of several families locks the region, and all calls would wait
   * behind delayed ones.
   */
  public void beforeBulkLoad() {
    if (region.getStores().size() > 1) {
      bulkLoadNanos = clock.getAsLong() + BULK_LOAD_NANOS;
    }
  }

  private boolean isAboutToLock() {
    return region.isClosing() || bulkLoadNanos > clock.getAsLong();
  }

  /** 0 for none. */
  double askedMillis(double bytes, double ofServer) {
    double flushSize = Math.max(1, region.getMemStoreFlushSize());
    double flushes = (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()) / flushSize;
    long before = deferredSince;
    if (flushes < 1 && before == WritePressure.NOT_DEFERRED && ofServer < 0) {
      return 0;
    }
    long now = clock.getAsLong();
    long longest = calls.longestDeferralNanos();
    boolean anyServed = false;
    boolean tooManyServed = false;
    boolean tooManyOthers = false;
    for (HStore store : stores) {
      boolean of = served.test(store);
      boolean tooMany = store.getStorefilesCount() > store.getBlockingFileCount();
      anyServed |= of;
      tooManyServed |= tooMany && of;
      tooManyOthers |= tooMany && !of;
    }
    long since = WritePressure.deferredSince(before, flushes, tooManyServed, now, longest);
    deferredSince = since;
    if (!anyServed) {
      return 0;
    }
    double ofRegion =
        tooManyOthers && !tooManyServed
            ? WritePressure.NONE
            : WritePressure.of(flushes, mostFlushes, since, now, longest);
    return WritePressure.delayMillis(Math.max(ofRegion, ofServer), bytes, mostMillis);
  }
}
