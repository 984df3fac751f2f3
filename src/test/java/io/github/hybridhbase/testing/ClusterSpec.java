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

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What a {@link TypedCluster} shall be. Immutable: every method answers a changed copy, and this
 * package only reads the fields.
 */
@InterfaceAudience.Private
public final class ClusterSpec implements Cloneable {
  private static final long GIB = 1L << 30;

  int dataNodes = 3;
  int masters = 1;
  int regionServers = 1;
  boolean walDirApart;
  boolean rootElsewhere;
  boolean plugin;
  MiniDFSNNTopology nameNodes = MiniDFSNNTopology.simpleSingleNN(0, 0);
  VolumeLayout volumes = TypedHdfs.SSD_AND_DISK.ssdCapacity(16 * GIB).otherCapacity(32 * GIB);
  Map<String, String> conf = Map.of();

  ClusterSpec() {}

  private ClusterSpec with(Consumer<ClusterSpec> change) {
    try {
      ClusterSpec copy = (ClusterSpec) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** How many DataNodes (3). */
  public ClusterSpec dataNodes(int count) {
    return with(copy -> copy.dataNodes = count);
  }

  /** How many masters, one of them active (1). */
  public ClusterSpec masters(int count) {
    return with(copy -> copy.masters = count);
  }

  /** How many region servers (1). */
  public ClusterSpec regionServers(int count) {
    return with(copy -> copy.regionServers = count);
  }

  /** Capacity of each SSD volume, in bytes (16 GiB). */
  public ClusterSpec ssdCapacity(long bytes) {
    return with(copy -> copy.volumes = volumes.ssdCapacity(bytes));
  }

  /** Capacity of each DISK volume, in bytes (32 GiB). */
  public ClusterSpec diskCapacity(long bytes) {
    return with(copy -> copy.volumes = volumes.otherCapacity(bytes));
  }

  /** The volumes of each DataNode (SSD, DISK): for a cluster without SSD, say. */
  public ClusterSpec storageTypes(StorageType... types) {
    return with(copy -> copy.volumes = volumes.types(types));
  }

  /**
   * Gives SSD to these DataNodes only, by their numbers from 0, and each DataNode a rack; the
   * NameNode considers load, as HDFS does by default.
   */
  public ClusterSpec ssdOn(IntPredicate dataNodes, IntFunction<String> racks) {
    return with(copy -> copy.volumes = volumes.ssdOn(dataNodes).racks(racks))
        .conf(TypedHdfs.CONSIDER_LOAD, "true");
  }

  /** Puts WALs under a root of their own, as {@code hbase.wal.dir} does. */
  public ClusterSpec walDirApart() {
    return with(copy -> copy.walDirApart = true);
  }

  /** {@code hbase.rootdir} on the local file system, as for an object store; WALs on HDFS. */
  public ClusterSpec rootElsewhere() {
    return walDirApart()
        .conf("hbase.unsafe.stream.capability.enforce", "false")
        .with(copy -> copy.rootElsewhere = true);
  }

  /** Gives HDFS a second NameNode, in standby, and clients that fail over to it. */
  public ClusterSpec twoNameNodes() {
    return with(copy -> copy.nameNodes = MiniDFSNNTopology.simpleHATopology());
  }

  /**
   * Adds the shipped {@code conf/hbase-site.xml}: the plugin as its users switch it on, but for its
   * fail-over, unless a test asks for that. DataNodes that share a JVM and a busy machine with all
   * else stall by chance, and a roll that nobody asked for is in the way of tests of rolls.
   */
  public ClusterSpec plugin() {
    ClusterSpec shipped = with(copy -> copy.plugin = true);
    String stall = "hbase.hybrid.wal.stall";
    return conf.containsKey(stall) ? shipped : shipped.conf(stall, 0);
  }

  /** Sets one key of HBase or HDFS, over every file. */
  public ClusterSpec conf(String key, String value) {
    Map<String, String> more = new LinkedHashMap<>(conf);
    more.put(key, value);
    return with(copy -> copy.conf = more);
  }

  /** Sets one key of HBase or HDFS to a number, over every file. */
  public ClusterSpec conf(String key, long value) {
    return conf(key, Long.toString(value));
  }

  /** Starts HDFS, ZooKeeper and HBase. After a failure nothing is left running. */
  public TypedCluster start() throws Exception {
    return started(true);
  }

  /** Starts HDFS only; {@link TypedCluster#startHBase()} does the rest. */
  public TypedCluster startHdfs() throws Exception {
    return started(false);
  }

  private TypedCluster started(boolean hbase) throws Exception {
    TypedCluster cluster = new TypedCluster(this);
    try {
      cluster.startHdfs();
      if (hbase) {
        cluster.startHBase();
      }
      return cluster;
    } catch (Throwable t) {
      try {
        cluster.close();
      } catch (Exception | AssertionError e) {
        t.addSuppressed(e);
      }
      throw t;
    }
  }
}
