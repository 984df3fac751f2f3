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
 * A limit on how often the WALs of one server are rolled off DataNodes, whatever the disks do.
 *
 * <p>{@value #PROMPT_A_MINUTE} rolls a minute and {@value #PROMPT_AN_HOUR} an hour are allowed at
 * once; each further one needs twice the lag of the one before.
 *
 * <p>With a threshold of 200 ms, and the 20 s after which a DataNode fails a WAL that the plugin
 * opened, at most 10 rolls a minute and 26 an hour result, each with a roll back of every log.
 * HBase rolls for slow syncs up to 60 times an hour. After the 26th roll even a DataNode that hangs
 * is kept until an hour has passed since the first.
 *
 * <p>Pure: times are nanoseconds since some origin. Not thread-safe.
 */
@InterfaceAudience.Private
final class RollLimit {
  static final int PROMPT_A_MINUTE = 4;

  /**
   * A disk that stalls all the time is left at most 14 times an hour with {@code
   * hbase.hybrid.ssd.retry} at 30 s.
   */
  static final int PROMPT_AN_HOUR = 20;

  /** Rolls beyond a limit at which no lag is long enough. */
  private static final int MOST_MORE = 32;

  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);
  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final Deque<Long> rolls = new ArrayDeque<>();

  /**
   * @param times lag as a multiple of the lateness threshold
   */
  boolean allows(long now, long times) {
    while (!rolls.isEmpty() && now - rolls.peekFirst() >= HOUR) {
      rolls.removeFirst();
    }
    long inMinute = rolls.stream().filter(at -> now - at < MINUTE).count();
    long more = 1 + Math.max(inMinute - PROMPT_A_MINUTE, rolls.size() - (long) PROMPT_AN_HOUR);
    return more <= 0 || more < MOST_MORE && times >= 1L << more;
  }

  void count(long now) {
    rolls.addLast(now);
  }
}
