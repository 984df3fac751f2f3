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
package io.github.hybridhbase.wal;

import org.apache.hadoop.fs.FSDataOutputStreamBuilder;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.FilterFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Creates files whose blocks end durably: the last packet of each asks the DataNodes to fsync the
 * replica and the directories that it is renamed between. Without it an hsync covers only the block
 * at hand, and after a power cut a replica may be back in {@code rbw}, where HDFS takes one of a
 * closed file for corrupt.
 *
 * <p>HBase gives no way to choose the flags of a WAL ({@code CommonFSUtils.createForWal}). In all
 * else it is the file system it stands before, which it does not own. Thread-safe as that one.
 */
@InterfaceAudience.Private
final class SyncedBlocks extends FilterFileSystem {
  SyncedBlocks(FileSystem fs) {
    super(fs);
  }

  @Override
  @SuppressWarnings("rawtypes") // as it is declared
  public FSDataOutputStreamBuilder createFile(Path path) {
    FSDataOutputStreamBuilder<?, ?> builder = super.createFile(path);
    if (builder instanceof HdfsDataOutputStreamBuilder) {
      ((HdfsDataOutputStreamBuilder) builder).syncBlock();
    }
    return builder;
  }
}
