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
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.Mockito.doAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.ipc.RpcCall;
import org.apache.hadoop.hbase.ipc.RpcServer;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.RegionServerServices;
import org.apache.hadoop.hbase.shaded.protobuf.RequestConverter;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.CoprocessorServiceRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MultiRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutateRequest;
import org.apache.hadoop.hbase.shaded.protobuf.generated.ClientProtos.MutationProto;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier;
import org.apache.hadoop.hbase.shaded.protobuf.generated.HBaseProtos.RegionSpecifier.RegionSpecifierType;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.protobuf.Message;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A call is delayed if its region or server is near its limits, and nothing suffers from that. */
@InterfaceAudience.Private
class WriteDelayTest {
  private static final long FLUSH = 128L << 20;
  private static final String HOT = "hot";
  private static final String OTHER = "other";

  private final List<Long> waits = new ArrayList<>();
  private HStore quiet;
  private HStore busy;
  private HStore foreign;
  private HRegion region;
  private HRegion other;
  private double ofServer;
  private int queued;
  private boolean ended;
  private boolean served;

  /** What happens while a call is delayed. */
  private Runnable meanwhile;

  private WriteCalls calls;
  private WriteDelay delay;
  private WriteDelay delayOfOther;
  private long began;

  /** A region with a file too many, at a fifth of the room above one flush: a millisecond. */
  @BeforeEach
  void reset() {
    quiet = store(0);
    busy = store(17);
    foreign = store(0);
    region = region();
    other = region();
    waits.clear();
    ofServer = WritePressure.NONE;
    queued = 0;
    ended = false;
    served = true;
    meanwhile = () -> {};
    Configuration conf = new Configuration(false);
    conf.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 3); // two calls may be delayed
    calls = spy(new WriteCalls(conf, mock(RegionServerServices.class)));
    doAnswer(any -> ofServer).when(calls).pressure();
    doAnswer(any -> queued).when(calls).queued();
    doAnswer(any -> ended).when(calls).isStopping();
    doAnswer(
            sleep -> {
              waits.add(sleep.getArgument(0));
              meanwhile.run();
              return null;
            })
        .when(calls)
        .sleep(anyLong());
    delay = open(HOT, region, quiet, busy);
    delayOfOther = open(OTHER, other, busy);
  }

  private static HStore store(int files) {
    HStore store = mock(HStore.class);
    when(store.getBlockingFileCount()).thenReturn(16L);
    files(store, files);
    return store;
  }

  private static void files(HStore store, int files) {
    when(store.getStorefilesCount()).thenReturn(files);
  }

  private static HRegion region() {
    HRegion region = mock(HRegion.class);
    when(region.getMemStoreFlushSize()).thenReturn(FLUSH);
    memory(region, 1.61);
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
    return new WriteDelay(opened, store -> served && store != foreign, 1_000, calls, () -> 1);
  }

  private void full() {
    memory(region, 4);
  }

  private static RegionSpecifier named(String region) {
    return RequestConverter.buildRegionSpecifier(
        RegionSpecifierType.REGION_NAME, Bytes.toBytes(region));
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
      multi
          .addRegionActionBuilder()
          .setRegion(named(region))
          .addActionBuilder()
          .setMutation(MutationProto.getDefaultInstance());
    }
    return multi.build();
  }

  /** A new one, of 1,000 bytes. */
  private RpcCall call(Message what) {
    RpcCall call = mock(RpcCall.class);
    when(call.getStartTime()).thenReturn(++began);
    when(call.getDeadline()).thenReturn(Long.MAX_VALUE);
    when(call.getSize()).thenReturn(1_000L);
    when(call.getParam()).thenReturn(what);
    return call;
  }

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

  private void write() {
    write(call(mutate(HOT)), delay);
  }

  private long waited() {
    return waits.stream().mapToLong(Long::longValue).sum();
  }

  /** Milliseconds of one write to the region, which gives its place back. */
  private long delayed(Runnable change) {
    reset();
    change.run();
    write();
    assertEquals(0, calls.waiting.get());
    return waited();
  }

  private long delayed(double flushes, double server) {
    return delayed(
        () -> {
          memory(region, flushes);
          ofServer = server;
        });
  }

  private long whenFull(Runnable change) {
    return delayed(
        () -> {
          full();
          change.run();
        });
  }

  private Runnable offHeap(double flushes) {
    return () -> {
      memory(region, 0.9);
      when(region.getMemStoreOffHeapSize()).thenReturn((long) (flushes * FLUSH));
    };
  }

  private Runnable filesOf(int inQuiet, int inForeign) {
    return () -> {
      files(quiet, inQuiet);
      files(foreign, inForeign);
      delay = open(HOT, region, quiet, foreign);
    };
  }

  @Test
  void aRegionNearItsLimitDelaysWrites() {
    assertEquals(1, delayed(() -> {}), "the store with most files counts");
    assertEquals(0, delayed(() -> files(busy, 16)), "no file too many");
    assertEquals(0, delayed(offHeap(0)));
    assertEquals(1_000, delayed(offHeap(3.2)), "memory counts on heap and off");
    assertEquals(0, delayed(filesOf(0, 100)), "files of a store that the tier does not serve");
    assertEquals(1, delayed(filesOf(17, 100)));
    assertEquals(1_000, whenFull(() -> {}));
    assertEquals(0, whenFull(() -> served = false), "the tier is closed");
    assertEquals(0, whenFull(() -> delay = open(HOT, region, foreign)), "or switched off for it");
    assertEquals(0, whenFull(() -> calls.closed(Bytes.toBytes(HOT))));
  }

  @Test
  void aServerNearItsLimitDelaysThoseOfEachServedRegion() {
    assertEquals(0, delayed(0.01, WritePressure.NONE));
    assertEquals(32, delayed(0.01, 0.5), "however little of that is the region's");
    assertEquals(32, delayed(1.61, 0.5), "the higher of both pressures counts");
    assertEquals(1_000, delayed(4, 0.5));
    assertEquals(
        0,
        delayed(
            () -> {
              ofServer = 0.5;
              served = false;
            }));
  }

  @Test
  void theDelayEndsWithItsCause() {
    assertEquals(15, whenFull(() -> meanwhile = () -> memory(region, waits.size() < 3 ? 4 : 1)));
    assertEquals(15, whenFull(() -> meanwhile = () -> queued = waits.size() < 3 ? 0 : 1));
    assertEquals(0, whenFull(() -> queued = 1), "others are queued");
    assertEquals(5, whenFull(() -> meanwhile = () -> ended = true));
    assertEquals(5, whenFull(() -> meanwhile = () -> when(region.isClosing()).thenReturn(true)));
    assertEquals(5, whenFull(() -> meanwhile = () -> Thread.currentThread().interrupt()));
    assertTrue(Thread.interrupted(), "the thread stays interrupted");
  }

  @Test
  void aDelayedCallIsCountedWithItsTime() {
    HybridMetrics metrics = HybridMetrics.get();
    final long before = metrics.value(Metric.WRITES_DELAYED);
    final long millis = metrics.value(Metric.WRITE_DELAY);
    write();
    assertEquals(before + 1, metrics.value(Metric.WRITES_DELAYED));
    assertEquals(millis + 1, metrics.value(Metric.WRITE_DELAY));
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
  void aCallToManyRegionsIsDelayedByTheirPartsOfItBeforeItsFirstChange() {
    full();
    memory(other, 4);
    RpcCall call = call(multi(HOT, "of another server", "one more", OTHER));
    write(call, delay);
    assertEquals(500, waited(), "two of four rows are for regions that ask for a second");
    write(call, delayOfOther);
    write(call, delay);
    assertEquals(500, waited(), "later it may hold locks of rows");
    write();
    assertEquals(1_500, waited(), "the next call");
    waits.clear();
    memory(region, 3);
    RpcCall large = call(multi(HOT, "2", "3", "4"));
    when(large.getSize()).thenReturn(4L * (64 << 10));
    write(large, delay);
    assertEquals(50, waited(), "a quarter of 200 ms for a quarter of its bytes");
  }

  @Test
  void aCallIsDelayedForRegionsThatItNamesAndWrites() {
    memory(other, 4);
    MultiRequest.Builder mixed = multi(HOT).toBuilder();
    mixed.addRegionActionBuilder().setRegion(named(OTHER)).addActionBuilder();
    write(call(mixed.build()), delay);
    assertEquals(1, waited(), "it only reads the other");
    // As a coprocessor of a region that the tier does not serve writes an index.
    write(call(mutate("not served")), delayOfOther);
    write(call(multi("not served", HOT)), delayOfOther);
    assertEquals(2, waited(), "what the named region asks for");
  }

  /** A coprocessor writes once more from its preBatchMutate, and elsewhere. */
  @Test
  void aCallThatHasWrittenIsDelayedNoMore() {
    for (Message what : List.of(mutate(HOT), multi(HOT), multi(HOT, OTHER))) {
      RpcCall call = call(what);
      files(busy, 0);
      memory(region, 1);
      write(call, delay);
      full();
      files(busy, 17);
      write(call, delay);
      write(call, delayOfOther);
    }
    assertEquals(0, waited());
  }

  @Test
  void aCallWithoutAPlaceIsNotDelayed() {
    full();
    meanwhile =
        () -> {
          meanwhile =
              () -> {
                meanwhile = () -> {};
                write();
              };
          write();
        };
    write();
    assertEquals(2_000, waited(), "two places for three calls at a time");
    write();
    write();
    assertEquals(4_000, waited(), "places are given back");
    assertEquals(0, calls.waiting.get());
  }

  @Test
  void onlyAPlainCallOfAClientThatHasTimeIsDelayed() {
    full();
    delay.before(true);
    write(call(CoprocessorServiceRequest.getDefaultInstance()), delay);
    RpcCall urgent = call(mutate(HOT));
    when(urgent.getPriority()).thenReturn(HConstants.REPLICATION_QOS);
    write(urgent, delay);
    Put replicated = new Put(Bytes.toBytes("row")).setClusterIds(List.of(new UUID(1, 2)));
    in(call(multi(HOT)), () -> delay.before(replicated));
    RpcCall late = call(mutate(HOT));
    when(late.getDeadline()).thenReturn(System.currentTimeMillis() - 1);
    write(late, delay);
    assertEquals(0, waited());
    in(call(multi(HOT)), () -> delay.before(new Put(Bytes.toBytes("row"))));
    assertEquals(1_000, waited());
  }

  /** HBase then flushes before the memstore is full. */
  @ParameterizedTest
  @CsvSource({"30, 0, 22", "30, 0.5, 11", "30, 0.75, 5", "2, 0, 1", "30, 1, 0", "1, 0, 0"})
  void threeQuartersOfTheHandlersThatWriteMayBeDelayed(int handlers, float readers, int most) {
    assertEquals(most, WriteCalls.places(handlers, readers));
  }
}
