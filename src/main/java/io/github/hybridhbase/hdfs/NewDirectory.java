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
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The creation of a directory before HBase does so. If only HDFS's superuser may set policies,
 * {@code apply} runs as that user, but HBase must own the directory, or its first start fails.
 */
@InterfaceAudience.Private
final class NewDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(NewDirectory.class);

  private NewDirectory() {}

  /** Creates the directory and missing parents, if it does not exist. One NameNode call. */
  static void create(DistributedFileSystem dfs, Path path) throws IOException {
    if (!dfs.mkdirs(path)) {
      throw new IOException("HDFS would not create the directory " + path);
    }
  }

  /**
   * Creates the directory and missing parents, owned by the owner of the first existing parent. A
   * few NameNode calls.
   */
  static void createForOwner(DistributedFileSystem dfs, Path path) throws IOException {
    List<Path> made = new ArrayList<>();
    Path above = path;
    while (!above.isRoot() && !dfs.exists(above)) {
      made.add(above);
      above = above.getParent();
    }
    create(dfs, path);
    String owner = dfs.getFileStatus(above).getOwner();
    for (Path one : made) {
      give(dfs, one, owner);
    }
  }

  private static void give(DistributedFileSystem dfs, Path directory, String owner)
      throws IOException {
    try {
      if (!dfs.getFileStatus(directory).getOwner().equals(owner)) {
        dfs.setOwner(directory, owner, null);
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} went as soon as it was made", directory, e);
    } catch (AccessControlException e) {
      LOG.debug("{} stays this user's, who may write where {} is at home", directory, owner, e);
    }
  }
}
