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

import io.github.hybridhbase.it.Rows;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HRegionLocation;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.tool.BulkLoadHFiles;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.HFileTestUtil;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Young store files are on SSD, old ones on DISK, on blocks, in a cluster where nothing moves
 * blocks.
 */
@InterfaceAudience.Private
class TierIT {
  @RegisterExtension
  static final TierCluster TIER =
      new TierCluster(
          spec ->
              spec.regionServers(2)
                  // What was compacted away goes to the archive at once.
                  .conf("hbase.hfile.compaction.discharger.interval", 1_000)
                  // And so is a split parent that its daughters have compacted away.
                  .conf("hbase.catalogjanitor.interval", 1_000));

  private final TypedCluster cluster = TIER.cluster;
  private final StoreFileMedia storeFiles = TIER.files;

  @Test
  void whatIsYoungIsOnSsdAndWhatIsToStayOnDisk() throws Exception {
    Rows rows = TIER.tiered("young", 3_600);
    long tiered = HybridMetrics.get().value(Metric.TIERED_FILES);
    TIER.flush(rows, 60);
    TIER.flush(rows, 60);
    assertEquals(6, storeFiles.files(rows.table()).size());
    TIER.assertOn(rows, StorageType.SSD);
    TIER.flush(rows, 60);
    cluster.compact(rows.table(), false);
    cluster.await("minor compactions", () -> storeFiles.files(rows.table()).size() == 3);
    TIER.assertOn(rows, StorageType.SSD);
    assertEquals(12, HybridMetrics.get().value(Metric.TIERED_FILES) - tiered);
    rows.assertAllThere();

    cluster.compact(rows.table(), true);
    assertEquals(3, storeFiles.files(rows.table()).size());
    TIER.assertOn(rows, StorageType.DISK);
    rows.assertAllThere();
  }

  /** A rewrite of some files keeps what deletes rows of the others. */
  @Tag("long")
  @Test
  void aDeleteSurvivesTheRewriteOfItsFile() throws Exception {
    Rows rows = TIER.tiered("deletes", 3_600);
    TIER.flush(rows, 60);
    cluster.compact(rows.table(), true);
    rows.put(30);
    rows.delete(40);
    cluster.flush(rows.table());
    assertFalse(storeFiles.allOn(rows.table(), StorageType.DISK));
    TIER.age(rows);
    assertEquals(6, storeFiles.files(rows.table()).size(), "each new file was rewritten alone");
    cluster.compact(rows.table(), true);
    assertEquals(3, storeFiles.files(rows.table()).size());
    rows.assertAllThere();
  }

  @Test
  void whoeverOpensAStoreNextGetsItsFilesOffSsd() throws Exception {
    Rows rows = TIER.tiered("moved", 10);
    final long rewritten = HybridMetrics.get().value(Metric.TIER_REWRITTEN_BYTES);
    TIER.flush(rows, 100);
    TIER.assertOn(rows, StorageType.SSD);
    long bytes =
        storeFiles.files(rows.table()).stream()
            .mapToLong(file -> file.bytes(StorageType.SSD))
            .sum();
    for (HRegionLocation at :
        cluster.connection().getRegionLocator(rows.table()).getAllRegionLocations()) {
      ServerName other =
          TIER.admin().getRegionServers().stream()
              .filter(server -> !server.equals(at.getServerName()))
              .findFirst()
              .orElseThrow();
      TIER.admin().move(at.getRegion().getEncodedNameAsBytes(), other);
    }
    storeFiles.awaitAllOn(rows.table(), StorageType.DISK);
    assertTrue(storeFiles.nothingSticky(rows.table()));
    rows.assertAllThere();
    cluster.await(
        "the metric",
        () -> HybridMetrics.get().value(Metric.TIER_REWRITTEN_BYTES) - rewritten >= bytes);
  }

  @Tag("long")
  @Test
  void splitsMergesSnapshotsAndClonesReadOn() throws Exception {
    Rows rows = TIER.flushed("shared");
    Admin admin = TIER.admin();
    admin.snapshot("tiered", rows.table());
    admin.cloneSnapshot("tiered", TableName.valueOf("clone"));
    rows.as("clone").assertAllThere();

    Rows kept = rows.as("shared");
    TIER.flush(rows, 60);
    admin.disableTable(rows.table());
    admin.restoreSnapshot("tiered");
    admin.enableTable(rows.table());
    kept.assertAllThere();

    List<RegionInfo> regions = admin.getRegions(rows.table());
    admin.splitRegionAsync(regions.get(0).getRegionName(), Bytes.toBytes("15")).get();
    byte[][] others = {
      regions.get(1).getEncodedNameAsBytes(), regions.get(2).getEncodedNameAsBytes()
    };
    admin.mergeRegionsAsync(others, false).get();
    TIER.settle();
    assertEquals(3, admin.getRegions(rows.table()).size());
    kept.assertAllThere();
    storeFiles.awaitOpen(rows.table());
    TIER.flush(kept, 200);
    kept.assertAllThere();
    TIER.age(kept);
    cluster.compact(rows.table(), true);
    kept.assertAllThere();
    admin.deleteSnapshot("tiered");
  }

  /** It carries no mark of the tier's. */
  @Test
  void bulkLoadedFilesOfAnSsdSourceAreTheirOwners() throws Exception {
    Rows rows = TIER.tiered("fastbulk", 1);
    Path source = new Path("/bulk/" + rows.table());
    Path file = new Path(source, "f/h");
    cluster.fs().mkdirs(file.getParent());
    cluster.fs().setStoragePolicy(source, "ALL_SSD");
    byte[] first = Bytes.toBytes("3500");
    byte[] last = Bytes.toBytes("3599");
    HFileTestUtil.createHFile(
        cluster.conf(),
        cluster.fs(),
        file,
        TierCluster.FAMILY,
        Bytes.toBytes("q"),
        first,
        last,
        100);
    Replicas.await(cluster.fs(), file, 3);
    assertEquals(1, BulkLoadHFiles.create(cluster.conf()).bulkLoad(rows.table(), source).size());
    // HBase's test utility makes each row its own value.
    for (byte[] key : Bytes.iterateOnSplits(first, last, 98)) {
      rows.remember(key, key);
    }
    Path loaded = storeFiles.files(rows.table()).get(0).path;
    TIER.flush(rows, 60);
    cluster.await(
        "the flushed files on DISK",
        () ->
            storeFiles.files(rows.table()).stream()
                .allMatch(one -> (one.bytes(StorageType.SSD) > 0) == one.path.equals(loaded)));
    rows.assertAllThere();
  }
}
