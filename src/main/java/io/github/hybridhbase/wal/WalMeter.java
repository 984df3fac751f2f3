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
package io.github.hybridhbase.wal;

import io.github.hybridhbase.hdfs.WalFiles;
import io.github.hybridhbase.runtime.Failures;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.WalMetrics;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A listener that counts appends and syncs of one provider's WALs, as {@code MetricsWAL} does. With
 * several groups a sync counts on the medium of the file opened last. No lock, allocation or RPC;
 * throws nothing.
 */
@InterfaceAudience.Private
final class WalMeter implements WALActionsListener {
  private final WalMetrics metrics = HybridMetrics.get().wals();

  /** Since the last sync. */
  private final AtomicLong edits = new AtomicLong();

  private volatile OpenWal current = OpenWal.UNKNOWN;

  @Override
  public void postLogRoll(Path oldPath, Path newPath) {
    try {
      if (newPath != null) {
        String log = WalFiles.log(newPath);
        current = metrics.rolled(newPath.getParent().getName(), log);
      }
    } catch (RuntimeException e) {
      Failures.swallowed("A WAL is not counted on its medium.", e);
    }
  }

  @Override
  public void postAppend(long entryLen, long elapsedMillis, WALKey key, WALEdit edit) {
    edits.incrementAndGet();
    metrics.appended(current, entryLen);
  }

  @Override
  public void postSync(long nanos, int handlerSyncs) {
    long since = edits.getAndSet(0);
    // An empty sync is HBase's own, after a roll.
    if (since > 0 || handlerSyncs > 0) {
      metrics.synced(current, nanos, since);
    }
  }
}
