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
package io.github.hybridhbase.bench;

import io.github.hybridhbase.testing.FileIoHook;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.FaultInjectorFileIoEvents;
import org.apache.hadoop.hdfs.server.datanode.FileIoProvider.OPERATION;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.metrics.DataNodeMetrics;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * An HDFS in this JVM whose DataNodes have one SSD and one DISK volume each. Every fsync on a
 * medium takes at least what was asked for: {@code FileIoProvider}'s hook for fault injection parks
 * the thread that is about to fsync, which is where a slow device would hold it.
 */
@InterfaceAudience.Private
public final class TypedCluster implements AutoCloseable {
  private static final class SlowFsync extends FaultInjectorFileIoEvents {
    private final Map<StorageType, Long> nanos;

    SlowFsync(Map<StorageType, Long> nanos) {
      super(null);
      this.nanos = nanos;
    }

    @Override
    public void beforeFileIo(FsVolumeSpi volume, OPERATION op, long length) {
      Long delay =
          op == OPERATION.SYNC && volume != null ? nanos.get(volume.getStorageType()) : null;
      if (delay == null) {
        return;
      }
      long end = System.nanoTime() + delay;
      for (long left = delay; left > 0; left = end - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
    }
  }

  private final MiniDFSCluster cluster;

  private TypedCluster(MiniDFSCluster cluster) {
    this.cluster = cluster;
  }

  /**
   * @param base local directory for the NameNode, and for all volumes where there are no disks;
   *     must not exist or be empty
   * @param disks directories for the volumes: DataNode by DataNode, all over again where there are
   *     fewer; may be empty
   * @param dataNodes 1 or more; blocks get as many replicas, 3 at most
   * @param ssdFsyncMicros added to each fsync on SSD, 0 = nothing
   * @param diskFsyncMicros added to each fsync on DISK, 0 = nothing
   * @param hdfs settings beside those
   */
  public static TypedCluster start(
      File base,
      List<File> disks,
      int dataNodes,
      long ssdFsyncMicros,
      long diskFsyncMicros,
      Map<String, String> hdfs)
      throws IOException {
    Configuration conf = new Configuration();
    conf.setInt("dfs.replication", Math.min(3, dataNodes));
    conf.setLong("dfs.blocksize", 128L << 20);
    conf.setBoolean("dfs.datanode.synconclose", false);
    hdfs.forEach(conf::set);
    StorageType[] types = {StorageType.SSD, StorageType.DISK};
    StorageType[][] all = new StorageType[dataNodes][];
    Arrays.fill(all, types);
    MiniDFSCluster.Builder builder =
        new MiniDFSCluster.Builder(conf, base)
            .numDataNodes(dataNodes)
            .storagesPerDatanode(types.length)
            .storageTypes(all);
    if (!disks.isEmpty()) {
      Configuration[] overlays = new Configuration[dataNodes];
      Arrays.setAll(overlays, i -> volumesOn(new File(disks.get(i % disks.size()), "" + i)));
      builder.manageDataDfsDirs(false).dataNodeConfOverlays(overlays);
    }
    MiniDFSCluster cluster = builder.build();
    cluster.waitActive();
    Map<StorageType, Long> nanos = new EnumMap<>(StorageType.class);
    if (ssdFsyncMicros > 0) {
      nanos.put(StorageType.SSD, ssdFsyncMicros * 1_000);
    }
    if (diskFsyncMicros > 0) {
      nanos.put(StorageType.DISK, diskFsyncMicros * 1_000);
    }
    if (!nanos.isEmpty()) {
      for (DataNode dataNode : cluster.getDataNodes()) {
        FileIoHook.put(dataNode, new SlowFsync(nanos));
      }
    }
    return new TypedCluster(cluster);
  }

  private static Configuration volumesOn(File directory) {
    Configuration overlay = new Configuration(false);
    overlay.set(
        DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
        "[SSD]"
            + new File(directory, "ssd").toURI()
            + ",[DISK]"
            + new File(directory, "disk").toURI());
    return overlay;
  }

  /** The file system, and in its {@code getConf()} what clients need. */
  public DistributedFileSystem fileSystem() throws IOException {
    return cluster.getFileSystem();
  }

  /** Packets that DataNodes have received, each counted by every DataNode that did. */
  public long packets() {
    try {
      Field field = DataNodeMetrics.class.getDeclaredField("packetsReceived");
      field.setAccessible(true);
      long packets = 0;
      for (DataNode dataNode : cluster.getDataNodes()) {
        packets += ((MutableCounterLong) field.get(dataNode.getMetrics())).value();
      }
      return packets;
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("DataNodeMetrics has changed", e);
    }
  }

  /** A new directory whose files get the storage policy. */
  public Path directory(String name, String policy) throws IOException {
    Path path = new Path("/" + name);
    fileSystem().delete(path, true);
    fileSystem().mkdirs(path);
    fileSystem().setStoragePolicy(path, policy);
    return path;
  }

  @Override
  public void close() {
    cluster.shutdown(true);
  }
}
