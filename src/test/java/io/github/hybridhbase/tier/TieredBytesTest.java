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
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.hdfs.NewFile;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import java.util.List;
import java.util.stream.Stream;
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

  private static List<NewStoreFile> onSsd(NewStoreFile.Kind kind) {
    NewStoreFile output = new NewStoreFile(kind, 1, 0);
    output.file = mock(NewFile.class);
    return List.of(output, new NewStoreFile(NewStoreFile.Kind.MINOR, 1, 0));
  }

  private Stream<TierFile> known(String... names) {
    return Stream.of(names).flatMap(name -> store.known(new Path(STORE + name)).stream());
  }

  private void assertCounted(long dead, long onDisk) {
    assertEquals(dead, value(Metric.TIER_DIED_BYTES) - died, "died on SSD");
    assertEquals(onDisk, value(Metric.TIER_REWRITTEN_BYTES) - rewritten, "rewritten to DISK");
  }

  @Test
  void anInputCountsWhereItsRowsAre() {
    store.put("a", 10, 0);
    store.put("b", 200, 0);
    store.put(FakeStore.hot(new Path(STORE + "h"), 3_000, 0));
    store.refresh();
    TierCompaction.count(known("a", "on DISK"), onSsd(NewStoreFile.Kind.MINOR));
    assertCounted(10, 0);
    TierCompaction.count(known("b", "h"), onSsd(NewStoreFile.Kind.HOT));
    assertCounted(3_010, 200);
    TierCompaction.count(known("h"), List.of());
    assertCounted(3_010, 3_200);
  }

  @Test
  void whatIsCompactedAwayCountsNoMore() {
    store.put("a", 10, 0);
    store.refresh();
    store.compacted("a");
    store.refresh();
    TierCompaction.count(known("a"), List.of());
    assertCounted(0, 0);
  }
}
