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
package io.github.hybridhbase.bed;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toList;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.server.namenode.ha.ConfiguredFailoverProxyProvider;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The keys of a bed's processes: what all of them share, and what is each one's own. Where HDFS and
 * HBase would take minutes to notice something that a test waits for, they are told to be quicker;
 * all else is as they ship.
 */
@InterfaceAudience.Private
final class BedSite {
  private static final String SERVICE = "bed";

  private final BedSpec spec;
  private final Path root;
  private final Ports ports;
  private final PrivateNetwork network;

  /**
   * For one bed.
   *
   * @param network where its last DataNode is; null where all are on this machine
   */
  BedSite(BedSpec spec, Path root, Ports ports, PrivateNetwork network) {
    this.spec = spec;
    this.root = root;
    this.ports = ports;
    this.network = network;
  }

  /** What all have, clients too. */
  Map<String, String> common() throws IOException {
    Map<String, String> keys = new LinkedHashMap<>();
    if (spec.site != null) {
      keys.putAll(SiteFile.read(spec.site));
    }
    nameNodes(keys);
    keys.put("dfs.replication", Integer.toString(Math.min(3, spec.dataNodes)));
    keys.put("dfs.datanode.failed.volumes.tolerated", "1"); // as in conf/hdfs-site.xml
    keys.put("dfs.heartbeat.interval", "1");
    keys.put("dfs.namenode.redundancy.interval.seconds", "1");
    keys.put("dfs.namenode.safemode.extension", "1000");
    if (network != null) {
      // Its address has no name.
      keys.put("dfs.namenode.datanode.registration.ip-hostname-check", "false");
    }
    keys.put("hadoop.tmp.dir", root.resolve("tmp").toString());
    keys.put("hbase.tmp.dir", root.resolve("tmp").toString());
    keys.put("hbase.rootdir", keys.get("fs.defaultFS") + "/hbase");
    keys.put("hbase.cluster.distributed", "true");
    keys.put("hbase.zookeeper.quorum", Ports.LOOPBACK);
    keys.put("hbase.zookeeper.property.clientPort", Integer.toString(ports.free()));
    keys.put("hbase.zookeeper.property.clientPortAddress", Ports.LOOPBACK);
    keys.put(
        "hbase.zookeeper.property.dataDir",
        root.resolve(Role.ZOOKEEPER.name(0)).resolve("data").toString());
    keys.put("zookeeper.session.timeout", "20000");
    keys.put("hbase.master.hostname", "localhost");
    keys.put("hbase.unsafe.regionserver.hostname", "localhost");
    keys.put(
        "hbase.master.wait.on.regionservers.mintostart",
        Integer.toString(Math.max(1, spec.regionServers)));
    for (String server : new String[] {"master", "regionserver"}) {
      keys.put("hbase." + server + ".ipc.address", Ports.LOOPBACK);
      keys.put("hbase." + server + ".info.bindAddress", Ports.LOOPBACK);
    }
    keys.putAll(spec.keys);
    return keys;
  }

  private void nameNodes(Map<String, String> keys) throws IOException {
    boolean one = spec.nameNodes == 1;
    List<String> names =
        IntStream.range(0, spec.nameNodes).mapToObj(Role.NAMENODE::name).collect(toList());
    keys.put("fs.defaultFS", "hdfs://" + (one ? ports.address() : SERVICE));
    for (int number = 0; number < spec.nameNodes; number++) {
      String suffix = one ? "" : "." + SERVICE + "." + names.get(number);
      String host = spec.web == BedSpec.Web.DEFAULT ? "127.0.0." + (1 + number) : Ports.LOOPBACK;
      if (!one) {
        keys.put("dfs.namenode.rpc-address" + suffix, host + ":" + ports.free());
      }
      for (String scheme : new String[] {"http", "https"}) {
        String key = "dfs.namenode." + scheme;
        if (spec.web == BedSpec.Web.DEFAULT) {
          keys.put(key + "-bind-host" + suffix, host);
        } else {
          String web = spec.web == BedSpec.Web.ANYWHERE ? "0.0.0.0" : host;
          keys.put(key + "-address" + suffix, web + ":" + ports.free());
        }
      }
    }
    if (!one) {
      keys.put("dfs.nameservices", SERVICE);
      keys.put("dfs.ha.namenodes." + SERVICE, String.join(",", names));
      keys.put("dfs.namenode.shared.edits.dir", root.resolve("edits").toUri().toString());
      keys.put(
          "dfs.client.failover.proxy.provider." + SERVICE,
          ConfiguredFailoverProxyProvider.class.getName());
      keys.put("dfs.ha.fencing.methods", "shell(/bin/true)");
    }
  }

  /** Where a NameNode's web server is. */
  static String webOf(Map<String, String> keys, String name) {
    String scheme = "HTTPS_ONLY".equals(keys.get("dfs.http.policy")) ? "https" : "http";
    String key = "dfs.namenode." + scheme + "-address";
    String own = "." + SERVICE + "." + name;
    String one = keys.get(key);
    String address = one != null ? one : keys.get(key + own);
    if (address == null) {
      address = "0.0.0.0:" + (scheme.equals("http") ? 9870 : 9871);
    }
    String host = keys.getOrDefault("dfs.namenode.rpc-address" + own, "").replaceFirst(":.*", "");
    return scheme + "://" + address.replace("0.0.0.0", host);
  }

  /** One process's own, over the common ones; makes the directories it needs. */
  Map<String, String> own(Role role, String name) throws IOException {
    Path directory = Files.createDirectories(root.resolve(name));
    Map<String, String> keys = new LinkedHashMap<>();
    switch (role) {
      case NAMENODE:
        keys.put("dfs.namenode.name.dir", directory.resolve("image").toUri().toString());
        if (spec.nameNodes > 1) {
          keys.put("dfs.ha.namenode.id", name);
        }
        if (spec.racks > 1) {
          racks(keys, directory.resolve("racks"));
        }
        break;
      case DATANODE:
        if (spec.racks > 1) {
          keys.put("dfs.datanode.hostname", name);
        }
        if (spec.media(name).size() == 1) {
          keys.put("dfs.datanode.failed.volumes.tolerated", "0"); // it refuses to tolerate all
        }
        keys.put(
            "dfs.datanode.data.dir",
            spec.media(name).stream()
                .map(medium -> "[" + medium + "]" + spec.volume(directory, medium).toUri())
                .collect(joining(",")));
        for (String server :
            new String[] {"address", "ipc.address", "http.address", "https.address"}) {
          keys.put(
              "dfs.datanode." + server,
              isRemote(role, name) ? network.far() + ":" + ports.free() : ports.address());
        }
        break;
      case MASTER:
        keys.put("hbase.master.port", Integer.toString(ports.free()));
        keys.put("hbase.master.info.port", Integer.toString(ports.free()));
        break;
      case REGIONSERVER:
        keys.put("hbase.regionserver.port", Integer.toString(ports.free()));
        keys.put("hbase.regionserver.info.port", Integer.toString(ports.free()));
        break;
      default:
    }
    return keys;
  }

  /**
   * Racks by the names of the DataNodes, which share an address. HDFS's own table is by address: it
   * asks only a mapping without a cache for names.
   */
  private void racks(Map<String, String> keys, Path table) throws IOException {
    Files.write(
        table,
        IntStream.range(0, spec.dataNodes)
            .mapToObj(node -> Role.DATANODE.name(node) + " /r" + node % spec.racks)
            .collect(toList()));
    keys.put("net.topology.table.file.name", table.toString());
    keys.put(
        "net.topology.node.switch.mapping.impl",
        "org.apache.hadoop.net.TableMapping$RawTableMapping");
  }

  /** Whether a process runs at the far end of the network. */
  boolean isRemote(Role role, String name) {
    return network != null && role == Role.DATANODE && name.equals(role.name(spec.dataNodes - 1));
  }

  /** Where a DataNode keeps its volume of a medium, unless that has a device of its own. */
  static Path volume(Path directory, String medium) {
    return directory.resolve(medium.toLowerCase(java.util.Locale.ROOT));
  }
}
