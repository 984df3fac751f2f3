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
package io.github.hybridhbase.tier.drain;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What becomes of the bytes on SSD is counted once each. */
@InterfaceAudience.Private
class TieredBytesTest {
  private static final String STORE = "/hbase/data/default/t/r/f/";
  private static final String ARCHIVE = "/hbase/archive/data/default/t/r/f/";

  private final FakeStore store = new FakeStore();
  private final TrackedStore tracked =
      new TrackedStore(FakeStore.config("t", new Path(STORE), 1_000), store);
  private final long died = value(Metric.TIER_DIED_BYTES);
  private final long rewritten = value(Metric.TIER_REWRITTEN_BYTES);

  private static long value(Metric metric) {
    return HybridMetrics.get().value(metric);
  }

  private static TieredFile file(String name, long bytes) {
    return TieredFile.inStore(new Path(STORE + name), "t", bytes, 0, 1_000, true);
  }

  private static Archive archive(FakeNamespace hdfs, long millis, LongSupplier clock) {
    Retry moves = new Retry(TimeUnit.SECONDS.toNanos(1), TimeUnit.SECONDS.toNanos(2));
    return new Archive(hdfs, new Path("/hbase"), millis, 10, moves, clock);
  }

  private void assertCounted(long dead, long onDisk) {
    tracked.refresh();
    assertEquals(dead, value(Metric.TIER_DIED_BYTES) - died, "died on SSD");
    assertEquals(onDisk, value(Metric.TIER_REWRITTEN_BYTES) - rewritten, "rewritten to DISK");
  }

  @Test
  void aFileCountsOnceWhereTheOutputIs() {
    store.put(file("a", 10));
    store.put(file("b", 200));
    store.put(file("c", 3_000));
    assertCounted(0, 0);
    store.compacted("a");
    store.compactedToDisk("b");
    assertCounted(10, 200);
    assertCounted(10, 200);
    store.archive();
    assertCounted(10, 200);
  }

  /** HBase knows the old file as an input of the cold one, which is on DISK. */
  @Test
  void theRowsOfARenewedHotFileStayOnSsd() {
    store.put(file("h", 10).ofHotRows());
    assertCounted(0, 0);
    store.put(file("i", 20).ofHotRows());
    store.compactedToDisk("h");
    assertCounted(10, 0);
    store.compactedToDisk("i");
    assertCounted(10, 20);
  }

  @Test
  void oneThatIsArchivedAtOnceCountsToo() {
    store.put(file("a", 10));
    assertCounted(0, 0);
    store.compacted("a");
    store.archive();
    assertCounted(10, 0);
  }

  @Test
  void whatGoesWithTheRegionIsNotCounted() {
    store.put(file("a", 10));
    assertCounted(0, 0);
    tracked.closed = true;
    store.compacted("a");
    assertCounted(0, 0);
  }

  /** Until somebody looks, HBase's cleaner may well have deleted it in time. */
  @Test
  @DisplayName("an archived file that is found after HBase should have deleted it is held")
  void overdueArchivedFile_isHeld() throws IOException {
    FakeNamespace hdfs = new FakeNamespace().file(ARCHIVE + "a", 10, StorageType.SSD);
    Archive archived = archive(hdfs, 500, () -> 0);
    archived.add(List.of(file("a", 10)), 1_000);
    archived.look(1_499);
    assertEquals(0, archived.heldBytes(1_499));
    assertEquals(0, archived.heldBytes(1_500));
    archived.look(1_500);
    assertEquals(10, archived.heldBytes(1_500));
    hdfs.delete(ARCHIVE + "a");
    archived.look(1_500 + TimeUnit.HOURS.toMillis(1));
    assertEquals(List.of(), List.copyOf(archived.files()));
  }

  /** HBase archives 40 files a turn and deletes each in time: what is charged does not grow. */
  @Test
  void looksKeepUpWithAServerThatArchivesMuch() throws IOException {
    Archive archived = archive(new FakeNamespace(), 1_000, () -> 0);
    for (int turn = 0; turn < 500; turn++) {
      List<TieredFile> gone = new ArrayList<>();
      for (int file = 0; file < 40; file++) {
        gone.add(file(turn + "-" + file, 10));
      }
      archived.add(gone, turn * 10_000L);
      archived.look(turn * 10_000L);
      assertTrue(archived.files().size() <= 11 * 40, "files in turn " + turn);
    }
    assertEquals(0, archived.heldBytes(Long.MAX_VALUE - 1), "none was found");
  }

  @Test
  void aTurnLooksForSoManyAtMostTheOldestFirst() throws IOException {
    Archive archived = archive(new FakeNamespace(), 1_000, () -> 0);
    List<TieredFile> gone = new ArrayList<>();
    for (int file = 0; file < 5_000; file++) {
      gone.add(file("f" + file, 10));
    }
    archived.add(List.of(file("first", 10)), 0);
    archived.add(gone, 1);
    archived.look(5_000);
    assertEquals(5_001 - Archive.MOST_LOOKS, archived.files().size());
    assertTrue(archived.files().stream().noneMatch(file -> file.name().equals("first")));
  }

  @Test
  void whatTheSatisfierIsAskedForIsCountedOnce() throws IOException {
    FakeNamespace hdfs = new FakeNamespace();
    hdfs.file(ARCHIVE + "a", 10, StorageType.SSD);
    long[] seconds = {0};
    Archive archive = archive(hdfs, 1_000, () -> TimeUnit.SECONDS.toNanos(seconds[0]));
    archive.add(List.of(file("a", 30)), 0);
    long before = value(Metric.TIER_SATISFIER_BYTES);
    TieredFile file = archive.files().iterator().next();
    for (seconds[0] = 0; seconds[0] < 60; seconds[0] += 10) {
      archive.begin();
      if (archive.mayMove(file)) {
        archive.move(file);
      }
    }
    assertEquals(30, value(Metric.TIER_SATISFIER_BYTES) - before);
  }
}
