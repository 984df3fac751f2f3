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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.page.WebUi;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The page of a real master: shown where its web UI is, and nowhere else. */
@InterfaceAudience.Private
class PageIT {
  private static ClusterSpec spec() {
    return TypedCluster.spec()
        .plugin()
        .conf("hbase.hybrid.repair.census.period", 2)
        .conf("hbase.hybrid.repair.census.rate", 0)
        .conf("hbase.hybrid.ssd.period", 2)
        .conf("hbase.hybrid.ssd.dwell", 1);
  }

  private static ClusterSpec withUi() {
    return spec().conf("hbase.master.info.port", 0);
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

  @Test
  void theActiveMasterShowsWhatItsScanAndItsMonitorSaw() throws Exception {
    try (TypedCluster cluster = withUi().masters(2).start()) {
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
      cluster.await(
          "a page with a scan and the space on SSD",
          () -> page(cluster).contains(">wal</th>") && page(cluster).contains("3 DataNodes"));
      String page = page(cluster);
      Path copy = Files.createDirectories(Path.of("target", "pages")).resolve("live.html");
      Files.writeString(copy, page);
      for (String part :
          new String[] {
            cluster.rootDir().toString(),
            "active master " + cluster.activeMaster().getServerName(),
            "data-title=\"Declared\"><span>ALL_SSD</span>",
            "Last scan: ",
            "SSD tier",
            "Demoted from SSD"
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

  @Test
  void aKeySwitchesItOff() throws Exception {
    try (TypedCluster cluster = withUi().conf("hbase.hybrid.page", "false").start()) {
      assertEquals(404, get(cluster).getResponseCode());
    }
  }

  @Test
  void withoutAWebUiTheMasterStartsAllTheSame() throws Exception {
    try (TypedCluster cluster = spec().conf(HConstants.MASTER_INFO_PORT, -1).start()) {
      assertNull(cluster.activeMaster().getInfoServer());
      cluster.util().createTable(TableName.valueOf("t"), "cf").close();
    }
  }
}
