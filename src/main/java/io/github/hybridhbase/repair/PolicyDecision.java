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

import io.github.hybridhbase.guard.EffectivePolicy;
import io.github.hybridhbase.hdfs.Mark;
import io.github.hybridhbase.hdfs.PolicyStatus;
import io.github.hybridhbase.placement.StoragePolicy;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What to do about one directory: a pure function of the declared policy, the policy found and the
 * mark found.
 */
@InterfaceAudience.Private
public final class PolicyDecision {
  /** The kinds of answer. */
  @InterfaceAudience.Private
  public enum Kind {
    /** The declared policy is in force already. */
    RIGHT,
    /** Write {@link #mark()} where it differs from the one found, then set the policy. */
    SET,
    /** Somebody else set another policy, which stays. */
    CONFLICT,
    /** The guard keeps it away from SSD; only the guard turns it back. */
    GUARDED
  }

  private final Kind kind;
  private final Mark mark;

  private PolicyDecision(Kind kind, Mark mark) {
    this.kind = kind;
    this.mark = mark;
  }

  /** Decides. */
  public static PolicyDecision decide(
      StoragePolicy declared, PolicyStatus found, Optional<Mark> mark) {
    if (found.effective() == declared.id()) {
      return new PolicyDecision(Kind.RIGHT, null);
    }
    if (mark.isPresent()) {
      boolean away = mark.get().guarded() && mark.get().explains(found.own());
      if (EffectivePolicy.of(declared, away, false) != declared) {
        return new PolicyDecision(Kind.GUARDED, null);
      }
      if (!mark.get().explains(found.own())) {
        return new PolicyDecision(Kind.CONFLICT, null);
      }
      boolean same = mark.get().set() == declared.id();
      return new PolicyDecision(Kind.SET, same ? mark.get() : mark.get().change(declared));
    }
    return found.own() == StoragePolicy.UNSPECIFIED
        ? new PolicyDecision(Kind.SET, Mark.first(found.own(), declared))
        : new PolicyDecision(Kind.CONFLICT, null);
  }

  /** The kind of answer. */
  public Kind kind() {
    return kind;
  }

  /** The mark that must stand before the policy is set; only of {@link Kind#SET}. */
  public Mark mark() {
    return mark;
  }
}
