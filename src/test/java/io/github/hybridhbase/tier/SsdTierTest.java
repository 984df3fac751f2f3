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

import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.LoggedLines;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What one server's SSD tier places, charges and has rewritten. Its share is 1,200 bytes. */
@InterfaceAudience.Private
class SsdTierTest {
  private final TierServer server = new TierServer();
  private final FakeQueue queue = (FakeQueue) server.queue;
  private final FakeStore store = server.attach("t", "r");
  private final String committed = store.directory + "/a";
  private final String tmp = TierServer.tmp(store, "a").toString();

  @BeforeEach
  void open() throws IOException {
    server.grant(1_200, 1_000_000);
    server.turn();
    server.hdfs.writes().clear();
  }

  private void born(String name, long length) throws IOException {
    assertTrue(server.flush(store, name, length));
  }

  private FakeStore old(String region) {
    FakeStore old = server.attach("t", region);
    old.put("b", 3, 0);
    return old;
  }

  @Test
  void aFileThatFellBackToDiskIsFreedFromItsPolicyAndNotCharged() throws IOException {
    assertTrue(server.flushes(store, "a", 100));
    server.commit(store, "a", 100, 3, 0);
    assertEquals(List.of("set " + tmp + " ALL_SSD", "unset " + committed), server.hdfs.writes());
    assertEquals(0, server.used());
  }

  /** HBase opens a file when the NameNode knows one replica, under ONE_SSD perhaps that on DISK. */
  @Test
  void aReplicaOnSsdThatIsReportedLateIsKnownFromItsAllocation() throws IOException {
    assertTrue(server.flushes(store, "a", 100));
    server.hdfs.allocates(tmp, 3, 2);
    server.tier.committed(store, new Path(committed), 100, 0);
    assertEquals(200, server.used());
    server.turn();
    assertEquals(List.of("set " + tmp + " ALL_SSD"), server.hdfs.writes(), "it keeps its policy");
  }

  @Test
  void aFileThatHdfsDidNotCreateUnderItsPolicyIsNotCharged() throws IOException {
    assertTrue(server.flushes(store, "a", 100));
    server.failed(store, "a");
    assertEquals(0, server.used());
    assertTrue(server.flushes(store, "b", 100), "that is no refusal of SSD's");
    assertEquals(300, server.used());
    server.failed(store, "b");
    server.hdfs.refusesPolicies(new IOException("no"));
    assertThrows(IOException.class, () -> server.flushes(store, "c", 100));
    assertEquals(0, server.used(), "a policy that HDFS refuses leaves no charge");
  }

  @Test
  void theBudgetHoldsAlsoForFilesThatAreBeingWritten() throws IOException {
    assertTrue(server.flushes(store, "a", 100));
    assertTrue(server.place(store, "b", Kind.MINOR, 300, 0));
    server.turn();
    assertEquals(600, server.used());
    assertTrue(server.place(store, "c", Kind.MINOR, 300, 0));
    assertFalse(server.place(store, "d", Kind.MINOR, 61, 0));
    server.failed(store, "c");
    assertTrue(server.place(store, "c", Kind.MINOR, 300, 0));
  }

  @Test
  void aFileIsChargedBetweenItsCommitAndTheLookThatSeesIt() throws IOException {
    assertTrue(server.flushes(store, "a", 100));
    server.tier.committed(store, new Path(committed), 80, 240);
    assertEquals(240, server.used());
    server.turn();
    assertEquals(0, server.used(), "its flush was given up");
  }

  @Test
  void aFlushThatCameToNothingIsTriedAgainOnDisk() throws IOException {
    long refused = HybridMetrics.get().value(Metric.TIER_REFUSED);
    assertTrue(server.flushes(store, "a", 100));
    assertFalse(server.flushes(store, "b", 100));
    assertEquals(0, server.used());
    assertEquals(refused + 1, HybridMetrics.get().value(Metric.TIER_REFUSED));
    server.seconds += 31;
    assertTrue(server.flushes(store, "c", 100));
  }

  @Test
  void aFilesLifeIsKnownToAServerThatStartsAgain() throws IOException {
    born("a", 100);
    born("b", 1);
    assertEquals(1, server.hdfs.policyReads(store.directory.toString()), "once a store");
    store.compacted("b");
    store.archive();
    server.start(store);
    server.turn();
    assertEquals(300, server.used());
    assertEquals(List.of(), store.rewritten());
    server.later(TierServer.AGE_SECONDS);
    assertEquals(List.of(Set.of("a")), store.rewritten());
    server.turn();
    assertEquals(1, store.rewritten().size(), "it is being compacted");
    store.compacted("a");
    server.turn();
    assertEquals(300, server.used());
    store.archive();
    server.turn();
    assertEquals(300, server.used(), "until HBase should have deleted it");
    server.later(TierServer.ARCHIVE_SECONDS - 20);
    assertEquals(300, server.used());
    server.later(0);
    assertEquals(0, server.used());
    assertEquals(1, store.rewritten().size());
    assertEquals(List.of(), server.hdfs.writes());
  }

  /** HBase's threads are in compactions that take hours. */
  @Test
  void anExitWaitsInHBasesQueueOnce() throws IOException {
    queue.busy = true;
    born("a", 50);
    server.later(TierServer.AGE_SECONDS);
    FakeStore other = old("q");
    for (int turn = 0; turn < 28; turn++) {
      server.later(0);
    }
    assertEquals(2, queue.queued.size(), "one a store");
    queue.run();
    assertEquals(List.of(Set.of("a")), store.rewritten());
    assertEquals(List.of(Set.of("b")), other.rewritten());
  }

  @Test
  void whatClearCompactionQueuesHasDroppedIsRequestedAgain() throws IOException {
    queue.busy = true;
    born("a", 50);
    server.later(TierServer.AGE_SECONDS);
    queue.queued.clear();
    queue.run();
    server.turns(3);
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void noMoreThanFiftyRequestsWait() throws IOException {
    queue.busy = true;
    for (int i = 0; i < 60; i++) {
      old("q" + i);
    }
    server.later(TierServer.AGE_SECONDS);
    server.later(0);
    assertEquals(50, queue.queued.size());
    queue.run();
    server.later(0);
    assertEquals(0, queue.queued.size(), "the rest runs at once");
  }

  /** Of tables that were made read-only, or whose compactions were switched off, say. */
  @Test
  void storesThatHBaseNeverCompactsLeaveTheQueueToOthers() throws IOException {
    for (int i = 0; i < 60; i++) {
      old("q" + i).silent = true;
    }
    born("a", 50);
    server.later(TierServer.AGE_SECONDS);
    for (int turn = 0; turn < 9; turn++) {
      server.later(0);
    }
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  /**
   * HBase flushes each written store once an hour: as many files come due, and all leave. Of the
   * stores there are those that come due in the time of the test.
   */
  @Test
  void aServerOfFifteenThousandWrittenStoresKeepsUp() throws IOException {
    server.seconds = 10_000;
    server.grant(1L << 40, 1L << 40);
    List<FakeStore> all = new ArrayList<>();
    for (int i = 0; i < 1_300; i++) {
      all.add(server.attach("t", "r" + i));
      // Due one after the other, evenly in an hour.
      all.get(i).put("a", 30, server.millis() - 1_000 * TierServer.AGE_SECONDS + 240L * i);
    }
    int next = 0;
    for (int turn = 1; turn <= 30; turn++) {
      server.turn();
      for (; next * 240 <= turn * 10_000; next++) {
        assertEquals(List.of(Set.of("a")), all.get(next).rewritten(), "in turn " + turn);
        all.get(next).compacted("a");
        all.get(next).archive();
      }
    }
    assertEquals(1_251, next, "15,000 an hour");
  }

  @Test
  void aUsersCompactionThatMetAnExitIsRequestedOnceTheExitHasEnded() throws IOException {
    store.exit.userSelects();
    born("a", 50);
    server.later(TierServer.AGE_SECONDS);
    assertEquals(1, store.rewritten().size());
    server.turns(2);
    assertEquals(0, queue.forUsers, "it met none");
    store.exit.userSelects();
    server.turns(2);
    assertEquals(0, queue.forUsers, "the exit runs");
    store.compacted("a");
    server.turns(4);
    assertEquals(1, queue.forUsers);
  }

  @Test
  void aRequestThatFailsEndsNoOther() throws IOException {
    FakeStore other = server.attach("t", "other");
    born("a", 50);
    other.put("b", 150, server.millis());
    queue.refuses = store;
    server.later(TierServer.AGE_SECONDS);
    server.turn();
    assertEquals(List.of(), store.rewritten());
    assertEquals(List.of(Set.of("b")), other.rewritten());
    queue.refuses = null;
    server.turns(10);
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  @Test
  void whereCompactionsAreOffNothingGoesToSsd() throws IOException {
    born("a", 50);
    queue.on = false;
    server.later(TierServer.AGE_SECONDS);
    assertEquals(List.of(), store.rewritten());
    assertFalse(server.flushes(store, "b", 10));
    queue.on = true;
    server.turn();
    assertEquals(1, store.rewritten().size());
    assertTrue(server.flushes(store, "c", 10));
  }

  @Test
  void aTableThatTakesMostGivesWayAboveTheThreshold() throws IOException {
    FakeStore modest = server.attach("modest", "q");
    store.put("g1", 480, server.millis());
    server.turn();
    store.put("g2", 480, server.millis());
    server.turn();
    assertTrue(server.flush(modest, "m1", 37));
    assertEquals(List.of(), store.rewritten());
    server.turn();
    assertEquals(List.of(Set.of("g1", "g2")), store.rewritten());
    assertEquals(List.of(), modest.rewritten());
  }

  @Test
  void othersGrowthShrinksTheShareAndWhatIsThere() throws IOException {
    born("a", 100);
    server.seconds += 600;
    born("b", 50);
    server.turn();
    server.grant(1_200, 0);
    server.turn();
    long over = HybridMetrics.get().value(Metric.TIER_OVER_BUDGET);
    assertFalse(server.flushes(store, "c", 1), "what is there is all there may be");
    assertEquals(over + 1, HybridMetrics.get().value(Metric.TIER_OVER_BUDGET));
    assertEquals(List.of(), store.rewritten());
    server.grant(1_200, -100);
    server.turn();
    assertEquals(List.of(Set.of("a")), store.rewritten());
    server.grant(1_200, 1_000);
    server.turn();
    assertTrue(server.flushes(store, "d", 1));
  }

  @Test
  void theSameGrantIsCountedFromWhereItWasRead() throws IOException {
    server.grant(1_200, 300);
    server.turns(6); // with nothing on SSD the grant is read now and then
    born("a", 100);
    server.turns(2);
    assertFalse(server.flushes(store, "b", 1));
  }

  @Test
  void aGrantThatIsNotRenewedIsNotTrusted() throws IOException {
    born("a", 10);
    server.seconds += TimeUnit.MILLISECONDS.toSeconds(TierState.TRUST_MILLIS);
    server.turn();
    assertFalse(server.tier.open());
    assertFalse(server.flushes(store, "b", 10));
    server.seconds += TierServer.AGE_SECONDS;
    server.turn();
    assertEquals(List.of(), store.rewritten());
    server.later(0);
    assertEquals(1, store.rewritten().size());
    assertTrue(server.flushes(store, "c", 10));
  }

  @Test
  void aDirectoryWithAPolicyForSsdOrErasureCodedIsLeftAlone() throws IOException {
    for (String table : List.of("policy", "coded")) {
      FakeStore its = server.attach(table, "r");
      if (table.equals("coded")) {
        server.hdfs.erasureCoded(its.directory.toString());
      } else {
        server.hdfs.with("/hbase/data/default/policy", 12);
      }
      try (LoggedLines logged = LoggedLines.of(SsdTier.class)) {
        assertFalse(server.flushes(its, "a", 1));
        assertFalse(server.flushes(its, "b", 1));
        assertEquals(1, logged.lines().size(), logged.lines()::toString);
        assertTrue(logged.lines().get(0).startsWith("INFO The SSD tier leaves table " + table));
      }
      assertEquals(0, server.used());
      assertFalse(its.serves());
      assertEquals(List.of(), server.hdfs.writes());
    }
  }

  @Test
  void whereItIsClosedNothingGoesToSsdAndAllLeaves() throws IOException {
    born("a", 10);
    server.grant(TierState.closed("test"));
    server.turn();
    assertFalse(server.flushes(store, "b", 10));
    assertEquals(List.of(Set.of("a")), store.rewritten());
    server.hdfs.removeXattr(TierServer.ROOT, TierState.XATTR);
    server.turn();
    assertFalse(server.flushes(store, "c", 10));
  }

  /** Also data that was on SSD before the plugin came, with no word of a master yet. */
  @Test
  void whereTheMasterLeavesSsdAloneNothingIsRewritten() throws IOException {
    born("a", 80);
    queue.busy = true;
    server.later(TierServer.AGE_SECONDS);
    server.grant(TierState.paused("user data follows ALL_SSD"));
    server.hdfs.writes().clear();
    server.turn();
    queue.run();
    assertEquals(List.of(), store.rewritten(), "what nobody began");
    server.turns(1_000);
    server.hdfs.removeXattr(TierServer.ROOT, TierState.XATTR);
    server.turns(100);
    assertEquals(List.of(), store.rewritten());
    assertEquals(List.of(), server.hdfs.writes());
    assertFalse(server.flushes(store, "b", 1));
    server.later(0);
    assertEquals(List.of(Set.of("a")), store.rewritten(), "it is old by now");
  }

  @Test
  void aStoreThatGoesTakesItsChargesAlong() throws IOException {
    born("a", 50);
    server.turn();
    assertTrue(server.flushes(store, "b", 50));
    server.tier.ledger.detach(store);
    assertTrue(server.tier.ledger.stores().isEmpty());
    assertFalse(server.flushes(store, "c", 100));
    server.turn();
    assertEquals(0, server.used());
  }

  @Test
  void aStoreThatCannotBeLookedAtDoesNotKeepOthersOnSsd() throws IOException {
    FakeStore other = server.attach("other", "q");
    store.put("a", 300, server.millis());
    other.put("b", 300, server.millis());
    server.turn();
    store.broken = true;
    server.later(TierServer.AGE_SECONDS);
    assertEquals(List.of(Set.of("b")), other.rewritten());
    assertEquals(600, server.used(), "as at the last look");
    store.broken = false;
    server.turn();
    assertEquals(List.of(Set.of("a")), store.rewritten());
  }

  /** A region was split: both daughters refer to the parent's file. */
  @Test
  void whatDaughtersReferToIsChargedOnceUntilHBaseShouldHaveDeletedIt() throws IOException {
    Path parent = new Path("/hbase/data/default/t/parent/f/a");
    List<FakeStore> daughters = List.of(server.store("t", "r4"), server.store("t", "r5"));
    for (FakeStore daughter : daughters) {
      daughter.put(FakeStore.reference(new Path(daughter.directory, "a.parent"), parent, 900));
      server.tier.attach(daughter);
      assertTrue(server.used() >= 900, "at once");
      assertFalse(server.flushes(store, "f", 101), "no room beside it");
    }
    server.turn();
    assertEquals(900, server.used());
    server.later(TierServer.AGE_SECONDS);
    daughters.forEach(one -> assertEquals(List.of(), one.rewritten(), "HBase compacts it soon"));
    daughters.get(0).compacted("a.parent");
    server.turn();
    assertEquals(900, server.used(), "the other one needs it");
    daughters.get(1).compacted("a.parent");
    daughters.forEach(FakeStore::archive);
    server.turn();
    assertEquals(900, server.used(), "until HBase has deleted it");
    assertTrue(server.flush(store, "m", 100));
    server.later(TierServer.ARCHIVE_SECONDS);
    assertEquals(300, server.used());
  }
}
