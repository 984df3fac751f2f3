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
 * A {@link FilterFileSystem} whose new files end each block durably: the last packet makes
 * DataNodes fsync the replica and the directories of its rename. Otherwise a power cut may put a
 * replica back into {@code rbw}, which HDFS treats as corrupt for a closed file. HBase offers no
 * way to choose a WAL's create flags ({@code CommonFSUtils.createForWal}). The wrapped file system
 * is not closed here. Thread-safe like the wrapped one.
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
