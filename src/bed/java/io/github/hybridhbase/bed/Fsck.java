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
package io.github.hybridhbase.bed;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** The files below a directory and the media of their replicas, as the NameNode has them. */
@InterfaceAudience.Private
public final class Fsck {
  /** One file. Immutable. */
  @InterfaceAudience.Private
  public static final class File {
    public final String path;

    /** Whether it is being written. */
    final boolean open;

    /** The medium of each replica of each block. */
    public final List<List<StorageType>> media;

    private File(String path, boolean open, List<List<StorageType>> media) {
      this.path = path;
      this.open = open;
      this.media = media;
    }

    boolean isOpen() {
      return open;
    }

    /** Whether it has blocks, and all replicas of all of them are on one medium. */
    boolean isAllOn(String medium) {
      StorageType type = StorageType.valueOf(medium);
      return !media.isEmpty()
          && media.stream()
              .allMatch(block -> !block.isEmpty() && block.stream().allMatch(type::equals));
    }

    @Override
    public String toString() {
      return path + (open ? " open " : " ") + media;
    }
  }

  final List<File> files = new ArrayList<>();

  /** Reads them anew; none if the directory is not there. */
  Fsck(Configuration conf, String directory) throws IOException {
    try (DistributedFileSystem fs = (DistributedFileSystem) FileSystem.newInstance(conf)) {
      RemoteIterator<? extends FileStatus> all = fs.listFiles(new Path(directory), true);
      while (all.hasNext()) {
        Path path = all.next().getPath();
        try {
          List<List<StorageType>> media = new ArrayList<>();
          // With the block that is written, whose length the NameNode does not know.
          for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
            media.add(Arrays.asList(block.getStorageTypes()));
          }
          files.add(new File(path.toUri().getPath(), !fs.isFileClosed(path), media));
        } catch (FileNotFoundException e) {
          continue; // renamed meanwhile
        }
      }
    } catch (FileNotFoundException e) {
      return;
    }
  }

  /** The files below a directory. */
  List<File> below(String directory) {
    return files.stream()
        .filter(file -> file.path.startsWith(directory + "/"))
        .collect(Collectors.toList());
  }
}
