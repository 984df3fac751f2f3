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

import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The decisions about all directories, for servers and command line alike: a pure function of
 * declaration, observed state and hold. docs/dev/design.md has the table.
 *
 * <p>Implementation note. Inner directories are decided first. An inner policy set by somebody
 * differs visibly from an inherited one only while the outer policy is another, so an outer
 * directory does not get the policy of a conflict within it: 'revert' could not attribute the
 * policy.
 */
@InterfaceAudience.Private
public final class DirectoryPlan {
  private static final Comparator<DirectoryState> OUTER_FIRST =
      Comparator.comparingInt(one -> one.path().depth());

  private final Map<Path, DirectoryAction> actions = new LinkedHashMap<>();

  private DirectoryPlan() {}

  /** The changes that establish the declaration and revert what only an earlier one placed. */
  public static DirectoryPlan of(List<DirectoryState> found, boolean held) {
    DirectoryPlan plan = new DirectoryPlan();
    List<DirectoryAction> conflicts = new ArrayList<>();
    Map<Path, DirectoryAction> decided = new HashMap<>();
    for (DirectoryState one : sorted(found, OUTER_FIRST.reversed())) {
      Optional<DirectoryAction> action =
          DirectoryDecision.decide(one, held).map(any -> unlessHidden(any, conflicts));
      action.filter(any -> any.kind() == Kind.CONFLICT).ifPresent(conflicts::add);
      action.ifPresent(any -> decided.put(one.path(), any));
    }
    inherit(sorted(found, OUTER_FIRST), decided);
    for (DirectoryState one : found) {
      if (decided.containsKey(one.path())) {
        plan.actions.put(one.path(), decided.get(one.path()));
      }
    }
    return plan;
  }

  public static DirectoryPlan toRevert(List<DirectoryState> found) {
    return of(found.stream().map(DirectoryState::undeclared).collect(Collectors.toList()), false);
  }

  private static List<DirectoryState> sorted(
      List<DirectoryState> found, Comparator<DirectoryState> order) {
    return found.stream().sorted(order).collect(Collectors.toList());
  }

  public List<DirectoryAction> actions() {
    return List.copyOf(actions.values());
  }

  public List<DirectoryAction> changes() {
    return actions.values().stream().filter(DirectoryAction::changes).collect(Collectors.toList());
  }

  /** Empty if nothing is declared or recorded. */
  public Optional<DirectoryAction> of(Path directory) {
    return Optional.ofNullable(actions.get(directory));
  }

  private static DirectoryAction unlessHidden(
      DirectoryAction outer, List<DirectoryAction> conflicts) {
    if (!outer.changes() || outer.rule().isEmpty() || outer.state().status().isEmpty()) {
      return outer;
    }
    byte inForce = outer.state().above().orElse(outer.rule().get().policy().id());
    return conflicts.stream()
        .filter(inner -> DirectoryState.isBelow(inner.path(), outer.path()))
        .filter(inner -> inner.state().status().get().own() == inForce)
        .findFirst()
        .map(
            inner ->
                new DirectoryAction(
                    Kind.CONFLICT,
                    outer.state(),
                    outer.state().status().get().own(),
                    Optional.empty(),
                    Optional.of(inner.path()),
                    "It is left as it is, because its policy would hide that somebody gave "
                        + inner.path().toUri().getPath()
                        + " the same one."))
        .orElse(outer);
  }

  /**
   * Sets a directory whose policy is right only by inheritance, if the inherited policy changes.
   */
  private static void inherit(List<DirectoryState> outerFirst, Map<Path, DirectoryAction> decided) {
    Map<Path, Optional<Byte>> changed = new HashMap<>();
    for (DirectoryState one : outerFirst) {
      if (one.status().isEmpty()) {
        continue;
      }
      PolicyStatus now = one.status().get();
      Optional<DirectoryAction> action = Optional.ofNullable(decided.get(one.path()));
      byte own =
          action.filter(DirectoryAction::changes).map(DirectoryAction::policy).orElse(now.own());
      byte parent = nearest(changed, one.path()).orElse(now.parent());
      byte next = own == StoragePolicy.UNSPECIFIED ? parent : own;
      if (next != now.effective() && action.filter(DirectoryPlan::inherits).isPresent()) {
        DirectoryAction then = DirectoryDecision.decide(one.with(new PolicyStatus(next, parent)));
        if (then.kind() == Kind.SET) {
          next = then.policy();
          decided.put(one.path(), DirectoryDecision.action(Kind.SET, one, next, ""));
        }
      }
      if (action.filter(any -> mayBeHidden(any, decided.values())).isPresent()) {
        decided.put(one.path(), DirectoryDecision.action(Kind.SET, one, next, ""));
      }
      changed.put(one.path(), next == now.effective() ? Optional.empty() : Optional.of(next));
    }
  }

  /**
   * Whether the directory follows an admin's policy instead of the declared one, or will once
   * created; false if a foreign policy of its own lies between.
   */
  public static boolean follows(DirectoryState one) {
    return DirectoryDecision.follows(one);
  }

  /** The findings that an admin's policy replaces a declared one, one per component and root. */
  public static List<Finding> policiesAbove(List<DirectoryState> found) {
    Map<String, Finding> findings = new LinkedHashMap<>();
    for (DirectoryState one : found) {
      if (follows(one)) {
        Finding finding = RootPolicy.finding(one.rule().get(), one.above().get());
        findings.putIfAbsent(finding.subject(), finding);
      }
    }
    return List.copyOf(findings.values());
  }

  /** A finding for each directory with a policy that somebody else set. */
  public static List<Finding> conflicts(List<DirectoryState> found) {
    return of(found, false).actions().stream()
        .filter(action -> action.kind() == Kind.CONFLICT)
        .filter(action -> action.rule().isPresent() && action.state().status().isPresent())
        .map(DirectoryAction::conflict)
        .collect(Collectors.toList());
  }

  public static List<Finding> demotions(List<DirectoryState> found) {
    return of(found, false).actions().stream()
        .filter(action -> action.kind() == Kind.DEMOTED && action.state().status().isPresent())
        .map(
            action ->
                Finding.of(
                    FindingId.DEMOTED,
                    action.path().toUri().getPath(),
                    action.rule().get().policy(),
                    action.rule().get().component().label(),
                    StoragePolicy.describe(action.state().status().get().effective())))
        .collect(Collectors.toList());
  }

  /**
   * Whether an apparently inherited policy may be somebody's own, which shows once an outer
   * undeclared directory loses it.
   */
  private static boolean mayBeHidden(DirectoryAction action, Collection<DirectoryAction> all) {
    DirectoryState one = action.state();
    return action.kind() == Kind.SET
        && one.provenance().isEmpty()
        && one.status().get().own() == StoragePolicy.UNSPECIFIED
        && all.stream()
            .filter(outer -> outer.kind() == Kind.RESTORE && outer.rule().isEmpty())
            .anyMatch(outer -> DirectoryState.isBelow(one.path(), outer.path()));
  }

  private static boolean inherits(DirectoryAction action) {
    return action.kind() == Kind.RIGHT || action.kind() == Kind.FOLLOWED;
  }

  private static Optional<Byte> nearest(Map<Path, Optional<Byte>> changed, Path path) {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      if (changed.containsKey(at)) {
        return changed.get(at);
      }
    }
    return Optional.empty();
  }
}
