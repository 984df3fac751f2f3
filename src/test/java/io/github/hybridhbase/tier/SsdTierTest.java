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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.LoggedLines;
import io.github.hybridhbase.tier.drain.FakePool;
import io.github.hybridhbase.tier.drain.FakeStore;
import io.github.hybridhbase.tier.drain.Retry;
import io.github.hybridhbase.tier.drain.StoreExits;
import io.github.hybridhbase.tier.drain.StoreTierConfig;
import io.github.hybridhbase.tier.drain.TieredFile;
import io.github.hybridhbase.tier.drain.TrackedStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * One server's SSD tier with its clocks in the test's hand: what is placed, charged and rewritten.
 */
@InterfaceAudience.Private
class SsdTierTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String STORE = "/hbase/data/default/t/r/f";
  private static final String ARCHIVE = "/hbase/archive/data/default/t/r/f/";
  private static final String TMP = "/hbase/data/default/t/r/.tmp/f/";
  private static final long AGE = TimeUnit.HOURS.toMillis(1);
  private static final long AGE_SECONDS = TimeUnit.HOURS.toSeconds(1);
  private static final int ARCHIVE_SECONDS = 1_500;

  private final FakeStore store = new FakeStore();
  private FakeNamespace hdfs;
  private SsdTier tier;
  private TrackedStore tracked;
  private long seconds = 1_000;
  private final FakePool pool = new FakePool();

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    hdfs.with(STORE, 0);
    say(1_200, 1_000_000);
    tier = tier();
    tracked = tier.attach(config(STORE), store);
    turn();
    hdfs.writes().clear();
  }

  private SsdTier tier() {
    return new SsdTier(
        "s",
        ROOT,
        hdfs,
        pool,
        HybridSettings.read(new Configuration(false)),
        TimeUnit.SECONDS.toMillis(ARCHIVE_SECONDS),
        new Retry(TimeUnit.SECONDS.toNanos(150), TimeUnit.SECONDS.toNanos(600)),
        () -> TimeUnit.SECONDS.toNanos(seconds),
        () -> TimeUnit.SECONDS.toMillis(seconds));
  }

  private static StoreTierConfig config(String directory) {
    return FakeStore.config("t", new Path(directory), AGE);
  }

  private void say(long share, long room) throws IOException {
    hdfs.write(
        TierState.RECORD,
        ROOT,
        TierState.open(share, room, TimeUnit.SECONDS.toMillis(seconds), "master"));
  }

  private void turn() throws IOException {
    seconds += 10;
    tier.doWork();
  }

  /** The same after a time in which the master says the same. */
  private void later(long more) throws IOException {
    seconds += more;
    say(1_200, 1_000_000);
    hdfs.writes().clear();
    turn();
  }

  private boolean place(String name, NewStoreFile.Kind kind, long bytes) throws IOException {
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).file(TMP + name, 0, true);
    return tier.place(tracked, new Path(TMP + name), new NewStoreFile(kind, bytes * 3, 0));
  }

  private boolean flush(String name, long bytes) throws IOException {
    return place(name, NewStoreFile.Kind.FLUSH, bytes);
  }

  private void commit(String name, long bytes, StorageType medium) {
    hdfs.delete(TMP + name);
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds))
        .file(
            STORE + "/" + name,
            StoragePolicy.ALL_SSD.id(),
            false,
            new FileBlocks.Block(bytes, medium, medium, medium));
    Path path = new Path(STORE + "/" + name);
    long onSsd = medium == StorageType.SSD ? 3 * bytes : 0;
    tier.committed(tracked, path, onSsd);
    if (onSsd > 0) {
      store.put(
          TieredFile.inStore(path, "t", onSsd, TimeUnit.SECONDS.toMillis(seconds), AGE, true));
    }
  }

  private void born(String name, long bytes) throws IOException {
    assertTrue(flush(name, bytes));
    commit(name, bytes, StorageType.SSD);
  }

  @Test
  void aTieredFileCostsOneWrite() throws IOException {
    assertTrue(flush("a", 100));
    assertEquals(300, tier.used());
    commit("a", 80, StorageType.SSD);
    assertEquals(240, tier.used());
    turn();
    turn();
    turn();
    assertEquals(List.of("set " + TMP + "a ALL_SSD"), hdfs.writes());
    assertEquals(240, tier.used());
  }

  @Test
  void aFileThatFellBackToDiskIsFreedFromItsPolicyAndNotCharged() throws IOException {
    assertTrue(flush("a", 100));
    commit("a", 100, StorageType.DISK);
    assertEquals(300, tier.used(), "as placed until HDFS was asked");
    turn();
    assertEquals(List.of("set " + TMP + "a ALL_SSD", "unset " + STORE + "/a"), hdfs.writes());
    turn();
    turn();
    assertEquals(0, tier.used());
  }

  private void replicas(StorageType... media) {
    hdfs.file(STORE + "/a", StoragePolicy.ONE_SSD.id(), false, new FileBlocks.Block(100, media));
  }

  /** HBase opens a file when the NameNode knows one replica, here the one on DISK. */
  @Test
  void aReplicaOnSsdThatIsReportedLateIsFound() throws IOException {
    assertTrue(flush("a", 100));
    commit("a", 100, StorageType.DISK);
    hdfs.writes().clear();
    replicas(StorageType.DISK);
    turn();
    assertEquals(List.of(), hdfs.writes(), "it lacks replicas: looked at again");
    replicas(StorageType.DISK, StorageType.SSD);
    turn();
    assertEquals(Map.of("a", 100L), store.found());
    replicas(StorageType.DISK, StorageType.SSD, StorageType.DISK);
    turn();
    turn();
    assertEquals(List.of(), hdfs.writes(), "it keeps its policy");
  }

  @Test
  void theBudgetHoldsAlsoForFilesThatAreBeingWritten() throws IOException {
    assertTrue(flush("a", 100));
    assertTrue(place("b", NewStoreFile.Kind.MINOR, 100));
    turn();
    assertEquals(600, tier.used());
    assertTrue(place("c", NewStoreFile.Kind.MINOR, 100));
    assertFalse(place("d", NewStoreFile.Kind.MINOR, 21));
    tier.failed(tracked, new Path(TMP + "c"), false);
    assertTrue(place("c", NewStoreFile.Kind.MINOR, 100));
  }

  @Test
  @DisplayName("a file is charged between its commit and the look that sees it")
  void committedFile_isChargedUntilSeen() throws IOException {
    assertTrue(flush("a", 100));
    tier.committed(tracked, new Path(STORE + "/a"), 240);
    turn();
    turn();
    assertEquals(240, tier.used());
    turn();
    assertEquals(0, tier.used(), "its flush was given up");
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
  void whatIsRewrittenMayHaveAFileInItThatIsNewerThanTheListing() throws IOException {
    born("a", 50);
    store.takesAlong("b");
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of("a", "b")), store.rewritten());
  }

  @Test
  void whatIsOldIsRewrittenByHBase() throws IOException {
    born("a", 50);
    turn();
    assertEquals(List.of(), store.rewritten());
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of("a")), store.rewritten());
    turn();
    assertEquals(1, store.rewritten().size(), "it is being compacted");
    store.compacted("a");
    turn();
    assertEquals(150, tier.used(), "until HBase deletes it");
    assertEquals(1, store.rewritten().size());
    assertEquals(List.of(), hdfs.satisfied());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void aCompactionThatFailedIsAskedForAgainWithGrowingPauses() throws IOException {
    born("a", 50);
    later(AGE_SECONDS);
    for (int i = 0; i < 360; i++) {
      store.failed();
      later(0);
    }
    int asked = store.rewritten().size();
    assertTrue(asked >= 5 && asked <= 10, () -> asked + " requests in an hour");
  }

  @Test
  void aFileThatIsBeingCompactedIsLeftAlone() throws IOException {
    born("a", 50);
    store.compact("a");
    later(2 * AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    store.failed();
    turn();
    assertEquals(1, store.rewritten().size());
  }

  @Test
  void nothingLeavesBesideOtherCompactionsThatWait() throws IOException {
    born("a", 50);
    pool.waiting = 1;
    later(AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    hdfs.write(TierState.RECORD, ROOT, TierState.closed("SSD is needed"));
    turn();
    assertEquals(List.of(Set.of("a")), store.rewritten(), "unless SSD is needed");
  }

  @Test
  void ifCompactionsAlwaysWaitFilesLeaveAfterATime() throws IOException {
    FakeStore other = new FakeStore();
    tier.attach(config("/hbase/data/default/t/q/f"), other);
    Path path = new Path("/hbase/data/default/t/q/f/b");
    other.put(TieredFile.inStore(path, "t", 30, 0, AGE, true));
    hdfs.with("/hbase/data/default/t/q/f", 0).file(path.toString(), 10, StorageType.SSD);
    born("a", 50);
    seconds += AGE_SECONDS;
    store.silent(true);
    other.silent(true);
    later(0);
    pool.waiting = 1;
    store.silent(false);
    other.silent(false);
    for (int i = 0; i < AGE_SECONDS / 6 / 10 - 1; i++) {
      later(0);
      assertEquals(
          0, store.rewritten().size() + other.rewritten().size(), "not before ten minutes");
    }
    later(0);
    later(0);
    assertEquals(2, store.rewritten().size() + other.rewritten().size());
  }

  private FakeStore other(long bytes) {
    FakeStore other = new FakeStore();
    tier.attach(config("/hbase/data/default/t/q/f"), other);
    Path path = new Path("/hbase/data/default/t/q/f/b");
    other.put(TieredFile.inStore(path, "t", 3 * bytes, 0, AGE, true));
    hdfs.with("/hbase/data/default/t/q/f", 0).file(path.toString(), bytes, StorageType.SSD);
    return other;
  }

  /** One thread is in a compaction that takes hours, as a large exit of another store waits. */
  @Test
  void anExitThatWaitsForTheThreadOfLargeOnesStopsNoOther() throws IOException {
    FakeStore other = other(10);
    store.large(true);
    born("a", 50);
    later(AGE_SECONDS);
    assertEquals(1, pool.large.size());
    assertEquals(List.of(), store.rewritten());
    assertEquals(List.of(Set.of("b")), other.rewritten());
    other.compacted("b");
    for (int hour = 0; hour < 12; hour++) {
      later(3_600);
    }
    assertEquals(1, pool.large.size(), "it waits once");
    pool.large.remove().run();
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void anExitThatGetsNoThreadIsChosenAgain() throws IOException {
    store.large(true);
    born("a", 50);
    pool.noThreads = true;
    assertThrows(InternalError.class, () -> later(AGE_SECONDS));
    pool.noThreads = false;
    later(AGE_SECONDS);
    later(AGE_SECONDS);
    assertEquals(1, pool.large.size());
  }

  /** HBase refused a file once and compacts it later for reasons of its own, for hours. */
  @Test
  void aFileThatHBaseCompactsByItselfStopsNoOther() throws IOException {
    born("a", 50);
    store.silent(true);
    later(AGE_SECONDS);
    store.compact("a");
    FakeStore other = other(10);
    pool.waiting = 1;
    hdfs.write(TierState.RECORD, ROOT, TierState.closed("SSD is needed"));
    turn();
    assertEquals(List.of(Set.of("b")), other.rewritten());
  }

  @Test
  void whatNobodyBeganStaysWhereTheTierIsLeft() throws IOException {
    born("a", 50);
    pool.smallBusy = true;
    later(AGE_SECONDS);
    hdfs.write(TierState.RECORD, ROOT, TierState.left("a hold"));
    turn();
    pool.smallBusy = false;
    pool.queued.forEach(Runnable::run);
    assertEquals(List.of(), store.rewritten());
  }

  @Test
  void whatNobodyBeganIsChosenAnewEachTurn() throws IOException {
    born("a", 50);
    pool.smallBusy = true;
    later(AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    store.compact("a"); // HBase takes it first
    pool.smallBusy = false;
    turn();
    assertEquals(List.of(), store.rewritten());
    store.failed();
    turn();
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void whatAReferenceRefersToIsChargedUntilItIsArchivedAndDeleted() throws IOException {
    String parent = "/hbase/data/default/t/parent/f/";
    String archived = "/hbase/archive/data/default/t/parent/f/";
    hdfs.with("/hbase/data/default/t/parent/f", 0).with(archived, 7);
    hdfs.file(parent + "a", 100, StorageType.SSD);
    Path path = new Path(STORE + "/a.parent");
    store.put(
        TieredFile.inStore(path, "t", 150, TimeUnit.SECONDS.toMillis(seconds), AGE, false)
            .of(new Path(parent + "a")));
    turn();
    store.compacted("a.parent");
    turn();
    store.archive();
    turn();
    assertEquals(150, tier.used());
    later(ARCHIVE_SECONDS);
    assertEquals(150, tier.used(), "the janitor has not been there");
    hdfs.rename(parent + "a", archived + "a");
    later(AGE_SECONDS);
    turn();
    assertEquals(150, tier.used(), "in the archive");
    hdfs.delete(archived + "a");
    later(AGE_SECONDS);
    turn();
    assertEquals(0, tier.used());
  }

  @Test
  void whereCompactionsAreOffNothingGoesToSsd() throws IOException {
    born("a", 50);
    pool.on = false;
    later(AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    assertFalse(flush("b", 10));
    pool.on = true;
    turn();
    assertEquals(1, store.rewritten().size());
    assertTrue(flush("c", 10));
  }

  @Test
  void aRequestThatHBaseIgnoresIsNotRepeatedEachTurn() throws IOException {
    born("a", 50);
    store.silent(true);
    later(AGE_SECONDS);
    store.silent(false);
    turn();
    assertEquals(List.of(), store.rewritten());
    turn();
    turn();
    assertEquals(1, store.rewritten().size());
  }

  @Test
  void whatHdfsHasMovedMeanwhileIsNotRewritten() throws IOException {
    born("a", 50);
    hdfs.file(STORE + "/a", 50, StorageType.DISK);
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of()), store.rewritten());
  }

  /** The DataNode of the only replica on SSD is dead: HDFS makes that replica anew, on SSD. */
  @Test
  void aFileThatLacksAReplicaMayReturnToSsdSoItIsRewritten() throws IOException {
    born("a", 50);
    turn();
    final long used = tier.used();
    hdfs.file(
        STORE + "/a",
        StoragePolicy.ONE_SSD.id(),
        false,
        new FileBlocks.Block(50, StorageType.DISK, StorageType.DISK));
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of("a")), store.rewritten());
    assertEquals(used, tier.used(), "charged until then");
  }

  @Test
  void overTheThresholdTheOldestLeavesBeforeItIsDue() throws IOException {
    born("a", 100);
    seconds += 600;
    born("b", 100);
    seconds += 60;
    born("c", 100);
    later(0);
    assertEquals(List.of(), store.rewritten());
    born("d", 100);
    turn();
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void othersGrowthShrinksTheShareAndWhatIsThere() throws IOException {
    born("a", 100);
    seconds += 600;
    born("b", 50);
    turn();
    say(1_200, 0);
    turn();
    assertFalse(flush("c", 1), "what is there is all there may be");
    assertEquals(List.of(), store.rewritten());
    say(1_200, -100);
    turn();
    assertEquals(List.of(Set.of("a")), store.rewritten());
    say(1_200, 1_000);
    turn();
    assertTrue(flush("d", 1));
  }

  @Test
  void theSameWordIsCountedFromWhereItWasHeard() throws IOException {
    say(1_200, 300);
    for (int i = 0; i < 6; i++) {
      turn(); // with nothing on SSD the word is read now and then
    }
    born("a", 100);
    turn();
    turn();
    assertFalse(flush("b", 1));
  }

  @Test
  void aWordThatIsNotRenewedIsNotTrusted() throws IOException {
    born("a", 10);
    seconds += TimeUnit.MILLISECONDS.toSeconds(TierState.TRUST_MILLIS);
    turn();
    assertFalse(tier.open());
    assertFalse(flush("b", 10));
    seconds += AGE_SECONDS;
    turn();
    assertEquals(List.of(), store.rewritten());
    later(0);
    assertEquals(1, store.rewritten().size());
    assertTrue(flush("c", 10));
  }

  @Test
  void whatWasCompactedAwayIsChargedUntilHBaseDeletesIt() throws IOException {
    born("a", 100);
    turn();
    store.compacted("a");
    turn();
    assertEquals(300, tier.used());
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds)).rename(STORE + "/a", ARCHIVE + "a");
    store.archive();
    turn();
    assertEquals(300, tier.used());
    hdfs.delete(ARCHIVE + "a");
    later(ARCHIVE_SECONDS);
    turn();
    assertEquals(0, tier.used());
    assertEquals(List.of(), hdfs.satisfied());
  }

  @Test
  void whatASnapshotHoldsIsMovedByHdfsAndStaysChargedUntilThen() throws IOException {
    born("a", 100);
    turn();
    store.compacted("a");
    hdfs.with("/hbase/archive", 7).rename(STORE + "/a", ARCHIVE + "a");
    store.archive();
    turn();
    later(ARCHIVE_SECONDS);
    assertEquals(List.of("unset " + ARCHIVE + "a", "satisfy " + ARCHIVE + "a"), hdfs.writes());
    assertEquals(List.of(new Path(ARCHIVE + "a")), hdfs.satisfied());
    assertEquals(300, tier.used());
    hdfs.file(ARCHIVE + "a", 100, StorageType.DISK);
    later(AGE_SECONDS);
    turn();
    assertEquals(0, tier.used());
  }

  @Test
  void withoutASatisfierWhatASnapshotHoldsStaysCharged() throws IOException {
    born("a", 100);
    turn();
    store.compacted("a");
    hdfs.with("/hbase/archive", 7).rename(STORE + "/a", ARCHIVE + "a");
    store.archive();
    turn();
    hdfs.movesNothing();
    later(ARCHIVE_SECONDS);
    turn();
    assertEquals(300, tier.used());
    assertTrue(flush("b", 10), "the rest goes on");
  }

  /** Whose directory in the archive belongs to somebody else, say. */
  @Test
  void anArchivedFileThatHdfsRefusesToMoveStopsNoExit() throws IOException {
    born("a", 100);
    turn();
    store.compacted("a");
    hdfs.with("/hbase/archive", 7).rename(STORE + "/a", ARCHIVE + "a");
    store.archive();
    turn();
    FakeStore other = other(10);
    hdfs.refusesUnset(new AccessControlException("Permission denied: user=nobody"));
    assertThrows(IOException.class, () -> later(AGE_SECONDS), "it is reported");
    assertEquals(List.of(Set.of("b")), other.rewritten());
    turn(); // and not asked for again at once
    hdfs.refusesUnset(null);
    later(AGE_SECONDS);
    assertEquals(List.of(new Path(ARCHIVE + "a")), hdfs.satisfied());
  }

  @Test
  void aServerThatStartsAgainKnowsWhatIsOnSsd() throws IOException {
    born("a", 100);
    tier = tier();
    tracked = tier.attach(config(STORE), store);
    turn();
    assertEquals(300, tier.used());
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void aDirectoryWithAPolicyForSsdIsLeftAlone() throws IOException {
    hdfs.with("/hbase/data/default/u", 12).with("/hbase/data/default/u/r/f", 0);
    FakeStore other = new FakeStore();
    TrackedStore ssd = tier.attach(config("/hbase/data/default/u/r/f"), other);
    NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, 1, 0);
    assertFalse(tier.place(ssd, new Path("/x"), flush));
    assertEquals(0, tier.used());
    assertFalse(tier.place(ssd, new Path("/x"), flush));

    TrackedStore found = tier.attach(config("/hbase/data/default/u/r/f"), other);
    other.put(TieredFile.inStore(new Path("/hbase/data/default/u/r/f/x"), "u", 30, 0, AGE, true));
    later(AGE_SECONDS);
    assertFalse(found.serves());
    assertEquals(List.of(), other.rewritten());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void anErasureCodedDirectoryIsLeftAlone() throws IOException {
    hdfs.erasureCoded(STORE);
    assertFalse(flush("a", 10));
    assertEquals(0, tier.used());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void whereItIsClosedNothingGoesToSsdAndAllLeaves() throws IOException {
    born("a", 10);
    hdfs.write(TierState.RECORD, ROOT, TierState.closed("test"));
    turn();
    assertFalse(flush("b", 10));
    assertEquals(List.of(Set.of("a")), store.rewritten());
    hdfs.remove(TierState.RECORD, ROOT);
    turn();
    assertFalse(flush("c", 10));
  }

  /** Also data that was on SSD before the plugin came, with no word of a master yet. */
  @Test
  void whereTheMasterLeavesSsdAloneNothingIsRewritten() throws IOException {
    born("a", 80);
    hdfs.write(TierState.RECORD, ROOT, TierState.left("user data follows ALL_SSD"));
    hdfs.writes().clear();
    for (int i = 0; i < 1_000; i++) {
      turn();
    }
    hdfs.remove(TierState.RECORD, ROOT);
    for (int i = 0; i < 100; i++) {
      turn();
    }
    assertEquals(List.of(), store.rewritten());
    assertEquals(List.of(), hdfs.writes());
    assertFalse(flush("b", 1));
    later(0);
    assertEquals(List.of(Set.of("a")), store.rewritten(), "it is old by now");
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
    int failed = tries;
    assertTrue(failed >= 15 && failed <= 40, () -> "failing writes: " + failed);
    assertEquals(0, tier.used());
    hdfs.refusesPolicies(null);
    later(481);
    assertTrue(flush("last", 10));
  }

  @Test
  void aPolicyThatHdfsRefusesLeavesNoCharge() {
    hdfs.refusesPolicies(new IOException("no"));
    assertThrows(IOException.class, () -> flush("a", 100));
    assertEquals(0, tier.used());
  }

  @Test
  void aStoreThatGoesTakesItsChargesAlong() throws IOException {
    born("a", 50);
    turn();
    assertTrue(flush("b", 50));
    tier.detach(tracked);
    assertTrue(tier.isEmpty());
    assertFalse(flush("c", 100));
    turn();
    assertEquals(0, tier.used());
  }

  /** As docs/dev/limitations.md advises. */
  @Test
  @DisplayName("a table pinned by an admin is read once, not charged and logged once")
  void pinnedTable_isReadOnceAndNotCharged() throws IOException {
    hdfs.with("/hbase/data/default/pinned", StoragePolicy.ALL_SSD.id());
    try (LoggedLines logged = LoggedLines.of(StoreExits.class)) {
      for (int region = 0; region < 30; region++) {
        String directory = "/hbase/data/default/pinned/r" + region + "/f";
        hdfs.with(directory, 0);
        FakeStore of = new FakeStore();
        of.put(
            TieredFile.inStore(
                new Path(directory, "old"), "pinned", 900, 0, TimeUnit.HOURS.toMillis(1), true));
        tier.attach(FakeStore.config("pinned", new Path(directory), AGE), of);
      }
      turn();
      assertEquals(0, tier.used(), "nothing of it is the tier's");
      assertEquals(1, logged.lines().size(), logged.lines()::toString);
      assertTrue(logged.lines().get(0).startsWith("INFO The SSD tier leaves table pinned alone"));
      assertEquals(1, hdfs.policyReads("/hbase/data/default/pinned"));
      turn();
      assertEquals(1, logged.lines().size(), logged.lines()::toString);
      assertEquals(1, hdfs.policyReads("/hbase/data/default/pinned"));
    }
    assertTrue(flush("other", 100), "other tables are served");
  }
}
