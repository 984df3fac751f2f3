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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.ha.HATestUtil;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.net.NetUtils;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HDFS in this JVM whose DataNodes have volumes of the storage types that a layout names. The
 * volumes may be directories on the same device: their declared type and capacity is all that
 * placement looks at. It keeps to the settings that it is given, where {@link MiniDFSCluster} would
 * let DataNodes fill their volumes to the last byte.
 */
@InterfaceAudience.Private
public final class TypedHdfs implements AutoCloseable {
  /** What most tests need: one SSD and one DISK volume for each DataNode. */
  public static final VolumeLayout SSD_AND_DISK =
      VolumeLayout.of(StorageType.SSD, StorageType.DISK);

  /** Bytes that a DataNode keeps free on each volume. */
  public static final String SPARE =
      DFSConfigKeys.DFS_DATANODE_ROUND_ROBIN_VOLUME_CHOOSING_POLICY_ADDITIONAL_AVAILABLE_SPACE_KEY;

  /**
   * Whether the NameNode rejects DataNodes with more load than usual. A name of the tests' own:
   * HDFS's key is true in hdfs-default.xml, and on three DataNodes a start of HBase then finds one
   * of them too busy now and then.
   */
  public static final String CONSIDER_LOAD = "hybrid.testing.considerLoad";

  private static final String SERVICE = "hybrid";

  private final MiniDFSCluster cluster;
  private final Configuration conf;
  private final boolean twoNameNodes;

  private TypedHdfs(MiniDFSCluster cluster, Configuration conf, boolean twoNameNodes) {
    this.cluster = cluster;
    this.conf = conf;
    this.twoNameNodes = twoNameNodes;
  }

  /**
   * Starts one NameNode and the DataNodes; returns when all serve.
   *
   * @param conf gets the addresses that clients need
   * @param directory where all of it lives; made if missing
   */
  public static TypedHdfs start(
      Configuration conf, Path directory, int dataNodes, VolumeLayout volumes) throws IOException {
    return start(conf, directory, dataNodes, volumes, MiniDFSNNTopology.simpleSingleNN(0, 0));
  }

  /**
   * As the other, with other NameNodes: of two that fail over the first is active, and clients fail
   * over too; name services share all DataNodes.
   */
  public static TypedHdfs start(
      Configuration conf,
      Path directory,
      int dataNodes,
      VolumeLayout volumes,
      MiniDFSNNTopology nameNodes)
      throws IOException {
    // The builder's 0 would hide that a DataNode refuses a nearly full volume.
    HdfsConfiguration.init();
    long spare = conf.getLongBytes(SPARE, 0);
    MiniDFSCluster.Builder builder = new MiniDFSCluster.Builder(conf, directory.toFile());
    conf.setLong(SPARE, spare);
    conf.setBoolean(
        DFSConfigKeys.DFS_NAMENODE_REDUNDANCY_CONSIDERLOAD_KEY,
        conf.getBoolean(CONSIDER_LOAD, false));
    if (nameNodes.isHA()) {
      // Else each DataNode tries one that is dead for some ten seconds more, as it stops too.
      conf.setInt("ipc.client.connect.max.retries", 1);
    }
    volumes.applyTo(builder, dataNodes);
    MiniDFSCluster cluster = builder.nnTopology(nameNodes).build();
    return new TypedHdfs(cluster, conf, nameNodes.isHA()).serving();
  }

  private TypedHdfs serving() throws IOException {
    try {
      cluster.waitActive();
      if (twoNameNodes) {
        cluster.transitionToActive(0);
        nameBoth();
      }
      return this;
    } catch (Throwable t) {
      close();
      throw t;
    }
  }

  /** One name for both NameNodes; HBase's utility cannot do that. */
  private void nameBoth() {
    HATestUtil.setFailoverConfigurations(cluster, conf, SERVICE);
    int index = 0;
    for (String id : conf.getTrimmedStrings("dfs.ha.namenodes." + SERVICE)) {
      String web = NetUtils.getHostPortString(cluster.getNameNode(index++).getHttpAddress());
      conf.set("dfs.namenode.http-address." + SERVICE + "." + id, web);
    }
    conf.set("fs.defaultFS", "hdfs://" + SERVICE);
  }

  /** Hadoop's own cluster, for what is not here. */
  public MiniDFSCluster cluster() {
    return cluster;
  }

  /** The file system as the superuser. */
  public DistributedFileSystem fs() throws IOException {
    return twoNameNodes ? (DistributedFileSystem) FileSystem.get(conf) : cluster.getFileSystem();
  }

  /** Has all DataNodes report space and load to the NameNode; returns when they have. */
  public static void heartbeat(MiniDFSCluster cluster) throws IOException {
    try {
      // At the same time: HDFS's utility waits up to 100 ms for each.
      cluster.getDataNodes().parallelStream().forEach(TypedHdfs::heartbeat);
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static void heartbeat(DataNode node) {
    try {
      DataNodeTestUtils.triggerHeartbeat(node);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A new directory whose files get the storage policy; what was there before is gone. */
  public org.apache.hadoop.fs.Path directory(String name, String policy) throws IOException {
    org.apache.hadoop.fs.Path path = new org.apache.hadoop.fs.Path("/" + name);
    fs().delete(path, true);
    fs().mkdirs(path);
    fs().setStoragePolicy(path, policy);
    return path;
  }

  /** How many fsyncs the DataNodes that run now have done. */
  public long fsyncs() {
    return count("fsyncCount");
  }

  /** How many packets the DataNodes that run now have received, each counted by all that did. */
  public long packets() {
    return count("packetsReceived");
  }

  private long count(String counter) {
    long sum = 0;
    for (DataNode node : cluster.getDataNodes()) {
      try {
        Object value = FieldUtils.readField(node.getMetrics(), counter, true);
        sum += ((MutableCounterLong) value).value();
      } catch (IllegalAccessException e) {
        throw new IllegalStateException("DataNodeMetrics has changed", e);
      }
    }
    return sum;
  }

  /** Stops all of it and deletes the directory of the NameNodes. */
  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
