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

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;

/** Probe files that a process left behind when it died between making and deleting them. */
@InterfaceAudience.Private
final class ProbeFiles {
  private ProbeFiles() {}

  /**
   * Deletes those that lie directly in a directory; one NameNode call for each thousand entries,
   * and one for each file.
   *
   * @param before milliseconds since 1970: younger ones may be in use and stay
   * @return how many there were; 0 also where the directory does not exist
   */
  static int sweep(DistributedFileSystem dfs, Path directory, long before) throws IOException {
    int swept = 0;
    try {
      RemoteIterator<FileStatus> entries = dfs.listStatusIterator(directory);
      while (entries.hasNext()) {
        FileStatus entry = entries.next();
        if (entry.isFile()
            && entry.getPath().getName().startsWith(HdfsNamespace.PROBE_PREFIX)
            && entry.getModificationTime() < before
            && dfs.delete(entry.getPath(), false)) {
          swept++;
        }
      }
    } catch (FileNotFoundException e) {
      return swept;
    }
    return swept;
  }
}
