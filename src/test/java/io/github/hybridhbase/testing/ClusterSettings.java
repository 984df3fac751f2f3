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
package io.github.hybridhbase.testing;

import java.nio.file.Files;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link TypedCluster}, the later ones winning: Hadoop's and HBase's defaults,
 * small defaults that fit two cores, the shipped site file, {@link ClusterSpec#conf}, and last the
 * addresses that the cluster must own.
 */
@InterfaceAudience.Private
final class ClusterSettings {
  private static final String LOOPBACK = "127.0.0.1";

  private ClusterSettings() {}

  static Configuration of(ClusterSpec spec) {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource("mini-cluster.xml");
    if (spec.plugin) {
      if (!Files.isReadable(TypedCluster.shippedSite())) { // else the cluster would be stock
        throw new IllegalStateException(TypedCluster.shippedSite() + " is not there");
      }
      conf.addResource(new Path(TypedCluster.shippedSite().toUri()));
    }
    spec.conf.forEach(conf::set);
    own(conf);
    return conf;
  }

  private static void own(Configuration conf) {
    conf.set("hbase.zookeeper.quorum", LOOPBACK);
    conf.set("hbase.zookeeper.property.clientPortAddress", LOOPBACK);
    conf.set("hbase.master.ipc.address", LOOPBACK);
    conf.set("hbase.regionserver.ipc.address", LOOPBACK);
    conf.set("hbase.master.hostname", "localhost");
    conf.set("hbase.unsafe.regionserver.hostname", "localhost");
    conf.set("hbase.master.info.bindAddress", LOOPBACK);
    conf.set("hbase.regionserver.info.bindAddress", LOOPBACK);
    conf.setBoolean("hbase.localcluster.assign.random.ports", true);
  }
}
