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

/**
 * What flushes take where nothing stalls, nanoseconds: what a replica's being late is held against.
 */
@InterfaceAudience.Private
final class FlushTimes {
  private final long usual;
  private final long last;
  private final long spread;

  /**
   * @param usual until half of the replicas of this output have acknowledged a flush, as a rule
   * @param last until they had acknowledged the last one
   * @param spread what the last replica came after the one before it, of any WAL of the server, as
   *     {@link RecentSpread} tells
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
