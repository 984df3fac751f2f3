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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.EnumMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What happens to a writer, and the metrics that it moves, in their units. */
@InterfaceAudience.Private
class SyncMetricsTest {
  private final Map<Metric, Long> before = new EnumMap<>(Metric.class);
  private final SyncMetrics metrics = new SyncMetrics();

  SyncMetricsTest() {
    for (Metric metric : Metric.values()) {
      before.put(metric, HybridMetrics.get().value(metric));
    }
  }

  private long counted(Metric metric) {
    return HybridMetrics.get().value(metric) - before.get(metric);
  }

  @Test
  void eachMovesItsOwn() {
    metrics.flushed(7, 20, 1_000, true, 50_000);
    metrics.flushed(3, 20, 1_000, false, 50_000);
    assertEquals(2, counted(Metric.WAL_FLUSHES));
    assertEquals(10, counted(Metric.WAL_SYNCS));
    assertEquals(1, counted(Metric.WAL_HSYNCS));
    metrics.failed();
    assertEquals(1, counted(Metric.WAL_WRITERS_FAILED));
    metrics.waitedForFlush(5_000);
    assertEquals(5, counted(Metric.WAL_APPEND_WAIT));
    metrics.lockedForFlush(9_000);
    assertEquals(9, counted(Metric.WAL_FLUSH_LOCK));
    metrics.gatheringTimedOut(1, 2);
    assertEquals(1, counted(Metric.WAL_GATHER_TIMEOUTS));
  }
}
