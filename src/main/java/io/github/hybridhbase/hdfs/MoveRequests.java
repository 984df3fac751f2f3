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

/** The handling of requests to HDFS's storage policy satisfier. */
@InterfaceAudience.Private
final class MoveRequests {
  /**
   * {@code HdfsServerConstants.XATTR_SATISFY_STORAGE_POLICY}, present while a request is pending.
   */
  private static final String XATTR = "user.hdfs.sps";

  private MoveRequests() {}

  /** Withdraws a pending request, so that the NameNode accepts another. */
  static void takeBack(StorageNamespace namespace, Path file) throws IOException {
    if (!stands(namespace, file)) {
      return;
    }
    try {
      namespace.removeXattr(file, XATTR);
    } catch (IOException e) {
      if (stands(namespace, file)) {
        throw e;
      }
      // The satisfier has just completed it.
    }
  }

  private static boolean stands(StorageNamespace namespace, Path file) throws IOException {
    return namespace.records(file).containsKey(XATTR);
  }

  /**
   * @param root the HBase root; elsewhere this user may lack permission, and a router a name space
   */
  static boolean areTaken(DistributedFileSystem dfs, Path root) throws IOException {
    try {
      // The NameNode checks its satisfier before it looks up the file.
      dfs.satisfyStoragePolicy(new Path(root, ".hybrid-no-such-file-" + UUID.randomUUID()));
      return true;
    } catch (FileNotFoundException e) {
      return true;
    } catch (RemoteException e) {
      HdfsErrorKind kind = HdfsError.of(e).kind();
      if (kind.refusesMoves()) {
        return kind == HdfsErrorKind.SATISFIER_FULL;
      }
      throw e;
    }
  }
}
