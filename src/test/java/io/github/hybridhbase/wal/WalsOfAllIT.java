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
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.testing.TypedCluster;
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

/** Servers with the plugin, without it, and with another declaration, on one HDFS. */
@InterfaceAudience.Private
class WalsOfAllIT {
  @Test
  void eachServerCreatesItsOwnWalsAsItDeclaresAndLeavesNothingOnADirectory() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().startHdfs()) {
      Path wals = new Path(cluster.walRoot(), "WALs");
      cluster.fs().mkdirs(wals);
      Configuration stock = new Configuration(cluster.conf());
      Configuration plugin = new Configuration(cluster.conf());
      plugin.set(WALFactory.WAL_PROVIDER, HybridWALProvider.class.getName());
      Configuration one = new Configuration(plugin);
      one.set("hbase.hybrid.wal.policy", "ONE_SSD");
      Configuration hot = new Configuration(plugin);
      hot.set("hbase.hybrid.wal.policy", "HOT");
      Configuration off = new Configuration(plugin);
      off.set("hbase.hybrid.mode", "off");
      assertEquals(List.of("HOT"), policies(cluster, stock, "a.example.org,16020,1"));
      assertEquals(List.of("ALL_SSD"), policies(cluster, plugin, "b.example.org,16020,1"));
      assertEquals(List.of("ONE_SSD"), policies(cluster, one, "c.example.org,16020,1"));
      assertEquals(List.of("HOT"), policies(cluster, hot, "d.example.org,16020,1"));
      assertEquals(List.of("HOT"), policies(cluster, off, "e.example.org,16020,1"));
      assertEquals(List.of("HOT"), policies(cluster, stock, "f.example.org,16020,1"));
      assertEquals(Map.of(), cluster.fs().getXAttrs(cluster.walRoot()));
      assertUntouched(cluster, wals);
      for (FileStatus server : cluster.fs().listStatus(wals)) {
        assertUntouched(cluster, server.getPath());
      }
      // An admin's word wins.
      cluster.fs().setStoragePolicy(wals, "WARM");
      assertEquals(List.of("WARM"), policies(cluster, plugin, "g.example.org,16020,1"));
      cluster.fs().unsetStoragePolicy(wals);
      // HBase's own key too.
      Configuration named = new Configuration(plugin);
      named.set("hbase.wal.storage.policy", "HOT");
      assertEquals(List.of("HOT"), policies(cluster, named, "h.example.org,16020,1"));
    }
  }

  private static void assertUntouched(TypedCluster cluster, Path directory) throws IOException {
    assertEquals("HOT", cluster.fs().getStoragePolicy(directory).getName(), directory::toString);
    assertEquals(Map.of(), cluster.fs().getXAttrs(directory), directory::toString);
  }

  /** Those of the WALs that a server has open. */
  private static List<String> policies(TypedCluster cluster, Configuration conf, String server)
      throws IOException {
    WALFactory factory = new WALFactory(conf, server, mock(Abortable.class));
    try {
      factory.getWAL(null);
      List<String> policies = new ArrayList<>();
      for (FileStatus wal :
          cluster.fs().listStatus(new Path(cluster.walRoot(), "WALs/" + server))) {
        policies.add(cluster.fs().getStoragePolicy(wal.getPath()).getName());
      }
      return policies;
    } finally {
      factory.close();
    }
  }
}
