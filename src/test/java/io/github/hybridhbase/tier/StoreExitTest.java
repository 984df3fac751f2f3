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

import io.github.hybridhbase.hot.LocalRegion;
import io.github.hybridhbase.runtime.HybridSettings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Exits of a store of HBase's own, in a region on the local file system. */
@InterfaceAudience.Private
class StoreExitTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;

  private LocalRegion region;
  private HStore store;
  private HybridStoreEngine engine;
  private TierStore served;

  @BeforeEach
  void open() throws Exception {
    region =
        LocalRegion.scratch(
            ColumnFamilyDescriptorBuilder.of(FAMILY),
            conf -> {
              conf.set(StoreEngine.STORE_ENGINE_CLASS_KEY, HybridStoreEngine.class.getName());
              // Every compaction is what HBase calls large.
              conf.setLong("hbase.regionserver.thread.compaction.throttle", 1);
              conf.setInt("hbase.hstore.compaction.min", 10);
            });
    store = region.store();
    engine = HybridStoreEngine.of(store).orElseThrow();
    engine.attach(new TierServer().tier, HybridSettings.read(region.conf()));
    served = engine.tiered;
    for (int file = 0; file < 3; file++) {
      region.region().put(new Put(Bytes.toBytes("row" + file)).addColumn(FAMILY, FAMILY, FAMILY));
      region.flush();
    }
    assertEquals(3, store.getStorefilesCount());
  }

  @AfterEach
  void close() throws IOException {
    region.close();
  }

  /** The oldest file is on SSD and has to go. */
  private void oldestLeaves() throws ReflectiveOperationException {
    HStoreFile oldest =
        store.getStorefiles().stream()
            .min(Comparator.comparingLong(HStoreFile::getMaxSequenceId))
            .orElseThrow();
    TierFile file = FakeStore.young(oldest.getPath(), 30, 1_000, 0);
    Field known = TierStore.class.getDeclaredField("known");
    known.setAccessible(true);
    known.set(served, Map.of(file.key(), file));
    served.exit.leaveBy = 1_000;
  }

  private Optional<CompactionContext> select(int priority) throws IOException {
    return store.requestCompaction(priority, CompactionLifeCycleTracker.DUMMY, null);
  }

  private static String of(Optional<CompactionContext> selected) {
    CompactionRequestImpl request = selected.orElseThrow().getRequest();
    return (request.isMajor() ? "major of " : "minor of ") + request.getFiles().size();
  }

  /** As HBase's thread for small compactions does, which then asks the one for large ones. */
  private void cancel(Optional<CompactionContext> selected) {
    store.cancelRequestedCompaction(selected.orElseThrow());
  }

  @Test
  void anExitSelectsAgainAfterHBaseHasMovedItToTheQueueOfLargeOnes() throws Exception {
    oldestLeaves();
    for (int i = 0; i < 2; i++) {
      Optional<CompactionContext> exit = select(Store.NO_PRIORITY);
      assertEquals("minor of 1", of(exit));
      cancel(exit);
    }
    served.exit.leaveBy = StoreExit.NONE;
    assertTrue(select(Store.NO_PRIORITY).isEmpty());
  }

  /** HBase forgets that it was forced when it cancels. */
  @Test
  @DisplayName("a major compaction that HBase remembers outlives the move to the other queue")
  void rememberedMajor_outlivesCancel() throws Exception {
    oldestLeaves();
    store.triggerMajorCompaction();
    Optional<CompactionContext> small = select(Store.NO_PRIORITY);
    assertEquals("major of 3", of(small));
    cancel(small);
    Optional<CompactionContext> large = select(Store.NO_PRIORITY);
    assertEquals("major of 3", of(large), "and no exit");
    large.orElseThrow().compact(NoLimitThroughputController.INSTANCE, null);
    cancel(large);
    assertEquals("minor of 1", of(select(Store.NO_PRIORITY)), "once");
  }

  @Test
  void aMajorCompactionThatWasCancelledIsRememberedBesideAnother() throws Exception {
    store.triggerMajorCompaction();
    cancel(select(Store.NO_PRIORITY));
    Field field = HStore.class.getDeclaredField("filesCompacting");
    field.setAccessible(true);
    @SuppressWarnings("unchecked")
    List<HStoreFile> compacting = (List<HStoreFile>) field.get(store);
    compacting.add(store.getStorefiles().iterator().next());
    assertTrue(select(Store.NO_PRIORITY).isEmpty());
    compacting.clear();
    assertEquals("major of 3", of(select(Store.NO_PRIORITY)));
  }

  @Test
  void aUsersCompactionThatMeetsAnExitIsDueAfterIt() throws Exception {
    oldestLeaves();
    store.triggerMajorCompaction();
    Optional<CompactionContext> user = select(Store.PRIORITY_USER);
    assertEquals("major of 3", of(user));
    cancel(user);
    assertFalse(isUserDue(), "it met none");
    served.exit.majorWaits = false;

    Optional<CompactionContext> exit = select(Store.NO_PRIORITY);
    assertEquals("minor of 1", of(exit));
    served.exit.begins();
    store.triggerMajorCompaction();
    select(Store.PRIORITY_USER).ifPresent(store::cancelRequestedCompaction);
    assertFalse(isUserDue(), "the exit runs");
    served.exit.ends();
    cancel(exit);
    assertTrue(isUserDue());
    assertFalse(isUserDue(), "once");
    assertEquals("major of 3", of(select(Store.PRIORITY_USER)));
  }

  /** In the second turn: HBase commits the exit after its end. */
  private boolean isUserDue() {
    return !served.exit.isUserDue() && served.exit.isUserDue();
  }

  @Test
  void whatACoprocessorSelectsIsCompacted() throws Exception {
    oldestLeaves();
    CompactionContext context = engine.createCompaction();
    context.forceSelect(new CompactionRequestImpl(List.copyOf(store.getStorefiles())));
    assertEquals("minor of 3", of(Optional.of(context)));
  }

  private static final long TURN = TimeUnit.SECONDS.toNanos(10);

  private static boolean mayRequest(StoreExit exit, int turn, boolean queueEmpty) {
    return exit.mayRequest(turn * TURN, queueEmpty);
  }

  @Test
  @DisplayName("a request counts as lost once HBase's queue is empty, or after 30 turns")
  void lostRequest() {
    StoreExit exit = new StoreExit(TURN);
    exit.requested(TURN);
    assertFalse(mayRequest(exit, 3, true), "lost, but not yet repeated");
    assertTrue(mayRequest(exit, 4, true));
    exit.requested(4 * TURN);
    assertFalse(mayRequest(exit, 33, false));
    assertTrue(mayRequest(exit, 34, false));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @DisplayName("what is lost or fails is requested again after 3 turns, then 6, and at most 96")
  void failedExit(boolean lost) {
    StoreExit exit = new StoreExit(TURN);
    int turn = 1;
    for (int pause : new int[] {3, 6, 12, 24, 48, 96, 96}) {
      assertTrue(mayRequest(exit, turn, true), "turn " + turn);
      exit.requested(turn * TURN);
      if (!lost) {
        exit.begins();
        assertFalse(mayRequest(exit, turn + 100, true), "it runs");
        exit.fails();
      }
      assertFalse(mayRequest(exit, turn + pause - 1, true));
      turn += pause;
    }
    exit.requested(turn * TURN);
    exit.begins();
    exit.ends();
    assertTrue(mayRequest(exit, turn, true));
    exit.requested(turn * TURN);
    exit.declines();
    assertFalse(mayRequest(exit, turn + 2, true));
    assertTrue(mayRequest(exit, turn + 3, true), "the pauses begin anew");
  }
}
