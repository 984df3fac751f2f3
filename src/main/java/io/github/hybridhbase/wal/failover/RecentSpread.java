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
 * The longest time that one server's WALs waited for the last replica of a flush once half of them
 * had acknowledged it, in this minute and the one before. Busy disks make it long, whichever of
 * them is the last one each time. Thread-safe.
 */
@InterfaceAudience.Private
final class RecentSpread {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private long began;
  private long longest;
  private long longestBefore;

  /**
   * None yet.
   *
   * @param now nanoseconds, as {@link System#nanoTime()}
   */
  RecentSpread(long now) {
    this.began = now;
  }

  /** A flush had this one, nanoseconds. */
  synchronized void had(long spread, long now) {
    turn(now);
    longest = Math.max(longest, spread);
  }

  /** Nanoseconds; 0 where there was none. */
  synchronized long longest(long now) {
    turn(now);
    return Math.max(longest, longestBefore);
  }

  private void turn(long now) {
    long minutes = (now - began) / MINUTE;
    if (minutes > 0) {
      longestBefore = minutes == 1 ? longest : 0;
      longest = 0;
      began += minutes * MINUTE;
    }
  }
}
