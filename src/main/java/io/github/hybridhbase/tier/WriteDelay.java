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

import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Throttles writes to one region while the SSD tier is open and serves it, even if flushes go to
 * HDD. Thread-safe.
 */
@InterfaceAudience.Private
final class WriteDelay {
  private final HRegion region;
  private final HStore[] stores;
  private final Predicate<HStore> served;
  private final int mostFlushes;
  private final long mostMillis;
  private final WriteCalls calls;
  private final LongSupplier clock;

  private volatile long deferredSince = WritePressure.NOT_DEFERRED;

  /**
   * @param served whether the tier is open and serves a store
   * @param clock nanoseconds, above 0
   */
  WriteDelay(
      HRegion region,
      Predicate<HStore> served,
      long mostMillis,
      WriteCalls calls,
      LongSupplier clock) {
    this.region = region;
    this.stores = region.getStores().toArray(new HStore[0]);
    this.mostFlushes =
        region
            .getReadOnlyConfiguration()
            .getInt(
                HConstants.HREGION_MEMSTORE_BLOCK_MULTIPLIER,
                HConstants.DEFAULT_HREGION_MEMSTORE_BLOCK_MULTIPLIER);
    this.mostMillis = mostMillis;
    this.calls = calls;
    this.clock = clock;
    this.served = served;
    calls.opened(region.getRegionInfo().getRegionName(), this::askedMillis);
  }

  /** Delays no change by replication or by the server itself. */
  void before(Mutation change) {
    before(change.getClusterIds().isEmpty());
  }

  /**
   * Call it before the row is locked.
   *
   * @param local false for a change by replication
   */
  void before(boolean local) {
    RpcServer.getCurrentCall().ifPresent(call -> calls.before(call, region::isClosing, local));
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
    long longest = calls.longestDeferralNanos;
    boolean anyServed = false;
    boolean tooMany = false;
    for (HStore store : stores) {
      boolean of = served.test(store);
      anyServed |= of;
      tooMany |= of && store.getStorefilesCount() > store.getBlockingFileCount();
    }
    long since = WritePressure.deferredSince(before, flushes, tooMany, now, longest);
    deferredSince = since;
    if (!anyServed) {
      return 0;
    }
    double ofRegion =
        since == WritePressure.NOT_DEFERRED
            ? WritePressure.duringFlush(flushes, mostFlushes)
            : WritePressure.of(flushes, mostFlushes, (double) (now - since) / longest);
    return WritePressure.delayMillis(Math.max(ofRegion, ofServer), bytes, mostMillis);
  }
}
