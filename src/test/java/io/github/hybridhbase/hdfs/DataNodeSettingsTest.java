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
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which DataNode's settings count: each of these has a configuration of its own. */
@InterfaceAudience.Private
class DataNodeSettingsTest {
  private static final String KEY = "dfs.datanode.data.dir";

  private final List<HttpServer> servers = new ArrayList<>();
  private final List<DatanodeStorageReport> reports = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(server -> server.stop(0));
  }

  private static StorageReport volume(StorageType type) {
    DatanodeStorage storage = new DatanodeStorage("s", DatanodeStorage.State.NORMAL, type);
    return new StorageReport(storage, false, 9, 0, 9, 0, 0);
  }

  private static int port(HttpServer server) {
    return server.getAddress().getPort();
  }

  /** A DataNode whose volumes are these. */
  private HttpServer dataNode(String volumes, StorageType... types) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    byte[] conf =
        ("<configuration><property><name>"
                + KEY
                + "</name><value>"
                + volumes
                + "</value><final>false</final></property></configuration>")
            .getBytes(StandardCharsets.UTF_8);
    server.createContext(
        "/conf",
        exchange -> {
          exchange.sendResponseHeaders(200, conf.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(conf);
          }
        });
    server.start();
    servers.add(server);
    DatanodeID id = new DatanodeID("127.0.0.1", "localhost", "u", 1, port(server), 0, 2);
    reports.add(
        new DatanodeStorageReport(
            new DatanodeInfo.DatanodeInfoBuilder().setNodeID(id).build(),
            Arrays.stream(types).map(DataNodeSettingsTest::volume).toArray(StorageReport[]::new)));
    return server;
  }

  private String volumes() throws IOException {
    return DataNodeReader.settings(
            DataNodeReader.of(reports.toArray(new DatanodeStorageReport[0])),
            new Configuration(false))
        .get(KEY);
  }

  @Test
  void theOneDataNodeWithSsdIsAskedThoughItIsListedLast() throws IOException {
    for (int i = 0; i < 3; i++) {
      dataNode("/hdd" + i, StorageType.DISK);
    }
    HttpServer last = dataNode("[SSD]/ssd,/hdd", StorageType.DISK, StorageType.SSD);
    assertEquals("[SSD]/ssd,/hdd", volumes());
    last.stop(0);
    // Unknown: the others have other settings.
    assertThrows(IOException.class, this::volumes);
  }

  @Test
  void withoutSsdAnyDataNodeCounts() throws IOException {
    dataNode("/hdd0", StorageType.DISK).stop(0);
    dataNode("/hdd1", StorageType.DISK);
    assertEquals("/hdd1", volumes());
  }
}
