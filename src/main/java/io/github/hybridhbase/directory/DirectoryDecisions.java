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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What to do about all directories together, as {@link DirectoryPlacer} would: a pure function of
 * what was found. Directories that nothing is declared for, that do not exist or could not be asked
 * have no decision.
 */
@InterfaceAudience.Private
public final class DirectoryDecisions {
  private final Map<Path, PolicyDecision.Kind> kinds = new HashMap<>();
  private final Map<Path, DirectoryRule> hidden = new HashMap<>();

  private DirectoryDecisions() {}

  /** Decides; inner directories first, since outer ones depend on them. */
  public static DirectoryDecisions of(List<DirectoryState> found) {
    DirectoryDecisions decisions = new DirectoryDecisions();
    Map<Path, DirectoryState> all = new HashMap<>();
    List<DirectoryRule> conflicts = new ArrayList<>();
    List<DirectoryState> innerFirst = new ArrayList<>(found);
    innerFirst.sort(Comparator.comparingInt((DirectoryState one) -> -one.path().depth()));
    for (DirectoryState one : innerFirst) {
      Optional<PolicyDecision> decision = one.decision();
      if (decision.isEmpty()) {
        continue;
      }
      all.put(one.path(), one);
      DirectoryRule rule = one.rule().get();
      PolicyDecision.Kind kind = decision.get().kind();
      Optional<DirectoryRule> hides =
          HiddenConflict.hidden(
              rule,
              one.above().orElse(rule.policy().id()),
              conflicts,
              (inner, policy) -> all.get(inner.path()).status().get().own() == policy);
      boolean changes = kind == PolicyDecision.Kind.SET || kind == PolicyDecision.Kind.YIELD;
      if (changes && hides.isPresent()) {
        kind = PolicyDecision.Kind.CONFLICT;
        decisions.hidden.put(one.path(), hides.get());
      }
      if (kind == PolicyDecision.Kind.CONFLICT) {
        conflicts.add(rule);
      }
      decisions.kinds.put(one.path(), kind);
    }
    return decisions;
  }

  /** What to do about a directory; empty where there is nothing to decide. */
  public Optional<PolicyDecision.Kind> kind(Path directory) {
    return Optional.ofNullable(kinds.get(directory));
  }

  /** Of a conflict: the directory within, also in conflict, that its own policy would hide. */
  public Optional<Path> hides(Path directory) {
    return Optional.ofNullable(hidden.get(directory)).map(DirectoryRule::path);
  }
}
