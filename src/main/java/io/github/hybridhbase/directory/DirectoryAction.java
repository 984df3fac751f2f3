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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.placement.DirectoryRule;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** One thing to do to one directory. */
@InterfaceAudience.Private
public final class DirectoryAction {
  /** The kinds of action. */
  @InterfaceAudience.Private
  public enum Kind {
    /** Record the provenance of the directory and give it the declared policy. */
    SET,
    /**
     * Give the directory back the policy it had before the plugin came, and remove the provenance.
     */
    RESTORE,
    /** Remove the provenance only: somebody else has set another policy since, which stays. */
    FORGET
  }

  private final Kind kind;
  private final Path path;
  private final byte policy;
  private final Optional<DirectoryRule> rule;

  private DirectoryAction(Kind kind, Path path, byte policy, Optional<DirectoryRule> rule) {
    this.kind = kind;
    this.path = path;
    this.policy = policy;
    this.rule = rule;
  }

  static DirectoryAction set(DirectoryRule rule) {
    return set(rule, rule.policy());
  }

  /** The same with the policy that an admin's above makes of the declared one. */
  static DirectoryAction set(DirectoryRule rule, StoragePolicy policy) {
    return new DirectoryAction(Kind.SET, rule.path(), policy.id(), Optional.of(rule));
  }

  static DirectoryAction restore(Path path, byte before) {
    return new DirectoryAction(Kind.RESTORE, path, before, Optional.empty());
  }

  static DirectoryAction forget(Path path, byte own) {
    return new DirectoryAction(Kind.FORGET, path, own, Optional.empty());
  }

  /** The kind. */
  public Kind kind() {
    return kind;
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  /** Id of the policy that the directory has of its own afterwards. */
  public byte policy() {
    return policy;
  }

  /** What is declared; only of {@link Kind#SET}. */
  public Optional<DirectoryRule> rule() {
    return rule;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DirectoryAction && toString().equals(other.toString());
  }

  @Override
  public int hashCode() {
    return toString().hashCode();
  }

  @Override
  public String toString() {
    return kind + " " + path.toUri().getPath() + " " + StoragePolicy.describe(policy);
  }
}
