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

import io.github.hybridhbase.hdfs.StorageNamespace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Carries out actions. Each can be cut off anywhere and done again: a policy is put back before its
 * mark goes, and set after its mark stands.
 */
@InterfaceAudience.Private
public final class Hands {
  private final Census.Namespaces namespaces;
  private final DirectoryKeeper keeper;

  /** Makes hands that set policies through this keeper, which probes and marks. */
  public Hands(Census.Namespaces namespaces, DirectoryKeeper keeper) {
    this.namespaces = namespaces;
    this.keeper = keeper;
  }

  /**
   * Does all of it: first what is put back, then what is set, inner directories before outer ones.
   * Never throws; the answers tell, and a stop leaves out what comes after it.
   */
  public List<Done> carryOut(List<Action> actions, BooleanSupplier stopped) {
    List<Done> done = new ArrayList<>();
    List<Action> sets = new ArrayList<>();
    for (Action action : actions) {
      if (action.kind() == Action.Kind.SET) {
        sets.add(action);
      } else if (!stopped.getAsBoolean()) {
        done.add(putBack(action));
      }
    }
    if (!stopped.getAsBoolean()) {
      sets.sort(Comparator.comparing(Action::path));
      List<Outcome> outcomes =
          keeper.keep(sets.stream().map(a -> a.rule().orElseThrow()).collect(Collectors.toList()));
      for (int i = 0; i < sets.size(); i++) {
        Outcome outcome = outcomes.get(i);
        done.add(new Done(sets.get(i), outcome.kind().holds(), outcome.detail()));
      }
    }
    return done;
  }

  private Done putBack(Action action) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(action.path());
      if (namespace.isEmpty() || namespace.get().policy(action.path()).isEmpty()) {
        return new Done(action, true, "It is gone.");
      }
      if (action.kind() == Action.Kind.RESTORE) {
        namespace.get().restorePolicy(action.path(), action.policy());
      }
      namespace.get().removeMark(action.path());
      return new Done(
          action,
          true,
          action.kind() == Action.Kind.FORGET
              ? "Somebody else set this policy after the plugin; it stays."
              : "");
    } catch (IOException | RuntimeException e) {
      return new Done(action, false, Refusal.explain(e));
    }
  }
}
