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

import io.github.hybridhbase.config.StoragePolicy;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSUtilClient;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.HdfsLocatedFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.yetus.audience.InterfaceAudience;

/** A reader of placement facts in HDFS file statuses. */
@InterfaceAudience.Private
final class FileStatuses {
  private FileStatuses() {}

  /** Needed since {@code FileSystem.getStoragePolicy} returns HOT for "unspecified". */
  static byte policy(FileStatus status) {
    return status instanceof HdfsFileStatus
        ? ((HdfsFileStatus) status).getStoragePolicy()
        : StoragePolicy.UNSPECIFIED;
  }

  static FileBlocks blocks(LocatedFileStatus status) throws IOException {
    boolean open = false;
    List<FileBlocks.Block> blocks = new ArrayList<>();
    for (BlockLocation location : status.getBlockLocations()) {
      blocks.add(block(location, location.getLength()));
    }
    if (status instanceof HdfsLocatedFileStatus) {
      LocatedBlocks located = ((HdfsLocatedFileStatus) status).getLocatedBlocks();
      open = located.isUnderConstruction();
      LocatedBlock last = located.getLastLocatedBlock();
      // The list may leave out an open file's block while the NameNode knows no byte of it.
      if (open
          && last != null
          && located.getLocatedBlocks().stream()
              .noneMatch(block -> block.getBlock().equals(last.getBlock()))) {
        blocks.add(
            block(DFSUtilClient.locatedBlocks2Locations(List.of(last))[0], last.getBlockSize()));
      }
    }
    FileBlocks file =
        new FileBlocks(
            status.getPath(),
            status.getLen(),
            status.getReplication(),
            policy(status),
            open,
            blocks,
            status.getModificationTime());
    return file.hot(status.getPermission().getStickyBit());
  }

  private static FileBlocks.Block block(BlockLocation location, long length) throws IOException {
    return new FileBlocks.Block(
        length,
        known(location.getStorageTypes()),
        Arrays.asList(location.getHosts()),
        addresses(location.getNames()));
  }

  private static List<String> addresses(String[] names) {
    return Arrays.stream(names)
        .map(name -> name.substring(0, Math.max(0, name.lastIndexOf(':'))))
        .collect(Collectors.toList());
  }

  /** HDFS reports null as the type of a replica whose DataNode has not reported yet. */
  private static List<StorageType> known(StorageType[] types) {
    return Arrays.stream(types)
        .map(type -> type == null ? StorageType.DEFAULT : type)
        .collect(Collectors.toList());
  }
}
