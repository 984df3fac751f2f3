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

import java.util.Iterator;
import java.util.Random;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/** One fault, or one thing that an admin does meanwhile. Immutable. */
@InterfaceAudience.Private
final class Fault {
  /** What may happen; how often, by weight. */
  enum Kind {
    KILL_REGIONSERVER(5, Role.REGIONSERVER),
    STOP_REGIONSERVER(3, Role.REGIONSERVER),
    KILL_MASTER(2, Role.MASTER),
    STOP_MASTER(1, Role.MASTER),
    KILL_DATANODE(4, Role.DATANODE),
    STOP_DATANODE(3, Role.DATANODE),
    KILL_NAMENODE(1, Role.NAMENODE),
    STOP_NAMENODE(1, Role.NAMENODE),
    FILL_SSD(3, Role.DATANODE),
    FILL_ALL_SSDS(2, null),
    REFUSE_SSD(1, null),
    READ_ONLY_SSD(2, Role.DATANODE),
    LOSE_SSD(1, Role.DATANODE),
    CUT_OFF_DATANODE(2, Role.DATANODE),
    RESTART_HBASE(1, null),
    RESTART_ALL(1, null),
    ROLL(3, null),
    FLUSH(3, null),
    COMPACT(2, null),
    SPLIT(2, null),
    MERGE(2, null),
    SNAPSHOT(2, null),
    BALANCE(2, null);

    final int weight;

    /** Of which it meets one process; null where it meets none, or all. */
    final Role role;

    Kind(int weight, Role role) {
      this.weight = weight;
      this.role = role;
    }

    boolean stops() {
      return name().startsWith("STOP_");
    }

    boolean fills() {
      return this == FILL_SSD || this == FILL_ALL_SSDS;
    }

    /** Whether it is what an admin does: no fault. */
    boolean isAdmins() {
      return ordinal() >= ROLL.ordinal();
    }
  }

  private static final int MOST_WHICH = 1_000;
  private static final int LEAST_HOLD = 1_000;
  private static final int MORE_HOLD = 4_000;
  private static final int MORE_PAUSE = 1_000;

  /** One in so many lasts longer than ZooKeeper's sessions. */
  private static final int LONG = 10;

  private static final int LONG_HOLD = 25_000;

  final Kind kind;
  private final int which;
  final int holdMillis;
  final int pauseMillis;

  /**
   * Describes one.
   *
   * @param which of the processes or regions, modulo how many there are
   * @param holdMillis how long it lasts
   * @param pauseMillis how long there is peace behind it
   */
  Fault(Kind kind, int which, int holdMillis, int pauseMillis) {
    this.kind = kind;
    this.which = which;
    this.holdMillis = holdMillis;
    this.pauseMillis = pauseMillis;
  }

  /** One of these kinds, by their weights. */
  static Fault next(Random random, Set<Kind> kinds) {
    int at = random.nextInt(kinds.stream().mapToInt(each -> each.weight).sum());
    Kind kind = null;
    for (Iterator<Kind> all = kinds.iterator(); at >= 0; at -= kind.weight) {
      kind = all.next();
    }
    int hold = LEAST_HOLD + random.nextInt(MORE_HOLD);
    boolean lasting = random.nextInt(LONG) == 0;
    int which = random.nextInt(MOST_WHICH);
    int pause = random.nextInt(MORE_PAUSE);
    return kind.isAdmins()
        ? new Fault(kind, which, 0, 0)
        : new Fault(kind, which, lasting ? LONG_HOLD : hold, pause);
  }

  int which(int many) {
    return Math.floorMod(which, many);
  }

  @Override
  public String toString() {
    return kind + " " + which + " for " + holdMillis + " ms, then " + pauseMillis + " ms";
  }
}
