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

import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** What to do with one directory, and why; decided by {@link DirectoryPlan}. Immutable. */
@InterfaceAudience.Private
public final class DirectoryAction {
  @InterfaceAudience.Private
  public enum Kind {
    RIGHT(true),
    /** Write the provenance, then the policy. */
    SET(true),
    /**
     * Restore the policy from before the plugin, then remove the provenance: nothing is declared,
     * or an admin's policy above applies.
     */
    RESTORE(true),
    /** Remove the provenance only; a policy that somebody else set since stays. */
    FORGET(true),
    /** User data or archive follows an admin's policy above HBase's root, not the declared one. */
    FOLLOWED(true),
    ABSENT(true),
    HELD(true),
    /** Somebody else set another policy, which stays. */
    CONFLICT(false),
    /** An outcome only: the active master declares another policy, which stays. */
    DECLARED_OTHERWISE(false),
    /** Kept off SSD by the space monitor, which alone restores it. */
    DEMOTED(false),
    /** The file system has no storage policies. */
    NO_POLICIES(false),
    /** HDFS stores no xattrs, so nothing is set that could not be undone. */
    NO_XATTRS(false),
    /** An outcome only: SSD refused the probe block. */
    NO_SSD(false),
    FAILED(false);

    private final boolean holds;

    Kind(boolean holds) {
      this.holds = holds;
    }

    /** Whether the declared placement holds, or will once HBase creates the directory. */
    public boolean holds() {
      return holds;
    }
  }

  /**
   * Inner directories first, so that their observed state still holds when the outer one changes;
   * then those that inherit the right policy until then, outer ones first.
   */
  static final Comparator<DirectoryAction> ORDER =
      Comparator.comparing(DirectoryAction::waits)
          .thenComparingInt(
              action -> action.waits() ? action.path().depth() : -action.path().depth());

  private final Kind kind;
  private final DirectoryState state;
  private final byte policy;
  private final Optional<PolicyProvenance> provenance;
  private final Optional<Path> hides;
  private final String reason;

  DirectoryAction(
      Kind kind,
      DirectoryState state,
      byte policy,
      Optional<PolicyProvenance> provenance,
      Optional<Path> hides,
      String reason) {
    this.kind = kind;
    this.state = state;
    this.policy = policy;
    this.provenance = provenance;
    this.hides = hides;
    this.reason = reason;
  }

  public Kind kind() {
    return kind;
  }

  boolean changes() {
    return kind == Kind.SET || kind == Kind.RESTORE || kind == Kind.FORGET;
  }

  public DirectoryState state() {
    return state;
  }

  public Path path() {
    return state.path();
  }

  /** The declaration; empty if none. */
  public Optional<DirectoryRule> rule() {
    return state.rule();
  }

  public byte policy() {
    return policy;
  }

  /**
   * The provenance to write before the policy of a {@link Kind#SET}; empty if not known yet, since
   * the directory is to be created, or inherits another policy by this plan.
   */
  Optional<PolicyProvenance> provenance() {
    return provenance;
  }

  boolean creates() {
    return kind == Kind.SET && state.status().isEmpty();
  }

  /** Whether the directory inherits the right policy until other actions of the plan are done. */
  public boolean waits() {
    return kind == Kind.SET && provenance.isEmpty() && state.status().isPresent();
  }

  /** The inner directory in conflict, whose own policy this conflict would hide. */
  public Optional<Path> hides() {
    return hides;
  }

  public Finding conflict() {
    DirectoryRule rule = state.rule().orElseThrow();
    String path = path().toUri().getPath();
    String inForce = StoragePolicy.describe(state.status().orElseThrow().effective());
    String component = rule.component().label();
    return hides
        .map(
            inner ->
                Finding.of(
                    FindingId.POLICY_HIDDEN,
                    path,
                    rule.policy(),
                    component,
                    inForce,
                    inner.toUri().getPath()))
        .orElseGet(
            () ->
                Finding.of(
                    FindingId.POLICY_CONFLICT,
                    path,
                    rule.policy(),
                    component,
                    inForce,
                    rule.component().policyKey(),
                    Text.quote(path)));
  }

  public String reason() {
    return reason;
  }

  @Override
  public String toString() {
    return kind + " " + path().toUri().getPath() + " " + StoragePolicy.describe(policy);
  }

  /** The outcome of a {@link DirectoryAction}. */
  public static final class Result {
    private final DirectoryAction action;
    private final DirectoryAction.Kind kind;
    private final String detail;
    private final String reason;

    /**
     * @param kind the action's kind, or what prevented it
     * @param detail observation and remedy; empty if there are none
     */
    public Result(DirectoryAction action, DirectoryAction.Kind kind, String detail) {
      this(action, kind, detail, action.reason());
    }

    private Result(
        DirectoryAction action, DirectoryAction.Kind kind, String detail, String reason) {
      this.action = action;
      this.kind = kind;
      this.detail = detail;
      this.reason = reason;
    }

    /** For a repeated decision. */
    Result of(DirectoryAction planned) {
      return new Result(planned, kind, detail, reason);
    }

    public DirectoryAction action() {
      return action;
    }

    /** Throws if nothing was declared. */
    public DirectoryRule rule() {
      return action.rule().orElseThrow();
    }

    public DirectoryAction.Kind kind() {
      return kind;
    }

    /** Observation and remedy; empty if there are none. */
    public String detail() {
      return detail;
    }

    String reason() {
      return reason;
    }

    /**
     * A subject for log lines that concern all directories of a component; no such path need exist.
     */
    Path component() {
      return new Path(rule().base(), "component " + rule().component().label());
    }

    boolean follows() {
      return kind == DirectoryAction.Kind.FOLLOWED || kind == DirectoryAction.Kind.RESTORE;
    }

    @Override
    public String toString() {
      return rule() + ": " + kind + (detail.isEmpty() ? "" : ". " + detail);
    }
  }
}
