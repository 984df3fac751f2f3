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

import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.web.WebHdfsConstants;
import org.apache.yetus.audience.InterfaceAudience;

/** The web addresses of a file system's NameNodes: HTTP or HTTPS, HA or federated. Pure. */
@InterfaceAudience.Private
final class NameNodeWeb {
  private NameNodeWeb() {}

  /** {@code http(s)://host:port}, in the order to try; empty if none is configured. */
  static List<String> addresses(Configuration conf, URI fs) {
    boolean https = conf.getTrimmed("dfs.http.policy", "HTTP_ONLY").equalsIgnoreCase("HTTPS_ONLY");
    String scheme = https ? WebHdfsConstants.SWEBHDFS_SCHEME : WebHdfsConstants.WEBHDFS_SCHEME;
    Map<String, Map<String, InetSocketAddress>> all =
        DFSUtilClient.getHaNnWebHdfsAddresses(conf, scheme);
    Map<String, InetSocketAddress> mine = all.get(fs.getHost());
    if (mine == null && all.size() == 1) {
      mine = all.values().iterator().next();
    }
    if (mine == null) {
      mine = all.get(serviceOf(conf, fs));
    }
    List<String> addresses = new ArrayList<>();
    if (mine != null) {
      for (InetSocketAddress address : mine.values()) {
        String host = address.getHostString();
        // A NameNode that listens everywhere is reachable at the file system's host.
        boolean everywhere = host.equals("0.0.0.0") || host.equals("::") || host.isEmpty();
        addresses.add(
            (https ? "https://" : "http://")
                + (everywhere ? fs.getHost() : host)
                + ":"
                + address.getPort());
      }
    }
    return addresses;
  }

  /** Or null. */
  private static String serviceOf(Configuration conf, URI fs) {
    Map<String, Map<String, InetSocketAddress>> rpc =
        DFSUtilClient.getAddresses(conf, null, HdfsClientConfigKeys.DFS_NAMENODE_RPC_ADDRESS_KEY);
    for (Map.Entry<String, Map<String, InetSocketAddress>> service : rpc.entrySet()) {
      for (InetSocketAddress address : service.getValue().values()) {
        if (address.getHostString().equals(fs.getHost()) && address.getPort() == fs.getPort()) {
          return service.getKey();
        }
      }
    }
    return null;
  }
}
