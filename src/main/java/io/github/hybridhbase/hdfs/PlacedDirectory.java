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

import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A directory's policy with the record of who set it: the only class that writes the two.
 *
 * <p>HDFS has no write for both. Setting writes record and policy, and then reads the record and
 * the hold; putting back writes the policy, removes the record, and then reads the policy. If the
 * two meet, one sees the other's last write and completes it. INVARIANT: a policy of the plugin's
 * never stays without a record, unless a process dies between its last write and its last read, or
 * HDFS stores no xattrs.
 */
@InterfaceAudience.Private
public final class PlacedDirectory {
  private static final Logger LOG = LoggerFactory.getLogger(PlacedDirectory.class);

  private final Namespaces namespaces;
  private final StorageNamespace namespace;
  private final Path path;

  /**
   * @param namespaces asked for a hold
   */
  public PlacedDirectory(Namespaces namespaces, StorageNamespace namespace, Path path) {
    this.namespaces = namespaces;
    this.namespace = namespace;
    this.path = path;
  }

  /**
   * Writes the record if it differs from the one found, sets the policy, and settles the record.
   *
   * @return false if a {@code revert} left a hold meanwhile: the earlier policy is then back
   */
  public boolean set(StoragePolicy policy, Found<PolicyProvenance> found, PolicyProvenance record)
      throws IOException {
    if (!found.equals(Found.of(record))) {
      write(record);
    }
    namespace.setPolicy(path, policy);
    Found<PolicyProvenance> now = record();
    boolean another = now.read().filter(other -> !other.equals(record)).isPresent();
    // Another server has placed it since: its record belongs to the policy in force.
    boolean over = another && !follows(policy);
    PolicyProvenance settled = record.settled();
    // Otherwise the policy between two declarations would count as the plugin's for ever.
    if (!over && (now.isAbsent() || another || !settled.equals(record))) {
      write(settled);
    }
    // The hold may have come since the caller's check, and its revert before this record.
    if (namespaces.held()) {
      restore(record.before(), settled);
      return false;
    }
    return true;
  }

  /**
   * Demotes a directory whose blocks SSD has just refused, also during a hold and without a record:
   * the server would abort otherwise. Settles the record if it can.
   */
  public void leaveSsd(StoragePolicy declared) throws IOException {
    PolicyProvenance record =
        PolicyProvenance.first(StoragePolicy.UNSPECIFIED, declared)
            .change(StoragePolicy.HOT)
            .asDemoted();
    boolean recorded = tryToWrite(record);
    namespace.setPolicy(path, StoragePolicy.HOT);
    if (recorded) {
      tryToWrite(record.settled());
    }
  }

  private boolean tryToWrite(PolicyProvenance record) {
    try {
      write(record);
      return true;
    } catch (IOException e) {
      LOG.debug("No record can be written to {}", path, e);
      return false;
    }
  }

  /** Lets the directory inherit; the record stays until {@link #forget}. */
  public void inherit() throws IOException {
    namespace.unsetPolicy(path);
  }

  public void forget() throws IOException {
    namespace.remove(PolicyProvenance.RECORD, path);
  }

  /** Replaces the record of a directory that has this record's policy already. */
  public void settle(PolicyProvenance record) throws IOException {
    write(record);
  }

  private Found<PolicyProvenance> record() throws IOException {
    return namespace.read(PolicyProvenance.RECORD, path);
  }

  private void write(PolicyProvenance record) throws IOException {
    namespace.write(PolicyProvenance.RECORD, path, record);
  }

  private boolean follows(StoragePolicy policy) throws IOException {
    return namespace.effective(path).equals(Optional.of(policy.id()));
  }

  /** Restores a policy, {@link StoragePolicy#UNSPECIFIED} for none, and removes the record. */
  public void restore(byte before, PolicyProvenance record) throws IOException {
    namespace.restorePolicy(path, before);
    forget();
    Optional<PolicyStatus> now = namespace.policy(path);
    byte own = now.map(PolicyStatus::own).orElse(before);
    // With a record it was set anew; another policy is somebody else's.
    boolean late = own != before && own != StoragePolicy.UNSPECIFIED && record.explains(own);
    if (late && record().isAbsent()) {
      namespace.restorePolicy(path, before);
    }
  }
}
