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
package io.github.hybridhbase.measure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Sizes go with the data. */
@InterfaceAudience.Private
class ScaleTest {
  @Test
  void thePapersDataGivesThePapersSizes() {
    Scale scale = Scale.of(60_000_000, Scale.PAPER, 1);
    assertEquals(3_814, scale.heapMb()); // 4 GB
    assertEquals(256, scale.walBlockMb());
    assertEquals(72, scale.regions());
    assertEquals(7_629, scale.heapMb() + scale.dataNodeMb(), 1); // 8 GB
    assertEquals(1_525, scale.blockCacheMb());
    assertEquals("0.3998", scale.keys(false).get("hfile.block.cache.size"));
    assertEquals(572, scale.tierMb());
  }

  @Test
  void nothingIsSmallerThanWhatLives() {
    Scale scale = Scale.of(1_000, Scale.PAPER, 1);
    assertEquals(320, scale.heapMb());
    assertEquals(8, scale.walBlockMb());
    assertEquals(4, scale.regions());
    assertTrue(scale.tierMb() >= 4 * scale.flushMb());
    assertEquals(0, scale.cacheMb(0));
    assertEquals(32, scale.dataNodeMb());
    assertEquals("0.025", scale.keys(false).get("hfile.block.cache.size"));
  }

  /** Else all data would be in a heap that cannot be smaller. */
  @Test
  void ofALargerHeapOnlyTheDatasShareIsUsed() {
    Scale scale = Scale.of(1_000_000, Scale.PAPER, 2);
    assertEquals(320, scale.heapMb());
    assertEquals(25, scale.blockCacheMb()); // 0.4 of a fifteenth of the data
    assertEquals(6, scale.flushMb());
    assertEquals(63, scale.dataNodeMb());
  }

  /** Stores below eight flushes are not split: YCSB's last region is two thirds of another. */
  @Test
  void storesAreLargeEnoughForHotRows() {
    Profile hot = Profile.of("hot");
    Scale scale = Scale.of(hot.rows, hot.memoryRatio, hot.tierPercent);
    assertEquals(5, scale.flushMb());
    assertTrue(scale.dataBytes() / scale.regions() * 0.6 > 8 * (scale.flushMb() << 20));
    double caches = (scale.blockCacheMb() + scale.dataNodeMb()) * 1048576.0 / 425e6;
    assertEquals(0.35, caches, 0.02);
  }

  /** Hot files may take half of the tier, and a renewed one is there twice. */
  @Test
  void theTierHoldsTheHotRows() {
    Scale scale = Scale.of(400_000, 1.9, 2);
    assertTrue(scale.hotKeys(0).isEmpty());
    assertEquals("25", scale.hotKeys(25).get("hbase.hybrid.hot.share"));
    long budget = Long.parseLong(scale.hotKeys(25).get("hbase.hybrid.tier.budget"));
    assertTrue(budget > 4 * 0.25 * 425e6, "" + budget);
  }

  /** A cell that is called 5 % has a cache of 5 %. */
  @Test
  void aShareThatIsNoCacheIsRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> Scale.of(200_000, Scale.PAPER, 2).cacheMb(5));
    assertEquals(
        "--share 5 of 200000 rows is a bucket cache of 9 MB, HBase needs 32:"
            + " give --rows 671089 or more, or a larger --share",
        refused.getMessage());
    assertEquals(32, Scale.of(671_089, Scale.PAPER, 2).cacheMb(5));
    assertEquals(47, Scale.of(200_000, Scale.PAPER, 2).cacheMb(25));
  }

  /** HBase refuses to start where the shares of its heap come to more than 0.8. */
  @Test
  void aBlockCacheMayHoldAllData() {
    Scale scale = Scale.of(200_000, Scale.PAPER, 2).holdingTheData();
    assertEquals(246, scale.blockCacheMb()); // 1.25 times 191 MiB, and indexes
    assertEquals(410, scale.heapMb());
    assertEquals("0.6", scale.sharesOfHeap().get("hfile.block.cache.size"));
    assertEquals("0.2", scale.sharesOfHeap().get("hbase.regionserver.global.memstore.size"));
    assertEquals(4, scale.flushMb(), "memstores are flushed as ever");
    Scale small = Scale.of(1_000, Scale.PAPER, 2).holdingTheData();
    assertEquals(320, small.heapMb());
    assertTrue(small.sharesOfHeap().values().stream().mapToDouble(Double::parseDouble).sum() < 0.8);
  }

  @Test
  void memoryMayBeUnbounded() {
    Scale scale = Scale.of(1_000_000, 0, 1);
    assertFalse(scale.bounded());
    assertEquals(320, scale.heapMb());
    assertEquals(128, scale.blockCacheMb());
    assertEquals(2_048, scale.heapOfAtLeast(2_048).heapMb());
    assertFalse(scale.describe().containsKey("dataNodePageCacheMb"));
    assertThrows(IllegalArgumentException.class, () -> Scale.of(0, 1, 1));
  }

  @Test
  void theTiersBudgetIsForSetUpsThatHaveOne() {
    Scale scale = Scale.of(1_000_000, 7.5, 2);
    assertTrue(scale.keys(true).containsKey("hbase.hybrid.tier.budget"));
    assertFalse(scale.keys(false).containsKey("hbase.hybrid.tier.budget"));
  }
}
