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
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.EffectivePolicy;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What to do about one directory: a pure function of the declared policy, an admin's policy above
 * HBase's root, the policy found and the provenance found.
 */
@InterfaceAudience.Private
public final class PolicyDecision {
  /** The kinds of answer. */
  @InterfaceAudience.Private
  public enum Kind {
    /** The declared policy is in force already. */
    RIGHT,
    /**
     * Write {@link #provenance()} where it differs from the one found, then set {@link #policy()}.
     */
    SET,
    /** An admin's policy above HBase's root is in force, as it should be, not the declared one. */
    FOLLOWED,
    /** The plugin's own policy stands between it and an admin's above: put back what stood. */
    YIELD,
    /** Somebody else set another policy, which stays. */
    CONFLICT,
    /** The space monitor keeps it away from SSD; only the space monitor restores it. */
    DEMOTED
  }

  private final Kind kind;
  private final StoragePolicy policy;
  private final PolicyProvenance provenance;

  private PolicyDecision(Kind kind, StoragePolicy policy, PolicyProvenance provenance) {
    this.kind = kind;
    this.policy = policy;
    this.provenance = provenance;
  }

  private static PolicyDecision just(Kind kind) {
    return new PolicyDecision(kind, StoragePolicy.NONE, null);
  }

  /**
   * Decides.
   *
   * @param above id of the admin's policy above HBase's root that the directory follows, see {@link
   *     RootPolicy}
   */
  public static PolicyDecision decide(
      StoragePolicy declared,
      Optional<Byte> above,
      PolicyStatus found,
      Optional<PolicyProvenance> provenance) {
    return above.isPresent() && above.get() != declared.id()
        ? follow(declared, above.get(), found, provenance)
        : decide(declared, found, provenance);
  }

  private static PolicyDecision decide(
      StoragePolicy declared, PolicyStatus found, Optional<PolicyProvenance> provenance) {
    if (found.effective() == declared.id()) {
      return just(Kind.RIGHT);
    }
    if (provenance.isPresent()) {
      boolean demoted = provenance.get().demoted() && provenance.get().explains(found.own());
      if (EffectivePolicy.of(declared, demoted, false) != declared) {
        return just(Kind.DEMOTED);
      }
      if (!provenance.get().explains(found.own())) {
        return just(Kind.CONFLICT);
      }
    } else if (found.own() != StoragePolicy.UNSPECIFIED) {
      return just(Kind.CONFLICT);
    }
    return set(declared, found, provenance);
  }

  private static PolicyDecision follow(
      StoragePolicy declared,
      byte above,
      PolicyStatus found,
      Optional<PolicyProvenance> provenance) {
    // HDFS's default policy is inherited as "unspecified".
    byte inForce = found.effective();
    if (inForce == above || inForce == StoragePolicy.UNSPECIFIED) {
      return just(Kind.FOLLOWED);
    }
    byte own = found.own();
    boolean theirs =
        provenance.isPresent() ? !provenance.get().explains(own) : own != StoragePolicy.UNSPECIFIED;
    if (theirs) {
      return just(inForce == declared.id() ? Kind.RIGHT : Kind.CONFLICT);
    }
    boolean follows = found.parent() == above || found.parent() == StoragePolicy.UNSPECIFIED;
    if (own != StoragePolicy.UNSPECIFIED && follows) {
      return just(Kind.YIELD);
    }
    // A policy of the plugin's stands between. One that it cannot name it cannot set.
    StoragePolicy wanted = StoragePolicy.ofId(above).orElse(declared);
    return inForce == wanted.id() ? just(Kind.FOLLOWED) : set(wanted, found, provenance);
  }

  private static PolicyDecision set(
      StoragePolicy wanted, PolicyStatus found, Optional<PolicyProvenance> provenance) {
    PolicyProvenance next = provenance.orElseGet(() -> PolicyProvenance.first(found.own(), wanted));
    return new PolicyDecision(
        Kind.SET, wanted, next.set() == wanted.id() ? next : next.change(wanted));
  }

  /** The kind of answer. */
  public Kind kind() {
    return kind;
  }

  /** Whether an admin's policy above HBase's root is in force by it, or will be. */
  boolean follows(byte above) {
    return kind == Kind.FOLLOWED || kind == Kind.YIELD || kind == Kind.SET && policy.id() == above;
  }

  /** The policy to set; only of {@link Kind#SET}. */
  public StoragePolicy policy() {
    return policy;
  }

  /** The provenance that must stand before the policy is set; only of {@link Kind#SET}. */
  public PolicyProvenance provenance() {
    return provenance;
  }
}
