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
package io.github.hybridhbase.placement;

import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** The observed state of a directory that the plugin places or once placed. Immutable. */
@InterfaceAudience.Private
public final class DirectoryState {
  private enum Lack {
    NOTHING,
    PROVENANCE,
    POLICIES
  }

  private final Path path;
  private final Optional<DirectoryRule> rule;
  private final Optional<PolicyStatus> status;
  private final Found<PolicyProvenance> record;
  private final Optional<Byte> above;
  private final Optional<String> trouble;
  private final Lack lack;

  private DirectoryState(
      Path path,
      Optional<DirectoryRule> rule,
      Optional<PolicyStatus> status,
      Found<PolicyProvenance> record,
      Optional<Byte> above,
      Optional<String> trouble,
      Lack lack) {
    this.path = path;
    this.rule = rule;
    this.status = status;
    this.record = record;
    this.above = above;
    this.trouble = trouble;
    this.lack = lack;
  }

  /**
   * The state of a readable directory.
   *
   * @param rule the current declaration; empty if none
   * @param status empty if the directory does not exist
   */
  public static DirectoryState of(
      Path path,
      Optional<DirectoryRule> rule,
      Optional<PolicyStatus> status,
      Optional<PolicyProvenance> provenance) {
    return new DirectoryState(
        path, rule, status, Found.of(provenance), Optional.empty(), Optional.empty(), Lack.NOTHING);
  }

  public static DirectoryState unread(Path path, Optional<DirectoryRule> rule, String why) {
    return unread(path, rule, why, Lack.NOTHING);
  }

  public static DirectoryState withoutPolicies(Path path, Optional<DirectoryRule> rule) {
    return unread(path, rule, "The file system has no storage policies.", Lack.POLICIES);
  }

  private static DirectoryState unread(
      Path path, Optional<DirectoryRule> rule, String why, Lack lack) {
    return new DirectoryState(
        path, rule, Optional.empty(), Found.absent(), Optional.empty(), Optional.of(why), lack);
  }

  /** Adds an admin's policy above that the directory follows, see {@link RootPolicy}. */
  public DirectoryState below(Optional<Byte> policy) {
    return new DirectoryState(path, rule, status, record, policy, trouble, lack);
  }

  DirectoryState undeclared() {
    return new DirectoryState(
        path, Optional.empty(), status, record, Optional.empty(), trouble, lack);
  }

  DirectoryState with(PolicyStatus other) {
    return new DirectoryState(path, rule, Optional.of(other), record, above, trouble, lack);
  }

  DirectoryState with(Found<PolicyProvenance> found) {
    return new DirectoryState(path, rule, status, found, above, trouble, lack);
  }

  DirectoryState withoutProvenance() {
    return new DirectoryState(path, rule, status, record, above, trouble, Lack.PROVENANCE);
  }

  public Path path() {
    return path;
  }

  public Optional<DirectoryRule> rule() {
    return rule;
  }

  public Optional<PolicyStatus> status() {
    return status;
  }

  public Optional<PolicyProvenance> provenance() {
    return record.read();
  }

  public Found<PolicyProvenance> record() {
    return record;
  }

  /** Whether HDFS stores xattrs, as far as known. */
  boolean keepsProvenance() {
    return lack != Lack.PROVENANCE;
  }

  public Optional<Byte> above() {
    return above;
  }

  public Optional<String> trouble() {
    return trouble;
  }

  public boolean hasPolicies() {
    return lack != Lack.POLICIES;
  }

  /**
   * Whether a path lies below an admin's policy that its component follows.
   *
   * @param roots see {@link RootPolicy#roots}
   */
  public static boolean below(List<Path> roots, Component component, Path path) {
    return RootPolicy.follows(component) && roots.stream().anyMatch(root -> isBelow(path, root));
  }

  static boolean isBelow(Path path, Path directory) {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      if (at.equals(directory)) {
        return true;
      }
    }
    return false;
  }
}
