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

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static java.util.concurrent.TimeUnit.MINUTES;
import static java.util.concurrent.TimeUnit.SECONDS;

import io.github.hybridhbase.config.TierSettings;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * How long HDFS is given for a move. Immutable.
 *
 * <p>HDFS's satisfier takes a move for lost after a time, begins it anew, and gives up after some
 * tries ({@code BlockStorageMovementAttemptedItems}). A request that is repeated before that begins
 * the copy once more beside the one under way: on a disk that is slow already, all of it.
 */
@InterfaceAudience.Private
final class MoveTimeout {
  private static final String TRY_MILLIS = "dfs.storage.policy.satisfier.self.retry.timeout.millis";
  private static final String RETRIES = "dfs.storage.policy.satisfier.retry.max.attempts";
  private static final int TURNS = 12;
  private static final int COMPACTION_TURNS = 3;
  private static final int MOST_RETRIES = 100;

  private final long onItsWayNanos;
  private final long againNanos;

  MoveTimeout(long onItsWayNanos, long againNanos) {
    this.onItsWayNanos = onItsWayNanos;
    this.againNanos = againNanos;
  }

  /** From the satisfier's keys, which are read from HBase's own hdfs-site.xml. */
  static MoveTimeout of(Configuration conf, TierSettings settings) {
    long millis = conf.getLong(TRY_MILLIS, MINUTES.toMillis(5));
    long one = MILLISECONDS.toNanos(Math.max(0, Math.min(millis, DAYS.toMillis(1))));
    int retries = Math.max(0, Math.min(conf.getInt(RETRIES, 3), MOST_RETRIES));
    long turns = SECONDS.toNanos(settings.periodSeconds()) * TURNS;
    return new MoveTimeout(Math.max(turns, one), Math.max(turns, one * (1 + retries)));
  }

  /** For a compaction that HBase was asked for. */
  static MoveTimeout ofCompaction(TierSettings settings) {
    long turns = SECONDS.toNanos(settings.periodSeconds()) * COMPACTION_TURNS;
    return new MoveTimeout(turns, turns);
  }

  /**
   * Nanoseconds for which a move that was asked for is taken to be on its way: one try of HDFS's.
   */
  long onItsWayNanos() {
    return onItsWayNanos;
  }

  /** Nanoseconds until a move that did not show is asked for again: when HDFS has given up. */
  long againNanos() {
    return againNanos;
  }
}
