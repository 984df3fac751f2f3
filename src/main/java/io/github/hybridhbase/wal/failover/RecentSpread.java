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

import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long one server's WALs waited for the last replica of a flush once half of them had
 * acknowledged it: the third longest in this minute and the one before, since one or two flushes
 * that took long say nothing. Busy disks make it long, whichever of them is the last one each time.
 * Thread-safe.
 */
@InterfaceAudience.Private
final class RecentSpread {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private long began;

  /** The three longest of this minute and of the one before, the longest first. */
  private final long[] longest = new long[3];

  private final long[] longestBefore = new long[3];

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
    add(longest, spread);
  }

  /** Nanoseconds; 0 where there were no three. */
  synchronized long thirdLongest(long now) {
    turn(now);
    long[] both = longest.clone();
    for (long one : longestBefore) {
      add(both, one);
    }
    return both[2];
  }

  private static void add(long[] longest, long one) {
    long next = one;
    for (int place = 0; place < longest.length; place++) {
      long there = longest[place];
      longest[place] = Math.max(there, next);
      next = Math.min(there, next);
    }
  }

  private void turn(long now) {
    long minutes = (now - began) / MINUTE;
    if (minutes > 0) {
      Arrays.fill(longestBefore, 0);
      if (minutes == 1) {
        System.arraycopy(longest, 0, longestBefore, 0, longest.length);
      }
      Arrays.fill(longest, 0);
      began += minutes * MINUTE;
    }
  }
}
