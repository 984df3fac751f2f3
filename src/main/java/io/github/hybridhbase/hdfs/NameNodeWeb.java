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

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DFSUtil;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The web servers of an HDFS's NameNodes, by HDFS's own rules for HA, defaults, wildcards and
 * HTTPS.
 */
@InterfaceAudience.Private
public final class NameNodeWeb {
  private static final String[] PLAIN = {
    HdfsClientConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY,
    HdfsClientConfigKeys.DFS_NAMENODE_HTTPS_ADDRESS_KEY
  };

  private NameNodeWeb() {}

  /** {@code http(s)://host:port} in the order to try; empty if a pair has no RPC address. */
  static List<String> addresses(Configuration conf, URI fs) throws IOException {
    String scheme = DFSUtil.getHttpClientScheme(conf);
    Map<String, InetSocketAddress> pair = DFSUtilClient.getHaNnRpcAddresses(conf).get(fs.getHost());
    if (pair == null) {
      InetSocketAddress rpc = DFSUtilClient.getNNAddress(fs);
      return List.of(DFSUtil.getInfoServer(rpc, of(conf, rpc), scheme).toString());
    }
    List<String> addresses = new ArrayList<>();
    for (Map.Entry<String, InetSocketAddress> nameNode : pair.entrySet()) {
      // As NameNode.initializeGenericKeys.
      Configuration its = new Configuration(conf);
      DFSUtil.setGenericConf(its, fs.getHost(), nameNode.getKey(), PLAIN);
      String host = nameNode.getValue().getHostString();
      addresses.add(DFSUtil.getInfoServerWithDefaultHost(host, its, scheme).toString());
    }
    return addresses;
  }

  /**
   * Plain keys are the default file system's. Another, such as {@code hbase.wal.dir}, uses HDFS's
   * default port.
   */
  private static Configuration of(Configuration conf, InetSocketAddress rpc) {
    URI standard = FileSystem.getDefaultUri(conf);
    if (!HdfsConstants.HDFS_URI_SCHEME.equals(standard.getScheme())
        || DFSUtilClient.getNNAddress(standard).equals(rpc)) {
      return conf;
    }
    Configuration others = new Configuration(conf);
    for (String key : PLAIN) {
      others.unset(key);
    }
    return others;
  }

  /** Of the first NameNode that answers within seconds. */
  public static Map<String, String> settings(FileSystem fs, Configuration conf) throws IOException {
    return WebClient.settings(conf, addresses(conf, fs.getUri()));
  }

  /**
   * Sends each at most one request.
   *
   * @throws IOException with the reason if none is
   */
  static String active(Configuration conf, URI fs, WebClient web) throws IOException {
    IOException last = new IOException("the configuration names no NameNode of " + fs);
    for (String address : addresses(conf, fs)) {
      try {
        Optional<String> state =
            Jmx.attribute(web.read(address + Jmx.nameNode("NameNodeStatus", "State")), "State");
        if (state.equals(Optional.of("active"))) {
          return address;
        }
        last =
            new IOException(
                address + state.map(is -> " is " + is).orElse(" is still loading its image"));
      } catch (IOException e) {
        last = e;
      }
    }
    throw last;
  }
}
