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
import io.github.hybridhbase.runtime.HybridSettings;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.Store;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionLifeCycleTracker;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionRequestImpl;
import org.apache.hadoop.hbase.regionserver.throttle.NoLimitThroughputController;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exits of a store of HBase's own, in a region on the local file system. */
@InterfaceAudience.Private
class StoreExitTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir java.nio.file.Path directory;

  private WALFactory wals;
  private HRegion region;
  private HStore store;
  private HybridStoreEngine engine;
  private TierStore served;

  @BeforeEach
  void create() throws Exception {
    Configuration conf = HBaseConfiguration.create();
    Path root = new Path(directory.toUri());
    conf.set(HConstants.HBASE_DIR, root.toString());
    conf.setBoolean(WALFactory.WAL_ENABLED, false);
    // Every compaction is what HBase calls large.
    conf.setLong("hbase.regionserver.thread.compaction.throttle", 1);
    conf.setBoolean("hbase.hregion.memstore.mslab.enabled", false);
    conf.setInt("hbase.hstore.compaction.min", 10);
    HybridStoreEngine.nameIn(conf);
    TableDescriptor table =
        TableDescriptorBuilder.newBuilder(TableName.valueOf("t"))
            .setColumnFamily(ColumnFamilyDescriptorBuilder.of(FAMILY))
            .build();
    RegionInfo info = RegionInfoBuilder.newBuilder(table.getTableName()).build();
    wals = new WALFactory(conf, "test");
    region = HRegion.createHRegion(info, root, conf, table, wals.getWAL(info));
    store = region.getStore(FAMILY);
    HybridSettings settings = HybridSettings.read(conf);
    FakeNamespace hdfs = new FakeNamespace().with("/", 0).with("/hbase", 0);
    FakeQueue queue = new FakeQueue(() -> 0);
    SsdTier tier = new SsdTier("s", new Path("/hbase"), hdfs, queue, settings, 1, () -> 0, () -> 0);
    engine = HybridStoreEngine.of(store).orElseThrow();
    engine.attach(tier, settings);
    served = engine.served().orElseThrow();
    for (int file = 0; file < 3; file++) {
      region.put(new Put(Bytes.toBytes("row" + file)).addColumn(FAMILY, FAMILY, FAMILY));
      region.flush(true);
    }
    assertEquals(3, store.getStorefilesCount());
  }

  @AfterEach
  void close() throws IOException {
    region.close();
    wals.close();
  }

  /** The oldest file is on SSD and has to go. */
  private void oldestLeaves() throws ReflectiveOperationException {
    HStoreFile oldest =
        store.getStorefiles().stream()
            .min(Comparator.comparingLong(HStoreFile::getMaxSequenceId))
            .orElseThrow();
    TierFile file = FakeStore.young(oldest.getPath(), "t", 30, 1_000, 0);
    Field known = TierStore.class.getDeclaredField("known");
    known.setAccessible(true);
    known.set(served, Map.of(file.key(), file));
    served.exit.wish(1_000);
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
    served.exit.wish(StoreExit.NONE);
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
    assertFalse(served.exit.hasMetUser());
    served.exit.selectsForced(Set.of());

    Optional<CompactionContext> exit = select(Store.NO_PRIORITY);
    assertEquals("minor of 1", of(exit));
    String name = exit.orElseThrow().getRequest().getFiles().iterator().next().getPath().getName();
    served.exit.begins(Set.of(name));
    store.triggerMajorCompaction();
    select(Store.PRIORITY_USER).ifPresent(store::cancelRequestedCompaction);
    assertTrue(served.exit.hasMetUser());
    assertFalse(served.exit.isUserDue(Set.of(name)));
    cancel(exit);
    assertTrue(served.exit.isUserDue(Set.of()));
    assertFalse(served.exit.hasMetUser(), "once");
    assertEquals("major of 3", of(select(Store.PRIORITY_USER)));
  }

  @Test
  void whatACoprocessorSelectsIsCompacted() throws Exception {
    oldestLeaves();
    CompactionContext context = engine.createCompaction();
    context.forceSelect(new CompactionRequestImpl(List.copyOf(store.getStorefiles())));
    assertEquals("minor of 3", of(Optional.of(context)));
  }

  @Test
  void aWholeCompactionForHotRowsTakesAllFiles() throws Exception {
    served.exit.wishWhole(true);
    Optional<CompactionContext> whole = select(Store.NO_PRIORITY);
    assertEquals("minor of 3", of(whole));
    assertTrue(whole.orElseThrow().getRequest().isAllFiles());
    assertTrue(select(Store.NO_PRIORITY).isEmpty(), "its files are being compacted");
    assertFalse(served.exit.whole());
  }

  private static final long TURN = TimeUnit.SECONDS.toNanos(10);

  private static boolean mayRequest(StoreExit exit, int turn, boolean queueEmpty, String... files) {
    return exit.mayRequest(turn * TURN, queueEmpty, Set.of(files), Set.of("a"));
  }

  @Test
  @DisplayName("a request counts as lost once HBase's queue is empty, or after 30 turns")
  void lostRequest() {
    StoreExit exit = new StoreExit(TURN);
    assertTrue(mayRequest(exit, 1, true));
    exit.requested(TURN);
    assertFalse(mayRequest(exit, 1, true));
    assertTrue(mayRequest(exit, 2, true));
    exit.requested(2 * TURN);
    assertFalse(mayRequest(exit, 31, false));
    assertTrue(mayRequest(exit, 32, false));
  }

  @Test
  @DisplayName("a request that is lost three times in a row is repeated at growing intervals")
  void requestLostAgainAndAgain() {
    StoreExit exit = new StoreExit(TURN);
    int turn = 1;
    for (int pause : new int[] {0, 0, 0, 3, 6, 12, 24, 48, 96, 96}) {
      assertTrue(mayRequest(exit, turn, true), "turn " + turn);
      exit.requested(turn * TURN);
      turn++;
      for (int wait = 0; wait < pause; wait++) {
        assertFalse(mayRequest(exit, turn++, true), "turn " + turn);
      }
    }
    assertTrue(mayRequest(exit, turn, true));
    exit.requested(turn * TURN);
    exit.begins(Set.of("b"));
    assertTrue(mayRequest(exit, turn + 1, true), "b has left");
    exit.requested((turn + 1) * TURN);
    assertTrue(mayRequest(exit, turn + 2, true), "lost once");
  }

  @Test
  @DisplayName("what fails is requested again after 3 turns, then 6, and at most 96")
  void failedExit() {
    StoreExit exit = new StoreExit(TURN);
    int turn = 1;
    for (int pause : new int[] {3, 6, 12, 24, 48, 96, 96}) {
      assertTrue(mayRequest(exit, turn, true), "turn " + turn);
      exit.requested(turn * TURN);
      exit.begins(Set.of("a"));
      assertFalse(mayRequest(exit, turn + 100, true, "a"), "it runs");
      turn += 200;
      assertFalse(mayRequest(exit, turn, true), "a is there still");
      assertFalse(mayRequest(exit, turn + pause - 1, true));
      turn += pause;
    }
    exit.requested(turn * TURN);
    exit.begins(Set.of("b"));
    assertTrue(mayRequest(exit, turn + 1, true), "b has left");
  }
}
