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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.HungSsd;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** A master starts while the SSD of one of three DataNodes hangs, so that each probe meets it. */
class StartBesideHungNodeIT {
  private static List<Thread> probing() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("hybrid-start-probe"))
        .collect(Collectors.toList());
  }

  private static void awaitProbes() throws InterruptedException {
    for (Thread thread : probing()) {
      thread.join();
    }
  }

  @Test
  void waitsForNoProbeAndLeavesWhatStands() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hybrid.ssd.fallback.timeout", "1000ms")
            .startHdfs()) {
      String[] parts = {"WALs", "MasterData", "data/hbase"};
      for (String part : parts) {
        cluster.fs().mkdirs(new Path(cluster.rootDir(), part));
      }
      HybridSettings settings = HybridSettings.read(cluster.conf());
      ServerPlacement placement = ServerPlacement.of(cluster.conf(), settings);
      List<DirectoryRule> rules = placement.layout().rules(settings);
      StorageNamespace hdfs = HdfsNamespace.of(cluster.fs()).orElseThrow();
      placement.place(rules);

      // One of them as on a first start.
      Path wals = new Path(cluster.rootDir(), "WALs");
      hdfs.remove(PolicyProvenance.RECORD, wals);
      hdfs.unsetPolicy(wals);
      try (HungSsd hung = HungSsd.forNewFiles(cluster.hdfs().getDataNodes().get(0))) {
        placement.startMaster(rules);
        // HDFS itself waits for a DataNode for 16 s.
        assertFalse(probing().isEmpty(), () -> "the start has waited for its probes; " + hung);
        assertEquals(StoragePolicy.UNSPECIFIED, hdfs.policy(wals).orElseThrow().own());
        for (int i = 1; i < parts.length; i++) {
          Path stands = new Path(cluster.rootDir(), parts[i]);
          assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.policy(stands).orElseThrow().own());
        }
      }
      awaitProbes();
      placement.place(rules);
      assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.policy(wals).orElseThrow().own());
    }
  }
}
