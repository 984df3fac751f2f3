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

/** Flush times of an undisturbed output, nanoseconds: the baseline for a replica's lag. */
@InterfaceAudience.Private
final class FlushTimes {
  private final long usual;
  private final long last;
  private final long spread;

  /**
   * @param usual average time until half of the replicas have acknowledged a flush
   * @param last that time for the last flush
   * @param spread of all WALs of the server, see {@link RecentSpread}
   */
  FlushTimes(long usual, long last, long spread) {
    this.usual = usual;
    this.last = last;
    this.spread = spread;
  }

  long usual() {
    return usual;
  }

  long last() {
    return last;
  }

  long spread() {
    return spread;
  }

  @Override
  public String toString() {
    return usual + "," + last + "," + spread;
  }
}
