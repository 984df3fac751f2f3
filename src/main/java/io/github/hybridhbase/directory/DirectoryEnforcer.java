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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
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
 * provenance goes, and set after its provenance stands.
 */
@InterfaceAudience.Private
public final class DirectoryEnforcer {
  private final Namespaces namespaces;
  private final DirectoryPlacer placer;

  /**
   * Makes an enforcer that set policies through this placer, which probes and records provenance.
   */
  public DirectoryEnforcer(Namespaces namespaces, DirectoryPlacer placer) {
    this.namespaces = namespaces;
    this.placer = placer;
  }

  /**
   * Does all of it: first what is put back, then what is set, inner directories before outer ones.
   * Never throws; the answers tell, and a stop leaves out what comes after it.
   */
  public List<ActionResult> carryOut(List<DirectoryAction> actions, BooleanSupplier stopped) {
    List<ActionResult> done = new ArrayList<>();
    List<DirectoryAction> sets = new ArrayList<>();
    for (DirectoryAction action : actions) {
      if (action.kind() == DirectoryAction.Kind.SET) {
        sets.add(action);
      } else if (!stopped.getAsBoolean()) {
        done.add(putBack(action));
      }
    }
    if (!stopped.getAsBoolean()) {
      sets.sort(Comparator.comparing(DirectoryAction::path));
      List<DirectoryResult> results =
          placer.place(sets.stream().map(a -> a.rule().orElseThrow()).collect(Collectors.toList()));
      for (int i = 0; i < sets.size(); i++) {
        DirectoryResult result = results.get(i);
        done.add(new ActionResult(sets.get(i), result.kind().holds(), result.detail()));
      }
    }
    return done;
  }

  private ActionResult putBack(DirectoryAction action) {
    try {
      Optional<StorageNamespace> namespace = namespaces.of(action.path());
      if (namespace.isEmpty() || namespace.get().policy(action.path()).isEmpty()) {
        return new ActionResult(action, true, "It is gone.");
      }
      if (action.kind() == DirectoryAction.Kind.RESTORE) {
        namespace.get().restorePolicy(action.path(), action.policy());
      }
      namespace.get().removeProvenance(action.path());
      return new ActionResult(
          action,
          true,
          action.kind() == DirectoryAction.Kind.FORGET
              ? "Somebody else set this policy after the plugin; it stays."
              : "");
    } catch (IOException | RuntimeException e) {
      return new ActionResult(action, false, HdfsError.of(e).explain());
    }
  }
}
