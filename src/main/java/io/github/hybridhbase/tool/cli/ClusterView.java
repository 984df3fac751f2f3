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
package io.github.hybridhbase.tool.cli;

import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** A reader of the running HBase, with short timeouts. */
@InterfaceAudience.Private
public final class ClusterView {
  private ClusterView() {}

  /** Calls fail if HBase does not respond within some seconds. */
  public static Connection connect(Configuration conf) throws IOException {
    return ConnectionFactory.createConnection(impatient(conf));
  }

  static Configuration impatient(Configuration conf) {
    Configuration impatient = HBaseConfiguration.create(conf);
    impatient.setInt("hbase.client.retries.number", 2);
    impatient.setInt("hbase.rpc.timeout", 5_000);
    impatient.setInt("hbase.client.operation.timeout", 10_000);
    impatient.setInt("hbase.client.meta.operation.timeout", 10_000);
    // Each try of the client asks ZooKeeper again, and waits a second if nothing listens.
    impatient.setInt("zookeeper.recovery.retry", 0);
    impatient.setInt("zookeeper.session.timeout", 10_000);
    return impatient;
  }
}
