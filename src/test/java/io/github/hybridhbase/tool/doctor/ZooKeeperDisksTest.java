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

import io.github.hybridhbase.testing.WebAnswers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
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
  private WebAnswers admin;

  /** A host with one rotating disk at /hdd and one that does not rotate at /ssd. */
  @BeforeEach
  void start() throws IOException {
    for (String device : List.of("8:0", "8:16")) {
      Path queue = Files.createDirectories(root.resolve(device).resolve("queue"));
      Files.writeString(queue.resolve("rotational"), device.equals("8:0") ? "1\n" : "0\n");
    }
    String answer =
        "{'client_port': 2181, 'data_dir': '/ssd/zk/version-2',"
            + " 'data_log_dir': '/hdd/zk/version-2'}";
    admin = new WebAnswers().on("/commands/configuration", answer.replace('\'', '"'));
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.setInt("hbase.zookeeper.property.admin.serverPort", admin.port());
  }

  @AfterEach
  void stop() {
    admin.close();
  }

  private void assertDisks(String... disks) {
    Map<String, String> devices = Map.of("hdd", "8:0", "ssd", "8:16");
    ZooKeeperDisks find =
        new ZooKeeperDisks(conf, root) {
          @Override
          String device(Path directory) {
            return devices.getOrDefault(directory.getName(0).toString(), "0:30");
          }
        };
    assertEquals(Set.of(disks), find.find());
  }

  @Test
  void find_adminServerNamesADirectoryOnADisk_isSeen() {
    assertDisks("127.0.0.1:/hdd/zk/version-2");
    // Of two ZooKeepers on a host one has the admin servers' default port.
    conf.set("hbase.zookeeper.property.dataDir", "/hdd/zk");
    conf.set("hbase.zookeeper.quorum", "127.0.0.1:2182");
    assertDisks("127.0.0.1:/hdd/zk");
    conf.set("hbase.zookeeper.quorum", "127.0.0.1");
    conf.set("hbase.zookeeper.property.clientPort", "2183");
    assertDisks("127.0.0.1:/hdd/zk");
  }

  @Test
  void find_noAdminServer_siteFileCounts_andWhatIsUnknownIsLeftOut() {
    admin.close();
    assertDisks();
    conf.set("hbase.zookeeper.property.dataDir", "/elsewhere/zk");
    assertDisks();
    conf.set("hbase.zookeeper.property.dataDir", "/ssd/zk");
    assertDisks();
    conf.set("hbase.zookeeper.property.dataDir", "/hdd/zk");
    assertDisks("127.0.0.1:/hdd/zk");
    conf.set("hbase.zookeeper.quorum", "no-such-host.invalid");
    assertDisks();
  }
}
