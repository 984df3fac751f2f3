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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.yetus.audience.InterfaceAudience;

/** A file and the media of its replicas, from {@code BlockLocation}. */
@InterfaceAudience.Private
public final class FileBlocks {
  @InterfaceAudience.Private
  public static final class Block {
    public final long length;
    public final List<StorageType> replicas;

    /**
     * @param length bytes; while being written the NameNode's value, often 0
     * @param replicas HDFS reports null until the replica's DataNode has reported
     */
    public Block(long length, StorageType... replicas) {
      this.length = length;
      this.replicas =
          Arrays.stream(replicas)
              .map(type -> type == null ? StorageType.DEFAULT : type)
              .collect(Collectors.toUnmodifiableList());
    }
  }

  public final Path path;

  /** Bytes that the NameNode knows. */
  public final long length;

  /** Id of the effective one. */
  public final byte policy;

  public final boolean open;
  public final List<Block> blocks;

  /** Milliseconds since 1970; 0 if unknown. */
  public final long modified;

  /** Whether it has the sticky bit. */
  public final boolean marked;

  private final int replication;

  public FileBlocks(
      Path path,
      long length,
      int replication,
      byte policy,
      boolean open,
      List<Block> blocks,
      long modified,
      boolean marked) {
    this.path = path;
    this.length = length;
    this.replication = replication;
    this.policy = policy;
    this.open = open;
    this.blocks = List.copyOf(blocks);
    this.modified = modified;
    this.marked = marked;
  }

  public long replicas(StorageType type) {
    return blocks.stream().mapToLong(b -> Collections.frequency(b.replicas, type)).sum();
  }

  public long replicas() {
    return blocks.stream().mapToLong(b -> b.replicas.size()).sum();
  }

  public long bytes(StorageType type) {
    return blocks.stream().mapToLong(b -> b.length * Collections.frequency(b.replicas, type)).sum();
  }

  public long misplaced(StoragePolicy wanted) {
    return blocks.stream().mapToLong(b -> wanted.misplaced(b.replicas)).sum();
  }

  public long misplacedBytes(StoragePolicy wanted) {
    return blocks.stream().mapToLong(b -> b.length * wanted.misplaced(b.replicas)).sum();
  }

  public long underReplicatedBlocks() {
    return blocks.stream().filter(b -> b.replicas.size() < replication).count();
  }

  /** Of the worst block. */
  public int mostMissing() {
    return blocks.stream().mapToInt(b -> replication - b.replicas.size()).max().orElse(0);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder(path.toString());
    for (Block block : blocks) {
      text.append(' ').append(block.length).append(block.replicas);
    }
    return open ? text.append(" open").toString() : text.toString();
  }

  /** {@code FileSystem.getStoragePolicy} returns HOT for "unspecified". */
  static byte policyOf(FileStatus status) {
    return status instanceof HdfsFileStatus
        ? ((HdfsFileStatus) status).getStoragePolicy()
        : StoragePolicy.UNSPECIFIED;
  }

  static FileBlocks of(LocatedFileStatus status) throws IOException {
    boolean open = false;
    List<Block> blocks = new ArrayList<>();
    for (BlockLocation location : status.getBlockLocations()) {
      blocks.add(new Block(location.getLength(), location.getStorageTypes()));
    }
    if (status instanceof HdfsLocatedFileStatus) {
      LocatedBlocks located = ((HdfsLocatedFileStatus) status).getLocatedBlocks();
      open = located.isUnderConstruction();
      LocatedBlock last = located.getLastLocatedBlock();
      // The list may omit the last block while the NameNode knows no byte of it.
      if (open
          && last != null
          && located.getLocatedBlocks().stream()
              .noneMatch(block -> block.getBlock().equals(last.getBlock()))) {
        blocks.add(new Block(last.getBlockSize(), last.getStorageTypes()));
      }
    }
    return new FileBlocks(
        status.getPath(),
        status.getLen(),
        status.getReplication(),
        policyOf(status),
        open,
        blocks,
        status.getModificationTime(),
        status.getPermission().getStickyBit());
  }
}
