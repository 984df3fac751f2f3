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
import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of hot rows in the SSD tier: a share of their own, at any age, and how they leave. */
@InterfaceAudience.Private
class HotTierTest {
  private static final Path ROOT = new Path("/hbase");
  private static final String STORE = "/hbase/data/default/t/r/f";
  private static final String OTHER = "/hbase/data/default/t/q/f";
  private static final long AGE = TimeUnit.HOURS.toMillis(1);

  private final FakeStore store = new FakeStore("t", new Path(STORE), AGE, StoragePolicy.ONE_SSD);
  private final FakeStore other = new FakeStore("t", new Path(OTHER), AGE, StoragePolicy.ONE_SSD);
  private FakeNamespace hdfs;
  private SsdTier tier;
  private long seconds = 1_000;
  private final FakeQueue queue = new FakeQueue(() -> TimeUnit.SECONDS.toMillis(seconds));

  @BeforeEach
  void make() throws IOException {
    hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0).with("/hbase/data", 7);
    hdfs.with(STORE, 0).with(OTHER, 0);
    say(1_200);
    start();
    turn();
    hdfs.writes().clear();
  }

  /** A server starts and opens both regions. */
  private void start() {
    tier = FakeQueue.tier("s", hdfs, queue, 1_500, () -> seconds);
    tier.attach(store);
    tier.attach(other);
  }

  private void say(long share) throws IOException {
    TierState.open(share, 1_000_000, TimeUnit.SECONDS.toMillis(seconds), "master")
        .writeTo(hdfs, ROOT);
  }

  private void turn() throws IOException {
    seconds += 10;
    tier.doWork();
  }

  private void turns(long share) throws IOException {
    for (int i = 0; i < 3; i++) {
      say(share);
      turn();
    }
  }

  private static Path tmp(String name) {
    return new Path("/hbase/data/default/t/r/.tmp/f/" + name);
  }

  private boolean place(String name, long bytes, long replaced) throws IOException {
    hdfs.file(tmp(name).toString(), 0, true);
    return tier.place(store, tmp(name), new NewStoreFile(NewStoreFile.Kind.HOT, bytes, replaced));
  }

  private void has(FakeStore in, String directory, String name, long bytes, boolean hot) {
    Path path = new Path(directory + "/" + name);
    hdfs.file(
        path.toString(),
        StoragePolicy.ONE_SSD.id(),
        false,
        new FileBlocks.Block(bytes, StorageType.SSD));
    long written = TimeUnit.SECONDS.toMillis(seconds);
    in.put(hot ? FakeStore.hot(path, bytes, written) : FakeStore.young(path, bytes, written, AGE));
  }

  @Test
  void aHotFileHasItsOwnPolicyAndAMark() throws IOException {
    assertTrue(place("h", 100, 0));
    assertTrue(hdfs.writes().contains("set " + tmp("h") + " ONE_SSD"), hdfs.writes()::toString);
    assertTrue(hdfs.writes().contains("hot " + tmp("h")), hdfs.writes()::toString);
    assertEquals(100, tier.ledger.used());
  }

  @Test
  void allOfThemTakeHalfOfTheShare() throws IOException {
    assertTrue(place("h", 400, 0));
    assertEquals(200, tier.ledger.hotRoom(store, true, 0));
    assertFalse(place("i", 201, 0));
    assertTrue(place("i", 200, 0));
    assertEquals(0, tier.ledger.hotRoom(store, true, 0));
  }

  /** The old one is on SSD until HBase has deleted it, and so charged. */
  @Test
  void oneThatReplacesAnotherHasItsPartOfTheShare() throws IOException {
    has(store, STORE, "h", 450, true);
    turn();
    assertEquals(150, tier.ledger.hotRoom(store, true, 0));
    assertEquals(
        960 - 450, tier.ledger.hotRoom(store, true, 450), "four fifths of all, beside the old one");
    assertEquals(960 - 450, tier.hotRoom(store, 450));
    assertTrue(place("i", 450, 450));
    turn();
    assertFalse(store.hotLeaves, "while it is written");
    assertEquals(900, tier.ledger.used());
    assertFalse(place("j", 100, 0), "SSD has both files");
    becomes("h", "i", 450);
    turn();
    assertFalse(store.hotLeaves, "when it is committed");
    turns(1_200);
    assertFalse(store.hotLeaves);
    assertEquals(List.of(), store.rewritten());
    assertEquals(
        60, tier.ledger.hotRoom(store, true, 0), "the old one is there until HBase deletes it");
  }

  /** A compaction has replaced a hot file by another, which HBase has opened. */
  private void becomes(String old, String name, long bytes) {
    has(store, STORE, name, bytes, true);
    store.compacted(old);
    tier.committed(store, new Path(STORE, name), bytes, bytes);
  }

  @Test
  void aRenewalTakesNothingOfOtherHotFiles() throws IOException {
    has(store, STORE, "h", 250, true);
    has(other, OTHER, "o", 200, true);
    turn();
    assertTrue(place("i", 250, 250));
    turn();
    assertFalse(store.hotLeaves || other.hotLeaves);
    assertEquals(
        960 - 700, tier.ledger.hotRoom(other, true, 200), "four fifths of all, beside three");
    becomes("h", "i", 250);
    turn();
    assertFalse(store.hotLeaves || other.hotLeaves);
  }

  /** It may be larger than the one that it replaces: that much is new. */
  @Test
  void whatARenewalAddsCounts() throws IOException {
    has(store, STORE, "h", 250, true);
    has(other, OTHER, "o", 200, true);
    turn();
    assertTrue(place("i", 300, 250));
    assertEquals(100, tier.ledger.hotRoom(store, true, 0));
    tier.failed(store.key(tmp("i")), false);
    assertEquals(150, tier.ledger.hotRoom(store, true, 0));
  }

  @Test
  void itStaysAtAnyAgeAndBesideYoungFiles() throws IOException {
    has(store, STORE, "h", 500, true);
    has(store, STORE, "young", 300, false);
    turns(1_200);
    seconds += TimeUnit.HOURS.toSeconds(3);
    turns(1_200);
    assertEquals(List.of(Set.of("young")), store.rewritten());
    assertEquals(800, tier.ledger.used());
  }

  @Test
  void aClosedTierDrainsIt() throws IOException {
    has(store, STORE, "h", 500, true);
    turns(1_200);
    TierState.closed("SSD is needed").writeTo(hdfs, ROOT);
    for (int i = 0; i < 3; i++) {
      turn();
    }
    assertEquals(Set.of("h"), store.rewritten().get(0));
    assertEquals(0, tier.ledger.hotRoom(store, true, 0));
  }

  /** Without a word from the master files stay. */
  @Test
  void aTierThatIsOnlyLeftDoesNot() throws IOException {
    has(store, STORE, "h", 500, true);
    turns(1_200);
    TierState.paused("the master has not opened it").writeTo(hdfs, ROOT);
    for (int i = 0; i < 3; i++) {
      turn();
    }
    assertEquals(List.of(), store.rewritten());
  }

  /** A server knows no share before it has read the first grant. */
  @Test
  void aServerThatStartsKeepsThem() throws IOException {
    has(store, STORE, "h", 500, true);
    start();
    turns(1_200);
    assertFalse(store.hotLeaves);
    assertEquals(List.of(), store.rewritten());
  }

  /** Nor does it know one while the grant is paused. */
  @Test
  void aTierThatOpensAgainKeepsThem() throws IOException {
    has(store, STORE, "h", 500, true);
    turns(1_200);
    TierState.paused("space is not known").writeTo(hdfs, ROOT);
    turn();
    turn();
    turns(1_200);
    assertFalse(store.hotLeaves);
    assertEquals(List.of(), store.rewritten());
  }

  @Test
  void whereTheShareShrinksAsManyLeaveAsHaveTo() throws IOException {
    has(store, STORE, "h", 300, true);
    has(other, OTHER, "i", 300, true);
    turns(1_200);
    turns(800);
    List<Set<String>> rewritten = new ArrayList<>(store.rewritten());
    rewritten.addAll(other.rewritten());
    assertEquals(1, rewritten.size(), rewritten::toString);
    assertTrue(store.hotLeaves != other.hotLeaves);
  }

  @Test
  void aCompactionForHotRowsIsAskedForOnlyIfNothingWaits() throws IOException {
    queue.busy = true;
    tier.compactWhole(store);
    tier.compactWhole(other);
    assertEquals(1, queue.majors.size(), "one waits");
    queue.run();
    assertEquals(1, store.whole());
    tier.compactWhole(other);
    assertEquals(1, other.whole());
    queue.on = false;
    turn();
    tier.compactWhole(other);
    assertEquals(1, other.whole());
  }

  /** A hot file under ONE_SSD whose block HDFS has allocated so. */
  private void closes(String name, int replicas, int onSsd) throws IOException {
    assertTrue(place(name, 100, 0));
    hdfs.allocates(tmp(name).toString(), replicas, onSsd);
    hdfs.file(STORE + "/" + name, 100, StorageType.SSD);
    tier.committed(store, new Path(STORE, name), 100, 100L * onSsd);
    turn();
  }

  private boolean isFreed(String name) {
    return hdfs.writes().contains("unset " + STORE + "/" + name);
  }

  /** HDFS writes one replica on full SSDs, and repairs none under that policy. */
  @Test
  void oneWithASingleReplicaLosesItsPolicy() throws IOException {
    closes("h", 1, 0);
    closes("i", 1, 1);
    assertTrue(isFreed("h") && isFreed("i"), hdfs.writes()::toString);
  }

  @Test
  void oneOnDiskLosesItsPolicyAndAnyOtherKeepsIt() throws IOException {
    closes("h", 3, 1);
    closes("i", 2, 1);
    closes("j", 3, 0);
    assertTrue(!isFreed("h") && !isFreed("i") && isFreed("j"), hdfs.writes()::toString);
    assertTrue(tier.ledger.hotRoom(store, true, 0) > 0);
  }

  @Test
  void aQuotaKeepsTheLastFifthFree() {
    assertEquals(100, TierQuota.of(1_000, 1_000, 0).hotRoom(700, 100, 0));
  }
}
