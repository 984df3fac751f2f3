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

import io.github.hybridhbase.placement.FlushFallback;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.io.IOException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor;
import org.apache.hadoop.hbase.shaded.protobuf.generated.WALProtos.FlushDescriptor.FlushAction;
import org.apache.hadoop.hbase.wal.WALEdit;
import org.apache.hadoop.hbase.wal.WALKey;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A listener on the WAL of the master's local store that detects flushes which do not finish: that
 * store has no coprocessors, but HBase writes start and end of every flush into its WAL ({@code
 * HRegion.internalPrepareFlushStores}). Other edits cost one comparison.
 */
@InterfaceAudience.Private
final class MasterStoreWatch implements WALActionsListener {
  private static final Logger LOG = LoggerFactory.getLogger(MasterStoreWatch.class);

  /** Period of checks of a running flush. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(2);

  private static final int LOOKS = 15;

  /** Remaining checks, from six seconds on, at which earlier probes are no longer trusted. */
  private static final int LAST_CALLS = LOOKS - 2;

  /** A timer of its own, since checks of WALs may block on a NameNode. */
  private final ScheduledThreadPoolExecutor timer = DaemonThreads.timer("hybrid-store-watch");

  private final FlushFallback flushFallback;

  private final AtomicLong underWay = new AtomicLong();

  private final AtomicLong started = new AtomicLong();

  MasterStoreWatch(FlushFallback flushFallback) {
    this.flushFallback = flushFallback;
  }

  @Override
  public void visitLogEntryBeforeWrite(RegionInfo region, WALKey key, WALEdit edit) {
    try {
      if (edit.isMetaEdit()) {
        for (Cell cell : edit.getCells()) {
          FlushDescriptor marker = WALEdit.getFlushDescriptor(cell);
          if (marker != null) {
            seen(marker.getAction());
          }
        }
      }
    } catch (IOException | RuntimeException | LinkageError e) {
      HybridMetrics.get().count(Metric.HOOK_FAILURES);
      LOG.debug("A marker of the master store was not understood", e);
    }
  }

  private void seen(FlushAction action) {
    if (action == FlushAction.START_FLUSH) {
      long flush = started.incrementAndGet();
      underWay.set(flush);
      later(flush, LOOKS);
    } else {
      underWay.set(0);
    }
  }

  private void later(long flush, int looks) {
    var unused =
        timer.schedule(
            () -> {
              if (looks > 0 && underWay.get() == flush) {
                flushFallback.call(looks <= LAST_CALLS);
                later(flush, looks - 1);
              }
            },
            PATIENCE_NANOS,
            TimeUnit.NANOSECONDS);
  }
}
