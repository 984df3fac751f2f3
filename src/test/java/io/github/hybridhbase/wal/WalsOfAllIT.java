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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.placement.ServerPlacement;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.testing.LoggedLines;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.Abortable;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** {@code WALs} is the directory of all servers: whose site file counts there. */
@InterfaceAudience.Private
class WalsOfAllIT {
  private static Configuration conf(TypedCluster cluster, String policy) {
    Configuration conf = new Configuration(cluster.conf());
    conf.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
    conf.set("hbase.hybrid.wal.policy", policy);
    return conf;
  }

  private static String policy(TypedCluster cluster) throws IOException {
    return cluster.fs().getStoragePolicy(new Path(cluster.walRoot(), "WALs")).getName();
  }

  @Test
  void aServersOwnFileTurnsTheWalsOfNoOtherAndAToolPlacesNothing() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().startHdfs();
        LoggedLines logged = LoggedLines.of(ServerPlacement.class)) {
      cluster.fs().mkdirs(new Path(cluster.walRoot(), "WALs"));
      Abortable server = mock(Abortable.class);
      // As ReplicationSyncUp makes one.
      new WALFactory(conf(cluster, "ALL_SSD"), "test", null).close();
      assertEquals("HOT", policy(cluster), "HDFS's default");
      new WALFactory(conf(cluster, "ALL_SSD"), "a.example.org,16020,1", server).close();
      assertEquals("ALL_SSD", policy(cluster));
      logged.lines().clear();
      long conflicts = HybridMetrics.get().value(Metric.POLICY_CONFLICTS);
      new WALFactory(conf(cluster, "HOT"), "b.example.org,16020,1", server).close();
      new WALFactory(conf(cluster, "HOT"), "test", null).close();
      assertEquals("ALL_SSD", policy(cluster));
      assertEquals(conflicts + 1, HybridMetrics.get().value(Metric.POLICY_CONFLICTS));
      assertEquals(
          1,
          logged.lines().stream().filter(line -> line.contains("DECLARED_OTHERWISE")).count(),
          logged.lines()::toString);
      assertTrue(
          logged.lines().stream().anyMatch(line -> line.startsWith("WARN Placement: wal")),
          logged.lines()::toString);
    }
  }
}
