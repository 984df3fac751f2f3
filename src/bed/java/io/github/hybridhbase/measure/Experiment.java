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
package io.github.hybridhbase.measure;

import java.util.Locale;
import org.apache.yetus.audience.InterfaceAudience;

/** What is done in a cell. */
@InterfaceAudience.Private
enum Experiment {
  /** A workload, after a warm-up. */
  YCSB(0),
  /** A workload alone and then beside a major compaction. */
  COMPACTION(90),
  /** Reads of hot rows, and then other rows are hot, none of which was before. */
  MOVED(CellRun.LONGEST_MOVE_SECONDS),
  /** A RegionServer is killed with its WALs full; until all regions serve again. */
  RECOVERY(150);

  private final int moreSeconds;

  Experiment(int moreSeconds) {
    this.moreSeconds = moreSeconds;
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Experiment of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }

  /** Whether reads fill the caches before it. */
  boolean warms() {
    return this == YCSB || this == MOVED;
  }

  /** About what it takes beyond a warm-up and a run. */
  int moreSeconds() {
    return moreSeconds;
  }
}
