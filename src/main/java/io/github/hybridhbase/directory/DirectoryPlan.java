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
import io.github.hybridhbase.directory.DirectoryAction.Kind;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.EffectivePolicy;
import java.util.ArrayList;
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
 * What to do about all directories together: the one place where that is decided, for servers and
 * command line alike. A pure function of what is declared, what was found and whether a hold
 * stands; docs/design.md has its table.
 *
 * <p>Inner directories are decided before outer ones. A policy that somebody gave an inner one is
 * told from an inherited one only while the outer one has another, so an outer directory is not
 * given the policy of a conflict within it: the conflict would be forgotten, and 'revert' would not
 * know whose the policy is.
 */
@InterfaceAudience.Private
public final class DirectoryPlan {
  /** What is said where a hold stands. */
  static final String HELD = "A hold stands, so nothing is placed. 'hbase-hybrid apply' lifts it.";

  private static final Comparator<DirectoryState> OUTER_FIRST =
      Comparator.comparingInt(one -> one.path().depth());

  private final Map<Path, DirectoryAction> actions = new LinkedHashMap<>();

  private DirectoryPlan() {}

  /**
   * What makes the directories as declared. What an earlier declaration placed and this one does
   * not is put back.
   *
   * @param held whether a hold stands, so that nothing may be placed
   */
  public static DirectoryPlan of(List<DirectoryState> found, boolean held) {
    DirectoryPlan plan = new DirectoryPlan();
    List<DirectoryAction> conflicts = new ArrayList<>();
    Map<Path, DirectoryAction> decided = new HashMap<>();
    for (DirectoryState one : sorted(found, OUTER_FIRST.reversed())) {
      Optional<DirectoryAction> action = decide(one, held).map(any -> unlessHidden(any, conflicts));
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

  /**
   * What puts back what stood before, wherever the plugin recorded it: as if nothing were declared.
   */
  public static DirectoryPlan toRevert(List<DirectoryState> found) {
    return of(found.stream().map(DirectoryState::undeclared).collect(Collectors.toList()), false);
  }

  private static List<DirectoryState> sorted(
      List<DirectoryState> found, Comparator<DirectoryState> order) {
    return found.stream().sorted(order).collect(Collectors.toList());
  }

  /** All of it, in the order of what was found. */
  public List<DirectoryAction> actions() {
    return List.copyOf(actions.values());
  }

  /** What writes to HDFS. */
  public List<DirectoryAction> changes() {
    return actions.values().stream().filter(DirectoryAction::changes).collect(Collectors.toList());
  }

  /** What to do about a directory; empty where nothing is declared or recorded. */
  public Optional<DirectoryAction> of(Path directory) {
    return Optional.ofNullable(actions.get(directory));
  }

  /**
   * Whether a directory follows an admin's policy in place of the declared one, or will once it
   * exists. Not where a policy of its own, which is not the plugin's, stands between.
   */
  public static boolean follows(DirectoryState one) {
    if (one.rule().isEmpty() || !below(one)) {
      return false;
    }
    if (one.status().isEmpty()) {
      return true;
    }
    DirectoryAction action = decide(one);
    return action.kind() == Kind.FOLLOWED
        || action.kind() == Kind.RESTORE
        || (action.kind() == Kind.SET && action.policy() == one.above().get());
  }

  /** Whether an admin's policy above takes the place of the declared one. */
  private static boolean below(DirectoryState one) {
    return one.above().isPresent() && one.above().get() != one.rule().get().policy().id();
  }

  // ---- one directory

  private static Optional<DirectoryAction> decide(DirectoryState one, boolean held) {
    if (one.rule().isEmpty()) {
      return held ? Optional.empty() : undo(one);
    }
    DirectoryRule rule = one.rule().get();
    if (!one.hasPolicies()) {
      String remedy = " Put hbase.rootdir and hbase.wal.dir on HDFS, or set hbase.hybrid.mode=off.";
      return Optional.of(just(Kind.NO_POLICIES, one, one.trouble().get() + remedy));
    }
    if (held) {
      return Optional.of(just(Kind.HELD, one, HELD));
    }
    if (one.trouble().isPresent()) {
      return Optional.of(just(Kind.FAILED, one, one.trouble().get()));
    }
    if (one.status().isEmpty()) {
      return Optional.of(
          rule.create()
              ? action(Kind.SET, one, rule.policy().id(), "")
              : just(Kind.ABSENT, one, ""));
    }
    return Optional.of(decide(one));
  }

  /** About a directory that exists and that something is declared for. */
  private static DirectoryAction decide(DirectoryState one) {
    return below(one) ? follow(one, one.above().get()) : declared(one);
  }

  private static DirectoryAction declared(DirectoryState one) {
    StoragePolicy declared = one.rule().get().policy();
    PolicyStatus found = one.status().get();
    if (found.effective() == declared.id()) {
      return just(Kind.RIGHT, one, "");
    }
    if (!isOurs(one)) {
      return conflict(one);
    }
    boolean demoted = one.provenance().filter(PolicyProvenance::demoted).isPresent();
    return EffectivePolicy.of(declared, demoted, false) == declared
        ? set(one, declared)
        : just(Kind.DEMOTED, one, "The space monitor restores it when SSD has space.");
  }

  private static DirectoryAction follow(DirectoryState one, byte above) {
    DirectoryRule rule = one.rule().get();
    PolicyStatus found = one.status().get();
    String why = RootPolicy.explain(rule, above) + " " + RootPolicy.remedy(rule, above) + ".";
    // HDFS's default policy is inherited as "unspecified".
    byte inForce = found.effective();
    if (inForce == above || inForce == StoragePolicy.UNSPECIFIED) {
      return just(Kind.FOLLOWED, one, why);
    }
    if (!isOurs(one)) {
      return inForce == rule.policy().id() ? just(Kind.RIGHT, one, "") : conflict(one);
    }
    boolean follows = found.parent() == above || found.parent() == StoragePolicy.UNSPECIFIED;
    if (found.own() != StoragePolicy.UNSPECIFIED && follows) {
      return action(Kind.RESTORE, one, one.provenance().get().before(), why);
    }
    // A policy of the plugin's stands between. One that it cannot name it cannot set.
    StoragePolicy wanted = StoragePolicy.ofId(above).orElse(rule.policy());
    return inForce == wanted.id() ? just(Kind.FOLLOWED, one, why) : set(one, wanted);
  }

  /** Whether its own policy is the plugin's doing, or it has none. */
  private static boolean isOurs(DirectoryState one) {
    byte own = one.status().get().own();
    return one.provenance()
        .map(provenance -> provenance.explains(own))
        .orElse(own == StoragePolicy.UNSPECIFIED);
  }

  private static Optional<DirectoryAction> undo(DirectoryState one) {
    if (one.provenance().isEmpty() || one.status().isEmpty()) {
      return Optional.empty();
    }
    byte own = one.status().get().own();
    return Optional.of(
        isOurs(one)
            ? action(Kind.RESTORE, one, one.provenance().get().before(), "")
            : action(
                Kind.FORGET,
                one,
                own,
                "Somebody else set this policy after the plugin; it stays."));
  }

  private static DirectoryAction set(DirectoryState one, StoragePolicy wanted) {
    Optional<PolicyProvenance> found = one.provenance();
    PolicyProvenance next =
        found.orElseGet(() -> PolicyProvenance.first(one.status().get().own(), wanted));
    String reason =
        found.filter(old -> old.set() == wanted.id()).isPresent()
            ? " It had lost the policy that the plugin gave it. To keep it away, set "
                + one.rule().get().component().policyKey()
                + "."
            : "";
    if (!one.keepsProvenance()) {
      reason +=
          " No provenance could be left beside the policy, so 'revert' cannot know what stood here"
              + " before. Set dfs.namenode.xattrs.enabled=true on the NameNode.";
    }
    return new DirectoryAction(
        Kind.SET,
        one,
        wanted.id(),
        Optional.of(next.set() == wanted.id() ? next : next.change(wanted)),
        Optional.empty(),
        reason.trim());
  }

  private static DirectoryAction conflict(DirectoryState one) {
    return just(
        Kind.CONFLICT,
        one,
        "It has the policy "
            + StoragePolicy.describe(one.status().get().own())
            + ", which the plugin did not set and leaves alone. Either set "
            + one.rule().get().component().policyKey()
            + " to it (or to NONE), or run 'hdfs storagepolicies -unsetStoragePolicy -path "
            + one.path().toUri().getPath()
            + "'.");
  }

  private static DirectoryAction just(Kind kind, DirectoryState one, String reason) {
    return action(kind, one, one.status().map(PolicyStatus::own).orElse((byte) 0), reason);
  }

  private static DirectoryAction action(Kind kind, DirectoryState one, byte policy, String reason) {
    return new DirectoryAction(kind, one, policy, Optional.empty(), Optional.empty(), reason);
  }

  // ---- directories within others

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

  /** What is right only by inheritance is set where what it inherits is about to change. */
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
        DirectoryAction then = decide(one.with(new PolicyStatus(next, parent)));
        if (then.kind() == Kind.SET) {
          next = then.policy();
          decided.put(one.path(), action(Kind.SET, one, next, ""));
        }
      }
      changed.put(one.path(), next == now.effective() ? Optional.empty() : Optional.of(next));
    }
  }

  private static boolean inherits(DirectoryAction action) {
    return action.kind() == Kind.RIGHT || action.kind() == Kind.FOLLOWED;
  }

  /** What will be in force on the next directory further out, where that changes. */
  private static Optional<Byte> nearest(Map<Path, Optional<Byte>> changed, Path path) {
    for (Path at = path.getParent(); at != null; at = at.getParent()) {
      if (changed.containsKey(at)) {
        return changed.get(at);
      }
    }
    return Optional.empty();
  }
}
