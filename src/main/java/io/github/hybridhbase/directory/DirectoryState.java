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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryRule;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A directory that the plugin places, or once placed, as HDFS has it now. */
@InterfaceAudience.Private
public final class DirectoryState {
  private final Path path;
  private final Optional<DirectoryRule> rule;
  private final Optional<PolicyStatus> status;
  private final Optional<PolicyProvenance> provenance;
  private final Optional<Byte> above;
  private final Optional<String> trouble;

  private DirectoryState(
      Path path,
      Optional<DirectoryRule> rule,
      Optional<PolicyStatus> status,
      Optional<PolicyProvenance> provenance,
      Optional<Byte> above,
      Optional<String> trouble) {
    this.path = path;
    this.rule = rule;
    this.status = status;
    this.provenance = provenance;
    this.above = above;
    this.trouble = trouble;
  }

  /**
   * A directory that could be asked.
   *
   * @param rule what is declared for it now; empty where nothing is
   * @param status empty where it does not exist
   * @param provenance the plugin's provenance record on it
   */
  public static DirectoryState of(
      Path path,
      Optional<DirectoryRule> rule,
      Optional<PolicyStatus> status,
      Optional<PolicyProvenance> provenance) {
    return new DirectoryState(path, rule, status, provenance, Optional.empty(), Optional.empty());
  }

  /** The same below an admin's policy that it follows, see {@link RootPolicy}. */
  public DirectoryState below(Optional<Byte> policy) {
    return new DirectoryState(path, rule, status, provenance, policy, trouble);
  }

  /** A directory that could not be asked, and why. */
  public static DirectoryState unread(Path path, Optional<DirectoryRule> rule, String why) {
    return new DirectoryState(
        path, rule, Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(why));
  }

  /** The directory. */
  public Path path() {
    return path;
  }

  /** What is declared for it now. */
  public Optional<DirectoryRule> rule() {
    return rule;
  }

  /** Its policy; empty where it does not exist or could not be asked. */
  public Optional<PolicyStatus> status() {
    return status;
  }

  /** The plugin's provenance on it. */
  public Optional<PolicyProvenance> provenance() {
    return provenance;
  }

  /** Id of an admin's policy on HBase's root, where the directory follows such a one. */
  public Optional<Byte> above() {
    return above;
  }

  /** What to do about it; empty where nothing is declared, it is missing or was not seen. */
  Optional<PolicyDecision> decision() {
    return rule.isEmpty() || status.isEmpty()
        ? Optional.empty()
        : Optional.of(PolicyDecision.decide(rule.get().policy(), above, status.get(), provenance));
  }

  /**
   * Whether it follows an admin's policy in place of the declared one, or will once it exists. Not
   * where a policy of its own, which is not the plugin's, stands between.
   */
  public boolean follows() {
    if (rule.isEmpty() || above.isEmpty() || above.get() == rule.get().policy().id()) {
      return false;
    }
    return decision().map(decision -> decision.follows(above.get())).orElse(true);
  }

  /** Why it could not be asked, where it could not. */
  public Optional<String> trouble() {
    return trouble;
  }

  /**
   * Whether a file or directory lies below an admin's policy that its component follows.
   *
   * @param roots as of {@link #roots}
   */
  public static boolean below(List<Path> roots, Component component, Path path) {
    return RootPolicy.follows(component)
        && roots.stream().anyMatch(root -> HiddenConflict.isBelow(path, root));
  }
}
