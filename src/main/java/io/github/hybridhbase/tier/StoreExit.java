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

import org.apache.yetus.audience.InterfaceAudience;

/**
 * What one store's next compaction has to do for the tier, whoever requested it. A request that was
 * lost, as by {@code clear_compaction_queues}, declined or failed is repeated after a pause that
 * doubles. Thread-safe.
 */
@InterfaceAudience.Private
final class StoreExit {
  /** Turns after which a request counts as lost although HBase's queue is not empty. */
  static final int PATIENCE = 30;

  /** Turns from a request that came to nothing to the next one; doubled each time. */
  static final int AGAIN = 3;

  private static final int DOUBLED = 5;

  /** No file has to leave. */
  static final long NONE = Long.MIN_VALUE;

  private final long turnNanos;

  /** Files written until then leave SSD, milliseconds since 1970; or {@link #NONE}. */
  volatile long leaveBy = NONE;

  /**
   * A forced major compaction was selected and has not begun. HBase forgets it when it moves a
   * large one to another queue.
   */
  volatile boolean majorWaits;

  private boolean requested;
  private boolean running;
  private long requestedNanos;
  private long pausedNanos;
  private int failures;
  private boolean userMet;
  private boolean userSettles;

  StoreExit(long turnNanos) {
    this.turnNanos = turnNanos;
  }

  /**
   * @param now nanoseconds
   */
  synchronized boolean mayRequest(long now, boolean queueEmpty) {
    if (requested && now - requestedNanos >= (queueEmpty ? 1 : PATIENCE) * turnNanos) {
      fails();
    }
    return !requested && !running && now - requestedNanos >= pausedNanos;
  }

  synchronized boolean isRequested() {
    return requested;
  }

  synchronized void requested(long now) {
    requested = true;
    requestedNanos = now;
  }

  /** No file that has to leave may be compacted now. */
  synchronized void declines() {
    if (requested) {
      fails();
    }
  }

  synchronized void begins() {
    requested = false;
    running = true;
  }

  synchronized void fails() {
    requested = false;
    running = false;
    pausedNanos = AGAIN * turnNanos << Math.min(failures++, DOUBLED);
  }

  synchronized void ends() {
    running = false;
    pausedNanos = 0;
    failures = 0;
  }

  /**
   * A running exit's files are not eligible, so a user's major compaction would be minor or empty;
   * it is requested again after the exit.
   */
  synchronized void userSelects() {
    userMet |= running;
  }

  /** Whether to repeat a user's compaction: true once, in the second turn after the exit. */
  synchronized boolean isUserDue() {
    boolean due = userSettles;
    userSettles = userMet && !running && !due;
    userMet &= !due;
    return due;
  }
}
