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

import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Web addresses of NameNodes, as clients' configurations have or do not have them. */
@InterfaceAudience.Private
class NameNodeWebTest {
  private final Configuration conf = new Configuration(false);

  private List<String> addresses(String fs) throws IOException {
    return NameNodeWeb.addresses(conf, URI.create(fs));
  }

  private void pair() {
    conf.set("fs.defaultFS", "hdfs://ns1");
    conf.set("dfs.nameservices", "ns1");
    conf.set("dfs.ha.namenodes.ns1", "nn1,nn2");
    conf.set("dfs.namenode.rpc-address.ns1.nn1", "one.example:8020");
    conf.set("dfs.namenode.rpc-address.ns1.nn2", "two.example:8020");
  }

  @Test
  void aPairWithoutWebAddressesHasHdfssDefaults() throws IOException {
    pair();
    assertEquals(
        List.of("http://one.example:9870", "http://two.example:9870"), addresses("hdfs://ns1"));
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    assertEquals(
        List.of("https://one.example:9871", "https://two.example:9871"), addresses("hdfs://ns1"));
  }

  @Test
  void aPairThatListensEverywhereIsAskedAtItsHosts() throws IOException {
    pair();
    conf.set("dfs.namenode.http-address.ns1.nn1", "0.0.0.0:50070");
    conf.set("dfs.namenode.http-address.ns1.nn2", "0.0.0.0:50071");
    assertEquals(
        List.of("http://one.example:50070", "http://two.example:50071"), addresses("hdfs://ns1"));
    conf.unset("dfs.namenode.http-address.ns1.nn1");
    conf.unset("dfs.namenode.http-address.ns1.nn2");
    conf.set("dfs.namenode.http-address", "0.0.0.0:50072");
    assertEquals(
        List.of("http://one.example:50072", "http://two.example:50072"), addresses("hdfs://ns1"));
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.namenode.https-address.ns1.nn1", "0.0.0.0:50470");
    conf.set("dfs.namenode.https-address.ns1.nn2", "web.example:50471");
    assertEquals(
        List.of("https://one.example:50470", "https://web.example:50471"), addresses("hdfs://ns1"));
  }

  @Test
  void oneNameNode() throws IOException {
    assertEquals(List.of("http://nn.example:9870"), addresses("hdfs://nn.example:8020"));
    conf.set("dfs.namenode.http-address", "0.0.0.0:9999");
    assertEquals(List.of("http://nn.example:9999"), addresses("hdfs://nn.example"));
    conf.set("dfs.http.policy", "HTTPS_ONLY");
    conf.set("dfs.namenode.https-address", "web.example:9871");
    assertEquals(List.of("https://web.example:9871"), addresses("hdfs://nn.example:8020"));
  }

  @Test
  void theServicesOfAFederationAreToldApart() throws IOException {
    conf.set("fs.defaultFS", "hdfs://a");
    conf.set("dfs.nameservices", "a,b");
    conf.set("dfs.ha.namenodes.a", "x,y");
    conf.set("dfs.namenode.rpc-address.a.x", "ax.example:8020");
    conf.set("dfs.namenode.rpc-address.a.y", "ay.example:8020");
    conf.set("dfs.namenode.http-address.a.x", "ax.example:1");
    conf.set("dfs.namenode.http-address.a.y", "ay.example:2");
    // HDFS looks a name service up by the address of its NameNode, which must be resolved.
    conf.set("dfs.namenode.rpc-address.b", "127.0.0.2:8020");
    conf.set("dfs.namenode.http-address.b", "b.example:3");
    assertEquals(List.of("http://ax.example:1", "http://ay.example:2"), addresses("hdfs://a"));
    assertEquals(List.of("http://b.example:3"), addresses("hdfs://127.0.0.2:8020"));
    assertEquals(List.of("http://b.example:3"), addresses("hdfs://127.0.0.2"));
  }

  /** {@code hbase.wal.dir} may be on an HDFS whose web address this server does not know. */
  @Test
  void aWebAddressOfTheDefaultHdfsIsNotTakenForThatOfAnother() throws IOException {
    conf.set("dfs.namenode.http-address", "web.example:1");
    conf.set("fs.defaultFS", "hdfs://main.example:8020");
    assertEquals(List.of("http://web.example:1"), addresses("hdfs://main.example:8020"));
    assertEquals(List.of("http://web.example:1"), addresses("hdfs://main.example"));
    assertEquals(List.of("http://fast.example:9870"), addresses("hdfs://fast.example:8020"));
    assertEquals(List.of("http://main.example:9870"), addresses("hdfs://main.example:8021"));
    conf.set("fs.defaultFS", "hdfs://localhost");
    assertEquals(List.of("http://web.example:1"), addresses("hdfs://127.0.0.1:8020"));
    conf.set("fs.defaultFS", "file:///");
    assertEquals(List.of("http://web.example:1"), addresses("hdfs://main.example:8020"));
  }
}
