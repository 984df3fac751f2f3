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

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdNodes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.yetus.audience.InterfaceAudience;

/** The SSD volumes of a {@link TypedCluster}, and what lies on them. */
@InterfaceAudience.Private
public final class Ssds {
  private final TypedCluster cluster;

  public Ssds(TypedCluster cluster) {
    this.cluster = cluster;
  }

  /** A DataNode with empty volumes of these media. */
  public static DataNodeState dataNode(
      String name, String rack, String state, Collection<StorageType> types) {
    return dataNode(name, rack, state, types, "");
  }

  /**
   * @param address IP address and transfer port
   */
  public static DataNodeState dataNode(
      String name, String rack, String state, Collection<StorageType> types, String address) {
    List<StorageReport> volumes =
        types.stream().map(type -> DataNodeState.volume(type, 0, 0)).collect(Collectors.toList());
    return new DataNodeState(name, rack, state, 0, address, "", volumes);
  }

  /**
   * A DataNode with two SSDs, in bytes.
   *
   * @param remaining free on one of them
   */
  public static DataNodeState dataNode(
      String name, long capacity, long free, long remaining, long silentSeconds) {
    return new DataNodeState(
        name,
        "/r",
        "In Service",
        silentSeconds,
        "",
        "",
        List.of(
            DataNodeState.volume(StorageType.SSD, capacity - free, remaining),
            DataNodeState.volume(StorageType.SSD, 0, free - remaining)));
  }

  /** Publishes the DataNodes with SSD on HBase's root directory, as the active master does. */
  public static void publish(FileSystem superusers, Configuration conf, Path root)
      throws IOException {
    SsdNodes nodes = SsdNodes.of(new DataNodeReader(superusers, conf).read());
    superusers.setXAttr(root, SsdNodes.XATTR, nodes.toString().getBytes(StandardCharsets.UTF_8));
  }

  /** Gives every SSD volume this capacity in bytes and tells the NameNode. */
  public void capacity(long bytes) throws IOException {
    for (DataNode node : cluster.hdfs().getDataNodes()) {
      capacity(node, bytes);
    }
    TypedHdfs.heartbeat(cluster.hdfs());
  }

  /** Gives the SSD volumes of one DataNode this capacity in bytes. */
  public static void capacity(DataNode node, long bytes) throws IOException {
    of(node).forEach(ssd -> ssd.setCapacityForTesting(bytes));
  }

  /** The SSD volumes of a DataNode. */
  public static List<FsVolumeImpl> of(DataNode node) throws IOException {
    List<FsVolumeImpl> ssds = new ArrayList<>();
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == StorageType.SSD) {
          ssds.add((FsVolumeImpl) volume);
        }
      }
    }
    return ssds;
  }

  /** The open WAL files of all live region servers and the media of their last block. */
  public Map<Path, List<StorageType>> openWals() throws IOException {
    Map<Path, List<StorageType>> wals = new TreeMap<>();
    for (RegionServerThread thread : cluster.hbase().getLiveRegionServerThreads()) {
      for (WAL wal : thread.getRegionServer().getWALs()) {
        Path path = AbstractFSWALProvider.getCurrentFileName(wal);
        wals.put(path, media(path));
      }
    }
    return wals;
  }

  /** The media of a file's last block. */
  public List<StorageType> media(Path file) throws IOException {
    BlockLocation[] blocks = cluster.fs().getFileBlockLocations(file, 0, Long.MAX_VALUE);
    return blocks.length == 0
        ? List.of()
        : Arrays.stream(blocks[blocks.length - 1].getStorageTypes()).collect(Collectors.toList());
  }

  /** Whether every open WAL has this many replicas, all of this type. */
  public boolean allWalsOn(StorageType type, int replicas) {
    try {
      Map<Path, List<StorageType>> wals = openWals();
      return !wals.isEmpty()
          && wals.values().stream()
              .allMatch(
                  media -> media.size() == replicas && media.stream().allMatch(t -> t == type));
    } catch (IOException e) {
      return false; // rolled away between the two looks
    }
  }
}
