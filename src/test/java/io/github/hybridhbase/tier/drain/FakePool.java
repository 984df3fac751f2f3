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
package io.github.hybridhbase.tier.drain;

import java.util.ArrayDeque;
import java.util.Deque;
import org.apache.hadoop.hbase.regionserver.HStore;
import org.apache.hadoop.hbase.regionserver.compactions.CompactionContext;
import org.apache.yetus.audience.InterfaceAudience;

/** Compactions as a test says; exits run on the thread of the turn, large ones when it says so. */
@InterfaceAudience.Private
public final class FakePool extends CompactionPool {
  public int waiting;
  public boolean on = true;

  /** Whether the thread of the small ones has something to do that lasts. */
  public boolean smallBusy;

  /** Whether the process gets no more threads. */
  public boolean noThreads;

  /** What waits for it. */
  public final Deque<Runnable> queued = new ArrayDeque<>();

  /** What waits for the thread of the large ones. */
  public final Deque<Runnable> large = new ArrayDeque<>();

  public FakePool() {
    super(null);
  }

  @Override
  public int waiting() {
    return waiting;
  }

  @Override
  public boolean on() {
    return on;
  }

  @Override
  public boolean execute(boolean ofLarge, Runnable task) {
    if (ofLarge) {
      if (noThreads) {
        throw new InternalError("unable to create native thread");
      }
      large.add(task);
    } else if (smallBusy) {
      queued.add(task);
    } else {
      task.run();
    }
    return true;
  }

  @Override
  public void compact(HStore store, CompactionContext selected) {
    throw new UnsupportedOperationException();
  }
}
