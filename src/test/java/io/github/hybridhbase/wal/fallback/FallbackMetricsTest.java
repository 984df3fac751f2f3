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
package io.github.hybridhbase.wal.fallback;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.config.StoragePolicy;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.wal.failover.FailOver;
import io.github.hybridhbase.wal.failover.StalledNodes;
import java.io.IOException;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Each cause of a fall-back once, and the metric that it moves. */
@InterfaceAudience.Private
class FallbackMetricsTest {
  private static final String HOME = "/hbase/WALs/server";
  private static final Path WAL = new Path(HOME, "server.1");

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", StoragePolicy.UNSPECIFIED)
          .with("/hbase/WALs", StoragePolicy.ALL_SSD.id())
          .with(HOME, StoragePolicy.UNSPECIFIED);
  private final Map<Metric, Long> before = new EnumMap<>(Metric.class);
  private final WalFallback fallback =
      new WalFallback(
          new WalDirectory(new Path(HOME), hdfs, StoragePolicy.ALL_SSD, 0),
          3,
          3600,
          WalClock.SYSTEM,
          new WalRetry(),
          () -> {},
          new FailOver(
              new StalledNodes(TimeUnit.HOURS.toNanos(1)),
              200,
              (what, look, nanos) -> {},
              System::nanoTime));

  FallbackMetricsTest() {
    for (Metric metric : Metric.values()) {
      before.put(metric, HybridMetrics.get().value(metric));
    }
  }

  private long counted(Metric metric) {
    return HybridMetrics.get().value(metric) - before.get(metric);
  }

  private void fallsBack(HdfsErrorKind cause) throws IOException {
    fallback.leaveSsd(WAL, "planted", cause);
  }

  @Test
  void eachCauseHasItsMetric() throws IOException {
    fallsBack(HdfsErrorKind.NO_TARGET);
    assertEquals(1, counted(Metric.WAL_FALLBACKS_NO_SPACE));
    fallsBack(HdfsErrorKind.NODE_SILENT);
    assertEquals(1, counted(Metric.WAL_FALLBACKS_SILENT));
    fallsBack(HdfsErrorKind.UNDER_REPLICATED);
    assertEquals(1, counted(Metric.WAL_FALLBACKS_UNDER_REPLICATED));
    fallsBack(HdfsErrorKind.NODE_REFUSED);
    fallsBack(HdfsErrorKind.CONNECTION_LOST);
    assertEquals(2, counted(Metric.WAL_FALLBACKS_REFUSED));
    assertEquals(5, counted(Metric.WAL_FALLBACKS));
    assertEquals(StoragePolicy.HOT.id(), hdfs.own(HOME));

    fallback.look();
    assertEquals(1, counted(Metric.WAL_RETURNS));
    assertEquals(StoragePolicy.UNSPECIFIED, hdfs.own(HOME));
  }

  @Test
  void aWalThatHdfsPutElsewhereWithoutAnErrorAndOneWithFewerReplicas() {
    fallback.opened(WAL, Collections.nCopies(3, StorageType.DISK));
    assertEquals(1, counted(Metric.WAL_NOT_ON_SSD));
    assertEquals(0, counted(Metric.WAL_UNDER_REPLICATED));
    fallback.opened(WAL, List.of(StorageType.SSD, StorageType.SSD));
    assertEquals(1, counted(Metric.WAL_UNDER_REPLICATED));
    assertEquals(0, counted(Metric.WAL_FALLBACKS));
  }
}
