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

import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long the DataNodes of one output have owed the packets of their first verdict, pauses of this
 * process included. Not thread-safe.
 */
@InterfaceAudience.Private
final class Lateness {
  private Verdict first;
  private long since;

  void startAgain() {
    first = null;
  }

  /**
   * @param now nanoseconds
   * @return lag as a multiple of the lateness threshold; 1 for new stragglers, and for those that
   *     have acknowledged what they owed
   */
  long times(long now, Verdict verdict, Acknowledgements acknowledgements) {
    if (first == null
        || !first.nodes().equals(verdict.nodes())
        || !acknowledgements.areBehind(first.nodes(), first.packets())) {
      first = verdict;
      since = now;
    }
    long nanos = Math.max(1, TimeUnit.MILLISECONDS.toNanos(verdict.lateMillis()));
    return 1 + (now - since) / nanos;
  }
}
