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

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The volumes of each DataNode: their storage types, and where it matters their capacities and
 * directories. Immutable; every method answers a changed copy.
 */
@InterfaceAudience.Private
public final class VolumeLayout implements Cloneable {
  private List<StorageType> types;
  private long ssdCapacity;
  private long otherCapacity;
  private BiFunction<Integer, StorageType, Path> directories;
  private IntPredicate withSsd = node -> true;
  private IntFunction<String> racks;

  private VolumeLayout(StorageType... types) {
    this.types = List.of(types);
  }

  /** Volumes below the cluster's directory, as large as its file system. */
  public static VolumeLayout of(StorageType... types) {
    return new VolumeLayout(types);
  }

  private VolumeLayout with(Consumer<VolumeLayout> change) {
    try {
      VolumeLayout copy = (VolumeLayout) clone();
      change.accept(copy);
      return copy;
    } catch (CloneNotSupportedException e) {
      throw new AssertionError(e);
    }
  }

  /** Other types, all else as it is. */
  public VolumeLayout types(StorageType... other) {
    return with(copy -> copy.types = List.of(other));
  }

  /** Capacity of each SSD volume in bytes; 0 = that of its file system. */
  public VolumeLayout ssdCapacity(long bytes) {
    return with(copy -> copy.ssdCapacity = bytes);
  }

  /** Capacity of each volume that is not SSD, in bytes; 0 = that of its file system. */
  public VolumeLayout otherCapacity(long bytes) {
    return with(copy -> copy.otherCapacity = bytes);
  }

  /**
   * The directory of each volume, by the DataNode's number (from 0) and the storage type. The
   * directories must be empty; what is written into them stays.
   */
  public VolumeLayout in(BiFunction<Integer, StorageType, Path> place) {
    return with(copy -> copy.directories = place);
  }

  /**
   * Only these DataNodes, by their numbers from 0, have the SSD volumes; the others have DISK
   * volumes in their place.
   */
  public VolumeLayout ssdOn(IntPredicate dataNodes) {
    return with(copy -> copy.withSsd = dataNodes);
  }

  /** The rack of each DataNode, by its number from 0, such as {@code /rack1}. */
  public VolumeLayout racks(IntFunction<String> rackOf) {
    return with(copy -> copy.racks = rackOf);
  }

  void applyTo(MiniDFSCluster.Builder builder, int dataNodes) {
    StorageType[][] typesOf = new StorageType[dataNodes][];
    Arrays.setAll(typesOf, node -> types(node).toArray(new StorageType[0]));
    builder.numDataNodes(dataNodes).storagesPerDatanode(types.size()).storageTypes(typesOf);
    if (ssdCapacity > 0 || otherCapacity > 0) {
      long[][] capacities = new long[dataNodes][];
      Arrays.setAll(capacities, this::capacities);
      builder.storageCapacities(capacities);
    }
    if (racks != null) {
      String[] rackOf = new String[dataNodes];
      Arrays.setAll(rackOf, racks);
      builder.racks(rackOf);
    }
    if (directories != null) {
      Configuration[] overlays = new Configuration[dataNodes];
      Arrays.setAll(overlays, this::overlay);
      builder.manageDataDfsDirs(false).dataNodeConfOverlays(overlays);
    }
  }

  private List<StorageType> types(int dataNode) {
    return types.stream()
        .map(type -> type == StorageType.SSD && !withSsd.test(dataNode) ? StorageType.DISK : type)
        .collect(Collectors.toList());
  }

  private long[] capacities(int dataNode) {
    return types(dataNode).stream()
        .mapToLong(type -> type == StorageType.SSD ? ssdCapacity : otherCapacity)
        .toArray();
  }

  private Configuration overlay(int dataNode) {
    Configuration overlay = new Configuration(false);
    overlay.set(
        DFSConfigKeys.DFS_DATANODE_DATA_DIR_KEY,
        types(dataNode).stream()
            .map(type -> "[" + type + "]" + directories.apply(dataNode, type).toUri())
            .collect(Collectors.joining(",")));
    return overlay;
  }
}
