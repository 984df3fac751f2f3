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
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/** Declared against found, as actions: pure functions. */
@InterfaceAudience.Private
public final class DirectoryPlan {
  private DirectoryPlan() {}

  /**
   * What makes the directories as declared. A directory of somebody else's, and one that the space
   * monitor keeps away from SSD, need nothing, nor does one whose policy would hide somebody else's
   * further down; what an earlier declaration placed and this one does not is put back.
   */
  public static List<DirectoryAction> toApply(List<DirectoryState> found) {
    List<DirectoryAction> actions = new ArrayList<>();
    DirectoryDecisions decisions = DirectoryDecisions.of(found);
    for (DirectoryState one : found) {
      if (one.trouble().isPresent()) {
        continue;
      }
      if (one.rule().isEmpty()) {
        undo(one, actions);
      } else if (one.status().isEmpty()) {
        if (one.rule().get().create()) {
          actions.add(DirectoryAction.set(one.rule().get()));
        }
      } else {
        change(one, decisions.kind(one.path()), actions);
      }
    }
    for (DirectoryState one : found) {
      if (one.rule().isPresent()
          && one.status().isPresent()
          && one.status().get().effective() == target(one)
          && one.status().get().own() == StoragePolicy.UNSPECIFIED
          && actions.stream().anyMatch(action -> takesAway(action, one))) {
        StoragePolicy declared = one.rule().get().policy();
        actions.add(
            DirectoryAction.set(
                one.rule().get(), StoragePolicy.ofId(target(one)).orElse(declared)));
      }
    }
    return actions;
  }

  private static void change(
      DirectoryState one, Optional<PolicyDecision.Kind> kind, List<DirectoryAction> actions) {
    if (kind.equals(Optional.of(PolicyDecision.Kind.SET))) {
      actions.add(DirectoryAction.set(one.rule().get(), one.decision().orElseThrow().policy()));
    } else if (kind.equals(Optional.of(PolicyDecision.Kind.YIELD))) {
      undo(one, actions);
    }
  }

  /** Id of the policy that a directory is to have. */
  private static byte target(DirectoryState found) {
    return found.above().orElse(found.rule().get().policy().id());
  }

  /** Whether a directory inherits the policy it is to have, and that is about to change. */
  private static boolean takesAway(DirectoryAction action, DirectoryState found) {
    return action.policy() != target(found) && HiddenConflict.isBelow(found.path(), action.path());
  }

  /** What puts back what stood before, wherever the plugin recorded it. */
  public static List<DirectoryAction> toRevert(List<DirectoryState> found) {
    List<DirectoryAction> actions = new ArrayList<>();
    found.forEach(one -> undo(one, actions));
    return actions;
  }

  private static void undo(DirectoryState found, List<DirectoryAction> actions) {
    if (found.provenance().isEmpty() || found.status().isEmpty()) {
      return;
    }
    byte own = found.status().get().own();
    actions.add(
        found.provenance().get().explains(own)
            ? DirectoryAction.restore(found.path(), found.provenance().get().before())
            : DirectoryAction.forget(found.path(), own));
  }
}
