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

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How often the WALs of one server are rolled away from DataNodes, whatever the disks do.
 *
 * <p>{@value #PROMPT_A_MINUTE} times in a minute and {@value #PROMPT_AN_HOUR} times in an hour as
 * soon as a DataNode is late. For each time more in either it has to be late twice as long as for
 * the one before: disks that are a little late again and again cause few rolls. With 200 ms, and
 * the 20 s after which a DataNode fails a WAL that the plugin opened, that makes 10 times in a
 * minute and 26 in an hour at most, each with a roll away and one back of every log: 52 in an hour.
 * HBase itself rolls for slow syncs up to 60 times in an hour, once a minute. After the 26th even
 * one that hangs is not left until an hour has passed since the first. HBase keeps {@code
 * hbase.regionserver.maxlogs} files, 32 or more where nobody set it, before it forces flushes for
 * the oldest.
 *
 * <p>Knows no clock: times are nanoseconds since some origin. Not thread-safe.
 */
@InterfaceAudience.Private
final class RollLimit {
  /** Times in a minute. */
  static final int PROMPT_A_MINUTE = 4;

  /**
   * Times in an hour: one disk that stalls all the time is probed, and left, 14 times at most with
   * {@code hbase.hybrid.ssd.retry} at its default of 30 s.
   */
  static final int PROMPT_AN_HOUR = 20;

  /** Times more than that, at which nobody is late for long enough. */
  private static final int MOST_MORE = 32;

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final Deque<Long> rolls = new ArrayDeque<>();

  /**
   * Whether one more is allowed.
   *
   * @param times how late the DataNode is, in times of what is late
   */
  boolean allows(long now, long times) {
    while (!rolls.isEmpty() && now - rolls.peekFirst() >= HOUR) {
      rolls.removeFirst();
    }
    long inMinute = rolls.stream().filter(at -> now - at < MINUTE).count();
    long more = 1 + Math.max(inMinute - PROMPT_A_MINUTE, rolls.size() - (long) PROMPT_AN_HOUR);
    return more <= 0 || more < MOST_MORE && times >= 1L << more;
  }

  /** The WALs are rolled. */
  void count(long now) {
    rolls.addLast(now);
  }
}
