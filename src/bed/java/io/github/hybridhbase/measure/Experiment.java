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

import org.apache.yetus.audience.InterfaceAudience;

/** What is done in a cell. */
@InterfaceAudience.Private
enum Experiment {
  /** A workload, after a warm-up. */
  YCSB(0),

  /** A workload alone and then beside a major compaction. */
  COMPACTION(90),

  /** A RegionServer is killed with its WALs full; until all regions serve again. */
  RECOVERY(150);

  /** About what it takes beyond a warm-up and a run. */
  final int moreSeconds;

  Experiment(int moreSeconds) {
    this.moreSeconds = moreSeconds;
  }
}
