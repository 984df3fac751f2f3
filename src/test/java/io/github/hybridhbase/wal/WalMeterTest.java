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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.WalMetrics.Medium;
import io.github.hybridhbase.runtime.WalMetrics.OpenWal;
import io.github.hybridhbase.testing.MetricNames;
import io.github.hybridhbase.wal.HybridWALProvider.WalMeter;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Histogram;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class WalMeterTest {
  private static final Path WAL = new Path("/hbase/WALs/a.test,1,1/a.test%2C1%2C1.1700000000000");

  private static WalMeter onSsd() {
    HybridMetrics.get().wals().opened("a.test,1,1", "a.test%2C1%2C1", new OpenWal(3, 3, 3, false));
    WalMeter meter = new WalMeter();
    meter.postLogRoll(null, WAL);
    HybridMetrics.get().wals().ended("a.test,1,1");
    return meter;
  }

  @Test
  void itCountsOnTheMediumOfTheFileThatIsOpen() {
    Counter bytes = (Counter) MetricNames.registry().get("walBytesSsd").orElseThrow();
    Histogram edits = (Histogram) MetricNames.registry().get("walSyncEditsSsd").orElseThrow();
    WalMeter meter = onSsd();
    long before = bytes.getCount();
    long syncs = edits.getCount();
    meter.postAppend(10, 0, null, null);
    meter.postAppend(5, 0, null, null);
    meter.postSync(1_000, 2);
    meter.postSync(1_000, 0); // HBase's own, after a roll
    assertEquals(before + 45, bytes.getCount());
    assertEquals(syncs + 1, edits.getCount());
    assertEquals(Medium.UNKNOWN, OpenWal.UNKNOWN.medium());
    meter.postLogRoll(WAL, null); // at its end
  }

  /** Counted, not timed: 100,000 appends and syncs, after the classes are warm. */
  @Test
  void anAppendAndASyncAllocateNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long thread = Thread.currentThread().getId();
    WalMeter meter = onSsd();
    long least = Long.MAX_VALUE;
    for (int round = 0; round < 5; round++) {
      long before = threads.getThreadAllocatedBytes(thread);
      for (int i = 0; i < 100_000; i++) {
        meter.postAppend(i, 0, null, null);
        meter.postSync(i, 1);
      }
      least = Math.min(least, threads.getThreadAllocatedBytes(thread) - before);
    }
    long bytes = least;
    // What asking itself allocates.
    assertTrue(bytes < 1_000, () -> bytes + " bytes for 100,000 appends and syncs");
  }
}
