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

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.tier.drain.CompactionPool;
import io.github.hybridhbase.tier.drain.ExitRequest;
import io.github.hybridhbase.tier.drain.ExitRequest.Outcome;
import io.github.hybridhbase.tier.drain.Retry;
import io.github.hybridhbase.tier.drain.StoreView;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
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
class StoreViewTest {
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @TempDir java.nio.file.Path directory;

  private WALFactory wals;
  private HRegion region;
  private HStore store;
  private StoreView open;

  /** What was compacted: how many files, and whether by a major compaction. */
  private final List<String> compacted = new ArrayList<>();

  private final CompactionPool pool =
      new CompactionPool(null) {
        @Override
        public int waiting() {
          return 0;
        }

        @Override
        public boolean on() {
          return true;
        }

        @Override
        public boolean execute(boolean large, Runnable task) {
          throw new UnsupportedOperationException();
        }

        @Override
        public void compact(HStore of, CompactionContext selected) {
          compacted.add(
              (selected.getRequest().isMajor() ? "major of " : "minor of ")
                  + selected.getRequest().getFiles().size());
          of.cancelRequestedCompaction(selected);
        }
      };

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
    SsdTier tier =
        new SsdTier(
            "s", new Path("/hbase"), hdfs, pool, settings, 1, new Retry(1, 1), () -> 0, () -> 0);
    HybridStoreEngine engine = HybridStoreEngine.of(store).orElseThrow();
    engine.attach(tier, settings);
    open = (StoreView) field(field(engine, "attachment"), "open");
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

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  /** The oldest file has to go. */
  private ExitRequest oldest() {
    String name =
        store.getStorefiles().stream()
            .min(Comparator.comparingLong(HStoreFile::getMaxSequenceId))
            .orElseThrow()
            .getPath()
            .getName();
    return new ExitRequest(Map.of(name, 1_000L), 1_000, 1_000, false);
  }

  /**
   * A user asked for a major compaction while files were being compacted, so that HBase remembers
   * it for the next selection; an exit selects next, and leaves it to the thread of large ones.
   */
  @Test
  @DisplayName("a major compaction that HBase remembers runs on the thread of large ones")
  void rememberedMajor_runsOnLargeThread() throws IOException {
    store.triggerMajorCompaction();
    ExitRequest small = oldest();
    open.rewrite(small, pool, false);
    assertEquals(Outcome.LARGE, small.outcome());
    assertEquals(List.of(), compacted);
    open.rewrite(oldest(), pool, true);
    assertEquals(List.of("major of 3"), compacted);
  }

  @Test
  void anExitThatIsLargeAsksForNoMajorCompaction() throws IOException {
    ExitRequest small = oldest();
    open.rewrite(small, pool, false);
    assertEquals(Outcome.LARGE, small.outcome());
    open.rewrite(oldest(), pool, true);
    assertEquals(List.of("minor of 1"), compacted);
  }
}
