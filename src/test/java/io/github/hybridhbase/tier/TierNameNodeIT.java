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
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.ScanPace;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.test.LambdaTestUtils.VoidCallable;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the SSD tier and the master's scan ask of a real NameNode, by its own counters. */
@InterfaceAudience.Private
class TierNameNodeIT {
  private static final Logger LOG = LoggerFactory.getLogger(TierNameNodeIT.class);
  private static final int REGIONS = 50;
  private static final String[] CALLS = {
    "GetFileInfo", "GetListing", "GetXAttrs", "GetBlockLocations",
    "SetStoragePolicy", "UnsetStoragePolicy", "SetXAttr", "SetTimes"
  };

  private static TypedCluster cluster;
  private static StorageNamespace hdfs;
  private static Path root;

  @BeforeAll
  static void start() throws Exception {
    cluster = TypedCluster.spec().plugin().startHdfs();
    hdfs = StorageNamespace.of(cluster.fs()).orElseThrow();
    root = cluster.rootDir();
    for (int region = 0; region < REGIONS; region++) {
      cluster.fs().mkdirs(directory(region));
      cluster.fs().mkdirs(new Path(directory(region).getParent(), ".tmp/f"));
      cluster.fs().mkdirs(new Path(directory(region).getParent(), "recovered.edits"));
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (cluster != null) {
      cluster.close();
    }
  }

  private static Path directory(int region) {
    return new Path(root, String.format("data/default/t/%032x/f", region));
  }

  private static FakeStore attach(TierServer server, int region) {
    FakeStore store =
        new FakeStore("t", directory(region), TimeUnit.SECONDS.toMillis(TierServer.AGE_SECONDS));
    server.tier.attach(store);
    return store;
  }

  private static Map<String, Long> callsOf(String what, VoidCallable work) throws Exception {
    Map<String, Long> asked = new NameNodeCalls(cluster, CALLS).of(work);
    LOG.info("NameNode calls of {}: {}", what, asked);
    return asked;
  }

  @Tag("long")
  @Test
  void anIdleHourCostsTheMastersWordAndOneScan() throws Exception {
    TierServer server = new TierServer(hdfs, root);
    for (int region = 0; region < REGIONS; region++) {
      attach(server, region);
    }
    Map<String, Long> tier =
        callsOf("an idle server's hour", () -> server.turns(TierServer.AGE_SECONDS / 10));
    assertEquals(Map.of("GetXAttrs", 60L), tier);

    for (int file = 0; file < 350; file++) {
      // With three replicas each, of which a page has a thousand.
      DFSTestUtil.createFile(cluster.fs(), new Path(directory(0), "f" + file), 1, (short) 3, 1);
    }
    for (int file = 0; file < 350; file++) {
      Replicas.await(cluster.fs(), new Path(directory(0), "f" + file), 3);
    }
    Layout layout = new Layout(root, root);
    long before = HybridMetrics.get().value(Metric.SCAN_READS);
    Map<String, Long> scan =
        callsOf(
            "the master's scan of " + REGIONS + " regions",
            () ->
                new BlockScanner(
                        layout,
                        path -> StorageNamespace.of(cluster.fs()),
                        () -> false,
                        ScanPace.of(0))
                    .walk((context, file) -> {}));
    long listings = scan.get("GetListing");
    long pages = HybridMetrics.get().value(Metric.SCAN_READS) - before;
    assertEquals(pages, listings, "what the scan's pace counts");
    // A region, its family, .tmp with its family, and recovered.edits.
    assertTrue(listings >= 5L * REGIONS + 1 && listings <= 5L * REGIONS + 20, scan::toString);
    assertTrue(scan.getOrDefault("GetFileInfo", 0L) <= 10, scan::toString);
  }

  @Test
  void aFilesLifeOnSsdCostsOneReadOfItsStoresDirectory() throws Exception {
    TierServer server = new TierServer(hdfs, root);
    FakeStore store = attach(server, 1);
    server.grant(1L << 40, 1L << 40);
    server.tier.doWork();
    Path file = new Path(directory(1), "a");
    DFSTestUtil.createFile(cluster.fs(), file, 0, (short) 3, 1);
    NewStoreFile flush = new NewStoreFile(NewStoreFile.Kind.FLUSH, 300, 0);
    assertEquals(
        Map.of("GetFileInfo", 1L),
        callsOf("a store's first file", () -> assertTrue(server.tier.place(store, file, flush))));
    written(file, server, store);
    Path second = new Path(directory(1), "b");
    DFSTestUtil.createFile(cluster.fs(), second, 0, (short) 3, 1);
    assertEquals(
        Map.of(), callsOf("any other", () -> assertTrue(server.tier.place(store, second, flush))));
    written(second, server, store);
    server.seconds += TierServer.AGE_SECONDS;
    server.grant();
    assertEquals(
        Map.of("GetXAttrs", 1L),
        callsOf("a compaction that gets both off SSD", server.tier::doWork));
    assertEquals(Set.of("a", "b"), store.rewritten().get(0));

    for (Path one : new Path[] {file, second}) {
      store.compacted(one.getName());
      cluster.fs().delete(one, false);
    }
    Map<String, Long> grant = Map.of("GetXAttrs", 1L);
    assertEquals(grant, callsOf("two compacted files", server.tier::doWork));
    store.archive();
    assertEquals(grant, callsOf("those archived", server.tier::doWork));
    server.seconds += 60;
    server.grant();
    assertEquals(grant, callsOf("two archived files", server.tier::doWork));
    assertEquals(600, server.used());
    server.seconds += TierServer.AGE_SECONDS;
    server.tier.doWork();
    assertEquals(0, server.used());
  }

  private void written(Path file, TierServer server, FakeStore store) throws Exception {
    DFSTestUtil.appendFile(cluster.fs(), file, 100);
    Replicas.await(cluster.fs(), file, 3);
    assertEquals(
        Map.of(), callsOf("its commit", () -> server.tier.committed(store, file, 300 / 3, 300)));
    store.put(file.getName(), 300, server.millis());
  }
}
