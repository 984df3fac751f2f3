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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What one look of the space monitor asks of a real NameNode: 1,000 servers, and regions it never
 * sees.
 */
@Tag("long")
class SpaceMonitorCostIT {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceMonitorCostIT.class);
  private static final int SERVERS = 1_000;

  /** Bytes of SSD in a DataNode, which must be free on the disk below as well. */
  private static final long ROOM = 8L << 30;

  /**
   * So small that there is space for the WALs of that many servers, or the space monitor is away.
   */
  private static final long WAL_BLOCK = 1L << 20;

  private static final String[] CALLS = {
    "GetFileInfo",
    "GetListing",
    "GetXAttrs",
    "GetDatanodeStorageReport",
    "GetBlockLocations",
    "GetContentSummary",
    "Create",
    "SetStoragePolicy",
    "SetXAttr"
  };

  private static Map<String, Long> ofOneLook(TypedCluster cluster, ClusterWatch spacePolicy) {
    return new NameNodeCalls(cluster, CALLS).of(spacePolicy::doWork);
  }

  @Test
  void aLookCostsTheSameHoweverManyRegionsThereAre() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .ssdCapacity(ROOM)
            .conf("hbase.regionserver.hlog.blocksize", WAL_BLOCK)
            // Until the space has stood for this long a look asks for probe blocks.
            .conf("hbase.hybrid.ssd.dwell", "1s")
            .startHdfs()) {
      for (int server = 0; server < SERVERS; server++) {
        Path root = cluster.rootDir();
        cluster.fs().mkdirs(new Path(root, "WALs/server-" + server + ".example.org,16020,1"));
      }
      cluster.fs().mkdirs(new Path(cluster.rootDir(), "MasterData"));
      cluster.fs().mkdirs(new Path(cluster.rootDir(), "data/hbase/meta"));
      HybridSettings settings = HybridSettings.read(cluster.conf());
      ServerPlacement placement = ServerPlacement.of(cluster.conf(), settings);
      placement.startMaster(placement.layout().rules(settings));
      ClusterWatch spacePolicy = ClusterWatch.of(cluster.conf(), settings, placement.layout());
      assertEquals(0, spacePolicy.doWork()); // the first one settles what an earlier master left
      cluster.await("certain space", () -> !ofOneLook(cluster, spacePolicy).containsKey("Create"));
      Map<String, Long> few = ofOneLook(cluster, spacePolicy);
      LOG.info("NameNode calls of a look: {}", few);
      assertEquals(expected(0), few);

      for (int region = 0; region < 1_000; region++) {
        cluster.fs().mkdirs(new Path(cluster.rootDir(), "data/default/t/region-" + region + "/f"));
      }
      assertEquals(few, ofOneLook(cluster, spacePolicy));

      // Away from SSD, each directory is asked for its provenance too: is it the space monitor's or
      // an admin's?
      new Ssds(cluster).capacity(1L << 20);
      cluster.await("all three away", () -> spacePolicy.doWork() == 3);
      assertEquals(expected(3), ofOneLook(cluster, spacePolicy));
    }
  }

  /**
   * One read for each of three directories. If all are demoted, each directory's parent and
   * provenance are read too, and the policy of {@code WALs} is compared with the servers'.
   */
  private static Map<String, Long> expected(long demoted) {
    Map<String, Long> calls =
        new TreeMap<>(Map.of("GetFileInfo", 3L, "GetListing", 1L, "GetDatanodeStorageReport", 1L));
    if (demoted > 0) {
      calls.put("GetFileInfo", 3 + 2 * demoted + 1);
      calls.put("GetXAttrs", demoted);
    }
    return calls;
  }
}
