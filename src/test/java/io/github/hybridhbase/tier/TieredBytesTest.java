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

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What becomes of the bytes on SSD is counted once each. */
@InterfaceAudience.Private
class TieredBytesTest {
  private static final String STORE = "/hbase/data/default/t/r/f/";

  private final FakeStore store = new FakeStore("t", new Path(STORE), 1_000);
  private final long died = value(Metric.TIER_DIED_BYTES);
  private final long rewritten = value(Metric.TIER_REWRITTEN_BYTES);

  private static long value(Metric metric) {
    return HybridMetrics.get().value(metric);
  }

  private static Path path(String name) {
    return new Path(STORE + name);
  }

  private void assertCounted(long dead, long onDisk) {
    store.refresh();
    assertEquals(dead, value(Metric.TIER_DIED_BYTES) - died, "died on SSD");
    assertEquals(onDisk, value(Metric.TIER_REWRITTEN_BYTES) - rewritten, "rewritten to DISK");
  }

  @Test
  void aFileCountsOnceWhereTheOutputIs() {
    store.put("a", 10, 0);
    store.put("b", 200, 0);
    store.put("c", 3_000, 0);
    assertCounted(0, 0);
    store.compacted("a");
    store.compactedToDisk("b");
    assertCounted(10, 200);
    assertCounted(10, 200);
    store.archive();
    assertCounted(10, 200);
  }

  /** HBase knows the old file as an input of the cold one, which is on DISK. */
  @Test
  void theRowsOfARenewedHotFileStayOnSsd() {
    store.put(FakeStore.hot(path("h"), "t", 10, 0));
    assertCounted(0, 0);
    store.put(FakeStore.hot(path("i"), "t", 20, 0));
    store.compactedToDisk("h");
    assertCounted(10, 0);
    store.compactedToDisk("i");
    assertCounted(10, 20);
  }

  @Test
  void oneThatIsArchivedAtOnceCountsToo() {
    store.put("a", 10, 0);
    assertCounted(0, 0);
    store.compacted("a");
    store.archive();
    assertCounted(10, 0);
  }

  @Test
  void whatGoesWithTheRegionIsNotCounted() {
    store.put("a", 10, 0);
    assertCounted(0, 0);
    store.close();
    store.compacted("a");
    assertCounted(0, 0);
  }
}
