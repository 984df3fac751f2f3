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
import java.util.UUID;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.yetus.audience.InterfaceAudience;

/** Requests to HDFS's storage policy satisfier to move the blocks of a file. */
@InterfaceAudience.Private
final class MoveRequests {
  /** {@code HdfsServerConstants.XATTR_SATISFY_STORAGE_POLICY}: a request that is under way. */
  private static final String SATISFY_XATTR = "user.hdfs.sps";

  private MoveRequests() {}

  /** Asks; HDFS itself ignores a request for a file that has one already. */
  static void ask(DistributedFileSystem dfs, Path file) throws IOException {
    if (isAsked(dfs, file)) {
      try {
        dfs.removeXAttr(file, SATISFY_XATTR);
      } catch (IOException e) {
        if (isAsked(dfs, file)) {
          throw e;
        }
        // The satisfier has just finished with it.
      }
    }
    dfs.satisfyStoragePolicy(file);
  }

  private static boolean isAsked(DistributedFileSystem dfs, Path file) throws IOException {
    return dfs.getXAttrs(file).containsKey(SATISFY_XATTR);
  }

  /** Whether the NameNode takes requests. */
  static boolean areTaken(DistributedFileSystem dfs) throws IOException {
    try {
      // The NameNode looks whether its satisfier is on before it looks for the file.
      dfs.satisfyStoragePolicy(new Path("/.hybrid-no-such-file-" + UUID.randomUUID()));
      return true;
    } catch (FileNotFoundException e) {
      return true;
    } catch (RemoteException e) {
      if (String.valueOf(e.getMessage()).contains("satisfier feature has been disabled")) {
        return false;
      }
      throw e;
    }
  }
}
