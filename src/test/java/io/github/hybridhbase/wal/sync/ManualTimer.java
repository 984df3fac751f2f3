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
package io.github.hybridhbase.wal.sync;

import java.util.ArrayDeque;
import java.util.concurrent.RejectedExecutionException;
import org.apache.yetus.audience.InterfaceAudience;

/** A timer and a clock that stand still until a test moves them. */
@InterfaceAudience.Private
public final class ManualTimer implements GatherTimer.Scheduler {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  public long now = 1_000_000_000L;
  long lastDelay = -1;
  boolean refuses;

  @Override
  public void schedule(Runnable task, long nanos) {
    if (refuses) {
      throw new RejectedExecutionException("event executor terminated");
    }
    lastDelay = nanos;
    tasks.add(task);
  }

  int set() {
    return tasks.size();
  }

  /** Runs the oldest task; false where there is none. */
  public boolean fire() {
    Runnable task = tasks.poll();
    if (task == null) {
      return false;
    }
    task.run();
    return true;
  }
}
