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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call waits once, whatever it writes, and only where its region is near its limits. */
@InterfaceAudience.Private
class WriteDelayTest {
  private static final long FLUSH = 128L << 20;

  private final HRegion region = mock(HRegion.class);
  private final HStore quiet = mock(HStore.class);
  private final HStore busy = mock(HStore.class);
  private final List<Long> waits = new ArrayList<>();
  private final WriteDelay.Calls calls = new WriteDelay.Calls(2);
  private WriteDelay delay;

  @BeforeEach
  void openRegion() {
    when(region.getStores()).thenReturn(List.of(quiet, busy));
    when(region.getMemStoreFlushSize()).thenReturn(FLUSH);
    when(quiet.getBlockingFileCount()).thenReturn(16L);
    when(busy.getBlockingFileCount()).thenReturn(16L);
    delay = of(waits::add);
  }

  private WriteDelay of(WriteDelay.Sleeper sleeper) {
    return new WriteDelay(region, 4, 1_000, calls, sleeper);
  }

  /** A write in a call that began then. */
  private static void write(long began, WriteDelay delay) {
    RpcCall call = mock(RpcCall.class);
    when(call.getStartTime()).thenReturn(began);
    when(call.getSize()).thenReturn(1_000L);
    RpcServer.setCurrentCall(call);
    try {
      delay.beforeWrite();
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  @Test
  void aCallThatWaitsIsCountedWithItsTime() {
    HybridMetrics metrics = HybridMetrics.get();
    final long calls = metrics.value(Metric.WRITES_DELAYED);
    final long millis = metrics.value(Metric.WRITE_DELAY);
    when(busy.getStorefilesCount()).thenReturn(16);
    write(1, delay);
    assertEquals(calls + 1, metrics.value(Metric.WRITES_DELAYED));
    assertEquals(millis + 4, metrics.value(Metric.WRITE_DELAY));
  }

  @Test
  void theStoreWithMostFilesCounts() {
    when(busy.getStorefilesCount()).thenReturn(14);
    write(1, delay);
    assertEquals(List.of(), waits);
    when(busy.getStorefilesCount()).thenReturn(16);
    write(2, delay);
    assertEquals(List.of(4L), waits);
  }

  @Test
  void memstoreCountsOnHeapAndOff() {
    when(region.getMemStoreHeapSize()).thenReturn(FLUSH);
    write(1, delay);
    assertEquals(List.of(), waits);
    when(region.getMemStoreOffHeapSize()).thenReturn(3 * FLUSH);
    write(2, delay);
    assertEquals(List.of(1_000L), waits);
  }

  @Test
  void aCallOfManyWritesWaitsOnceAndTheNextOneAgain() {
    when(busy.getStorefilesCount()).thenReturn(20);
    write(1, delay);
    write(1, delay);
    write(1, of(waits::add));
    assertEquals(List.of(1_000L), waits, "the same call, also in another region of the server");
    write(2, delay);
    assertEquals(List.of(1_000L, 1_000L), waits);
  }

  @Test
  void noMoreCallsWaitAtATimeThanAreAllowed() {
    when(busy.getStorefilesCount()).thenReturn(20);
    AtomicLong began = new AtomicLong();
    AtomicReference<WriteDelay> nested = new AtomicReference<>();
    nested.set(
        of(
            millis -> {
              waits.add(millis);
              if (waits.size() < 10) {
                write(began.incrementAndGet(), nested.get()); // another call, while this one waits
              }
            }));
    write(began.incrementAndGet(), nested.get());
    assertEquals(2, waits.size());
    write(began.incrementAndGet(), nested.get());
    assertEquals(4, waits.size(), "places are given back");
  }

  @Test
  void whatIsNoCallDoesNotWait() {
    when(busy.getStorefilesCount()).thenReturn(20);
    delay.beforeWrite();
    assertEquals(List.of(), waits);
  }

  @Test
  void anInterruptedThreadGoesOnAndStaysInterrupted() {
    when(busy.getStorefilesCount()).thenReturn(20);
    WriteDelay interrupted =
        of(
            millis -> {
              throw new InterruptedException();
            });
    write(1, interrupted);
    assertTrue(Thread.interrupted());
  }
}
