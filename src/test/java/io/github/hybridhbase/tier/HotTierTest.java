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

import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.tier.NewStoreFile.Kind;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files of hot rows in the SSD tier: a share of their own, at any age, and how they leave. */
@InterfaceAudience.Private
class HotTierTest {
  private final TierServer server = new TierServer();
  private final FakeQueue queue = (FakeQueue) server.queue;
  private final FakeStore store = server.store("t", "r", StoragePolicy.ONE_SSD);
  private final FakeStore other = server.store("t", "q", StoragePolicy.ONE_SSD);

  @BeforeEach
  void open() throws IOException {
    server.start(store, other);
    server.grant(1_200, 1_000_000);
    server.turn();
    server.hdfs.writes().clear();
  }

  /** Some turns with this share. */
  private void turns(long share) throws IOException {
    for (int i = 0; i < 3; i++) {
      server.grant(share, 1_000_000);
      server.turn();
    }
  }

  private boolean place(String name, long bytes, long replaced) throws IOException {
    return server.place(store, name, Kind.HOT, bytes, replaced);
  }

  private long room(FakeStore of, long replaced) {
    return server.tier.hotRoom(of, replaced);
  }

  private void hasHot(FakeStore in, String name, long bytes) {
    in.put(FakeStore.hot(new Path(in.directory, name), bytes, server.millis()));
  }

  /** A compaction has replaced a hot file by another, which HBase has opened. */
  private void becomes(String old, String name, long bytes) {
    hasHot(store, name, bytes);
    store.compacted(old);
    server.tier.committed(store, new Path(store.directory, name), bytes, bytes);
  }

  private void assertAllStay() {
    assertFalse(store.hotLeaves || other.hotLeaves);
    assertEquals(List.of(), store.rewritten());
  }

  @Test
  void aHotFileHasItsOwnPolicyAMarkAndHalfOfTheShare() throws IOException {
    assertTrue(place("h", 400, 0));
    Path tmp = TierServer.tmp(store, "h");
    assertEquals(List.of("hot " + tmp, "set " + tmp + " ONE_SSD"), server.hdfs.writes());
    assertEquals(400, server.used());
    assertEquals(200, room(store, 0));
    assertFalse(place("i", 201, 0));
    assertTrue(place("i", 200, 0));
    assertEquals(0, room(store, 0));
  }

  /** The old one is on SSD until HBase has deleted it, and so charged. */
  @Test
  void oneThatReplacesAnotherHasItsPartOfTheShare() throws IOException {
    hasHot(store, "h", 450);
    server.turn();
    assertEquals(150, room(store, 0));
    assertEquals(960 - 450, room(store, 450), "four fifths of all, beside the old one");
    assertTrue(place("i", 450, 450));
    server.turn();
    assertAllStay();
    assertEquals(900, server.used());
    assertFalse(place("j", 100, 0), "SSD has both files");
    becomes("h", "i", 450);
    server.turn();
    assertAllStay();
    turns(1_200);
    assertAllStay();
    assertEquals(60, room(store, 0), "the old one is there until HBase deletes it");
  }

  @Test
  void aRenewalTakesNothingOfOtherHotFiles() throws IOException {
    hasHot(store, "h", 250);
    hasHot(other, "o", 200);
    server.turn();
    assertTrue(place("i", 250, 250));
    server.turn();
    assertAllStay();
    assertEquals(960 - 700, room(other, 200), "four fifths of all, beside three");
    becomes("h", "i", 250);
    server.turn();
    assertAllStay();
  }

  /** It may be larger than the one that it replaces: that much is new. */
  @Test
  void whatARenewalAddsCounts() throws IOException {
    hasHot(store, "h", 250);
    hasHot(other, "o", 200);
    server.turn();
    assertTrue(place("i", 300, 250));
    assertEquals(100, room(store, 0));
    server.failed(store, "i");
    assertEquals(150, room(store, 0));
  }

  @Test
  void itStaysAtAnyAgeAndBesideYoungFiles() throws IOException {
    hasHot(store, "h", 500);
    store.put("young", 300, server.millis());
    turns(1_200);
    server.seconds += 3 * TierServer.AGE_SECONDS;
    turns(1_200);
    assertEquals(List.of(Set.of("young")), store.rewritten());
    assertEquals(800, server.used());
  }

  @Test
  void aClosedTierDrainsIt() throws IOException {
    hasHot(store, "h", 500);
    turns(1_200);
    server.grant(TierState.closed("SSD is needed"));
    server.turns(3);
    assertEquals(Set.of("h"), store.rewritten().get(0));
    assertEquals(0, room(store, 0));
  }

  /** A server knows no share before it has read the first grant, nor while that is paused. */
  @Test
  void withoutAGrantItStays() throws IOException {
    hasHot(store, "h", 500);
    server.start(store, other);
    turns(1_200);
    assertAllStay();
    server.grant(TierState.paused("space is not known"));
    server.turns(3);
    assertAllStay();
    turns(1_200);
    assertAllStay();
  }

  @Test
  void whereTheShareShrinksAsManyLeaveAsHaveTo() throws IOException {
    hasHot(store, "h", 300);
    hasHot(other, "i", 300);
    turns(1_200);
    assertAllStay();
    turns(800);
    assertEquals(1, store.rewritten().size() + other.rewritten().size());
    assertTrue(store.hotLeaves != other.hotLeaves);
  }

  @Test
  void aCompactionForHotRowsIsRequestedOnlyIfNothingWaits() throws IOException {
    queue.busy = true;
    server.tier.compactWhole(store);
    server.tier.compactWhole(other);
    assertEquals(1, queue.majors.size(), "one waits");
    queue.run();
    assertEquals(1, store.whole);
    server.tier.compactWhole(other);
    assertEquals(1, other.whole);
    queue.on = false;
    server.turn();
    server.tier.compactWhole(other);
    assertEquals(1, other.whole);
  }

  /**
   * One on DISK loses its policy, and one with a single replica: HDFS writes one replica on full
   * SSDs, and repairs none under that policy.
   */
  @ParameterizedTest
  @CsvSource({"1, 0, true", "1, 1, true", "3, 1, false", "2, 1, false", "3, 0, true"})
  void oneThatFellLosesItsPolicy(int replicas, int onSsd, boolean freed) throws IOException {
    assertTrue(place("h", 100, 0));
    server.commit(store, "h", 100, replicas, onSsd);
    assertEquals(freed, server.hdfs.writes().contains("unset " + store.directory + "/h"), "freed");
    server.turn();
    assertTrue(room(store, 0) > 0);
  }
}
