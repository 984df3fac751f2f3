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
package io.github.hybridhbase.config;

import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The settings of the SSD tier, see the keys {@code hbase.hybrid.tier.*}. Immutable. */
@InterfaceAudience.Private
public final class TierSettings {
  private static final int DEFAULT_PERIOD = 10;
  private static final int LONGEST_PERIOD = 300;
  private static final long ARCHIVE_TTL = TimeUnit.MINUTES.toMillis(5);
  private static final long LOG_TTL = TimeUnit.MINUTES.toMillis(10);
  private static final long CLEANER_PERIOD = TimeUnit.MINUTES.toMillis(10);

  private final TierBudget budget;
  private final int maxAgeSeconds;
  private final int periodSeconds;
  private final int writeDelayMillis;

  TierSettings(TierBudget budget, int maxAgeSeconds, int ssdPeriodSeconds, int writeDelayMillis) {
    this.budget = budget;
    this.maxAgeSeconds = maxAgeSeconds;
    this.periodSeconds =
        ssdPeriodSeconds == 0 ? DEFAULT_PERIOD : Math.min(ssdPeriodSeconds, LONGEST_PERIOD);
    this.writeDelayMillis = writeDelayMillis;
  }

  /** Maximum milliseconds that HBase keeps an unreferenced archived store file. */
  public static long archiveMillis(Configuration conf) {
    return conf.getLong("hbase.master.hfilecleaner.ttl", ARCHIVE_TTL) + cleaner(conf);
  }

  /** Maximum milliseconds that HBase keeps an old WAL that no peer needs. */
  public static long oldWalMillis(Configuration conf) {
    return conf.getLong("hbase.master.logcleaner.ttl", LOG_TTL) + cleaner(conf);
  }

  private static long cleaner(Configuration conf) {
    return 2 * conf.getLong("hbase.master.cleaner.interval", CLEANER_PERIOD);
  }

  public TierBudget budget() {
    return budget;
  }

  public int maxAgeSeconds() {
    return maxAgeSeconds;
  }

  /**
   * Between two reads of a RegionServer's files on SSD, and of the active master's decision on the
   * tier: {@link HybridKeys#SSD_PERIOD}, at most 300, since the tier's grant expires; 10 if that is
   * 0.
   */
  public int periodSeconds() {
    return periodSeconds;
  }

  /** 0 for none. */
  public int writeDelayMillis() {
    return writeDelayMillis;
  }
}
