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

import java.io.IOException;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.MiniHBaseCluster;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.util.JVMClusterUtil.MasterThread;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The masters and RegionServers of a mini-cluster. HBase 3 calls the class behind it {@code
 * SingleProcessHBaseCluster}: this class and {@link ClusterUtility} are all that names it.
 */
@InterfaceAudience.Private
public final class RunningHBase {
  private final MiniHBaseCluster hbase;

  RunningHBase(MiniHBaseCluster hbase) {
    this.hbase = hbase;
  }

  /** The configuration that servers are started with. */
  public Configuration getConfiguration() {
    return hbase.getConfiguration();
  }

  /** The active master; null if there is none. */
  public HMaster getMaster() {
    return hbase.getMaster();
  }

  /** A master by its number, from 0 on. */
  public HMaster getMaster(int number) {
    return hbase.getMaster(number);
  }

  /** All masters, dead ones too. */
  public List<MasterThread> getMasterThreads() {
    return hbase.getMasterThreads();
  }

  /** Masters that run. */
  public List<MasterThread> getLiveMasterThreads() {
    return hbase.getLiveMasterThreads();
  }

  /** Starts one more master. */
  public MasterThread startMaster() throws IOException {
    return hbase.startMaster();
  }

  /** Aborts a master. */
  public void killMaster(ServerName master) throws IOException {
    hbase.killMaster(master);
  }

  /** Waits for the end of a master. */
  public void waitForMasterToStop(ServerName master, long millis) throws IOException {
    hbase.waitForMasterToStop(master, millis);
  }

  /** All RegionServers, dead ones too. */
  public List<RegionServerThread> getRegionServerThreads() {
    return hbase.getRegionServerThreads();
  }

  /** RegionServers that run. */
  public List<RegionServerThread> getLiveRegionServerThreads() {
    return hbase.getLiveRegionServerThreads();
  }

  /** A RegionServer by its number, from 0 on. */
  public HRegionServer getRegionServer(int number) {
    return hbase.getRegionServer(number);
  }

  /** A RegionServer by its name; null if there is none. */
  public HRegionServer getRegionServer(ServerName name) {
    return hbase.getRegionServer(name);
  }

  /** Starts one more RegionServer. */
  public RegionServerThread startRegionServer() throws IOException {
    return hbase.startRegionServer();
  }

  /** The same, and waits until it is up. */
  public RegionServerThread startRegionServerAndWait(long millis) throws IOException {
    return hbase.startRegionServerAndWait(millis);
  }

  /** Kills a RegionServer without farewell. */
  public void killRegionServer(ServerName server) throws IOException {
    hbase.killRegionServer(server);
  }

  /** Stops a RegionServer in good order. */
  public void stopRegionServer(ServerName server) throws IOException {
    hbase.stopRegionServer(server);
  }

  /** Waits for the end of a RegionServer. */
  public void waitForRegionServerToStop(ServerName server, long millis) throws IOException {
    hbase.waitForRegionServerToStop(server, millis);
  }

  /** The open regions of a table. */
  public List<HRegion> getRegions(TableName table) {
    return hbase.getRegions(table);
  }

  /** The server that has a region open. */
  public ServerName getServerHoldingRegion(TableName table, byte[] region) throws IOException {
    return hbase.getServerHoldingRegion(table, region);
  }

  /** The server that has hbase:meta open. */
  public ServerName getServerHoldingMeta() throws IOException {
    return hbase.getServerHoldingMeta();
  }
}
