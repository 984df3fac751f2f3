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
package io.github.hybridhbase.repair;

import io.github.hybridhbase.hdfs.Mark;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.placement.DirectoryRule;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** A directory that the plugin places, or once placed, as HDFS has it now. */
@InterfaceAudience.Private
public final class Found {
  private final Path path;
  private final Optional<DirectoryRule> rule;
  private final Optional<PolicyStatus> status;
  private final Optional<Mark> mark;
  private final Optional<Byte> above;
  private final Optional<String> trouble;

  private Found(
      Path path,
      Optional<DirectoryRule> rule,
      Optional<PolicyStatus> status,
      Optional<Mark> mark,
      Optional<Byte> above,
      Optional<String> trouble) {
    this.path = path;
    this.rule = rule;
    this.status = status;
    this.mark = mark;
    this.above = above;
    this.trouble = trouble;
  }

  /**
   * A directory that could be asked.
   *
   * @param rule what is declared for it now; empty where nothing is
   * @param status empty where it does not exist
   * @param mark the plugin's mark on it
   */
  public static Found of(
      Path path, Optional<DirectoryRule> rule, Optional<PolicyStatus> status, Optional<Mark> mark) {
    return new Found(path, rule, status, mark, Optional.empty(), Optional.empty());
  }

  /** The same below an admin's policy that it follows, see {@link Above}. */
  public Found below(Optional<Byte> policy) {
    return new Found(path, rule, status, mark, policy, trouble);
  }

  /** A directory that could not be asked, and why. */
  public static Found unread(Path path, Optional<DirectoryRule> rule, String why) {
    return new Found(
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

  /** The plugin's mark on it. */
  public Optional<Mark> mark() {
    return mark;
  }

  /** Id of an admin's policy on HBase's root, where the directory follows such a one. */
  public Optional<Byte> above() {
    return above;
  }

  /** What to do about it; empty where nothing is declared, it is missing or was not seen. */
  Optional<PolicyDecision> decision() {
    return rule.isEmpty() || status.isEmpty()
        ? Optional.empty()
        : Optional.of(PolicyDecision.decide(rule.get().policy(), above, status.get(), mark));
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
}
