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
package io.github.hybridhbase.scan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TestClock;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@InterfaceAudience.Private
class ScanPaceTest {
  private static final int RATE = 15;
  private static final int BURST = ScanPace.BURST_SECONDS * RATE;

  private long nanos = -1_000; // as System.nanoTime() may be

  private ScanPace pace(int perSecond) {
    return new ScanPace(
        perSecond,
        new TestClock(
            () -> nanos,
            wait -> {
              assertTrue(wait > 0 && wait <= TimeUnit.SECONDS.toNanos(1), () -> "waits " + wait);
              nanos += wait;
            }));
  }

  private static void read(ScanPace pace, int times) throws InterruptedException {
    for (int read = 0; read < times; read++) {
      pace.await();
    }
  }

  private void assertTook(double seconds, long since) {
    assertEquals(seconds, (nanos - since) / 1e9, 0.01);
  }

  @ParameterizedTest
  @CsvSource({
    "a small namespace is read at once, 15, 0, 0",
    "a large one at the rate,           15, 1500, 100",
    "one read a second is the slowest,  1, 7, 7",
    "without a bound nothing waits,     0, 100000, 0",
  })
  void isReadAtTheRateAfterABurst(String what, int rate, int more, double seconds)
      throws Exception {
    read(pace(rate), ScanPace.BURST_SECONDS * rate + more);
    assertTook(seconds, -1_000);
  }

  @Test
  void afterAPauseThereIsOneBurstAgainAndNoMore() throws Exception {
    ScanPace pace = pace(RATE);
    read(pace, 2 * BURST);
    nanos += TimeUnit.HOURS.toNanos(1);
    long since = nanos;
    read(pace, BURST);
    assertTook(0, since);
    read(pace, RATE);
    assertTook(1, since);
  }

  @Test
  void eachPageOfADirectoryIsARead() throws IOException {
    StorageType ssd = StorageType.SSD;
    FakeNamespace hdfs =
        new FakeNamespace()
            .with("/hbase", StoragePolicy.UNSPECIFIED)
            .with("/hbase/oldWALs", StoragePolicy.HOT.id());
    for (int file = 0; file < 700; file++) {
      hdfs.file("/hbase/oldWALs/" + file, 10, ssd, ssd, ssd);
    }
    long before = HybridMetrics.get().value(Metric.SCAN_READS);
    new BlockScanner(
            new Layout(new Path("/hbase"), new Path("/hbase")),
            path -> Optional.of(hdfs),
            () -> false,
            ScanPace.of(0))
        .walk((context, file) -> {});
    long pages = HybridMetrics.get().value(Metric.SCAN_READS) - before;
    assertEquals(1 + 3, pages, "of 334, 334 and 32 files with three replicas each");
  }
}
