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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.function.LongConsumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.Action;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.RegionAction;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.ByteString;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A call waits where its region or server is near its limits, where nothing suffers from that. */
@InterfaceAudience.Private
class WriteDelayTest {
  private static final long FLUSH = 128L << 20;
  private static final Put PUT = new Put(Bytes.toBytes("row"));
  private static final String HOT = "hot";
  private static final String OTHER = "other";

  private final HStore quiet = store();
  private final HStore busy = store();
  private final HStore foreign = store();
  private final HRegion region = region();
  private final HRegion other = region();
  private final List<Long> waits = new ArrayList<>();
  private long nanos = 1;
  private double ofServer = WritePressure.NONE;
  private int queued;
  private boolean ended;
  private boolean served = true;

  /** What happens while a call waits. */
  private LongConsumer meanwhile = millis -> {};

  private final WriteCalls calls = new Calls();

  private final class Calls extends WriteCalls {
    Calls() {
      super(threeHandlers(), mock(RegionServerServices.class));
    }

    @Override
    double pressure() {
      return ofServer;
    }

    @Override
    int queued() {
      return queued;
    }

    @Override
    boolean isStopping() {
      return ended;
    }

    @Override
    void sleep(long millis) {
      waits.add(millis);
      meanwhile.accept(millis);
    }
  }

  /** Two calls may wait. */
  private static Configuration threeHandlers() {
    Configuration conf = new Configuration(false);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 3);
    return conf;
  }

  private WriteDelay delay;
  private WriteDelay delayOfOther;

  @BeforeEach
  void openRegions() {
    when(busy.getStorefilesCount()).thenReturn(17);
    delay = open(HOT, region, quiet, busy);
    delayOfOther = open(OTHER, other, busy);
  }

  private static HStore store() {
    HStore store = mock(HStore.class);
    when(store.getBlockingFileCount()).thenReturn(16L);
    return store;
  }

  private static HRegion region() {
    HRegion region = mock(HRegion.class);
    when(region.getMemStoreFlushSize()).thenReturn(FLUSH);
    memory(region, 1.61); // a fifth of the room above one flush
    return region;
  }

  private static void memory(HRegion region, double flushes) {
    when(region.getMemStoreHeapSize()).thenReturn((long) (flushes * FLUSH));
  }

  private WriteDelay open(String name, HRegion opened, HStore... stores) {
    RegionInfo info = mock(RegionInfo.class);
    when(info.getRegionName()).thenReturn(Bytes.toBytes(name));
    when(opened.getRegionInfo()).thenReturn(info);
    when(opened.getReadOnlyConfiguration()).thenReturn(new Configuration(false));
    when(opened.getStores()).thenReturn(List.of(stores));
    return new WriteDelay(opened, store -> served && store != foreign, 1_000, calls, () -> nanos);
  }

  private void full() {
    memory(region, 4);
  }

  private static RegionSpecifier named(String region) {
    return RegionSpecifier.newBuilder()
        .setType(RegionSpecifierType.REGION_NAME)
        .setValue(ByteString.copyFromUtf8(region))
        .build();
  }

  private static MutateRequest mutate(String region) {
    return MutateRequest.newBuilder()
        .setRegion(named(region))
        .setMutation(MutationProto.getDefaultInstance())
        .build();
  }

  private static MultiRequest multi(String... regions) {
    MultiRequest.Builder multi = MultiRequest.newBuilder();
    for (String region : regions) {
      multi.addRegionAction(
          RegionAction.newBuilder()
              .setRegion(named(region))
              .addAction(
                  Action.newBuilder().setMutation(MutationProto.getDefaultInstance()).build()));
    }
    return multi.build();
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

  private static void write(RpcCall call, WriteDelay to) {
    in(call, () -> to.before(true));
  }

  /** A write to the region in a call that began then. */
  private void write(long began) {
    write(call(began, mutate(HOT)), delay);
  }

  private long waited() {
    return waits.stream().mapToLong(Long::longValue).sum();
  }

  @Test
  void aCallThatWaitsIsCountedWithItsTime() {
    HybridMetrics metrics = HybridMetrics.get();
    final long before = metrics.value(Metric.WRITES_DELAYED);
    final long millis = metrics.value(Metric.WRITE_DELAY);
    write(1);
    assertEquals(before + 1, metrics.value(Metric.WRITES_DELAYED));
    assertEquals(millis + 1, metrics.value(Metric.WRITE_DELAY));
  }

  @Test
  void theStoreWithMostFilesCounts() {
    when(busy.getStorefilesCount()).thenReturn(16);
    write(1);
    assertEquals(0, waited());
    when(busy.getStorefilesCount()).thenReturn(17);
    write(2);
    assertEquals(1, waited());
  }

  @Test
  void memstoreCountsOnHeapAndOff() {
    memory(region, 0.9);
    write(1);
    assertEquals(0, waited());
    when(region.getMemStoreOffHeapSize()).thenReturn((long) (3.2 * FLUSH));
    write(2);
    assertEquals(1_000, waited());
  }

  /** The tier is closed, or switched off for the table. */
  @Test
  void whereTheTierDoesNotServeItNothingWaits() {
    full();
    served = false;
    write(1);
    served = true;
    delay = open(HOT, region, foreign);
    write(2);
    calls.closed(Bytes.toBytes(HOT));
    write(3);
    assertEquals(0, waited());
  }

  @Test
  void aCallOfManyWritesWaitsOnceAndTheNextOneAgain() {
    full();
    write(1);
    write(1);
    assertEquals(1_000, waited());
    write(2);
    assertEquals(2_000, waited());
  }

  @Test
  void aCallToManyRegionsWaitsByTheirPartsOfItBeforeItsFirstChange() {
    memory(region, 4);
    memory(other, 4);
    RpcCall call = call(1, multi(HOT, "of another server", "one more", OTHER));
    write(call, delay);
    assertEquals(500, waited(), "two of four rows are for regions that ask for a second");
    write(call, delayOfOther);
    write(call, delay);
    assertEquals(500, waited(), "later it may hold locks of rows");
  }

  /** However little of that is the region's. */
  @Test
  void aServerNearItsLimitHasTheCallsOfEachServedRegionWait() {
    memory(region, 0.01);
    write(1);
    assertEquals(0, waited());
    ofServer = 0.5;
    write(2);
    assertEquals(32, waited());
    served = false;
    write(3);
    assertEquals(32, waited());
  }

  @Test
  void ofARegionsPressureAndItsServersTheHigherCounts() {
    full();
    ofServer = 0.5;
    write(1);
    assertEquals(1_000, waited());
    memory(region, 1.61);
    write(2);
    assertEquals(1_032, waited());
  }

  @Test
  void aServersPressureIsThatOfItsMemstores() {
    Configuration conf = new Configuration(false);
    RegionServerServices server = mock(RegionServerServices.class);
    WriteCalls of = new WriteCalls(conf, server);
    when(server.getFlushPressure()).thenReturn(1 / 0.95);
    assertEquals(1, of.pressure(), 1e-3);
    when(server.getFlushPressure()).thenReturn(0.98 / 0.95);
    assertEquals(0.5, of.pressure(), 1e-3);
    conf.set("hbase.regionserver.global.memstore.size.lower.limit", "0.9");
    of = new WriteCalls(conf, server);
    when(server.getFlushPressure()).thenReturn(0.96 / 0.9);
    assertEquals(0.5, of.pressure(), 1e-3);
  }

  @Test
  void onlyFilesOfServedStoresCount() {
    when(foreign.getStorefilesCount()).thenReturn(100);
    delay = open(HOT, region, quiet, foreign);
    write(1);
    assertEquals(0, waited());
    when(quiet.getStorefilesCount()).thenReturn(17);
    write(2);
    assertEquals(1, waited());
  }

  @Test
  void whatACallOnlyReadsItDoesNotWaitFor() {
    memory(other, 4);
    MultiRequest mixed =
        multi(HOT).toBuilder()
            .addRegionAction(
                RegionAction.newBuilder()
                    .setRegion(named(OTHER))
                    .addAction(Action.getDefaultInstance()))
            .build();
    write(call(1, mixed), delay);
    assertEquals(1, waited(), "what its own region asks for");
  }

  @Test
  void aBatchWaitsByThePartThatIsForTheRegion() {
    memory(region, 3);
    RpcCall one = call(1, multi(HOT));
    when(one.getSize()).thenReturn(9_000L);
    write(one, delay);
    long alone = waited();
    waits.clear();
    String[] many = new String[9];
    Arrays.fill(many, "of another server");
    many[0] = HOT;
    RpcCall batch = call(2, multi(many));
    when(batch.getSize()).thenReturn(9_000L);
    write(batch, delay);
    assertTrue(waited() < alone, () -> waited() + " ms, and to one region " + alone);
  }

  @Test
  void aCheckedRowWaitsBeforeItIsLockedAndNeverAfter() {
    RpcCall call = call(1, mutate(HOT));
    when(busy.getStorefilesCount()).thenReturn(0);
    in(call, () -> delay.before(true));
    assertEquals(0, waited());
    when(busy.getStorefilesCount()).thenReturn(17);
    full();
    write(call, delay);
    assertEquals(0, waited(), "the row is locked");
    in(call(2, mutate(HOT)), () -> delay.before(true));
    assertEquals(1_000, waited());
  }

  /** A coprocessor writes once more from its preBatchMutate, and elsewhere. */
  @Test
  void whereACallHasWrittenItWaitsNoMore() {
    when(busy.getStorefilesCount()).thenReturn(0);
    for (Message what : List.of(mutate(HOT), multi(HOT), multi(HOT, OTHER))) {
      RpcCall call = call(System.nanoTime(), what);
      memory(region, 1);
      write(call, delay);
      full();
      when(busy.getStorefilesCount()).thenReturn(17);
      write(call, delay);
      in(call, () -> delay.before(true));
      write(call, delayOfOther);
      when(busy.getStorefilesCount()).thenReturn(0);
    }
    assertEquals(0, waited());
  }

  /** As a coprocessor of a region that the tier does not serve writes an index. */
  @Test
  void aCallDoesNotWaitForARegionThatItDoesNotName() {
    memory(other, 4);
    write(call(1, mutate("not served")), delayOfOther);
    write(call(2, multi("not served", HOT)), delayOfOther);
    assertEquals(1, waited(), "what the named region asks for");
  }

  @Test
  void withoutAPlaceACallDoesNotWait() {
    full();
    meanwhile =
        first -> {
          meanwhile =
              second -> {
                meanwhile = third -> {};
                write(3);
              };
          write(2);
        };
    write(1);
    assertEquals(2_000, waited(), "two places for three calls at a time");
    write(4);
    write(5);
    assertEquals(4_000, waited(), "places are given back");
    assertEquals(0, calls.waiting.get());
  }

  @Test
  void noCallWaitsWhileOthersAreQueued() {
    full();
    queued = 1;
    write(1);
    assertEquals(0, waited());
    queued = 0;
    meanwhile = millis -> queued = waits.size() < 3 ? 0 : 1;
    write(2);
    assertEquals(15, waited());
    queued = 0;
    meanwhile = millis -> {};
    write(3);
    write(4);
    assertEquals(2_015, waited(), "its place was given back");
  }

  @Test
  void whatIsNoPlainCallOfAClientDoesNotWait() {
    full();
    delay.before(true);
    delay.before(true);
    write(call(1, CoprocessorServiceRequest.getDefaultInstance()), delay);
    RpcCall urgent = call(2, mutate(HOT));
    when(urgent.getPriority()).thenReturn(HConstants.REPLICATION_QOS);
    write(urgent, delay);
    Put replicated = new Put(Bytes.toBytes("row")).setClusterIds(List.of(new UUID(1, 2)));
    in(call(3, multi(HOT)), () -> delay.before(replicated));
    assertEquals(0, waited());
  }

  @Test
  void aClientThatGivesUpSoonDoesNotWaitForLong() {
    full();
    RpcCall call = call(1, mutate(HOT));
    when(call.getDeadline()).thenReturn(System.currentTimeMillis() - 1);
    write(call, delay);
    assertEquals(0, waited());
  }

  @Test
  void theWaitEndsWithThePressure() {
    full();
    meanwhile = millis -> memory(region, waits.size() < 3 ? 4 : 1);
    write(1);
    assertEquals(15, waited());
  }

  @Test
  void theWaitEndsWithTheServer() {
    full();
    meanwhile = millis -> ended = true;
    write(1);
    assertEquals(5, waited());
  }

  @Test
  void theWaitEndsWhereTheRegionCloses() {
    full();
    meanwhile = millis -> when(region.isClosing()).thenReturn(true);
    write(1);
    assertEquals(5, waited());
  }

  @Test
  void anInterruptedThreadGoesOnAndStaysInterrupted() {
    full();
    meanwhile = millis -> Thread.currentThread().interrupt();
    write(1);
    assertTrue(Thread.interrupted());
    meanwhile = millis -> {};
    waits.clear();
    write(2);
    write(3);
    assertEquals(2_000, waited(), "its place was given back");
  }

  /** HBase then flushes before the memstore is full. */
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
