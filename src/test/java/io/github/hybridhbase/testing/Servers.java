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

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.ServerManager;
import org.apache.yetus.audience.InterfaceAudience;

/** Masters and region servers of a cluster that die and are replaced. */
@InterfaceAudience.Private
final class Servers {
  private final TypedCluster cluster;

  Servers(TypedCluster cluster) {
    this.cluster = cluster;
  }

  void await(int regionServers) {
    Await.until(
        "all region servers",
        () -> cluster.activeMaster().getServerManager().countOfRegionServers() >= regionServers);
    // A master that takes over after a region server died must not wait for the first number.
    relax(cluster.hbase().getConfiguration());
    cluster
        .hbase()
        .getLiveMasterThreads()
        .forEach(thread -> relax(thread.getMaster().getConfiguration()));
  }

  private static void relax(Configuration conf) {
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MINTOSTART, 1);
    conf.setInt(ServerManager.WAIT_ON_REGIONSERVERS_MAXTOSTART, 1);
  }

  void killRegionServer(ServerName server) throws Exception {
    cluster.hbase().killRegionServer(server);
    cluster.hbase().waitForRegionServerToStop(server, Await.MILLIS);
    awaitRecovery(server);
  }

  ServerName restartRegionServer(ServerName server) throws Exception {
    MiniHBaseCluster hbase = cluster.hbase();
    ServerName successor =
        hbase.startRegionServerAndWait(Await.MILLIS).getRegionServer().getServerName();
    hbase.stopRegionServer(server);
    hbase.waitForRegionServerToStop(server, Await.MILLIS);
    awaitRecovery(server);
    return successor;
  }

  private void awaitRecovery(ServerName server) throws Exception {
    ServerManager servers = cluster.activeMaster().getServerManager();
    Await.until(
        "recovery of " + server,
        () ->
            !servers.isServerOnline(server)
                && servers.isServerDead(server)
                && !servers.areDeadServersInProgress());
    cluster.util().waitUntilNoRegionsInTransition(Await.MILLIS);
  }

  ServerName failoverMaster() throws Exception {
    MiniHBaseCluster hbase = cluster.hbase();
    ServerName old = cluster.activeMaster().getServerName();
    if (hbase.getLiveMasterThreads().size() < 2) {
      hbase.startMaster();
    }
    hbase.killMaster(old);
    hbase.waitForMasterToStop(old, Await.MILLIS);
    Await.until(
        "another master",
        () -> {
          HMaster master = hbase.getMaster();
          return master != null
              && !master.getServerName().equals(old)
              && master.isActiveMaster()
              && master.isInitialized();
        });
    cluster.util().invalidateConnection();
    return cluster.activeMaster().getServerName();
  }
}
