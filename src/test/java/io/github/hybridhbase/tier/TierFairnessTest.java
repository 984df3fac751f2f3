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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.tier.drain.FakePool;
import io.github.hybridhbase.tier.drain.FakeStore;
import io.github.hybridhbase.tier.drain.Retry;
import io.github.hybridhbase.tier.drain.TieredFile;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One server's share among tables, and beside what does not leave SSD. The share is 1,200 bytes.
 */
@InterfaceAudience.Private
class TierFairnessTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String ARCHIVE = "/hbase/archive";
  private static final long AGE = TimeUnit.HOURS.toMillis(1);
  private static final int ARCHIVE_SECONDS = 1_500;

  private final FakeStore greedy = new FakeStore();
  private final FakeStore modest = new FakeStore();
  private FakeNamespace hdfs;
  private SsdTier tier;
  private TrackedStore greedyStore;
  private TrackedStore modestStore;
  private long seconds = 1_000;
  private final FakePool pool = new FakePool();

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    hdfs.with(ARCHIVE, 7);
    tier =
        new SsdTier(
            "s",
            ROOT,
            hdfs,
            pool,
            HybridSettings.read(new Configuration(false)),
            TimeUnit.SECONDS.toMillis(ARCHIVE_SECONDS),
            new Retry(TimeUnit.SECONDS.toNanos(150), TimeUnit.SECONDS.toNanos(600)),
            () -> TimeUnit.SECONDS.toNanos(seconds),
            () -> TimeUnit.SECONDS.toMillis(seconds));
    greedyStore = attach("greedy", "r1", greedy);
    modestStore = attach("modest", "r2", modest);
    turn(10);
  }

  private static String directory(String table, String region) {
    return "/hbase/data/default/" + table + "/" + region + "/f";
  }

  private TrackedStore attach(String table, String region, FakeStore store) {
    hdfs.with(directory(table, region), 0);
    return tier.attach(FakeStore.config(table, new Path(directory(table, region)), AGE), store);
  }

  /** A turn of the tier, so much later. */
  private void turn(long later) throws IOException {
    seconds += later;
    hdfs.write(
        TierState.RECORD,
        ROOT,
        TierState.open(1_200, 1_000_000, TimeUnit.SECONDS.toMillis(seconds), "master"));
    tier.doWork();
  }

  private TieredFile there(TrackedStore tracked, FakeStore store, String name, long bytes) {
    Path path = new Path(tracked.config().directory(), name);
    hdfs.file(path.toUri().getPath(), bytes / 3, StorageType.SSD);
    TieredFile file =
        TieredFile.inStore(
            path, tracked.config().table(), bytes, TimeUnit.SECONDS.toMillis(seconds), AGE, true);
    store.put(file);
    return file;
  }

  private boolean flush(TrackedStore tracked, FakeStore store, String name, long bytes)
      throws IOException {
    Path path = new Path(tracked.config().directory(), name);
    NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes, 0);
    if (!tier.place(tracked, path, flush)) {
      return false;
    }
    tier.committed(tracked, path, bytes);
    there(tracked, store, name, bytes);
    return true;
  }

  @Test
  void whatBothDaughtersReferToIsChargedOnce() throws IOException {
    FakeStore other = new FakeStore();
    TrackedStore daughter = attach("greedy", "r3", other);
    Path parent = new Path(directory("greedy", "parent"), "a");
    for (TrackedStore tracked : List.of(greedyStore, daughter)) {
      Path path = new Path(tracked.config().directory(), "a.parent");
      (tracked == daughter ? other : greedy)
          .put(TieredFile.inStore(path, "greedy", 900, 0, AGE, false).of(parent));
    }
    turn(10);
    assertEquals(900, tier.used());
    greedy.compacted("a.parent");
    turn(10);
    assertEquals(900, tier.used(), "the other one needs it");
    other.compacted("a.parent");
    greedy.archive();
    other.archive();
    turn(10);
    assertEquals(900, tier.used(), "until HBase has deleted it");
    assertTrue(flush(modestStore, modest, "m", 300));
    turn(ARCHIVE_SECONDS); // it is not where it was,
    turn(ARCHIVE_SECONDS); // nor in the archive
    turn(10);
    assertEquals(300, tier.used());
  }

  @Test
  void whatAnOpenedStoreHasIsChargedAtOnce() throws IOException {
    Path parent = new Path(directory("greedy", "parent"), "a");
    for (String region : List.of("r4", "r5")) {
      FakeStore daughter = new FakeStore();
      Path path = new Path(directory("greedy", region), "a.parent");
      daughter.put(TieredFile.inStore(path, "greedy", 900, 0, AGE, false).of(parent));
      attach("greedy", region, daughter);
      assertEquals(900, tier.used());
      assertFalse(flush(greedyStore, greedy, "g" + region, 301), "no room beside it");
    }
    turn(10);
    assertEquals(900, tier.used());
  }

  @Test
  @DisplayName("while others compact, the greedy table gives way if another one is short of space")
  void greedyTable_givesWay() throws IOException {
    there(greedyStore, greedy, "g1", 480);
    turn(10);
    there(greedyStore, greedy, "g2", 480);
    turn(10);
    pool.waiting = 5;
    assertFalse(flush(greedyStore, greedy, "g3", 30));
    assertTrue(flush(modestStore, modest, "m1", 110));
    turn(10);
    assertEquals(List.of(), greedy.rewritten(), "compactions wait, and there is space");
    assertTrue(flush(modestStore, modest, "m2", 30));
    turn(10);
    assertEquals(List.of(Set.of("g1", "g2")), greedy.rewritten());
    assertEquals(List.of(), modest.rewritten());
  }

  @Test
  void whatASnapshotHoldsDrivesNothingYoungOut() throws IOException {
    for (String name : List.of("g1", "g2")) {
      there(greedyStore, greedy, name, 525);
      turn(10);
      greedy.compacted(name);
      hdfs.rename(
          directory("greedy", "r1") + "/" + name, ARCHIVE + "/data/default/greedy/r1/f/" + name);
      greedy.archive();
      turn(10);
    }
    hdfs.movesNothing();
    turn(ARCHIVE_SECONDS);
    assertEquals(1_050, tier.used());
    for (int file = 0; file < 3; file++) {
      assertTrue(flush(modestStore, modest, "young" + file, 30), "file " + file);
      turn(10);
    }
    assertFalse(flush(greedyStore, greedy, "young", 30), "what is held is its own part");
    assertEquals(List.of(), greedy.rewritten());
    assertEquals(List.of(), modest.rewritten());
    assertTrue(flush(modestStore, modest, "more", 40));
    turn(10);
    assertEquals(1, modest.rewritten().size(), "more than 4/5 of what is left, most of it its own");
    assertEquals(List.of(), greedy.rewritten());
  }

  @Test
  void whatHdfsHasMovedIsChargedUntilItIsDueAndListedNoMoreThen() throws IOException {
    there(greedyStore, greedy, "a", 300);
    there(greedyStore, greedy, "b", 300);
    turn(10);
    hdfs.file(directory("greedy", "r1") + "/a", 100, StorageType.DISK);
    turn(10);
    assertEquals(600, tier.used());
    turn(TimeUnit.MILLISECONDS.toSeconds(AGE));
    assertEquals(List.of(Set.of("b")), greedy.rewritten());
    turn(10);
    assertEquals(300, tier.used());
    turn(7_200);
    assertEquals(1, greedy.rewritten().size(), "b is being compacted, and a is on DISK");
    greedy.compacted("a");
    greedy.archive();
    turn(10);
    assertEquals(300, tier.used(), "nor is it charged once it is archived");
  }

  @Test
  void aReferenceIsNotTakenForAFileThatHasMoved() throws IOException {
    there(greedyStore, greedy, "a", 300);
    Path reference = new Path(directory("greedy", "r1"), "p.parent");
    Path parent = new Path(directory("greedy", "parent"), "p");
    greedy.put(TieredFile.inStore(reference, "greedy", 300, 0, AGE, false).of(parent));
    hdfs.file(reference.toUri().getPath(), 1, StorageType.DISK);
    turn(TimeUnit.MILLISECONDS.toSeconds(AGE));
    assertEquals(List.of(Set.of("a")), greedy.rewritten());
    turn(10);
    assertEquals(600, tier.used());
  }

  @Test
  void aStoreThatCannotBeLookedAtDoesNotKeepOthersOnSsd() throws IOException {
    there(greedyStore, greedy, "a", 300);
    there(modestStore, modest, "b", 300);
    turn(10);
    greedy.breaks(true);
    turn(TimeUnit.MILLISECONDS.toSeconds(AGE));
    assertEquals(List.of(Set.of("b")), modest.rewritten());
    assertEquals(600, tier.used(), "as at the last look");
    greedy.breaks(false);
    turn(10);
    assertEquals(List.of(Set.of("a")), greedy.rewritten());
  }
}
