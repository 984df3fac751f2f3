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

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import org.apache.yetus.audience.InterfaceAudience;

/** A {@link WalSyncStats} that counts in the server's metrics. */
@InterfaceAudience.Private
public final class SyncMetrics implements WalSyncStats {
  @Override
  public void flushed(int syncs, int edits, long bytes, boolean forced, long nanos) {
    HybridMetrics metrics = HybridMetrics.get();
    metrics.count(Metric.WAL_FLUSHES);
    metrics.count(Metric.WAL_SYNCS, syncs);
    if (forced) {
      metrics.count(Metric.WAL_HSYNCS);
    }
  }

  @Override
  public void failed() {
    HybridMetrics.get().count(Metric.WAL_WRITERS_FAILED);
  }

  @Override
  public void waitedForFlush(long nanos) {
    HybridMetrics.get().count(Metric.WAL_APPEND_WAIT, nanos / 1_000);
  }

  @Override
  public void lockedForFlush(long nanos) {
    HybridMetrics.get().count(Metric.WAL_FLUSH_LOCK, nanos / 1_000);
  }

  @Override
  public void gatheringTimedOut(int edits, int expected) {
    HybridMetrics.get().count(Metric.WAL_GATHER_TIMEOUTS);
  }

  @Override
  public void strength(String log, SyncStrength strength) {
    HybridMetrics.get().durableLog(log, strength.forces());
  }
}
