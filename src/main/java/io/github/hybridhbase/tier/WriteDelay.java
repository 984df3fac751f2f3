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
 * region on SSD. A call waits as long as the region that asks for most of those it writes to. A
 * wait ends early where the pressure falls, the region closes, the server stops or the thread is
 * interrupted. Reads HBase's memory only; while no call has to wait it allocates nothing.
 * Thread-safe.
 */
@InterfaceAudience.Private
public final class WriteDelay {
  /** After so many milliseconds a call that waits looks again. */
  private static final long SLICE_MILLIS = 20;

  /** Where half of the handlers wait already, the others wait for this part as long at most. */
  private static final int CROWDED = 10;

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
   * Called before each change, without the lock of a row but of one that is being checked. A change
   * that came by replication never waits, nor does one of the server's own.
   */
  public void beforeWrite(Mutation change) {
    double pressure = pressure();
    if (pressure < WritePressure.FREE || !change.getClusterIds().isEmpty()) {
      return;
    }
    Optional<RpcCall> call = RpcServer.getCurrentCall().filter(WriteCalls::mayWait);
    if (call.isPresent()) {
      WriteCalls.Waited waited = calls.waited(call.get());
      if (!waited.isCheckingIn(this)) {
        await(call.get(), waited);
      }
    }
  }

  /** Called before a row is checked, whose lock is not held yet. */
  public void beforeCheck() {
    Optional<RpcCall> call = RpcServer.getCurrentCall();
    if (call.isPresent()) {
      WriteCalls.Waited waited = calls.waited(call.get());
      waited.checksIn(this);
      if (WriteCalls.mayWait(call.get())) {
        await(call.get(), waited);
      }
    }
  }

  private void await(RpcCall call, WriteCalls.Waited waited) {
    if (left(call, waited, mostMillis) <= 0) {
      return;
    }
    boolean placed = calls.enter();
    long most = placed ? mostMillis : mostMillis / CROWDED;
    long before = waited.millis();
    try {
      long left = left(call, waited, most);
      while (left > 0 && !region.isClosing() && !ended.getAsBoolean()) {
        long slice = Math.min(left, SLICE_MILLIS);
        sleeper.sleep(slice);
        waited.add(slice);
        left = left(call, waited, most);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      if (placed) {
        calls.leave();
      }
      if (waited.millis() > before) {
        HybridMetrics.get().count(Metric.WRITES_DELAYED);
        HybridMetrics.get().count(Metric.WRITE_DELAY, waited.millis() - before);
      }
    }
  }

  /** What the call has to wait still, so that it has waited for {@code most} altogether at most. */
  private long left(RpcCall call, WriteCalls.Waited waited, long most) {
    long bound = WritePressure.mostMillis(most, call.getDeadline() - System.currentTimeMillis());
    long asked = WritePressure.delayMillis(pressure(), call.getSize(), mostMillis);
    return Math.min(bound, asked) - waited.millis();
  }

  private double pressure() {
    double flushSize = Math.max(1, region.getMemStoreFlushSize());
    double flushes = (region.getMemStoreHeapSize() + region.getMemStoreOffHeapSize()) / flushSize;
    double most = 0;
    for (HStore store : stores) {
      double pressure =
          WritePressure.of(
              flushes, mostFlushes, store.getStorefilesCount(), store.getBlockingFileCount());
      if (pressure >= WritePressure.FREE
          && ((HybridStoreEngine) store.getStoreEngine()).hasTieredFiles()) {
        most = Math.max(most, pressure);
      }
    }
    return most;
  }
}
