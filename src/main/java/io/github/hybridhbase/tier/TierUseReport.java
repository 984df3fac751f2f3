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

import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierUse;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Publishes this server's usage of SSD to the master: once, then after a change by an eighth of the
 * share, at most once a minute. One NameNode write each. One thread.
 */
@InterfaceAudience.Private
final class TierUseReport {
  private static final Logger LOG = LoggerFactory.getLogger(TierUseReport.class);
  private static final long PAUSE_NANOS = TimeUnit.MINUTES.toNanos(1);
  private static final int PART = 8;

  private final StorageNamespace namespace;
  private final Path directory;
  private final LongSupplier clock;
  private long told = -1;
  private long toldNanos;

  /**
   * @param directory the server's WAL directory
   * @param clock nanoseconds, as {@link System#nanoTime()}
   */
  TierUseReport(StorageNamespace namespace, Path directory, LongSupplier clock) {
    this.namespace = namespace;
    this.directory = directory;
    this.clock = clock;
  }

  /**
   * The parent of the servers' WAL directories; empty if WALs and store files are on different
   * HDFS.
   */
  static Optional<Path> wals(Configuration conf, Path root) throws IOException {
    Path walRoot = CommonFSUtils.getWALRootDir(conf);
    boolean same = walRoot.getFileSystem(conf).getUri().equals(root.getFileSystem(conf).getUri());
    return same ? Optional.of(new Path(walRoot, HConstants.HREGION_LOGDIR_NAME)) : Optional.empty();
  }

  /**
   * @param told the last figure; -1 if none
   * @param pauseNanos time since then
   */
  static boolean isWorthTelling(long told, long used, long share, long pauseNanos) {
    return told < 0
        || pauseNanos >= PAUSE_NANOS && Math.abs(used - told) >= Math.max(1, share / PART);
  }

  void turn(long used, long share) throws IOException {
    long now = clock.getAsLong();
    if (!isWorthTelling(told, used, share, now - toldNanos)) {
      return;
    }
    try {
      namespace.write(TierUse.RECORD, directory, new TierUse(used));
    } catch (FileNotFoundException e) {
      return; // The server has no WAL yet, so it writes nothing either.
    }
    told = used;
    toldNanos = now;
  }

  /**
   * Publishes 0 after the last store closed, or the old figure would keep others off its part of
   * the budget. If HDFS fails, the next turn retries.
   */
  void last() throws IOException {
    if (told > 0) {
      try {
        namespace.write(TierUse.RECORD, directory, new TierUse(0));
      } catch (FileNotFoundException e) {
        LOG.debug("{} is gone, and what the server said with it", directory);
      }
      told = 0;
      toldNanos = clock.getAsLong();
    }
  }
}
