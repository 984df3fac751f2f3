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
 * A directory that HBase is to write into and that does not exist yet. Where policies are reserved
 * to HDFS's superuser it is that one who makes it, by {@code apply}; HBase must own it all the
 * same, or its first start fails.
 */
@InterfaceAudience.Private
final class NewDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(NewDirectory.class);

  private NewDirectory() {}

  /**
   * Makes it and those above it that are missing; does nothing where it exists. One NameNode call.
   *
   * @throws IOException where HDFS would not make it
   */
  static void create(DistributedFileSystem dfs, Path path) throws IOException {
    if (!dfs.mkdirs(path)) {
      throw new IOException("HDFS would not create the directory " + path);
    }
  }

  /**
   * Makes it and those above it that are missing, for the owner of the first one above them that
   * there was. Does nothing where it exists. A few NameNode calls on the calling thread.
   *
   * @throws IOException where HDFS would not make it
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
