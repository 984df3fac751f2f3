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

import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.placement.DirectoryAction.Kind;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A pure decision about one directory without regard to others; {@link DirectoryPlan} combines the
 * decisions.
 */
@InterfaceAudience.Private
final class DirectoryDecision {
  static final String HELD = "A hold stands, so nothing is placed. " + Hold.REMEDY + ".";

  static final String NO_XATTRS =
      "HDFS keeps no xattrs. "
          + FindingId.XATTRS_DISABLED.causes()
          + " "
          + FindingId.XATTRS_DISABLED.remedy();

  private DirectoryDecision() {}

  /** Empty if nothing is declared or recorded. */
  static Optional<DirectoryAction> decide(DirectoryState one, boolean held) {
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

  static DirectoryAction decide(DirectoryState one) {
    DirectoryAction action = below(one) ? follow(one, one.above().get()) : declared(one);
    boolean stands = action.kind() == Kind.RIGHT || action.kind() == Kind.FOLLOWED;
    return one.record().isForeign() && !stands ? foreign(one) : action;
  }

  /** Only the version that wrote the record knows whose the policy is and what preceded it. */
  private static DirectoryAction foreign(DirectoryState one) {
    return just(
        Kind.FAILED,
        one,
        ForeignRecordException.finding(
                PolicyProvenance.XATTR, one.path(), one.record().foreign().get())
            .explain());
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
    return declared.effective(demoted, false) == declared
        ? set(one, declared)
        : just(Kind.DEMOTED, one, "The active master restores it when SSD has space.");
  }

  private static DirectoryAction follow(DirectoryState one, byte above) {
    DirectoryRule rule = one.rule().get();
    PolicyStatus found = one.status().get();
    String why = RootPolicy.finding(rule, above).explain();
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
    // A policy of the plugin lies between. A policy unknown to HBase cannot be set.
    StoragePolicy wanted = StoragePolicy.ofId(above).orElse(rule.policy());
    return inForce == wanted.id() ? just(Kind.FOLLOWED, one, why) : set(one, wanted);
  }

  private static boolean isOurs(DirectoryState one) {
    return PolicyProvenance.isOurs(one.provenance(), one.status().get().own());
  }

  private static Optional<DirectoryAction> undo(DirectoryState one) {
    if (one.record().isForeign()) {
      return Optional.of(foreign(one));
    }
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
    if (!one.keepsProvenance()) {
      return just(Kind.NO_XATTRS, one, NO_XATTRS);
    }
    Optional<PolicyProvenance> found = one.provenance();
    PolicyProvenance next =
        found.orElseGet(() -> PolicyProvenance.first(one.status().get().own(), wanted));
    String reason = found.map(record -> missing(one, record, wanted)).orElse("");
    return new DirectoryAction(
        Kind.SET,
        one,
        wanted.id(),
        Optional.of(next.set() == wanted.id() ? next : next.change(wanted)),
        Optional.empty(),
        reason.trim());
  }

  /** Empty if the recorded policy was merely not set yet. */
  private static String missing(DirectoryState one, PolicyProvenance record, StoragePolicy wanted) {
    boolean unset = one.status().get().own() == StoragePolicy.UNSPECIFIED;
    if (record.set() != wanted.id() || (record.mayBeUnfinished() && !unset)) {
      return "";
    }
    String why =
        record.mayBeUnfinished()
            ? "The policy that the plugin has on record here did not stand: HDFS refused it, or another"
                + " server was about to set it, or had died before it did, or somebody took the"
                + " policy away."
            : "It had lost the policy that the plugin gave it.";
    return why + " To keep it away, set " + one.rule().get().component().policyKey() + ".";
  }

  private static DirectoryAction conflict(DirectoryState one) {
    DirectoryAction action = just(Kind.CONFLICT, one, "");
    return just(Kind.CONFLICT, one, action.conflict().explain());
  }

  private static DirectoryAction just(Kind kind, DirectoryState one, String reason) {
    return action(kind, one, one.status().map(PolicyStatus::own).orElse((byte) 0), reason);
  }

  static DirectoryAction action(Kind kind, DirectoryState one, byte policy, String reason) {
    return new DirectoryAction(kind, one, policy, Optional.empty(), Optional.empty(), reason);
  }

  /** See {@link DirectoryPlan#follows}. */
  static boolean follows(DirectoryState one) {
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

  private static boolean below(DirectoryState one) {
    return one.above().isPresent() && one.above().get() != one.rule().get().policy().id();
  }
}
