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
package io.github.hybridhbase.tier;

import java.util.Collection;
import java.util.Collections;
import java.util.Set;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one store's next compaction has to do for the tier, whoever requested it. A lost request, as
 * by {@code clear_compaction_queues}, is repeated. Thread-safe.
 */
@InterfaceAudience.Private
final class StoreExit {
  /** Turns after which a request counts as lost although HBase's queue is not empty. */
  static final int PATIENCE = 30;

  /** Turns until a failed compaction is requested again; doubled each time. */
  static final int AGAIN = 3;

  private static final int DOUBLED = 5;

  /** Lost requests in a row before they count as failures. */
  private static final int LOST = 3;

  /** No file has to leave. */
  static final long NONE = Long.MIN_VALUE;

  private enum State {
    IDLE,
    REQUESTED,
    DECLINED,
    /** Has begun; it ends when HBase compacts none of its files. */
    RUNNING
  }

  private final long turnNanos;
  private State state = State.IDLE;
  private volatile long leaveBy = NONE;
  private volatile boolean whole;
  private Set<String> files = Set.of();
  private Set<String> forced = Set.of();
  private long requestedNanos;
  private long pausedNanos;
  private int failures;
  private int lost;
  private volatile boolean userMet;

  StoreExit(long turnNanos) {
    this.turnNanos = turnNanos;
  }

  /**
   * @param writtenBy files written until then leave SSD, milliseconds since 1970; or {@link #NONE}
   */
  void wish(long writtenBy) {
    leaveBy = writtenBy;
  }

  long leaveBy() {
    return leaveBy;
  }

  /** All files are to be compacted for hot rows. */
  void wishWhole(boolean wished) {
    whole = wished;
  }

  boolean whole() {
    return whole;
  }

  /**
   * @param now nanoseconds
   * @param compacting names of files being compacted
   * @param live names of files on SSD
   */
  synchronized boolean mayRequest(
      long now, boolean queueEmpty, Set<String> compacting, Set<String> live) {
    if (state == State.RUNNING && Collections.disjoint(files, compacting)) {
      boolean failed = !Collections.disjoint(files, live);
      state = failed ? State.DECLINED : State.IDLE;
      files = Set.of();
      failures = failed ? failures : 0;
    }
    if (state == State.DECLINED) {
      pause(now, failures++);
    }
    if (state == State.REQUESTED
        && now - requestedNanos >= (queueEmpty ? 1 : PATIENCE) * turnNanos) {
      state = State.IDLE;
      if (++lost > LOST) { // HBase never compacts read-only tables
        pause(now, lost - LOST - 1);
      }
    }
    return state == State.IDLE && now - requestedNanos >= pausedNanos;
  }

  private void pause(long now, int doubled) {
    pausedNanos = AGAIN * turnNanos << Math.min(doubled, DOUBLED);
    requestedNanos = now;
    state = State.IDLE;
  }

  synchronized boolean isRequested() {
    return state == State.REQUESTED;
  }

  synchronized void requested(long now) {
    state = State.REQUESTED;
    requestedNanos = now;
    pausedNanos = 0;
  }

  /** No file that has to leave may be compacted now. */
  synchronized void declines() {
    whole = false;
    lost = 0;
    if (state == State.REQUESTED) {
      state = State.DECLINED;
    }
  }

  synchronized void begins(Set<String> names) {
    whole = false;
    lost = 0;
    files = names;
    state = State.RUNNING;
  }

  /**
   * A running exit's files are not eligible, so a user's major compaction would be minor or empty;
   * it is requested again after the exit.
   */
  synchronized void userSelects(Collection<String> compacting) {
    userMet |= state == State.RUNNING && !Collections.disjoint(files, compacting);
  }

  boolean hasMetUser() {
    return userMet;
  }

  /** Whether to repeat a user's compaction that met an exit: true once, after the exit. */
  synchronized boolean isUserDue(Set<String> compacting) {
    boolean due = userMet && Collections.disjoint(files, compacting);
    userMet &= !due;
    return due;
  }

  synchronized void selectsForced(Set<String> names) {
    forced = names;
  }

  /**
   * Whether HBase has forgotten a forced major compaction, as when it moves a large one to another
   * queue. Exits must not lose it.
   */
  synchronized boolean hasLostForced(Collection<String> compacting) {
    boolean lost = !forced.isEmpty() && Collections.disjoint(forced, compacting);
    forced = lost ? Set.of() : forced;
    return lost;
  }
}
