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
 * The time given to HDFS for a move. Immutable.
 *
 * <p>HDFS's satisfier restarts a move after a timeout and gives up after some attempts ({@code
 * BlockStorageMovementAttemptedItems}). A request repeated earlier would start a second copy beside
 * the first.
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

  /** Reads the satisfier's keys in HBase's hdfs-site.xml. */
  static MoveTimeout of(Configuration conf, TierSettings settings) {
    long millis = conf.getLong(TRY_MILLIS, MINUTES.toMillis(5));
    long one = MILLISECONDS.toNanos(Math.max(0, Math.min(millis, DAYS.toMillis(1))));
    int retries = Math.max(0, Math.min(conf.getInt(RETRIES, 3), MOST_RETRIES));
    long turns = SECONDS.toNanos(settings.periodSeconds()) * TURNS;
    return new MoveTimeout(Math.max(turns, one), Math.max(turns, one * (1 + retries)));
  }

  static MoveTimeout ofCompaction(TierSettings settings) {
    long turns = SECONDS.toNanos(settings.periodSeconds()) * COMPACTION_TURNS;
    return new MoveTimeout(turns, turns);
  }

  /** One attempt of HDFS. */
  long onItsWayNanos() {
    return onItsWayNanos;
  }

  /** All attempts of HDFS. */
  long againNanos() {
    return againNanos;
  }
}
