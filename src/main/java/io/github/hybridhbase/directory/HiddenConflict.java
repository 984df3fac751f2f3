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

import io.github.hybridhbase.placement.DirectoryRule;
import java.util.Collection;
import java.util.Optional;
import java.util.function.BiPredicate;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A policy that somebody gave an inner directory is told from an inherited one only while the outer
 * one has another. So an outer directory is not given the policy of a conflict within it: the
 * conflict would be forgotten, and 'revert' would not know whose the policy is. Pure functions, for
 * all that place directories.
 */
@InterfaceAudience.Private
public final class HiddenConflict {
  private HiddenConflict() {}

  /**
   * The first of these conflicts that a policy of an outer directory would hide.
   *
   * @param policy id of the policy that would be in force on the outer directory
   * @param conflicts directories left alone because somebody else placed them
   * @param has whether a directory has this policy of its own
   */
  static Optional<DirectoryRule> hidden(
      DirectoryRule outer,
      byte policy,
      Collection<DirectoryRule> conflicts,
      BiPredicate<DirectoryRule, Byte> has) {
    return conflicts.stream()
        .filter(inner -> isBelow(inner.path(), outer.path()))
        .filter(inner -> has.test(inner, policy))
        .findFirst();
  }

  /** Why the outer directory stays as it is. */
  static String explain(DirectoryRule hidden) {
    return "It is left as it is, because its policy would hide that somebody gave "
        + hidden.path().toUri().getPath()
        + " the same one.";
  }

  /** Whether a path lies within a directory. */
  public static boolean isBelow(Path path, Path directory) {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      if (at.equals(directory)) {
        return true;
      }
    }
    return false;
  }
}
