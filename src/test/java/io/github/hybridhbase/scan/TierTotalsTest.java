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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.TierTotals.Holder;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** The tier's bytes are told by age, and what is archived by whether it should have gone. */
@InterfaceAudience.Private
class TierTotalsTest {
  private static final long NOW = 1_000_000;
  private static final byte HOT = StoragePolicy.HOT.id();
  private static final byte ALL_SSD = StoragePolicy.ALL_SSD.id();

  private final TierTotals totals = new TierTotals(1_000, 500, NOW);

  private void add(Component component, byte parent, byte policy, boolean open, long age) {
    add(component, parent, policy, open, age, StorageType.SSD, StorageType.SSD, StorageType.DISK);
  }

  private void add(
      Component component,
      byte parent,
      byte policy,
      boolean open,
      long age,
      StorageType... replicas) {
    Path path = new Path("/hbase/data/default/t/r/f/a");
    List<FileBlocks.Block> blocks = List.of(new FileBlocks.Block(10, replicas));
    totals.add(
        new FileContext(component, parent, false),
        new FileBlocks(path, 10, 3, policy, open, blocks, NOW - age, false));
  }

  private void assertTotal(Holder holder, long files) {
    assertEquals(files, totals.files(holder), holder.label());
    assertEquals(20 * files, totals.bytes(holder), holder.label());
  }

  @Test
  void byAgeAndHolder() {
    assertTrue(totals.isEmpty());
    for (long age : new long[] {0, 499, 500, 999, 1_000, 5_000}) {
      add(Component.USER, HOT, ALL_SSD, false, age);
    }
    for (long age : new long[] {0, 499, 500}) {
      add(Component.ARCHIVE, HOT, ALL_SSD, false, age);
    }
    assertTotal(Holder.YOUNG, 2);
    assertTotal(Holder.AGING, 2);
    assertTotal(Holder.DUE, 2);
    assertEquals(1, totals.overdueFiles());
    assertEquals(20, totals.overdueBytes());
    assertTotal(Holder.HOT, 0);
    assertTotal(Holder.ARCHIVED, 2);
    assertTotal(Holder.HELD, 1);
    assertEquals(9, totals.files());
    assertEquals(180, totals.bytes());
  }

  @Test
  void whatIsNotOnSsdIsNotCountedAndTheFutureIsNow() {
    add(Component.USER, HOT, ALL_SSD, false, 0, StorageType.DISK, StorageType.DISK);
    assertTrue(totals.isEmpty());
    assertEquals(0, totals.bytes());
    add(Component.USER, HOT, ALL_SSD, false, -99_000);
    assertTotal(Holder.YOUNG, 1);
  }

  @Test
  void whatTheTierDidNotWriteIsNotItsOwn() {
    add(Component.USER, ALL_SSD, ALL_SSD, false, 0);
    add(Component.USER, HOT, HOT, false, 0);
    add(Component.WAL, HOT, ALL_SSD, false, 0);
    add(Component.USER, HOT, ALL_SSD, true, 0);
    assertTrue(totals.isEmpty());
  }
}
