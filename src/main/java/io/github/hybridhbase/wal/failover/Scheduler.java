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

import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.LoggerFactory;

/** A scheduler of single tasks. */
@InterfaceAudience.Private
@FunctionalInterface
public interface Scheduler {
  /** Runs a task once. Never blocks; may throw if it takes no more tasks. */
  void schedule(Runnable task, long nanos);

  /** False if it takes no more tasks. Never throws. */
  default boolean takes(Runnable task, long nanos) {
    return isTaken(() -> schedule(task, nanos));
  }

  /**
   * Hands a task to an executor; false if that takes no more, since the server ends or has no
   * threads left. Never throws.
   */
  static boolean isTaken(Runnable handOver) {
    try {
      handOver.run();
      return true;
    } catch (RuntimeException | Error e) {
      LoggerFactory.getLogger(Scheduler.class).debug("A task is not taken", e);
      return false;
    }
  }
}
