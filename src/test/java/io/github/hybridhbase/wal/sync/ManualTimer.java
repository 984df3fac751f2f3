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

import io.github.hybridhbase.wal.failover.Scheduler;
import java.util.ArrayDeque;
import org.apache.yetus.audience.InterfaceAudience;

/** A timer and a clock that stand still until a test moves them. */
@InterfaceAudience.Private
public final class ManualTimer implements Scheduler {
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private final ArrayDeque<Runnable> soon = new ArrayDeque<>();
  public long now = 1_000_000_000L;
  long lastDelay = -1;
  boolean refuses;

  /** Whether what is to run at once runs with the next task, too. */
  boolean late;

  @Override
  public boolean takes(Runnable task, long nanos) {
    if (!refuses && nanos == 0 && !late) {
      runSoon(task);
    } else if (!refuses) {
      lastDelay = nanos;
      tasks.add(task);
    }
    return !refuses;
  }

  /** As an event loop: at once, but not inside another one. */
  private void runSoon(Runnable task) {
    soon.add(task);
    if (soon.size() == 1) {
      for (Runnable next = task; next != null; next = soon.peek()) {
        next.run();
        soon.remove();
      }
    }
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
