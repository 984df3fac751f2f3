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
package io.github.hybridhbase.tool.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where ZooKeeper keeps its data, from its admin server or the site file. */
@InterfaceAudience.Private
class ZooKeeperDisksTest {
  @TempDir private Path root;

  private final Configuration conf = new Configuration(false);
  private HttpServer admin;

  /** A host with one rotating disk at /hdd and one that does not rotate at /ssd. */
  @BeforeEach
  void start() throws IOException {
    for (String device : List.of("8:0 1", "8:16 0")) {
      String[] parts = device.split(" ", -1);
      Path queue = root.resolve(parts[0]).resolve("queue");
      Files.createDirectories(queue);
      Files.writeString(queue.resolve("rotational"), parts[1] + "\n");
    }
    admin = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    admin.createContext(
        "/commands/configuration",
        exchange -> {
          byte[] answer =
              "{\"client_port\": 2181, \"data_dir\": \"/ssd/zk/version-2\", \"data_log_dir\": \"/hdd/zk/version-2\"}"
                  .getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(200, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    admin.start();
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.admin.serverPort", admin.getAddress().getPort());
  }

  @AfterEach
  void stop() {
    admin.stop(0);
  }

  private Set<String> find() {
    return new ZooKeeperDisks(conf, root) {
      @Override
      String device(Path directory) {
        return directory.startsWith("/hdd")
            ? "8:0"
            : directory.startsWith("/ssd") ? "8:16" : "0:30";
      }
    }.find();
  }

  @Test
  void find_adminServerNamesADirectoryOnADisk_isSeen() {
    assertEquals(Set.of("127.0.0.1:/hdd/zk/version-2"), find());
  }

  /** Of two ZooKeepers on a host one has the admin servers' default port. */
  @Test
  void find_adminServerOfAnotherZooKeeper_isNotBelieved() {
    conf.set("hbase.zookeeper.property.dataDir", "/hdd/zk");
    conf.set("hbase.zookeeper.quorum", "127.0.0.1:2182");
    assertEquals(Set.of("127.0.0.1:/hdd/zk"), find());
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", "2183");
    assertEquals(Set.of("127.0.0.1:/hdd/zk"), find());
  }

  @Test
  void find_noAdminServer_siteFileCounts() {
    admin.stop(0);
    conf.set("hbase.zookeeper.property.dataDir", "/hdd/zk");
    assertEquals(Set.of("127.0.0.1:/hdd/zk"), find());
    conf.set("hbase.zookeeper.property.dataDir", "/ssd/zk");
    assertEquals(Set.of(), find());
  }

  @Test
  void find_directoryOrHostUnknown_isLeftOut() {
    admin.stop(0);
    assertEquals(Set.of(), find());
    conf.set("hbase.zookeeper.property.dataDir", "/elsewhere/zk");
    assertEquals(Set.of(), find());
    conf.set("hbase.zookeeper.property.dataDir", "/hdd/zk");
    conf.set("hbase.zookeeper.quorum", "no-such-host.invalid");
    assertEquals(Set.of(), find());
  }
}
