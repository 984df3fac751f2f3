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
package io.github.hybridhbase.coprocessor;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.ClusterWatch;
import io.github.hybridhbase.placement.TierController;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.test.MetricsAsserts;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** NameNode calls and HTTP requests of the active master's periodic looks, of five minutes. */
@InterfaceAudience.Private
@Tag("long")
class MasterCostIT {
  private static final Logger LOG = LoggerFactory.getLogger(MasterCostIT.class);
  private static final int LOOKS = 6;

  private static final int MINUTES = 5;

  /** Three directories, a listing and the DataNodes; the root's policy and records. */
  private static final int A_LOOK = 7;

  /** The tier grant. */
  private static final int A_MINUTE = 2;

  private static final String[] CALLS =
      ("GetFileInfo GetListing GetXAttrs GetDatanodeStorageReport GetServerDefaults GetQuotaUsage"
              + " Create SetStoragePolicy SetXAttr")
          .split(" ");

  @Test
  void aMinute() throws Exception {
    for (int count : new int[] {1, 10, 100}) {
      try (TypedCluster cluster =
          TypedCluster.spec()
              .plugin()
              .ssdCapacity(8L << 30)
              .conf("hbase.regionserver.hlog.blocksize", 1L << 20)
              .conf("hbase.hybrid.tier.policy", "ALL_SSD")
              .conf("hybrid.tests.period", 0) // a capacity is believed at once
              .startHdfs()) {
        minute(cluster, count);
      }
    }
  }

  private void minute(TypedCluster cluster, int count) throws Exception {
    Path root = cluster.rootDir();
    for (int server = 0; server < count; server++) {
      cluster.fs().mkdirs(new Path(root, "WALs/server-" + server + ".example.org,16020,1"));
    }
    cluster.fs().mkdirs(new Path(root, "MasterData/WALs/m,16000,1"));
    cluster.fs().mkdirs(new Path(root, "data/hbase/meta"));
    HybridSettings settings = HybridSettings.read(cluster.conf());
    Layout layout = new Layout(root, root);
    ClusterWatch watch = ClusterWatch.of(cluster.conf(), layout);
    TierController tier =
        TierController.of(cluster.conf(), settings, root, watch::last).orElseThrow();
    for (int look = 0; look < 3; look++) {
      watch.doWork();
      tier.doWork();
    }
    assertTrue(tier.last().orElseThrow().open(), tier.last()::toString);
    long http = requests(cluster);
    Map<String, Long> calls =
        new NameNodeCalls(cluster, CALLS)
            .of(
                () -> {
                  for (int look = 0; look < MINUTES * LOOKS; look++) {
                    watch.doWork();
                    tier.doWork();
                  }
                });
    long requests = requests(cluster) - http;
    long sum = calls.values().stream().mapToLong(Long::longValue).sum();
    LOG.info(
        "A minute with {} servers: {} NameNode calls, {} requests; in {} minutes: {}",
        count,
        sum / (double) MINUTES,
        requests / MINUTES,
        MINUTES,
        calls);
    assertTrue(sum <= MINUTES * (A_LOOK * LOOKS + A_MINUTE), calls::toString);
    assertTrue(requests <= 3 * LOOKS * MINUTES, requests + " requests");
  }

  private static long requests(TypedCluster cluster) {
    int port = cluster.hdfs().getNameNode().getHttpAddress().getPort();
    return MetricsAsserts.getIntGauge(
        "Responses2xx", MetricsAsserts.getMetrics("HttpServer2-" + port));
  }
}
