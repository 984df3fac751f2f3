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
package io.github.hybridhbase.bed;

import java.util.EnumSet;
import java.util.Random;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** The faults of a campaign, one after the other: the same of the same seed. For one thread. */
@InterfaceAudience.Private
final class FaultPlan {
  private static final int MOST_WHICH = 1_000;
  private static final int LEAST_HOLD = 1_000;
  private static final int MORE_HOLD = 4_000;
  private static final int MORE_PAUSE = 1_000;

  /** One in so many lasts longer than ZooKeeper's sessions. */
  private static final int LONG = 10;

  private static final int LONG_HOLD = 25_000;

  private final Random random;
  private final Set<Fault.Kind> kinds;

  /** Of all kinds. */
  FaultPlan(long seed) {
    this(seed, EnumSet.allOf(Fault.Kind.class));
  }

  /** Of these kinds. */
  FaultPlan(long seed, Set<Fault.Kind> kinds) {
    random = new Random(seed);
    this.kinds = EnumSet.copyOf(kinds);
  }

  Fault next() {
    Fault.Kind kind = kind();
    int hold = LEAST_HOLD + random.nextInt(MORE_HOLD);
    boolean lasting = random.nextInt(LONG) == 0;
    int which = random.nextInt(MOST_WHICH);
    int pause = random.nextInt(MORE_PAUSE);
    return kind.isAdmins()
        ? new Fault(kind, which, 0, 0)
        : new Fault(kind, which, lasting ? LONG_HOLD : hold, pause);
  }

  private Fault.Kind kind() {
    int at = random.nextInt(kinds.stream().mapToInt(Fault.Kind::weight).sum());
    for (Fault.Kind kind : kinds) {
      at -= kind.weight();
      if (at < 0) {
        return kind;
      }
    }
    throw new AssertionError();
  }
}
