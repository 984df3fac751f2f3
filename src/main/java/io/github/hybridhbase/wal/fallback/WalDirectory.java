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

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.wal.failover.LogDirectory;
import java.io.IOException;
import java.util.Collection;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The directory of one server's WALs, {@code WALs/<server>} or its counterpart in {@code
 * MasterData}. Methods call the NameNode unless stated otherwise. Immutable.
 */
@InterfaceAudience.Private
final class WalDirectory implements LogDirectory {
  private final Path path;

  private final StorageNamespace namespace;
  private final StoragePolicy declared;
  private final boolean alone;

  /**
   * @param alone see {@link #isAlone}
   */
  WalDirectory(Path path, StorageNamespace namespace, StoragePolicy declared, boolean alone) {
    this.path = path;
    this.namespace = namespace;
    this.declared = declared;
    this.alone = alone;
  }

  Path path() {
    return path;
  }

  StoragePolicy declared() {
    return declared;
  }

  @Override
  public boolean takesFiles() throws IOException {
    return inForce().isPresent() && namespace.takesWrites();
  }

  /** HDFS id of the policy in force; empty without the directory. */
  Optional<Byte> inForce() throws IOException {
    return namespace.effective(path);
  }

  /** Whether nobody places the parent: a canary's. */
  boolean isAlone() {
    return alone;
  }

  @Override
  public void publishExcluded(Collection<DatanodeInfo> nodes) throws IOException {
    namespace.publish(ExcludedNodes.RECORD, path, ExcludedNodes.of(nodes));
  }
}
