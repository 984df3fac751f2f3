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
import io.github.hybridhbase.placement.Observed;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A finder of ZooKeeper's data and log directories, from admin servers or else HBase's site file,
 * and of their disks on this host.
 *
 * <p>An answer counts only if its {@value #CLIENT_PORT} is that of HBase's quorum, since a host may
 * run several ZooKeepers, one of which has the default admin port.
 */
@InterfaceAudience.Private
final class ZooKeeperFinder {
  private static final String ADMIN_PORT = "hbase.zookeeper.property.admin.serverPort";
  private static final int DEFAULT_ADMIN_PORT = 8080;
  private static final String CLIENT_PORT = "client_port";

  private final Configuration conf;
  private final BlockDevices devices;

  ZooKeeperFinder(Configuration conf, BlockDevices devices) {
    this.conf = conf;
    this.devices = devices;
  }

  List<ClusterFacts.ZooKeeperDirectory> find() throws IOException {
    List<ClusterFacts.ZooKeeperDirectory> found = new ArrayList<>();
    for (String server : conf.getTrimmedStrings("hbase.zookeeper.quorum", "127.0.0.1")) {
      String[] hostAndPort = server.split(":", 2);
      String host = hostAndPort[0];
      String port =
          hostAndPort.length > 1
              ? hostAndPort[1]
              : conf.getTrimmed(
                  HConstants.ZOOKEEPER_CLIENT_PORT,
                  String.valueOf(HConstants.DEFAULT_ZOOKEEPER_CLIENT_PORT));
      for (String path : paths(host, port)) {
        found.add(new ClusterFacts.ZooKeeperDirectory(host, path, rotational(host, path)));
      }
    }
    if (found.isEmpty()) {
      throw new IOException(
          "no admin server of HBase's ZooKeeper answers and the site file names no dataDir; run"
              + " this on ZooKeeper's hosts, with hbase.zookeeper.property.dataDir set");
    }
    return found;
  }

  private Observed<Boolean> rotational(String host, String path) {
    return isHere(host)
        ? Observed.with(() -> devices.rotates(Path.of(path)))
        : Observed.unknown("it is another host; run this there");
  }

  private List<String> paths(String host, String clientPort) {
    List<String> paths = new ArrayList<>();
    int port = conf.getInt(ADMIN_PORT, DEFAULT_ADMIN_PORT);
    try {
      JsonObject answer =
          JsonParser.parseString(
                  WebClient.get(conf, "http://" + host + ":" + port + "/commands/configuration"))
              .getAsJsonObject();
      JsonElement served = answer.get(CLIENT_PORT);
      boolean ours = served != null && served.getAsString().equals(clientPort);
      for (String key : ours ? List.of("data_dir", "data_log_dir") : List.<String>of()) {
        JsonElement value = answer.get(key);
        if (value != null && value.isJsonPrimitive() && !paths.contains(value.getAsString())) {
          paths.add(value.getAsString());
        }
      }
    } catch (IOException | RuntimeException e) {
      // Admin servers are often off; the site file is correct if HBase runs ZooKeeper.
      paths.clear();
    }
    if (paths.isEmpty() && isHere(host)) {
      for (String key : List.of("dataDir", "dataLogDir")) {
        String value = conf.getTrimmed("hbase.zookeeper.property." + key, "");
        if (!value.isEmpty() && !paths.contains(value)) {
          paths.add(value);
        }
      }
    }
    return paths;
  }

  private static boolean isHere(String host) {
    try {
      InetAddress address = InetAddress.getByName(host);
      return address.isLoopbackAddress() || NetworkInterface.getByInetAddress(address) != null;
    } catch (IOException e) {
      return false;
    }
  }
}
