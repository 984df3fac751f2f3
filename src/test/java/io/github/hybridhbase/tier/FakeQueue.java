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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.LongSupplier;
import org.apache.yetus.audience.InterfaceAudience;

/** HBase's queue as a test says: requests run at once unless its threads are busy. */
@InterfaceAudience.Private
final class FakeQueue extends CompactionQueue {
  boolean on = true;

  /** Whether its threads have something to do that lasts. */
  boolean busy;

  /** The store that it accepts no request of. */
  TierStore refuses;

  /** Requests that wait. */
  final Deque<FakeStore> queued = new ArrayDeque<>();

  /** Major ones. */
  final Deque<FakeStore> majors = new ArrayDeque<>();

  int forUsers;

  private final LongSupplier wallClock;

  /**
   * @param wallClock milliseconds since 1970
   */
  FakeQueue(LongSupplier wallClock) {
    super(null);
    this.wallClock = wallClock;
  }

  @Override
  int waiting() {
    return queued.size() + majors.size();
  }

  @Override
  boolean on() {
    return on;
  }

  @Override
  void request(TierStore of, String why) {
    if (of == refuses) {
      throw new IllegalStateException("refused");
    }
    queued.add((FakeStore) of);
    runUnlessBusy();
  }

  @Override
  void requestMajor(TierStore of, String why) {
    majors.add((FakeStore) of);
    runUnlessBusy();
  }

  @Override
  void requestForUser(TierStore of, String why) {
    forUsers++;
  }

  private void runUnlessBusy() {
    if (!busy) {
      run();
    }
  }

  /** Its threads are free again. */
  void run() {
    busy = false;
    while (!majors.isEmpty()) {
      majors.remove().whole++;
    }
    while (!queued.isEmpty()) {
      queued.remove().selects(wallClock.getAsLong());
    }
  }
}
