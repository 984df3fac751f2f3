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
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.StripeStoreEngine;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call waits where its region is near its limits, and where nothing suffers from that. */
@InterfaceAudience.Private
class WriteDelayTest {
  private static final long FLUSH = 128L << 20;
  private static final Put PUT = new Put(Bytes.toBytes("row"));

  private final HybridStoreEngine tiered = mock(HybridStoreEngine.class);
  private final HRegion region = mock(HRegion.class);
  private final HStore quiet = store(tiered);
  private final HStore busy = store(tiered);
  private final List<Long> waits = new ArrayList<>();
  private int queued;
  private final WriteCalls calls = new WriteCalls(2, () -> queued);
  private boolean ended;

  @BeforeEach
  void openRegion() {
    when(tiered.hasTieredFiles()).thenReturn(true);
    open(region);
    when(region.getStores()).thenReturn(List.of(quiet, busy));
  }

  private static HStore store(StoreEngine<?, ?, ?, ?> engine) {
    HStore store = mock(HStore.class);
    when(store.getBlockingFileCount()).thenReturn(16L);
    doReturn(engine).when(store).getStoreEngine();
    return store;
  }

  private static void open(HRegion region) {
    when(region.getMemStoreFlushSize()).thenReturn(FLUSH);
    memory(region, 1);
  }

  private static void memory(HRegion region, double flushes) {
    when(region.getMemStoreHeapSize()).thenReturn((long) (flushes * FLUSH));
  }

  private void full() {
    memory(region, 4);
  }

  private WriteDelay delay() {
    return delay(region, waits::add);
  }

  private WriteDelay delay(HRegion of, WriteDelay.Sleeper sleeper) {
    return new WriteDelay(of, 4, 1_000, calls, () -> ended, sleeper);
  }

  private static RpcCall call(long began, Message what) {
    RpcCall call = mock(RpcCall.class);
    when(call.getStartTime()).thenReturn(began);
    when(call.getDeadline()).thenReturn(Long.MAX_VALUE);
    when(call.getSize()).thenReturn(1_000L);
    when(call.getParam()).thenReturn(what);
    return call;
  }

  /** Does something in a call. */
  private static void in(RpcCall call, Runnable what) {
    RpcServer.setCurrentCall(call);
    try {
      what.run();
    } finally {
      RpcServer.setCurrentCall(null);
    }
  }

  /** A write in a call that began then. */
  private static void write(long began, WriteDelay delay) {
    in(call(began, MutateRequest.getDefaultInstance()), () -> delay.beforeWrite(PUT));
  }

  private long waited() {
    return waits.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void aCallThatWaitsIsCountedWithItsTime() {
    HybridMetrics metrics = HybridMetrics.get();
    final long calls = metrics.value(Metric.WRITES_DELAYED);
    final long millis = metrics.value(Metric.WRITE_DELAY);
    when(busy.getStorefilesCount()).thenReturn(16);
    write(1, delay());
    assertEquals(calls + 1, metrics.value(Metric.WRITES_DELAYED));
    assertEquals(millis + 1, metrics.value(Metric.WRITE_DELAY));
  }

  @Test
  void theStoreWithMostFilesCounts() {
    when(busy.getStorefilesCount()).thenReturn(13);
    write(1, delay());
    assertEquals(0, waited());
    when(busy.getStorefilesCount()).thenReturn(17);
    write(2, delay());
    assertEquals(1, waited());
  }

  @Test
  void memstoreCountsOnHeapAndOff() {
    write(1, delay());
    assertEquals(0, waited());
    when(region.getMemStoreOffHeapSize()).thenReturn(3 * FLUSH);
    write(2, delay());
    assertEquals(1_000, waited());
  }

  /** The tier is closed, switched off for the table, or has put nothing there. */
  @Test
  void withoutFilesOfItsOnSsdNothingWaits() {
    full();
    when(tiered.hasTieredFiles()).thenReturn(false);
    write(1, delay());
    HStore striped = store(mock(StripeStoreEngine.class));
    when(region.getStores()).thenReturn(List.of(striped));
    write(2, delay());
    assertEquals(0, waited());
  }

  @Test
  void aCallOfManyWritesWaitsOnceAndTheNextOneAgain() {
    full();
    WriteDelay delay = delay();
    write(1, delay());
    write(1, delay());
    assertEquals(1_000, waited());
    write(2, delay);
    assertEquals(2_000, waited());
  }

  @Test
  void aCallToManyRegionsWaitsForTheWorst() {
    HRegion worse = mock(HRegion.class);
    open(worse);
    when(worse.getStores()).thenReturn(List.of(busy));
    when(busy.getStorefilesCount()).thenReturn(16);
    memory(worse, 3);
    RpcCall multi = call(1, MultiRequest.getDefaultInstance());
    in(multi, () -> delay().beforeWrite(PUT));
    assertEquals(1, waited());
    in(multi, () -> delay(worse, waits::add).beforeWrite(PUT));
    assertEquals(101, waited(), "what the worse region asks for, and no more");
    in(multi, () -> delay().beforeWrite(PUT));
    assertEquals(101, waited());
  }

  @Test
  void aCheckedRowWaitsBeforeItIsLockedAndNeverAfter() {
    WriteDelay delay = delay();
    RpcCall call = call(1, MultiRequest.getDefaultInstance());
    in(call, delay::beforeCheck);
    assertEquals(0, waited());
    full(); // meanwhile
    in(call, () -> delay.beforeWrite(PUT));
    assertEquals(0, waited(), "the row is locked");
    HRegion other = mock(HRegion.class);
    open(other);
    when(other.getStores()).thenReturn(List.of(busy));
    memory(other, 4);
    in(call, () -> delay(other, waits::add).beforeWrite(PUT));
    assertEquals(1_000, waited(), "no row of another region is locked");
    in(call(2, MutateRequest.getDefaultInstance()), delay::beforeCheck);
    assertEquals(2_000, waited());
  }

  /** It may have locked rows meanwhile: a coprocessor writes once more from its preBatchMutate. */
  @Test
  void whereACallHasWrittenItWaitsNoMore() {
    WriteDelay delay = delay();
    RpcCall multi = call(1, MultiRequest.getDefaultInstance());
    in(multi, () -> delay.beforeWrite(PUT));
    full(); // meanwhile
    in(multi, () -> delay.beforeWrite(PUT));
    in(multi, delay::beforeCheck);
    assertEquals(0, waited());
  }

  @Test
  void aCallToOneRegionWaitsForNoOther() {
    HRegion index = mock(HRegion.class);
    open(index);
    memory(index, 4);
    when(index.getStores()).thenReturn(List.of(busy));
    MultiRequest one =
        MultiRequest.newBuilder().addRegionAction(RegionAction.getDefaultInstance()).buildPartial();
    for (Message what : List.of(one, MutateRequest.getDefaultInstance())) {
      RpcCall call = call(what == one ? 1 : 2, what);
      in(call, () -> delay().beforeWrite(PUT));
      in(call, () -> delay(index, waits::add).beforeWrite(PUT));
    }
    assertEquals(0, waited());
    write(3, delay(index, waits::add));
    assertEquals(1_000, waited(), "a call of its own does");
  }

  @Test
  void withoutAPlaceACallDoesNotWait() {
    full();
    for (int place = 1; place <= 3; place++) {
      assertEquals(place <= 2, calls.enter(), "two places");
    }
    write(1, delay());
    assertEquals(0, waited());
    calls.leave();
    write(2, delay());
    write(3, delay());
    assertEquals(2_000, waited(), "a place is given back");
  }

  @Test
  void noCallWaitsWhileOthersAreQueued() {
    full();
    queued = 1;
    write(1, delay());
    assertEquals(0, waited());
    queued = 0;
    write(
        2,
        delay(
            region,
            millis -> {
              waits.add(millis);
              queued = waits.size() < 3 ? 0 : 1;
            }));
    assertEquals(15, waited());
    queued = 0;
    write(3, delay());
    write(4, delay());
    assertEquals(2_015, waited(), "its place was given back");
  }

  @Test
  void whatIsNoPlainCallOfAClientDoesNotWait() {
    full();
    WriteDelay delay = delay();
    delay.beforeWrite(PUT);
    delay.beforeCheck();
    in(call(1, CoprocessorServiceRequest.getDefaultInstance()), () -> delay.beforeWrite(PUT));
    RpcCall urgent = call(2, MutateRequest.getDefaultInstance());
    when(urgent.getPriority()).thenReturn(HConstants.REPLICATION_QOS);
    in(urgent, () -> delay.beforeWrite(PUT));
    Put replicated = new Put(Bytes.toBytes("row")).setClusterIds(List.of(new UUID(1, 2)));
    in(call(3, MultiRequest.getDefaultInstance()), () -> delay.beforeWrite(replicated));
    assertEquals(0, waited());
  }

  @Test
  void aClientThatGivesUpSoonDoesNotWaitForLong() {
    full();
    RpcCall call = call(1, MutateRequest.getDefaultInstance());
    when(call.getDeadline()).thenReturn(System.currentTimeMillis() - 1);
    in(call, () -> delay().beforeWrite(PUT));
    assertEquals(0, waited());
  }

  @Test
  void theWaitEndsWithThePressure() {
    full();
    write(
        1,
        delay(
            region,
            millis -> {
              waits.add(millis);
              memory(region, waits.size() < 3 ? 4 : 1);
            }));
    assertEquals(15, waited());
  }

  @Test
  void theWaitEndsWithTheServer() {
    full();
    write(
        1,
        delay(
            region,
            millis -> {
              waits.add(millis);
              ended = true;
            }));
    assertEquals(5, waited());
  }

  @Test
  void theWaitEndsWhereTheRegionCloses() {
    full();
    write(
        1,
        delay(
            region,
            millis -> {
              waits.add(millis);
              when(region.isClosing()).thenReturn(true);
            }));
    assertEquals(5, waited());
  }

  /** It would wait for the region's lock, which calls that wait share, and readers behind it. */
  @Test
  void theWaitEndsWhereABulkLoadOfSeveralFamiliesBegins() {
    full();
    WriteDelay[] delay = new WriteDelay[1];
    delay[0] =
        delay(
            region,
            millis -> {
              waits.add(millis);
              delay[0].beforeBulkLoad();
            });
    write(1, delay[0]);
    assertEquals(5, waited());
    write(2, delay[0]);
    assertEquals(5, waited(), "nor does another wait before it has the lock");
  }

  @Test
  void theBulkLoadOfOneFamilyEndsNoWait() {
    full();
    when(region.getStores()).thenReturn(List.of(busy));
    WriteDelay delay = delay();
    delay.beforeBulkLoad();
    write(1, delay);
    assertEquals(1_000, waited());
  }

  @Test
  void anInterruptedThreadGoesOnAndStaysInterrupted() {
    full();
    write(
        1,
        delay(
            region,
            millis -> {
              throw new InterruptedException();
            }));
    assertTrue(Thread.interrupted());
    write(2, delay());
    write(3, delay());
    assertEquals(2_000, waited(), "its place was given back");
  }

  @Test
  void threeQuartersOfTheHandlersThatWriteMayWait() {
    assertEquals(22, WriteCalls.places(30, 0));
    assertEquals(11, WriteCalls.places(30, 0.5f));
    assertEquals(5, WriteCalls.places(30, 0.75f));
    assertEquals(1, WriteCalls.places(2, 0));
    assertEquals(0, WriteCalls.places(30, 1), "there is one left to write");
    assertEquals(0, WriteCalls.places(1, 0));
  }
}
