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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.testing.TypedCluster;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;

/** Probe files of servers that died. HDFS only, no HBase. */
class ProbeFilesIT {
  @Test
  void oldOnesGoAndYoungOnesAndEverythingElseStay() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().plugin().dataNodes(1).startHdfs()) {
      Path wals = new Path(cluster.rootDir(), "WALs");
      Path old = new Path(wals, ProbeFile.PREFIX + "old");
      Path young = new Path(wals, ProbeFile.PREFIX + "young");
      Path other = new Path(wals, "other");
      Path deeper = new Path(wals, "server/" + ProbeFile.PREFIX + "deeper");
      for (Path file : new Path[] {old, young, other, deeper}) {
        cluster.fs().create(file).close();
      }
      long hour = 3_600_000;
      long now = System.currentTimeMillis();
      for (Path file : new Path[] {old, other, deeper}) {
        cluster.fs().setTimes(file, now - 2 * hour, now - 2 * hour);
      }
      StorageNamespace hdfs = HdfsNamespace.of(cluster.fs()).orElseThrow();
      assertEquals(0, hdfs.sweepProbes(new Path("/none"), now));

      HybridSettings settings = HybridSettings.read(cluster.conf());
      ServerPlacement placement = ServerPlacement.of(cluster.conf(), settings);
      placement.sweep(placement.layout().rules(settings), now - hour);
      assertFalse(cluster.fs().exists(old));
      for (Path file : new Path[] {young, other, deeper}) {
        assertTrue(cluster.fs().exists(file), file.toString());
      }
    }
  }
}
