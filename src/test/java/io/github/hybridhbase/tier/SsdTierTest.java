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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.TierState;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SsdTierTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String STORE = "/hbase/data/default/t/r/f";
  private static final String TMP = "/hbase/data/default/t/r/.tmp/f/";
  private static final int PATIENCE_SECONDS = 600;
  private static final long AGE = TimeUnit.HOURS.toMillis(1);

  private final Set<String> compacting = new HashSet<>();
  private FakeNamespace hdfs;
  private SsdTier tier;
  private TrackedStore tracked;
  private long seconds;

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    hdfs.with(STORE, 0).setTierState(ROOT, TierState.open(1_200));
    tier = tier();
    tracked = tier.attach(config(STORE), () -> compacting, Set.of());
    turn();
  }

  private SsdTier tier() {
    return new SsdTier(
        "s",
        ROOT,
        hdfs,
        HybridSettings.read(new Configuration(false)),
        TimeUnit.MINUTES.toMillis(25),
        new MoveTimeout(
            TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS / 4),
            TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)),
        () -> TimeUnit.SECONDS.toNanos(seconds),
        () -> TimeUnit.SECONDS.toMillis(seconds));
  }

  private static StoreTierConfig config(String directory) {
    return new StoreTierConfig("t", new Path(directory), StoragePolicy.ALL_SSD, 3, AGE, "");
  }

  private void turn() throws IOException {
    seconds += 10;
    tier.doWork();
  }

  private void turns(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      turn();
    }
  }

  private boolean flush(String name, long bytes) throws IOException {
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).file(TMP + name, 0, true);
    return tier.place(
        tracked, new Path(TMP + name), new NewStoreFile(NewStoreFile.Kind.FLUSH, bytes * 3, 0));
  }

  private void commit(String name, long bytes, StorageType medium) {
    hdfs.delete(TMP + name);
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds))
        .file(
            STORE + "/" + name,
            medium == StorageType.SSD ? StoragePolicy.ALL_SSD.id() : 0,
            false,
            new io.github.hybridhbase.hdfs.FileBlocks.Block(bytes, medium, medium, medium));
    tier.committed(tracked, Map.of(name, bytes));
  }

  @Test
  void nothingGoesToSsdBeforeTheServerKnowsItsStores() throws IOException {
    tier.attach(config("/hbase/data/default/t/r2/f"), Set::of, Set.of());
    assertFalse(flush("a", 1));
    turn();
    assertTrue(flush("b", 1));
  }

  @Test
  void aTieredFileCostsOneSetAndOneUnsetAndNothingIsLeftOnIt() throws IOException {
    assertTrue(flush("a", 100));
    assertEquals(300, tier.used());
    commit("a", 80, StorageType.SSD);
    assertEquals(240, tier.used());
    turn();
    turn();
    turn();
    assertEquals(
        List.of("set " + TMP + "a ALL_SSD", "unset " + STORE + "/a"),
        hdfs.writes().subList(1, hdfs.writes().size()));
    assertEquals(240, tier.used());
  }

  @Test
  void aFileWhoseRegionClosesBeforeALookIsFreedAllTheSame() throws IOException {
    assertTrue(flush("a", 100));
    assertTrue(flushBeside("b", 100));
    commit("a", 80, StorageType.SSD);
    commit("b", 80, StorageType.SSD);
    // A dropped table's files are in the archive before anybody looks.
    hdfs.delete(STORE + "/b");
    hdfs.with("/hbase/archive", 7)
        .file("/hbase/archive" + STORE.substring("/hbase".length()) + "/b", 12, false);
    tier.detach(tracked);
    assertFalse(tier.isEmpty());
    tier.letGo();
    assertTrue(tier.isEmpty());
    assertEquals(
        List.of(
            "unset " + STORE + "/a",
            "unset /hbase/archive" + STORE.substring("/hbase".length()) + "/b"),
        hdfs.writes().stream()
            .filter(write -> write.startsWith("unset"))
            .sorted(java.util.Comparator.reverseOrder())
            .collect(java.util.stream.Collectors.toList()));
  }

  /**
   * A second new file that does not end the first flush: HBase does one flush of a store at a time.
   */
  private boolean flushBeside(String name, long bytes) throws IOException {
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).file(TMP + name, 0, true);
    return tier.place(
        tracked, new Path(TMP + name), new NewStoreFile(NewStoreFile.Kind.MINOR, bytes * 3, 0));
  }

  /** On a cluster that became all SSD, what had gone to SSD is neither moved nor touched. */
  @Test
  void whereUserDataFollowsAnAdminsPolicyNothingIsDrained() throws IOException {
    assertTrue(flush("a", 100));
    commit("a", 80, StorageType.SSD);
    turn();
    turn();
    hdfs.with("/hbase", StoragePolicy.ALL_SSD.id()).with("/hbase/data", 0);
    hdfs.setTierState(ROOT, TierState.left("user data follows ALL_SSD"));
    hdfs.writes().clear();
    turns(1_000);
    assertEquals(List.of(), hdfs.satisfied());
    assertEquals(List.of(), hdfs.writes());
    assertFalse(flush("b", 1));
    hdfs.with("/hbase", 0).with("/hbase/data", 7);
    hdfs.setTierState(ROOT, TierState.open(1_200));
    turns(20);
    assertEquals(List.of(new Path(STORE + "/a")), hdfs.satisfied(), "it is old by now");
    assertTrue(flush("c", 1));
  }

  @Test
  void storesTakeTurnsWhereThereAreMoreThanATurnLooksAt() throws IOException {
    List<TrackedStore> many = new java.util.ArrayList<>();
    for (int i = 0; i < 500; i++) {
      many.add(tier.attach(config("/hbase/data/default/t/r" + i + "/f"), Set::of, Set.of()));
    }
    turns(11);
    assertTrue(many.stream().allMatch(store -> store.looked));
  }

  @Test
  void theBudgetHoldsAlsoForFilesThatAreBeingWritten() throws IOException {
    assertTrue(flush("a", 100));
    hdfs.file(TMP + "b", 0, true);
    NewStoreFile minor = new NewStoreFile(NewStoreFile.Kind.MINOR, 300, 0);
    assertTrue(tier.place(tracked, new Path(TMP + "b"), minor));
    turn();
    assertEquals(600, tier.used());
    hdfs.file(TMP + "c", 0, true);
    assertTrue(tier.place(tracked, new Path(TMP + "c"), minor));
    assertFalse(
        tier.place(tracked, new Path(TMP + "d"), new NewStoreFile(NewStoreFile.Kind.MINOR, 61, 0)));
    tier.failed(tracked, new Path(TMP + "c"), false);
    assertTrue(tier.place(tracked, new Path(TMP + "c"), minor));
  }

  @Test
  void aFlushThatCameToNothingIsTriedAgainOnDisk() throws IOException {
    assertTrue(flush("a", 100));
    assertFalse(flush("b", 100));
    assertEquals(0, tier.used());
    seconds += 31;
    assertTrue(flush("c", 100));
  }

  @Test
  void aFlushThatFailedForAnotherReasonMayGoToSsdAgain() throws IOException {
    assertTrue(flush("a", 100));
    tier.flushFailed(tracked, false);
    assertEquals(0, tier.used());
    assertTrue(flush("b", 100));
    tier.flushFailed(tracked, true);
    assertFalse(flush("c", 100));
  }

  @Test
  void whatIsOldIsAskedForOnceAndAgainOnlyAfterLong() throws IOException {
    flush("a", 100);
    commit("a", 100, StorageType.SSD);
    turn();
    assertEquals(List.of(), hdfs.satisfied());
    seconds += TimeUnit.MILLISECONDS.toSeconds(AGE);
    for (int i = 0; i < PATIENCE_SECONDS / 10; i++) {
      turn();
    }
    assertEquals(List.of(new Path(STORE + "/a")), hdfs.satisfied());
    turn();
    assertEquals(2, hdfs.satisfied().size());
    turns(5_000);
    assertEquals(MoveTracker.TIMES, hdfs.satisfied().size());
  }

  @Test
  void aFileThatIsBeingCompactedIsLeftAlone() throws IOException {
    flush("a", 100);
    commit("a", 100, StorageType.SSD);
    compacting.add("a");
    seconds += 2 * TimeUnit.MILLISECONDS.toSeconds(AGE);
    turn();
    turn();
    assertEquals(List.of(), hdfs.satisfied());
    compacting.clear();
    turn();
    assertEquals(1, hdfs.satisfied().size());
  }

  @Test
  void whatABulkLoadBringsOnSsdIsCharged() throws IOException {
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).file(STORE + "/b_SeqId_7_", 100, StorageType.SSD);
    tier.lookAgain(tracked);
    turn();
    assertEquals(100, tier.used());
  }

  @Test
  void whatWasCompactedAwayIsChargedUntilHBaseDeletesIt() throws IOException {
    flush("a", 100);
    commit("a", 100, StorageType.SSD);
    turn();
    String archived = "/hbase/archive/data/default/t/r/f/a";
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).rename(STORE + "/a", archived);
    tier.committed(tracked, Map.of());
    turn();
    assertEquals(300, tier.used());
    hdfs.delete(archived);
    turns(7);
    assertEquals(0, tier.used());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void daughtersLookAfterTheirParentsFilesUntilTheseAreGone() throws IOException {
    String parent = "/hbase/data/default/t/0123456789abcdef0123456789abcdef/f/aaaa";
    String one = "/hbase/data/default/t/d1/f";
    String two = "/hbase/data/default/t/d2/f";
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).file(parent, 100, StorageType.SSD);
    for (String daughter : List.of(one, two)) {
      hdfs.file(daughter + "/aaaa.0123456789abcdef0123456789abcdef", 1, StorageType.DISK);
      tier.attach(config(daughter), Set::of, Set.of());
    }
    turn();
    assertEquals(100, tier.used());
    for (String daughter : List.of(one, two)) {
      hdfs.delete(daughter + "/aaaa.0123456789abcdef0123456789abcdef");
    }
    turns(7);
    assertEquals(100, tier.used());
    hdfs.delete(parent);
    turns(7);
    assertEquals(0, tier.used());
  }

  @Test
  void aServerThatStartsAgainKnowsAndRepairs() throws IOException {
    flush("a", 100);
    commit("a", 100, StorageType.SSD);
    tier = tier();
    tracked = tier.attach(config(STORE), () -> compacting, Set.of());
    turn();
    assertEquals(300, tier.used());
    assertTrue(hdfs.writes().contains("unset " + STORE + "/a"));
  }

  @Test
  void aFileOnDiskIsFreedFromItsPolicyToo() throws IOException {
    flush("a", 100);
    hdfs.delete(TMP + "a");
    hdfs.file(
        STORE + "/a",
        StoragePolicy.ALL_SSD.id(),
        false,
        new io.github.hybridhbase.hdfs.FileBlocks.Block(
            100, StorageType.DISK, StorageType.DISK, StorageType.DISK));
    tier.committed(tracked, Map.of("a", 100L));
    turn();
    assertTrue(hdfs.writes().contains("unset " + STORE + "/a"));
    assertEquals(0, tier.used());
  }

  @Test
  void aDirectoryWithAPolicyOfItsOwnIsLeftAlone() throws IOException {
    hdfs.with("/hbase/data/default/u", 12).with("/hbase/data/default/u/r/f", 0);
    hdfs.file("/hbase/data/default/u/r/f/x", 10, StorageType.SSD);
    TrackedStore other = tier.attach(config("/hbase/data/default/u/r/f"), Set::of, Set.of());
    int writes = hdfs.writes().size();
    turn();
    turn();
    assertFalse(tier.place(other, new Path("/x"), new NewStoreFile(NewStoreFile.Kind.FLUSH, 1, 0)));
    assertEquals(writes, hdfs.writes().size());
  }

  @Test
  void whereItIsClosedNothingGoesToSsdAndAllIsDrained() throws IOException {
    flush("a", 10);
    commit("a", 10, StorageType.SSD);
    hdfs.setTierState(ROOT, TierState.closed("test"));
    turn();
    assertFalse(flush("b", 10));
    assertEquals(1, hdfs.satisfied().size());
    hdfs.removeTierState(ROOT);
    turn();
    assertFalse(flush("c", 10));
  }

  @Test
  void whereNothingMovesBlocksNothingGoesToSsd() throws IOException {
    flush("a", 10);
    commit("a", 10, StorageType.SSD);
    hdfs.movesNothing();
    seconds += 2 * TimeUnit.MILLISECONDS.toSeconds(AGE);
    turn();
    assertFalse(flush("b", 10));
  }

  @Test
  void whereHdfsRefusesPoliciesForGoodAFileCostsNoFailingWrite() throws IOException {
    hdfs.refusesPolicies(new AccessControlException("Superuser privilege is required"));
    int tries = 0;
    for (int file = 0; file < 1_000; file++) {
      seconds += 10;
      try {
        assertFalse(flush("f" + file, 10));
      } catch (AccessControlException e) {
        tries++;
      }
    }
    // 10,000 s: from 30 s doubled up to 480 s, each cut by a quarter at most.
    assertTrue(tries >= 15 && tries <= 40, "failing writes: " + tries);
    assertEquals(0, tier.used());
    hdfs.refusesPolicies(null);
    seconds += 481;
    assertTrue(flush("last", 10));
  }

  @Test
  void aLeftoverThatHdfsRefusesKeepsNoTurnFromTheRest() throws IOException {
    flush("a", 10);
    commit("a", 10, StorageType.SSD);
    tier.detach(tracked);
    hdfs.refusesUnset(new AccessControlException("Superuser privilege is required"));
    hdfs.setTierState(ROOT, TierState.closed("a test"));
    seconds += 10;
    assertThrows(IOException.class, () -> tier.doWork());
    assertFalse(tier.open(), "it read the state");
    turn();
    hdfs.refusesUnset(null);
    seconds += 600;
    turn();
    assertTrue(tier.isEmpty());
  }

  @Test
  void aPolicyThatHdfsRefusesLeavesNoCharge() {
    hdfs.refusesPolicies(new IOException("no"));
    assertThrows(IOException.class, () -> flush("a", 100));
    assertEquals(0, tier.used());
  }

  @Test
  void aStoreThatGoesTakesItsChargesAlong() throws IOException {
    flush("a", 100);
    tier.detach(tracked);
    assertEquals(0, tier.used());
    assertTrue(tier.isEmpty());
    assertFalse(flush("b", 100));
  }

  /** Data that was on SSD before the plugin came, and no word of a master yet. */
  @Test
  void withoutAWordNothingIsDrained() throws IOException {
    hdfs.removeTierState(ROOT);
    hdfs.at(0)
        .file(
            STORE + "/old",
            StoragePolicy.UNSPECIFIED,
            false,
            new io.github.hybridhbase.hdfs.FileBlocks.Block(
                10, StorageType.SSD, StorageType.SSD, StorageType.SSD));
    tier.lookAgain(tracked);
    turns(1_000);
    assertEquals(List.of(), hdfs.satisfied());
    hdfs.setTierState(ROOT, TierState.closed("agreed to"));
    turns(10);
    assertEquals(List.of(new Path(STORE + "/old")), hdfs.satisfied());
  }
}
