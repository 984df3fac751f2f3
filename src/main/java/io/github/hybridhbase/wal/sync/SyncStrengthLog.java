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
package io.github.hybridhbase.wal.sync;

import io.github.hybridhbase.runtime.WalFiles;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A reporter of the sync strength of a server's logs, once per change, across rolls. */
@InterfaceAudience.Private
public final class SyncStrengthLog {
  private static final Logger LOG = LoggerFactory.getLogger(SyncStrengthLog.class);

  /** Logs remembered; beyond that all are forgotten, which only repeats a log line. */
  private static final int REMEMBERED = 1024;

  private final WalSyncStats stats;
  private final ConcurrentMap<String, SyncStrength> last = new ConcurrentHashMap<>();

  public SyncStrengthLog(WalSyncStats stats) {
    this.stats = stats;
  }

  public void report(Path file, SyncStrength strength) {
    String log = WalFiles.log(file);
    if (last.size() >= REMEMBERED) {
      last.clear();
    }
    SyncStrength before = last.put(log, strength);
    if (before == strength) {
      return;
    }
    try {
      stats.strength(log, strength);
    } catch (RuntimeException | Error e) {
      LOG.warn(
          "The metric walsDurable may be wrong for {}, since a change could not be recorded; "
              + "the WAL itself is not affected. Nothing to do.",
          log,
          e);
    }
    if (before != null || strength != SyncStrength.STOCK) {
      LOG.info(
          "The durability of syncs of the WAL {} is now: {} (hbase.hybrid.wal.hsync)",
          log,
          strength.meaning());
    }
  }
}
