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
 * How many stores may be asked in a turn to rewrite files that have to leave SSD. Immutable.
 *
 * <p>Only where no compaction waits for a thread, since a file that waits keeps all older ones of
 * its store from being compacted. Where compactions always wait, files would never leave, so after
 * a time, and at once where SSD is needed, one store is asked nonetheless, and the next once that
 * one is done ({@link ExitRun#take} spares the older files).
 */
@InterfaceAudience.Private
final class ExitPace {
  /** Stores asked in one turn. */
  static final int STORES = 20;

  private static final ExitPace NONE = new ExitPace(0, false);

  private final int stores;
  private final boolean behindOthers;

  private ExitPace(int stores, boolean behindOthers) {
    this.stores = stores;
    this.behindOthers = behindOthers;
  }

  /**
   * Decides for one turn.
   *
   * @param on whether the server compacts at all
   * @param waiting compactions that wait for a thread
   * @param busyNanos since when some did in every turn
   * @param patienceNanos how long that is borne
   * @param needed whether SSD is needed: all must leave it, or tables that have little there need
   *     space
   * @param underWay whether a compaction that was asked for has not ended
   */
  static ExitPace of(
      boolean on,
      int waiting,
      long busyNanos,
      long patienceNanos,
      boolean needed,
      boolean underWay) {
    if (!on) {
      return NONE;
    }
    if (waiting == 0) {
      return new ExitPace(STORES, false);
    }
    boolean nonetheless = (needed || busyNanos >= patienceNanos) && !underWay;
    return nonetheless ? new ExitPace(1, true) : NONE;
  }

  int stores() {
    return stores;
  }

  /** Whether what is asked for meets compactions that wait. */
  boolean behindOthers() {
    return behindOthers;
  }

  @Override
  public String toString() {
    return stores + (behindOthers ? " behind others" : "");
  }
}
