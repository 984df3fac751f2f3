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
package io.github.hybridhbase.wal.failover;

import java.util.Comparator;
import java.util.PriorityQueue;
import org.apache.yetus.audience.InterfaceAudience;

/** What is to be done at a time of a test's clock. Immutable. */
@InterfaceAudience.Private
final class TimedTask {
  final long at;
  final Runnable run;

  TimedTask(long at, Runnable run) {
    this.at = at;
    this.run = run;
  }

  /** Tasks, the first one first. */
  static PriorityQueue<TimedTask> queue() {
    return new PriorityQueue<>(Comparator.comparingLong((TimedTask task) -> task.at));
  }
}
