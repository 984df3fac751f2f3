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
package io.github.hybridhbase.hot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.doReturn;
import static org.mockito.Mockito.doThrow;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which compactions of a store are split, and by which rows. */
@InterfaceAudience.Private
class HotStoreTest {
  private static final int ROWS = 2_000;
  private boolean allRead = true;
  private boolean onSsd = true;

  private static final long ROOM = Long.MAX_VALUE / 8;

  private LocalRegion region;

  @BeforeEach
  void open() throws Exception {
    region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.of(LocalRegion.FAMILY), LocalRegion.hot(20, 1));
    flush();
  }

  @AfterEach
  void close() throws Exception {
    region.close();
  }

  private void flush() throws Exception {
    for (int i = 0; i < ROWS; i++) {
      region.region().put(new Put(row(i)).addColumn(LocalRegion.FAMILY, row(i), row(i)));
    }
    region.flush();
  }

  private static byte[] row(int number) {
    return Bytes.toBytes(String.format(Locale.ROOT, "row%08d", number));
  }

  private HotStore store(long flushBytes) {
    return new HotStore(region.store(), 10, 3, flushBytes, file -> onSsd, () -> allRead);
  }

  /** One row in 25 is read, often enough. */
  private HotStore heated() {
    HotStore store = store(1);
    store.heat.sketch = new HeatSketch();
    heat(store, 2_000);
    return store;
  }

  private static void heat(HotStore store, int reads) {
    read(store, reads, i -> i * 25 % ROWS);
  }

  private static void read(HotStore store, int reads, IntUnaryOperator numbers) {
    RegionHeat heat = HotStore.regionHeat(List.of(store));
    for (int i = 0; i < reads; i++) {
      heat.read(new Get(row(numbers.applyAsInt(i))));
    }
  }

  private static boolean isHot(Split split, int number) {
    return split.hot.test(row(number));
  }

  private static long hotRows(Split split) {
    return IntStream.range(0, ROWS).filter(i -> isHot(split, i)).count();
  }

  private Optional<Split> split(HotStore store) {
    return store.split(request(region.files()), false, ROOM);
  }

  /** As HBase selects these files now. */
  private CompactionRequestImpl request(List<HStoreFile> files) {
    CompactionRequestImpl request = new CompactionRequestImpl(files);
    request.setIsMajor(false, files.size() == region.files().size());
    return request;
  }

  @Test
  void rowsThatAreReadAreHot() {
    HotStore store = store(1);
    assertTrue(split(store).isEmpty(), "nobody has read anything");
    Split split = split(heated()).orElseThrow();
    assertTrue(isHot(split, 25));
    assertFalse(isHot(split, 26));
    long bytes = region.store().getSize();
    assertTrue(split.estimate() <= bytes / 10, split.estimate() + " of " + bytes);
    assertTrue(split.estimate() > bytes / 50, split.estimate() + " of " + bytes);
    store.heat.sketch = new HeatSketch();
    read(store, 20, i -> i < 18 ? i : 0);
    assertTrue(split(store).isEmpty(), "a tenth of few reads is chance");
    read(store, 3 * ROWS, i -> i % ROWS);
    assertTrue(split(store).isEmpty(), "rows that are read evenly");
  }

  /** HDFS may take no writes for a while, in safe mode say. */
  @Test
  void countsThatHdfsDoesNotTakeAreNoFaultOfThePlugin() throws Exception {
    FileSystem hdfs = mock(FileSystem.class);
    FSDataOutputStreamBuilder<?, ?> file = mock(FSDataOutputStreamBuilder.class);
    doReturn(file).when(hdfs).createFile(any());
    doReturn(file).when(file).overwrite(true);
    doThrow(new IOException("in safe mode")).when(file).build();
    doThrow(new IOException("no answer")).when(hdfs).exists(any());
    HStore of = spy(region.store());
    doReturn(hdfs).when(of).getFileSystem();
    long failures = HybridMetrics.get().value(Metric.HOOK_FAILURES);
    HeatFile.write(of, new HeatSketch());
    HeatFile.read(of, new HeatSketch());
    assertEquals(failures, HybridMetrics.get().value(Metric.HOOK_FAILURES));
  }

  @Test
  void readsOfOtherFamiliesDoNotCount() {
    HotStore store = store(1);
    store.heat.sketch = new HeatSketch();
    RegionHeat heat = HotStore.regionHeat(List.of(store));
    heat.read(new Get(row(1)).addFamily(Bytes.toBytes("g")));
    heat.read(row(1), Bytes.toBytes("g"));
    assertEquals(0, store.heat.sketch.reads);
    heat.read(new Get(row(1)).addFamily(LocalRegion.FAMILY));
    heat.read(row(1), LocalRegion.FAMILY);
    heat.read(row(1), null);
    heat.read(new Put(row(1)).addColumn(LocalRegion.FAMILY, row(1), row(1)));
    assertEquals(4, store.heat.sketch.reads);
  }

  @Test
  void aSmallStoreIsNotSplit() {
    HotStore store = store(region.store().getSize());
    store.heat.sketch = heated().heat.sketch;
    assertTrue(split(store).isEmpty());
    store.turn(1_000_000_000L);
    assertEquals(null, store.heat.sketch, "nothing is counted");
  }

  @Test
  void withoutRoomThereIsOneOutput() {
    HotStore store = heated();
    assertTrue(store.split(request(region.files()), false, 0).isEmpty());
    Split little = store.split(request(region.files()), false, 10_000).orElseThrow();
    assertTrue(little.estimate() <= 10_000, "three replicas");
    assertFalse(little.takes(10_000));
  }

  /** Neither the whole store, when HBase selected it, nor a hot file nor an exit. */
  @Test
  void anyOtherCompactionIsNotSplit() throws Exception {
    HotStore store = heated();
    CompactionRequestImpl all = request(region.files());
    flush(); // major compactions wait in a queue meanwhile
    assertTrue(isHot(store.split(all, false, ROOM).orElseThrow(), 25));
    for (HStoreFile one : region.files()) {
      assertTrue(store.split(request(List.of(one)), false, ROOM).isEmpty());
      assertTrue(store.split(request(List.of(one)), true, ROOM).isPresent(), "it leaves SSD");
    }
  }

  /** After a restart nothing is known but the file. */
  @Test
  void theHotFilesFilterIsTheMemory() throws Exception {
    flush();
    region.compact(region.files());
    HStoreFile hot = region.files().stream().filter(HotFiles::isOn).findFirst().orElseThrow();
    HotStore store = store(1);
    assertEquals(hot.getReader().length(), store.hotBytes());
    Split split = split(store).orElseThrow();
    long held = hotRows(split);
    long rows = hot.getReader().getFilterEntries();
    assertTrue(held >= rows && held < rows + ROWS / 20, held + " of " + rows);
    List<HStoreFile> flushed = region.files();
    flush();
    List<HStoreFile> young = region.files();
    young.removeAll(flushed);
    assertTrue(hotRows(store.split(request(young), true, ROOM).orElseThrow()) > 0);
    assertTrue(store.split(request(young), false, ROOM).isEmpty());
  }

  /** A restart leaves the file; the first counts know less than it does. */
  @Test
  void aFileThatCatchesMoreThanTheCountsIsKept() throws Exception {
    region.compact(region.files());
    HotStore store = store(1);
    List<byte[]> in = rows(true);
    List<byte[]> out = rows(false);
    store.heat.sketch = new HeatSketch();
    RegionHeat heat = HotStore.regionHeat(List.of(store));
    for (int turn = 0; turn < 12; turn++) {
      for (int i = 0; i < 3_000; i++) {
        heat.read(new Get(in.get(i % in.size())));
      }
      store.turn(System.nanoTime());
    }
    // Rows that nobody reads twice: the counts cannot tell them.
    store.heat.sketch = new HeatSketch();
    out.subList(0, 1_100).forEach(row -> heat.read(new Get(row)));
    assertEquals(1, store.caughtNow, 0.01);
    Split split = split(store).orElseThrow();
    assertTrue(split.hot.test(in.get(0)), "by the file's filter");
  }

  /** And the daughters of a region that is split, and the next server after a move. */
  @Test
  void theCountsAreReadWhereTheRegionOpensAgain() throws Exception {
    HotStore store = store(1);
    store.turn(1_000_000_000L);
    assertFalse(store.isToWrite(), "nothing is known");
    heat(store, 2_000);
    assertTrue(store.isToWrite());
    store.write(2_000_000_000L);
    assertFalse(store.isToWrite(), "that is written");
    region.reopen();
    HotStore next = store(1);
    next.turn(2_000_000_000L);
    assertEquals(store.heat.sketch.rows, next.heat.sketch.rows);
    assertEquals(80, next.heat.sketch.rows);
    heat(next, 100); // what they catch is known by reads
    assertTrue(isHot(split(next).orElseThrow(), 25));
    try (LocalTable table = new LocalTable(region)) {
      table.split(0, row(ROWS / 2));
      for (LocalRegion daughter : table.regions()) {
        HotStore of = new HotStore(daughter.store(), 10, 3, 1, file -> true, () -> true);
        of.turn(3_000_000_000L);
        assertEquals(80, of.heat.sketch.rows, "the parent's");
      }
    }
  }

  /** The rows that are in the hot file, or those that are not. */
  private List<byte[]> rows(boolean inHotFile) {
    Predicate<byte[]> hot = HotFiles.rows(region.files());
    return IntStream.range(0, ROWS)
        .mapToObj(HotStoreTest::row)
        .filter(row -> hot.test(row) == inHotFile)
        .collect(Collectors.toList());
  }

  @Test
  void aBusyStoreKeepsNoOtherOnesCountsFromBeingWritten() {
    HotStore busy = store(1);
    HotStore quiet = store(1);
    HotRows all = new HotRows("s");
    all.turn(List.of(busy, quiet), 1_000_000_000L);
    heat(busy, 3_000);
    heat(quiet, 2_000);
    all.turn(List.of(busy, quiet), 2_000_000_000L);
    assertFalse(busy.isToWrite());
    heat(busy, 2_500);
    all.turn(List.of(busy, quiet), 3_000_000_000L);
    assertFalse(quiet.isToWrite());
  }

  @Test
  void countsAreWrittenAfterAThousandReadsAndAFourthOfTheirRows() {
    HotStore store = heated();
    store.write(0);
    heat(store, 999);
    assertFalse(store.isToWrite());
    heat(store, 1);
    assertTrue(store.isToWrite());
    store.heat.sketch = full(1).sketch;
    store.write(0);
    heat(store, Math.max(1_000, store.heat.sketch.rows / 4 - 1));
    assertFalse(store.isToWrite());
    heat(store, 1);
    assertTrue(store.isToWrite());
  }

  @Test
  void blocksThatScansReadAreNotSaved() {
    HotStore store = heated();
    store.reads.diskPerSecond = 2_000;
    store.reads.getsPerSecond = 3;
    assertTrue(store.pays(ROOM, 0, 0));
    double beside = store.payback;
    store.reads.diskPerSecond = 3 * region.files().size();
    assertTrue(store.pays(ROOM, 0, 0));
    assertEquals(store.payback, beside, 1e-9);
  }

  /** HDFS has put it on DISK, as where DataNodes with SSD are busy. */
  @Test
  void aHotFileThatIsNotOnSsdIsNotMadeAgain() throws Exception {
    HotStore store = heated();
    readsDisk(store);
    assertTrue(store.pays(ROOM, 0, 0));
    region.compact(region.files());
    onSsd = false;
    assertFalse(store.pays(ROOM, 0, 0));
    assertTrue(Double.isInfinite(store.payback));
  }

  private static void readsDisk(HotStore store) {
    store.reads.diskPerSecond = 0.004; // pays in minutes
    store.reads.getsPerSecond = 1;
  }

  @Test
  void aStoreOfManyFilesIsSplitAsAWhole() throws Exception {
    region.conf().setInt("hbase.hstore.blockingStoreFiles", 6);
    region.reopen();
    for (int i = 0; i < 4; i++) {
      flush();
    }
    HotStore store = heated();
    assertTrue(split(store).isPresent(), "two files are left");
    List<HStoreFile> some = region.files().subList(0, 2);
    assertTrue(store.split(request(some), true, ROOM).isEmpty(), "one more than before");
  }

  @Test
  void afterAFailedCommitNothingIsSplit() {
    HotStore store = heated();
    allRead = false;
    assertTrue(split(store).isEmpty());
    readsDisk(store);
    assertFalse(store.pays(ROOM, 0, 0), "nor compacted for that");
  }

  /** Other compactions may hold its files, or compactions are switched off. */
  @Test
  void aCompactionThatNeverBeganIsRequestedAgain() {
    HotStore store = heated();
    readsDisk(store);
    long now = System.nanoTime();
    assertTrue(isChosen(store, now));
    assertFalse(isChosen(store, now + TimeUnit.SECONDS.toNanos(10)), "it waits for a thread");
    assertTrue(isChosen(store, now + TimeUnit.MINUTES.toNanos(6)));
    assertTrue(split(store).isPresent());
    now = System.nanoTime();
    assertFalse(isChosen(store, now), "until it has paid");
    assertFalse(isChosen(store, now + TimeUnit.MINUTES.toNanos(6)));
    assertTrue(isChosen(store, now + TimeUnit.HOURS.toNanos(5)));
  }

  private static boolean isChosen(HotStore store, long nowNanos) {
    return HotRows.choose(List.of(store), any -> ROOM, nowNanos).isPresent();
  }

  @Test
  void aFamilyWithoutARowFilterIsNotServed() throws Exception {
    assertEquals("", HotStore.off(region.store(), false));
    assertTrue(HotStore.off(region.store(), true).contains("switched off"));
    try (LocalRegion without =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.newBuilder(LocalRegion.FAMILY)
                .setBloomFilterType(BloomType.ROWCOL)
                .build(),
            LocalRegion.hot(0, 1))) {
      assertTrue(HotStore.off(without.store(), false).contains("ROWCOL"));
    }
  }

  @Test
  void itKnowsWhatMoreOrLessOfSsdWouldAnswer() {
    HotStore store = store(1);
    store.turn(1_000_000_000L);
    assertTrue(Double.isNaN(store.caughtBy(0)), "nothing is counted");
    store.heat.sketch = heated().heat.sketch;
    store.turn(2_000_000_000L);
    assertTrue(store.caughtBy(0) >= 0.005 && store.caughtBy(0) < store.caughtBy(1));
    assertTrue(store.caughtBy(1) < store.caughtBy(2) && store.caughtBy(2) > 0.5);
    assertTrue(store.caughtBy(2) <= store.caughtBy(3) && store.caughtBy(3) <= 1);
  }

  @Test
  void memoryIsDividedByWhatItGains() {
    HotStore store = store(1);
    new HotRows("s").turn(List.of(store), 1_000_000_000L);
    assertEquals(HeatSketch.LEAST_BYTES, store.heat.sketch.bytes());
    StoreHeat skewed = full(3);
    StoreHeat even = full(1);
    assertEquals(2 * (4 << 16), HotRows.divide(List.of(skewed, even), 1 << 20), "there is enough");
    assertTrue(HotRows.divide(List.of(skewed, even), 300_000) <= 300_000);
    assertEquals(2 * even.sketch.bytes(), skewed.sketch.bytes());
  }

  /** Has seen 40,000 rows. */
  private static StoreHeat full(double gain) {
    StoreHeat heat = new StoreHeat();
    heat.sketch = new HeatSketch();
    heat.gain = gain;
    for (int i = 0; i < 40_000; i++) {
      heat.read(row(i));
      heat.sketch.fit(Long.MAX_VALUE);
    }
    return heat;
  }
}
