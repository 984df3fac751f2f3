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
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The settings of a {@link TypedCluster}, the later ones winning: Hadoop's and HBase's defaults,
 * small defaults that fit two cores, the shipped site file, {@link ClusterSpec#conf}, and last the
 * addresses that the cluster must own.
 */
@InterfaceAudience.Private
final class ClusterSettings {
  private static final String LOOPBACK = "127.0.0.1";
  private static final long MIB = 1L << 20;
  private static final long GIB = 1L << 30;

  private ClusterSettings() {}

  static Configuration of(ClusterSpec spec) {
    Configuration conf = HBaseConfiguration.create();
    conf.addResource(smallDefaults());
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

  private static Configuration smallDefaults() {
    Configuration small = new Configuration(false);
    small.setInt("dfs.namenode.handler.count", 4);
    small.setInt("dfs.datanode.handler.count", 3);
    small.setLong("dfs.blocksize", 64 * MIB);
    small.setInt("dfs.heartbeat.interval", 1);
    small.setInt("dfs.namenode.redundancy.interval.seconds", 1);
    small.setLong("dfs.block.scanner.volume.bytes.per.second", 0);
    small.setLong(
        DFSConfigKeys
            .DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY,
        GIB);
    small.setInt(HConstants.REGION_SERVER_HANDLER_COUNT, 6);
    small.setInt("hbase.regionserver.metahandler.count", 4);
    small.setInt("hbase.regionserver.replication.handler.count", 1);
    // Or each region waits 150 ms for others, before it is assigned and before it is opened.
    small.setInt("hbase.assignment.dispatch.wait.msec", 10);
    small.setInt("hbase.procedure.remote.dispatcher.delay.msec", 10);
    // HBase's 4 s and 1 s are for a heartbeat of 3 s.
    small.setInt("hbase.lease.recovery.first.pause", 1_200);
    small.setInt("hbase.lease.recovery.pause", 100);
    small.setInt("hbase.netty.worker.count", 2);
    small.setInt("hbase.hconnection.threads.max", 16);
    small.setInt("hbase.client.pause", 50);
    small.setInt("hbase.regionserver.msginterval", 200);
    small.setInt("hbase.server.thread.wakefrequency", 1000);
    // HBase ends the whole JVM this long after a server was killed, and all clusters share one.
    small.setLong("hbase.regionserver.abort.timeout", TimeUnit.DAYS.toMillis(1));
    // HBase gives a master half a minute to become active.
    small.setLong("hbase.master.start.timeout.localHBaseCluster", Await.MILLIS);
    small.setInt(HConstants.ZK_SESSION_TIMEOUT, 30_000);
    small.setInt("hbase.master.info.port", -1);
    small.setInt("hbase.regionserver.info.port", -1);
    // Each server takes its shares of the one heap.
    small.set("hbase.regionserver.global.memstore.size", "0.2");
    small.set("hfile.block.cache.size", "0.1");
    return small;
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
