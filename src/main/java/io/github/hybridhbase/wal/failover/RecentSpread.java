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

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The recent lag of the last replica of a flush behind the one before, over all WALs of one server:
 * the second longest of the maxima per DataNode in this minute and the previous one. Busy disks
 * raise it; a single slow DataNode does not. Thread-safe.
 */
@InterfaceAudience.Private
final class RecentSpread {
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private long began;
  private Map<String, Long> longest = new HashMap<>();
  private Map<String, Long> longestBefore = Map.of();

  /**
   * @param now nanoseconds, as {@link System#nanoTime()}
   */
  RecentSpread(long now) {
    this.began = now;
  }

  /**
   * @param last UUID of the DataNode that acknowledged last
   */
  synchronized void record(String last, long nanos, long now) {
    rotate(now);
    longest.merge(last, nanos, Math::max);
  }

  /** Nanoseconds; 0 if fewer than two DataNodes came last. */
  synchronized long secondLongest(long now) {
    rotate(now);
    Map<String, Long> both = new HashMap<>(longestBefore);
    longest.forEach((node, nanos) -> both.merge(node, nanos, Math::max));
    long most = 0;
    long second = 0;
    for (long nanos : both.values()) {
      second = Math.max(second, Math.min(most, nanos));
      most = Math.max(most, nanos);
    }
    return second;
  }

  private void rotate(long now) {
    long minutes = (now - began) / MINUTE;
    if (minutes > 0) {
      longestBefore = minutes == 1 ? longest : Map.of();
      longest = new HashMap<>();
      began += minutes * MINUTE;
    }
  }
}
