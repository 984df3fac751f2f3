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

  private void set(String... keysAndValues) {
    for (int i = 0; i < keysAndValues.length; i += 2) {
      conf.set("dfs." + keysAndValues[i], keysAndValues[i + 1]);
    }
  }

  private void assertWeb(String fs, String... addresses) throws IOException {
    assertEquals(List.of(addresses), NameNodeWeb.addresses(conf, URI.create("hdfs://" + fs)));
  }

  private void pair() {
    conf.set("fs.defaultFS", "hdfs://ns1");
    set("nameservices", "ns1", "ha.namenodes.ns1", "nn1,nn2");
    set("namenode.rpc-address.ns1.nn1", "one.example:8020");
    set("namenode.rpc-address.ns1.nn2", "two.example:8020");
  }

  @Test
  void aPairWithoutWebAddressesHasHdfssDefaults() throws IOException {
    pair();
    assertWeb("ns1", "http://one.example:9870", "http://two.example:9870");
    set("http.policy", "HTTPS_ONLY");
    assertWeb("ns1", "https://one.example:9871", "https://two.example:9871");
  }

  @Test
  void aPairThatListensEverywhereIsAskedAtItsHosts() throws IOException {
    pair();
    set("namenode.http-address.ns1.nn1", "0.0.0.0:50070");
    set("namenode.http-address.ns1.nn2", "0.0.0.0:50071");
    assertWeb("ns1", "http://one.example:50070", "http://two.example:50071");
    conf.unset("dfs.namenode.http-address.ns1.nn1");
    conf.unset("dfs.namenode.http-address.ns1.nn2");
    set("namenode.http-address", "0.0.0.0:50072");
    assertWeb("ns1", "http://one.example:50072", "http://two.example:50072");
    set("http.policy", "HTTPS_ONLY", "namenode.https-address.ns1.nn1", "0.0.0.0:50470");
    set("namenode.https-address.ns1.nn2", "web.example:50471");
    assertWeb("ns1", "https://one.example:50470", "https://web.example:50471");
  }

  @Test
  void oneNameNode() throws IOException {
    assertWeb("nn.example:8020", "http://nn.example:9870");
    set("namenode.http-address", "0.0.0.0:9999");
    assertWeb("nn.example", "http://nn.example:9999");
    set("http.policy", "HTTPS_ONLY", "namenode.https-address", "web.example:9871");
    assertWeb("nn.example:8020", "https://web.example:9871");
  }

  @Test
  void theServicesOfAFederationAreToldApart() throws IOException {
    conf.set("fs.defaultFS", "hdfs://a");
    set("nameservices", "a,b", "ha.namenodes.a", "x,y");
    set("namenode.rpc-address.a.x", "ax.example:8020", "namenode.http-address.a.x", "ax.example:1");
    set("namenode.rpc-address.a.y", "ay.example:8020", "namenode.http-address.a.y", "ay.example:2");
    // HDFS looks a name service up by the address of its NameNode, which must be resolved.
    set("namenode.rpc-address.b", "127.0.0.2:8020", "namenode.http-address.b", "b.example:3");
    assertWeb("a", "http://ax.example:1", "http://ay.example:2");
    assertWeb("127.0.0.2:8020", "http://b.example:3");
    assertWeb("127.0.0.2", "http://b.example:3");
  }

  /** {@code hbase.wal.dir} may be on an HDFS whose web address this server does not know. */
  @Test
  void aWebAddressOfTheDefaultHdfsIsNotTakenForThatOfAnother() throws IOException {
    set("namenode.http-address", "web.example:1");
    conf.set("fs.defaultFS", "hdfs://main.example:8020");
    assertWeb("main.example:8020", "http://web.example:1");
    assertWeb("main.example", "http://web.example:1");
    assertWeb("fast.example:8020", "http://fast.example:9870");
    assertWeb("main.example:8021", "http://main.example:9870");
    conf.set("fs.defaultFS", "hdfs://localhost");
    assertWeb("127.0.0.1:8020", "http://web.example:1");
    conf.set("fs.defaultFS", "file:///");
    assertWeb("main.example:8020", "http://web.example:1");
  }
}
