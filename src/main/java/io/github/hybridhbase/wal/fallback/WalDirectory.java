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
package io.github.hybridhbase.wal.fallback;

import io.github.hybridhbase.hdfs.DirectoryPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Clock;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** {@code WALs/<server>}, or the master store's counterpart in {@code MasterData}. Thread-safe. */
@InterfaceAudience.Private
final class WalDirectory {
  private final StorageNamespace namespace;
  private final StoragePolicy declared;
  private final DirectoryPolicy policy;

  WalDirectory(Path path, StorageNamespace namespace, StoragePolicy declared) {
    this.namespace = namespace;
    this.declared = declared;
    this.policy = new DirectoryPolicy(namespace, path, Clock.SYSTEM);
  }

  Path path() {
    return policy.path();
  }

  StoragePolicy declared() {
    return declared;
  }

  /**
   * {@link StoragePolicy#NONE} lets a WAL follow its directory. At most one NameNode call a minute.
   *
   * @param refused whether this opening is for DISK
   */
  StoragePolicy forWal(boolean refused) {
    return refused ? policy.offSsd() : policy.forFile(declared);
  }

  /** Whether it exists and the NameNode takes writes. Calls the NameNode. */
  boolean takesFiles() throws IOException {
    return namespace.policy(path()).isPresent() && namespace.takesWrites();
  }
}
