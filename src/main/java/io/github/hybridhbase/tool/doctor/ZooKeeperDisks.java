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

import io.github.hybridhbase.hdfs.WebClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The directories of this host's ZooKeeper known to be on a rotating disk, by its admin server or
 * else HBase's site file.
 */
@InterfaceAudience.Private
class ZooKeeperDisks {
  private final Configuration conf;
  private final Path devices;

  /**
   * @param devices usually {@code /sys/dev/block}
   */
  ZooKeeperDisks(Configuration conf, Path devices) {
    this.conf = conf;
    this.devices = devices;
  }

  /** Its device, as Linux numbers them: {@code 8:1}. */
  String device(Path directory) throws IOException {
    long number = (long) Files.getAttribute(directory, "unix:dev");
    return (number >>> 8 & 0xfff) + ":" + (number & 0xff | number >>> 12 & 0xfff00);
  }

  Set<String> find() {
    Set<String> disks = new LinkedHashSet<>();
    for (String server : conf.getTrimmedStrings(HConstants.ZOOKEEPER_QUORUM, "127.0.0.1")) {
      String[] parts = server.split(":", 2);
      String port =
          parts.length > 1 ? parts[1] : conf.get(HConstants.ZOOKEEPER_CLIENT_PORT, "2181");
      for (String path : isHere(parts[0]) ? paths(port.trim()) : Set.<String>of()) {
        if (rotates(Path.of(path))) {
          disks.add(parts[0] + ":" + path);
        }
      }
    }
    return disks;
  }

  private static boolean isHere(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }

  /** A host may run several ZooKeepers: the client port must be the quorum's. */
  private Set<String> paths(String clientPort) {
    Set<String> paths = new LinkedHashSet<>();
    int admin = conf.getInt("hbase.zookeeper.property.admin.serverPort", 8080);
    String at = "http://127.0.0.1:" + admin + "/commands/configuration";
    try {
      JsonObject zk = JsonParser.parseString(WebClient.get(conf, at)).getAsJsonObject();
      if (zk.get("client_port").getAsString().equals(clientPort)) {
        paths.add(zk.get("data_dir").getAsString());
        paths.add(zk.get("data_log_dir").getAsString());
        return paths;
      }
    } catch (IOException | RuntimeException e) {
      paths.clear(); // often off; the site file is right if HBase runs ZooKeeper
    }
    for (String key : new String[] {"dataDir", "dataLogDir"}) {
      String path = conf.getTrimmed("hbase.zookeeper.property." + key, "");
      if (!path.isEmpty()) {
        paths.add(path);
      }
    }
    return paths;
  }

  /** False if unknown, as for network and overlay file systems. */
  private boolean rotates(Path directory) {
    try {
      Path disk = devices.resolve(device(directory)).toRealPath();
      // A partition has no queue; its disk is the parent directory.
      for (Path queue : new Path[] {disk.resolve("queue"), disk.resolveSibling("queue")}) {
        Path rotational = queue.resolve("rotational");
        if (Files.exists(rotational)) {
          return Files.readString(rotational, StandardCharsets.UTF_8).trim().equals("1");
        }
      }
      return false;
    } catch (IOException e) {
      return false;
    }
  }
}
