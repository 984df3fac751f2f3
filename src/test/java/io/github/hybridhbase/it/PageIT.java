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
package io.github.hybridhbase.it;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.page.WebUi;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The page of a real master: shown where its web UI is, and nowhere else. */
@InterfaceAudience.Private
class PageIT {
  /** Bytes of an SSD on which nothing more has space. */
  private static final long FULL = 1 << 20;

  private static ClusterSpec withUi() {
    return TypedCluster.spec()
        .plugin()
        .conf("hbase.hybrid.scan.period", "2s")
        .conf("hbase.master.info.port", 0); // -1 in all other tests: a master without one starts
  }

  private static HttpURLConnection get(TypedCluster cluster) throws IOException {
    int port = cluster.activeMaster().getInfoServer().getPort();
    URL url = new URL("http://127.0.0.1:" + port + WebUi.PATH);
    HttpURLConnection connection = (HttpURLConnection) url.openConnection();
    connection.setConnectTimeout(60_000);
    connection.setReadTimeout(60_000);
    return connection;
  }

  private static String page(TypedCluster cluster) {
    try (InputStream in = get(cluster).getInputStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Tag("long")
  @Test
  void theActiveMasterShowsWhatItsScanAndItsMonitorSaw() throws Exception {
    try (TypedCluster cluster = withUi().masters(2).start()) {
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      cluster.await(
          "a page with a scan and the space on SSD",
          () -> page(cluster).contains("Last scan: ") && page(cluster).contains("3 DataNodes"));
      String page = page(cluster);
      for (String part :
          new String[] {
            cluster.rootDir().toString(),
            "active master " + cluster.activeMaster().getServerName(),
            "Last scan: ",
            "SSD tier",
            "DataNodes with SSD"
          }) {
        assertTrue(page.contains(part), () -> part + " is not in " + page);
      }
      ServerName before = cluster.activeMaster().getServerName();
      cluster.failoverMaster();
      cluster.await(
          "the page of the next master",
          () -> page(cluster).contains("active master " + cluster.activeMaster().getServerName()));
      assertTrue(!cluster.activeMaster().getServerName().equals(before));
    }
  }

  /** A file that was written to SSD before it was renamed to where DISK is declared. */
  private static void misplaceOne(TypedCluster cluster) throws IOException {
    Path nursery = new Path("/nursery");
    cluster.fs().mkdirs(nursery);
    cluster.fs().setStoragePolicy(nursery, "ALL_SSD");
    Path young = new Path(nursery, "young");
    try (FSDataOutputStream out = cluster.fs().create(young)) {
      out.write(new byte[200_000]);
    }
    Path staging = new Path(cluster.rootDir(), "staging");
    cluster.fs().mkdirs(staging);
    cluster.fs().rename(young, new Path(staging, "left <b>behind"));
  }

  @Test
  void troubleIsShownWithWhatToDo() throws Exception {
    try (TypedCluster cluster =
        withUi()
            .conf("hybrid.tests.period", 1)
            .conf("hbase.hybrid.wal.hsync", "auto")
            .conf("hbase.hybrid.wal.stall", "20000ms")
            .start()) {
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      String server = cluster.hbase().getRegionServer(0).getServerName().toString();
      String name = cluster.fs().getDataNodeStats()[0].getName();
      HybridMetrics.get().excluding(server, () -> Map.of(name, "2026-11-29T09:00:00Z"));
      cluster.await(
          "the DataNode that a server leaves out",
          () -> page(cluster).contains("<code>" + name + "</code>"));
      HybridMetrics.get().excluding(server, Map::of);
      cluster.await("its return", () -> !page(cluster).contains("<span>stalled-datanode</span>"));
      misplaceOne(cluster);
      cluster.await("a page with a scan", () -> page(cluster).contains("Last scan: "));
      new Ssds(cluster).capacity(FULL);
      cluster.await(
          "full SSDs, and the misplaced file",
          () ->
              page(cluster).contains("<span>ssd-space")
                  && page(cluster).contains("<span>misplaced<"));
      String page = page(cluster);
      for (String part : new String[] {"<dt>Remedy</dt>", "left &lt;b&gt;behind"}) {
        assertTrue(page.contains(part), () -> part + " is not in " + page);
      }
    }
  }
}
