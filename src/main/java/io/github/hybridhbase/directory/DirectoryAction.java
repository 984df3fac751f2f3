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
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.placement.DirectoryRule;
import java.util.Comparator;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;

/** What to do about one directory, and why: decided by {@link DirectoryPlan}. Immutable. */
@InterfaceAudience.Private
public final class DirectoryAction {
  /** What is to be done, or came of it. */
  @InterfaceAudience.Private
  public enum Kind {
    /** The policy is in force already; nothing is written. */
    RIGHT(true),
    /** Write the provenance where it differs from the one found, then set the policy. */
    SET(true),
    /**
     * Put back the policy that stood before the plugin came, then remove the provenance: nothing is
     * declared any more, or an admin's policy above is to be in force.
     */
    RESTORE(true),
    /** Remove the provenance only: somebody else has set another policy since, which stays. */
    FORGET(true),
    /**
     * An admin's policy above HBase's root is in force, not the declared one. It holds: user data
     * and archive follow an admin's word, and no server is kept from starting by that.
     */
    FOLLOWED(true),
    /** HBase has not made the directory yet. */
    ABSENT(true),
    /** A hold stands on this HBase: the operator wants nothing placed. */
    HELD(true),
    /** Somebody else set another policy, which stays. */
    CONFLICT(false),
    /** Never planned: the cluster's owner declared another policy, so a server leaves it. */
    DECLARED_OTHERWISE(false),
    /** The space monitor keeps the directory away from SSD; only the space monitor restores it. */
    DEMOTED(false),
    /** The file system has no storage policies. */
    NO_POLICIES(false),
    /** HDFS keeps no xattrs: nobody could undo what is set, so nothing is. */
    NO_XATTRS(false),
    /** Never planned: SSD did not take the probe block, so the directory was not pinned. */
    NO_SSD(false),
    /** HDFS refused, or could not be asked. */
    FAILED(false);

    private final boolean holds;

    Kind(boolean holds) {
      this.holds = holds;
    }

    /** Whether the declared placement holds, or will when HBase makes the directory. */
    public boolean holds() {
      return holds;
    }
  }

  /**
   * Inner directories first, so that what was found of them still holds when the outer one changes.
   * Then, outer ones first, what inherits the right policy until then.
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

  /** Whether HDFS is written to. */
  boolean changes() {
    return kind == Kind.SET || kind == Kind.RESTORE || kind == Kind.FORGET;
  }

  public DirectoryState state() {
    return state;
  }

  /** The directory. */
  public Path path() {
    return state.path();
  }

  /** What is declared; empty where nothing is. */
  public Optional<DirectoryRule> rule() {
    return state.rule();
  }

  public byte policy() {
    return policy;
  }

  /**
   * Of {@link Kind#SET}: the provenance that must stand before the policy is set. Empty where that
   * is not known yet: the directory must be made first, or what it inherits changes by this plan.
   */
  Optional<PolicyProvenance> provenance() {
    return provenance;
  }

  /** Whether the directory is made first. */
  boolean creates() {
    return kind == Kind.SET && state.status().isEmpty();
  }

  /** Whether it inherits the right policy until other actions of the same plan are done. */
  public boolean waits() {
    return kind == Kind.SET && provenance.isEmpty() && state.status().isPresent();
  }

  /** Of a conflict: the directory within, also in conflict, that its own policy would hide. */
  public Optional<Path> hides() {
    return hides;
  }

  /** Why, and what settles it, for people; empty where there is nothing to say. */
  public String reason() {
    return reason;
  }

  @Override
  public String toString() {
    return kind + " " + path().toUri().getPath() + " " + StoragePolicy.describe(policy);
  }
}
