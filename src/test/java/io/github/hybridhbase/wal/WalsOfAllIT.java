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
import io.github.hybridhbase.tool.ToolRun;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
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

  private static Configuration canary(TypedCluster cluster) {
    Configuration conf = conf(cluster, "ALL_SSD");
    conf.set("hbase.hybrid.mode", "canary");
    conf.set("hbase.hybrid.ssd.retry", "1s");
    return conf;
  }

  /** Policies and records, with which nothing of the plugin is left. */
  private static String placed(TypedCluster cluster, String below) throws IOException {
    Path path = new Path(cluster.walRoot(), below);
    return cluster.fs().getStoragePolicy(path).getName() + cluster.fs().getXAttrs(path).keySet();
  }

  @Test
  void aCanaryPlacesItsOwnWalsAndNoDirectory() throws Exception {
    String server = "c.example.org,16020,1";
    try (TypedCluster cluster = TypedCluster.spec().startHdfs()) {
      cluster.fs().mkdirs(new Path(cluster.walRoot(), "WALs"));
      Configuration stock = new Configuration(cluster.conf());
      WALFactory other = new WALFactory(stock, "d.example.org,16020,1", mock(Abortable.class));
      other.getWAL(null);
      WALFactory canary = new WALFactory(canary(cluster), server, mock(Abortable.class));
      canary.getWAL(null);
      assertEquals(List.of("ALL_SSD"), policiesOfWals(cluster, server));
      assertEquals(List.of("HOT"), policiesOfWals(cluster, "d.example.org,16020,1"));
      for (String one : List.of("WALs", "WALs/" + server, "WALs/d.example.org,16020,1")) {
        assertEquals("HOT[]", placed(cluster, one));
      }
      assertEquals(Map.of(), cluster.fs().getXAttrs(cluster.walRoot()));
      ToolRun audit = ToolRun.of(canary(cluster), "audit", "--json");
      assertTrue(audit.findings().contains("observed"), audit::toString);
      canary.close();
      other.close();
      assertEquals("HOT[]", placed(cluster, "WALs"));
    }
  }

  private static List<String> policiesOfWals(TypedCluster cluster, String server)
      throws IOException {
    List<String> policies = new ArrayList<>();
    for (FileStatus wal : cluster.fs().listStatus(new Path(cluster.walRoot(), "WALs/" + server))) {
      policies.add(cluster.fs().getStoragePolicy(wal.getPath()).getName());
    }
    return policies;
  }

  /** The directory is placed beside a start, before the first WAL. */
  private static void startAndEnd(Configuration conf, String server) throws IOException {
    WALFactory factory = new WALFactory(conf, server, mock(Abortable.class));
    factory.getWAL(null);
    factory.close();
  }

  @Test
  void aServersOwnFileTurnsTheWalsOfNoOtherAndAToolPlacesNothing() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().startHdfs();
        LoggedLines logged = LoggedLines.of(ServerPlacement.class)) {
      cluster.fs().mkdirs(new Path(cluster.walRoot(), "WALs"));
      // As ReplicationSyncUp makes one.
      new WALFactory(conf(cluster, "ALL_SSD"), "test", null).close();
      assertEquals("HOT", policy(cluster), "HDFS's default");
      startAndEnd(conf(cluster, "ALL_SSD"), "a.example.org,16020,1");
      assertEquals("ALL_SSD", policy(cluster));
      logged.lines().clear();
      long conflicts = HybridMetrics.get().value(Metric.POLICY_CONFLICTS);
      startAndEnd(conf(cluster, "HOT"), "b.example.org,16020,1");
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
