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
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.LoggedLines;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
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

  private final FakeStore store = store(STORE);
  private FakeNamespace hdfs;
  private SsdTier tier;
  private long seconds = 1_000;
  private final FakeQueue queue = new FakeQueue(() -> TimeUnit.SECONDS.toMillis(seconds));

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    hdfs.with(STORE, 0);
    say(1_200, 1_000_000);
    tier = tier();
    tier.attach(store);
    turn();
    hdfs.writes().clear();
  }

  private SsdTier tier() {
    return FakeQueue.tier("s", hdfs, queue, ARCHIVE_SECONDS, () -> seconds);
  }

  private static FakeStore store(String directory) {
    return new FakeStore("t", new Path(directory), AGE);
  }

  private void say(long share, long room) throws IOException {
    TierState.open(share, room, TimeUnit.SECONDS.toMillis(seconds), "master").writeTo(hdfs, ROOT);
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
    return tier.place(store, new Path(TMP + name), new NewStoreFile(kind, bytes * 3, 0));
  }

  private boolean flush(String name, long bytes) throws IOException {
    return place(name, NewStoreFile.Kind.FLUSH, bytes);
  }

  private void commit(String name, long bytes, StorageType medium) {
    hdfs.allocates(TMP + name, 3, medium == StorageType.SSD ? 3 : 0);
    hdfs.delete(TMP + name);
    hdfs.at(TimeUnit.SECONDS.toMillis(seconds))
        .file(
            STORE + "/" + name,
            StoragePolicy.ALL_SSD.id(),
            false,
            new FileBlocks.Block(bytes, medium, medium, medium));
    Path path = new Path(STORE + "/" + name);
    long onSsd = medium == StorageType.SSD ? 3 * bytes : 0;
    tier.committed(store, path, bytes, onSsd);
    if (onSsd > 0) {
      store.put(name, onSsd, TimeUnit.SECONDS.toMillis(seconds));
    }
  }

  private void born(String name, long bytes) throws IOException {
    assertTrue(flush(name, bytes));
    commit(name, bytes, StorageType.SSD);
  }

  @Test
  void aFileThatFellBackToDiskIsFreedFromItsPolicyAndNotCharged() throws IOException {
    assertTrue(flush("a", 100));
    commit("a", 100, StorageType.DISK);
    assertEquals(List.of("set " + TMP + "a ALL_SSD", "unset " + STORE + "/a"), hdfs.writes());
    assertEquals(0, tier.ledger.used());
  }

  /** HBase opens a file when the NameNode knows one replica, under ONE_SSD perhaps that on DISK. */
  @Test
  void aReplicaOnSsdThatIsReportedLateIsKnownFromItsAllocation() throws IOException {
    assertTrue(flush("a", 100));
    hdfs.allocates(TMP + "a", 3, 2);
    tier.committed(store, new Path(STORE + "/a"), 100, 0);
    assertEquals(200, tier.ledger.used());
    turn();
    assertEquals(List.of("set " + TMP + "a ALL_SSD"), hdfs.writes(), "it keeps its policy");
  }

  @Test
  void aFileThatHdfsDidNotCreateUnderItsPolicyIsNotCharged() throws IOException {
    assertTrue(flush("a", 100));
    tier.failed(store.key(new Path(TMP + "a")), false);
    assertEquals(0, tier.ledger.used());
    assertTrue(flush("b", 100), "that is no refusal of SSD's");
    assertEquals(300, tier.ledger.used());
  }

  @Test
  void theBudgetHoldsAlsoForFilesThatAreBeingWritten() throws IOException {
    assertTrue(flush("a", 100));
    assertTrue(place("b", NewStoreFile.Kind.MINOR, 100));
    turn();
    assertEquals(600, tier.ledger.used());
    assertTrue(place("c", NewStoreFile.Kind.MINOR, 100));
    assertFalse(place("d", NewStoreFile.Kind.MINOR, 21));
    tier.failed(store.key(new Path(TMP + "c")), false);
    assertTrue(place("c", NewStoreFile.Kind.MINOR, 100));
  }

  @Test
  @DisplayName("a file is charged between its commit and the look that sees it")
  void committedFile_isChargedUntilSeen() throws IOException {
    assertTrue(flush("a", 100));
    tier.committed(store, new Path(STORE + "/a"), 80, 240);
    assertEquals(240, tier.ledger.used());
    turn();
    assertEquals(0, tier.ledger.used(), "its flush was given up");
  }

  @Test
  void aFlushThatCameToNothingIsTriedAgainOnDisk() throws IOException {
    long refused = HybridMetrics.get().value(Metric.TIER_REFUSED);
    assertTrue(flush("a", 100));
    assertFalse(flush("b", 100));
    assertEquals(0, tier.ledger.used());
    assertEquals(refused + 1, HybridMetrics.get().value(Metric.TIER_REFUSED));
    seconds += 31;
    assertTrue(flush("c", 100));
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
    assertEquals(150, tier.ledger.used(), "until HBase deletes it");
    assertEquals(1, store.rewritten().size());
    assertEquals(List.of(), hdfs.writes());
  }

  private FakeStore other(long bytes) {
    FakeStore other = store("/hbase/data/default/t/q/f");
    tier.attach(other);
    other.put("b", 3 * bytes, 0);
    return other;
  }

  /** HBase's threads are in compactions that take hours. */
  @Test
  void anExitWaitsInHBasesQueueOnce() throws IOException {
    queue.busy = true;
    born("a", 50);
    later(AGE_SECONDS);
    FakeStore other = other(10);
    for (int turn = 0; turn < 28; turn++) {
      later(0);
    }
    assertEquals(2, queue.queued.size(), "one a store");
    queue.run();
    assertEquals(List.of(Set.of("a")), store.rewritten());
    assertEquals(List.of(Set.of("b")), other.rewritten());
  }

  @Test
  @DisplayName("requests that clear_compaction_queues has dropped are repeated")
  void clearedQueue_isAskedAgain() throws IOException {
    queue.busy = true;
    born("a", 50);
    later(AGE_SECONDS);
    queue.queued.clear();
    queue.run();
    for (int turn = 0; turn < 3; turn++) {
      turn();
    }
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void noMoreThanFiftyRequestsWait() throws IOException {
    queue.busy = true;
    for (int i = 0; i < 60; i++) {
      FakeStore one = store("/hbase/data/default/t/q" + i + "/f");
      one.put("b", 3, 0);
      tier.attach(one);
    }
    later(AGE_SECONDS);
    later(0);
    assertEquals(50, queue.queued.size());
    queue.run();
    later(0);
    assertEquals(0, queue.queued.size(), "the rest runs at once");
  }

  /** Of tables that were made read-only, or whose compactions were switched off, say. */
  @Test
  void storesThatHBaseNeverCompactsLeaveTheQueueToOthers() throws IOException {
    for (int i = 0; i < 60; i++) {
      FakeStore one = store("/hbase/data/default/t/q" + i + "/f");
      one.put("b", 3, 0);
      one.silent(true);
      tier.attach(one);
    }
    born("a", 50);
    later(AGE_SECONDS);
    for (int turn = 0; turn < 9; turn++) {
      later(0);
    }
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  /** A flush asks HBase for a compaction of the store, say. */
  @Test
  void whoeverCompactsAStoreNextTakesItsOldFilesOffSsd() throws IOException {
    queue.busy = true;
    born("a", 50);
    later(AGE_SECONDS);
    store.selects(TimeUnit.SECONDS.toMillis(seconds));
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void aUsersCompactionThatMetAnExitIsRequestedOnceTheExitHasEnded() throws IOException {
    store.exit.userSelects();
    born("a", 50);
    later(AGE_SECONDS);
    assertEquals(1, store.rewritten().size());
    turn();
    turn();
    assertEquals(0, queue.forUsers, "it met none");
    store.exit.userSelects();
    turn();
    turn();
    assertEquals(0, queue.forUsers, "the exit runs");
    store.compacted("a");
    for (int turn = 0; turn < 4; turn++) {
      turn();
    }
    assertEquals(1, queue.forUsers);
  }

  @Test
  void aRequestThatFailsEndsNoOther() throws IOException {
    FakeStore other = store("/hbase/data/default/t/other/f");
    born("a", 50);
    other.put("b", 150, TimeUnit.SECONDS.toMillis(seconds));
    tier.attach(other);
    queue.refuses = store;
    later(AGE_SECONDS);
    turn();
    assertEquals(List.of(), store.rewritten());
    assertEquals(List.of(Set.of("b")), other.rewritten());
    queue.refuses = null;
    for (int i = 0; i < 10; i++) {
      turn();
    }
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  /** HBase refused a file once and compacts it later for reasons of its own, for hours. */
  @Test
  void aFileThatHBaseCompactsByItselfStopsNoOther() throws IOException {
    born("a", 50);
    store.silent(true);
    later(AGE_SECONDS);
    store.compact("a");
    FakeStore other = other(10);
    TierState.closed("SSD is needed").writeTo(hdfs, ROOT);
    turn();
    assertEquals(List.of(Set.of("b")), other.rewritten());
  }

  @Test
  void whatNobodyBeganStaysWhereTheTierIsLeft() throws IOException {
    born("a", 50);
    queue.busy = true;
    later(AGE_SECONDS);
    TierState.paused("a hold").writeTo(hdfs, ROOT);
    turn();
    queue.run();
    assertEquals(List.of(), store.rewritten());
  }

  @Test
  void whatAReferenceRefersToIsChargedUntilHBaseShouldHaveDeletedIt() throws IOException {
    Path path = new Path(STORE + "/a.parent");
    Path parent = new Path("/hbase/data/default/t/parent/f/a");
    store.put(FakeStore.reference(path, parent, 150));
    turn();
    later(AGE_SECONDS);
    assertEquals(List.of(), store.rewritten(), "HBase compacts it soon");
    store.compacted("a.parent");
    turn();
    store.archive();
    turn();
    assertEquals(150, tier.ledger.used());
    later(ARCHIVE_SECONDS);
    assertEquals(0, tier.ledger.used());
  }

  @Test
  void whereCompactionsAreOffNothingGoesToSsd() throws IOException {
    born("a", 50);
    queue.on = false;
    later(AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    assertFalse(flush("b", 10));
    queue.on = true;
    turn();
    assertEquals(1, store.rewritten().size());
    assertTrue(flush("c", 10));
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
    long over = HybridMetrics.get().value(Metric.TIER_OVER_BUDGET);
    assertFalse(flush("c", 1), "what is there is all there may be");
    assertEquals(over + 1, HybridMetrics.get().value(Metric.TIER_OVER_BUDGET));
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
  void whatWasCompactedAwayIsChargedUntilHBaseShouldHaveDeletedIt() throws IOException {
    born("a", 100);
    turn();
    store.compacted("a");
    turn();
    assertEquals(300, tier.ledger.used());
    store.archive();
    turn();
    assertEquals(300, tier.ledger.used());
    later(ARCHIVE_SECONDS - 20);
    assertEquals(300, tier.ledger.used());
    later(0);
    assertEquals(0, tier.ledger.used());
  }

  @Test
  void aServerThatStartsAgainKnowsWhatIsOnSsd() throws IOException {
    born("a", 100);
    tier = tier();
    tier.attach(store);
    turn();
    assertEquals(300, tier.ledger.used());
    later(AGE_SECONDS);
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void aDirectoryWithAPolicyForSsdIsLeftAlone() throws IOException {
    hdfs.with("/hbase/data/default/u", 12).with("/hbase/data/default/u/r/f", 0);
    FakeStore ssd = new FakeStore("u", new Path("/hbase/data/default/u/r/f"), AGE);
    tier.attach(ssd);
    NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, 1, 0);
    try (LoggedLines logged = LoggedLines.of(SsdTier.class)) {
      assertFalse(tier.place(ssd, new Path("/x"), flush));
      assertFalse(tier.place(ssd, new Path("/x"), flush));
      assertEquals(1, logged.lines().size(), logged.lines()::toString);
      assertTrue(logged.lines().get(0).startsWith("INFO The SSD tier leaves table u alone"));
    }
    assertEquals(0, tier.ledger.used());
    assertFalse(ssd.serves());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void anErasureCodedDirectoryIsLeftAlone() throws IOException {
    hdfs.erasureCoded(STORE);
    assertFalse(flush("a", 10));
    assertEquals(0, tier.ledger.used());
    assertEquals(List.of(), hdfs.writes());
  }

  @Test
  void whereItIsClosedNothingGoesToSsdAndAllLeaves() throws IOException {
    born("a", 10);
    TierState.closed("test").writeTo(hdfs, ROOT);
    turn();
    assertFalse(flush("b", 10));
    assertEquals(List.of(Set.of("a")), store.rewritten());
    hdfs.removeXattr(ROOT, TierState.XATTR);
    turn();
    assertFalse(flush("c", 10));
  }

  /** Also data that was on SSD before the plugin came, with no word of a master yet. */
  @Test
  void whereTheMasterLeavesSsdAloneNothingIsRewritten() throws IOException {
    born("a", 80);
    TierState.paused("user data follows ALL_SSD").writeTo(hdfs, ROOT);
    hdfs.writes().clear();
    for (int i = 0; i < 1_000; i++) {
      turn();
    }
    hdfs.removeXattr(ROOT, TierState.XATTR);
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
  void aPolicyThatHdfsRefusesLeavesNoCharge() {
    hdfs.refusesPolicies(new IOException("no"));
    assertThrows(IOException.class, () -> flush("a", 100));
    assertEquals(0, tier.ledger.used());
  }

  @Test
  void aStoreThatGoesTakesItsChargesAlong() throws IOException {
    born("a", 50);
    turn();
    assertTrue(flush("b", 50));
    tier.ledger.detach(store);
    assertTrue(tier.ledger.stores().isEmpty());
    assertFalse(flush("c", 100));
    turn();
    assertEquals(0, tier.ledger.used());
  }
}
