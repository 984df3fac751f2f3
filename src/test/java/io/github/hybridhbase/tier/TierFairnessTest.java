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
import io.github.hybridhbase.placement.TierState;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
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
  private static final long AGE = TimeUnit.HOURS.toMillis(1);
  private static final int ARCHIVE_SECONDS = 1_500;

  private FakeStore greedy;
  private FakeStore modest;
  private FakeNamespace hdfs;
  private SsdTier tier;
  private long seconds = 1_000;
  private final FakeQueue queue = new FakeQueue(() -> TimeUnit.SECONDS.toMillis(seconds));

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    tier = FakeQueue.tier("s", hdfs, queue, ARCHIVE_SECONDS, () -> seconds);
    greedy = attach("greedy", "r1");
    modest = attach("modest", "r2");
    turn(10);
  }

  private static String directory(String table, String region) {
    return "/hbase/data/default/" + table + "/" + region + "/f";
  }

  private FakeStore store(String table, String region) {
    hdfs.with(directory(table, region), 0);
    return new FakeStore(table, new Path(directory(table, region)), AGE);
  }

  private FakeStore attach(String table, String region) {
    FakeStore store = store(table, region);
    tier.attach(store);
    return store;
  }

  /** A turn of the tier, so much later. */
  private void turn(long later) throws IOException {
    seconds += later;
    TierState.open(1_200, 1_000_000, TimeUnit.SECONDS.toMillis(seconds), "master")
        .writeTo(hdfs, ROOT);
    tier.doWork();
  }

  private void there(FakeStore store, String name, long bytes) {
    store.put(name, bytes, TimeUnit.SECONDS.toMillis(seconds));
  }

  private boolean flush(FakeStore store, String name, long bytes) throws IOException {
    Path path = new Path(store.directory, name);
    NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes, 0);
    if (!tier.place(store, path, flush)) {
      return false;
    }
    tier.committed(store, path, bytes / 3, bytes);
    there(store, name, bytes);
    return true;
  }

  @Test
  void whatBothDaughtersReferToIsChargedOnce() throws IOException {
    FakeStore other = attach("greedy", "r3");
    Path parent = new Path(directory("greedy", "parent"), "a");
    for (FakeStore store : List.of(greedy, other)) {
      Path path = new Path(store.directory, "a.parent");
      store.put(FakeStore.reference(path, parent, 900));
    }
    turn(10);
    assertEquals(900, tier.ledger.used());
    greedy.compacted("a.parent");
    turn(10);
    assertEquals(900, tier.ledger.used(), "the other one needs it");
    other.compacted("a.parent");
    greedy.archive();
    other.archive();
    turn(10);
    assertEquals(900, tier.ledger.used(), "until HBase has deleted it");
    assertTrue(flush(modest, "m", 300));
    turn(ARCHIVE_SECONDS);
    assertEquals(300, tier.ledger.used());
  }

  @Test
  void whatAnOpenedStoreHasIsChargedAtOnce() throws IOException {
    Path parent = new Path(directory("greedy", "parent"), "a");
    for (String region : List.of("r4", "r5")) {
      FakeStore daughter = store("greedy", region);
      Path path = new Path(directory("greedy", region), "a.parent");
      daughter.put(FakeStore.reference(path, parent, 900));
      tier.attach(daughter);
      assertTrue(tier.ledger.used() >= 900);
      assertFalse(flush(greedy, "g" + region, 301), "no room beside it");
    }
    turn(10);
    assertEquals(900, tier.ledger.used(), "once");
  }

  @Test
  @DisplayName("the greedy table gives way")
  void greedyTable_givesWay() throws IOException {
    there(greedy, "g1", 480);
    turn(10);
    there(greedy, "g2", 480);
    turn(10);
    assertTrue(flush(modest, "m1", 110));
    turn(10);
    assertEquals(List.of(Set.of("g1", "g2")), greedy.rewritten());
    assertEquals(List.of(), modest.rewritten());
  }

  @Test
  void aStoreThatCannotBeLookedAtDoesNotKeepOthersOnSsd() throws IOException {
    there(greedy, "a", 300);
    there(modest, "b", 300);
    turn(10);
    greedy.breaks(true);
    turn(TimeUnit.MILLISECONDS.toSeconds(AGE));
    assertEquals(List.of(Set.of("b")), modest.rewritten());
    assertEquals(600, tier.ledger.used(), "as at the last look");
    greedy.breaks(false);
    turn(10);
    assertEquals(List.of(Set.of("a")), greedy.rewritten());
  }
}
