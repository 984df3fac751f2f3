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

import io.github.hybridhbase.config.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A directory's policy with the record of who set it: the one place that writes the two. HDFS has
 * no write for both, so whoever sets writes record, policy, and reads the record and the hold;
 * whoever puts back writes policy, removes the record, and reads the policy. If the two meet, one
 * of them sees the other's doing last and finishes it. INVARIANT: a policy of the plugin's never
 * stays without a record, unless a process dies between its last write and its last read.
 */
@InterfaceAudience.Private
public final class PlacedDirectory {
  private final Namespaces namespaces;
  private final StorageNamespace namespace;
  private final Path path;

  /**
   * Names it.
   *
   * @param namespaces asked for a hold
   * @param namespace of the path
   */
  public PlacedDirectory(Namespaces namespaces, StorageNamespace namespace, Path path) {
    this.namespaces = namespaces;
    this.namespace = namespace;
    this.path = path;
  }

  /**
   * Writes the record where it differs from what was found, sets the policy, and settles the
   * record.
   *
   * @return false if a {@code revert} left a hold meanwhile: then the directory has what stood
   *     before
   */
  public boolean set(StoragePolicy policy, Found<PolicyProvenance> found, PolicyProvenance record)
      throws IOException {
    if (!found.equals(Found.of(record))) {
      namespace.write(PolicyProvenance.RECORD, path, record);
    }
    namespace.setPolicy(path, policy);
    Found<PolicyProvenance> now = namespace.read(PolicyProvenance.RECORD, path);
    boolean another = now.read().filter(other -> !other.equals(record)).isPresent();
    // Another server has placed it since: its record belongs to the policy that stands.
    boolean over = another && !follows(policy);
    PolicyProvenance settled = record.settled();
    // Else what stood between two declarations would be taken for ours for ever.
    if (!over && (now.isAbsent() || another || !settled.equals(record))) {
      namespace.write(PolicyProvenance.RECORD, path, settled);
    }
    // One that came since the caller asked: its revert may have looked here before this was
    // written.
    if (namespaces.held()) {
      putBack(record.before(), settled);
      return false;
    }
    return true;
  }

  private boolean follows(StoragePolicy policy) throws IOException {
    return namespace.policy(path).filter(is -> is.effective() == policy.id()).isPresent();
  }

  /** Puts back a policy, {@link StoragePolicy#UNSPECIFIED} for none, and removes the record. */
  public void putBack(byte before, PolicyProvenance record) throws IOException {
    namespace.restorePolicy(path, before);
    namespace.remove(PolicyProvenance.RECORD, path);
    Optional<PolicyStatus> now = namespace.policy(path);
    byte own = now.map(PolicyStatus::own).orElse(before);
    // With a record it was set anew; another policy is somebody else's.
    boolean late = own != before && own != StoragePolicy.UNSPECIFIED && record.explains(own);
    if (late && namespace.read(PolicyProvenance.RECORD, path).isAbsent()) {
      namespace.restorePolicy(path, before);
    }
  }
}
