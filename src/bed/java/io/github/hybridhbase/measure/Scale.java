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

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Sizes that go with the amount of data as in the paper, whose 60 GB were 7.5 times its machine's
 * memory and 15 times HBase's heap. Immutable.
 */
@InterfaceAudience.Private
final class Scale {
  /** The paper's data to its memory. */
  static final double PAPER = 7.5;

  /** Bytes of a row that a user counts. */
  static final int ROW = 1_000;

  private static final long MB = 1 << 20;

  /** With less a RegionServer does not live. */
  private static final long LEAST_HEAP = 320;

  /** Also of the DataNode, which fills it with what it writes. */
  static final long LEAST_PAGE_CACHE = 32;

  private static final long LEAST_CACHE = 32;

  /**
   * Of a region. YCSB's last one is two thirds as large as others, and stores of 8 are not split.
   */
  private static final int LEAST_FLUSHES = 16;

  /** HBase's own share of its heap, for memstores and for its block cache each. */
  private static final double SHARE_OF_HEAP = 0.4;

  /** A block cache that holds the indexes and Bloom filters. */
  private static final long LEAST_BLOCK_CACHE = 8;

  /** A block cache for all data, by the data: keys, and what updates add until it is compacted. */
  private static final double HELD = 1.25;

  /** Shares of a heap that holds all data; HBase refuses more than 0.8 together. */
  private static final double HELD_SHARE_OF_HEAP = 0.6;

  private static final double MEMSTORES_BESIDE_HELD = 0.2;

  private final long rows;
  private final double ratio;
  private final long heap;
  private final double tierPercent;
  private final boolean held;

  private Scale(long rows, double ratio, long heap, double tierPercent, boolean held) {
    this.rows = rows;
    this.ratio = ratio;
    this.heap = heap;
    this.tierPercent = tierPercent;
    this.held = held;
  }

  /**
   * @param rows of {@value #ROW} bytes
   * @param ratio of the data to what caches it; 0 for no bound
   * @param tierPercent budget of the SSD tier in percent of the data
   */
  static Scale of(long rows, double ratio, double tierPercent) {
    if (rows < 1 || ratio < 0 || !(tierPercent > 0)) {
      throw new IllegalArgumentException(rows + " rows, memory ratio " + ratio);
    }
    long heap = ratio == 0 ? 0 : heapOfData(rows, ratio);
    return new Scale(rows, ratio, Math.max(LEAST_HEAP, heap), tierPercent, false);
  }

  /** The same with a heap of at least this much. */
  Scale heapOfAtLeast(long megabytes) {
    return new Scale(rows, ratio, Math.max(heap, megabytes), tierPercent, held);
  }

  /** The same with a block cache that holds all data, so that reads hit memory; and its heap. */
  Scale holdingTheData() {
    long megabytes = (long) Math.ceil(heldMb() / HELD_SHARE_OF_HEAP);
    return new Scale(rows, ratio, Math.max(heap, megabytes), tierPercent, true);
  }

  private long heldMb() {
    return (long) (dataBytes() * HELD) / MB + LEAST_BLOCK_CACHE;
  }

  long dataBytes() {
    return rows * ROW;
  }

  /** Heap of the RegionServer. */
  long heapMb() {
    return heap;
  }

  /** Whether page caches are bounded. */
  boolean bounded() {
    return ratio > 0;
  }

  /** Half of the memory that the data is to have, as the paper's. */
  private static long heapOfData(long rows, double ratio) {
    return (long) (rows * ROW / ratio / 2) / MB;
  }

  /** The part of the heap that is used as the paper's: all of it, unless less data was loaded. */
  private long usedHeapMb() {
    return ratio == 0 ? heap : Math.min(heap, heapOfData(rows, ratio));
  }

  /** What the RegionServer may fill of the page cache: the other half of the memory. */
  long pageCacheMb() {
    return Math.max(LEAST_PAGE_CACHE, heapOfData(rows, ratio));
  }

  /** HBase's block cache. */
  long blockCacheMb() {
    if (held) {
      return heldMb();
    }
    return Math.max(LEAST_BLOCK_CACHE, (long) (usedHeapMb() * SHARE_OF_HEAP));
  }

  int regions() {
    return (int) Math.max(4, Math.min(72, dataBytes() / 830_000_000));
  }

  /** As HBase has 256 MB for the paper's 60 GB: a power of two from 8 to 256. */
  long walBlockMb() {
    return Math.max(8, Math.min(256, Long.highestOneBit(dataBytes() * 256 / 60_000_000_000L + 1)));
  }

  /** A part of the heap's memstores, and of a region's data, as large regions have it. */
  long flushMb() {
    long ofHeap = (long) (usedHeapMb() * SHARE_OF_HEAP) / regions();
    long ofRegion = dataBytes() / regions() / LEAST_FLUSHES / MB;
    return Math.max(4, Math.min(128, Math.min(ofHeap, ofRegion)));
  }

  /** Budget of the SSD tier: some flushes of each region at least. */
  long tierMb() {
    return Math.max(4 * flushMb(), (long) (dataBytes() * tierPercent / 100) / MB);
  }

  /**
   * A bucket cache of this share of the data.
   *
   * @throws IllegalArgumentException where HBase has none that small
   */
  long cacheMb(double percent) {
    long megabytes = (long) (dataBytes() * percent / 100) / MB;
    if (percent != 0 && megabytes < LEAST_CACHE) {
      throw new IllegalArgumentException(
          String.format(
              "--share %s of %d rows is a bucket cache of %d MB, HBase needs %d:"
                  + " give --rows %d or more, or a larger --share",
              percent,
              rows,
              megabytes,
              LEAST_CACHE,
              (long) (LEAST_CACHE * MB * 100 / percent / ROW) + 1));
    }
    return megabytes;
  }

  /**
   * Keys for files of hot rows of this share of each store; none for 0. They may take half of the
   * tier's budget, and a renewed one is there twice until HBase has deleted the old one.
   */
  Map<String, String> hotKeys(double percent) {
    if (percent == 0) {
      return Map.of();
    }
    long hotMb = (long) (dataBytes() * HELD * percent / 100) / MB;
    return Map.of(
        "hbase.hybrid.hot.policy", "ALL_SSD",
        "hbase.hybrid.hot.share", Double.toString(percent),
        "hbase.hybrid.tier.budget", Long.toString((tierMb() + 4 * hotMb) * MB));
  }

  /** Keys of HBase that divide its heap. */
  Map<String, String> sharesOfHeap() {
    return Map.of(
        "hfile.block.cache.size",
        Double.toString(Numbers.rounded(1.0 * blockCacheMb() / heap)),
        "hbase.regionserver.global.memstore.size",
        Double.toString(held ? MEMSTORES_BESIDE_HELD : SHARE_OF_HEAP));
  }

  /** Keys of HBase that go with the data. */
  Map<String, String> keys(boolean tiered) {
    Map<String, String> keys = new LinkedHashMap<>();
    keys.put("hbase.regionserver.hlog.blocksize", Long.toString(walBlockMb() * MB));
    keys.put("hbase.hregion.memstore.flush.size", Long.toString(flushMb() * MB));
    keys.putAll(sharesOfHeap());
    if (tiered) {
      keys.put("hbase.hybrid.tier.budget", Long.toString(tierMb() * MB));
    }
    return keys;
  }

  /** For results and for people. */
  Map<String, Object> describe() {
    Map<String, Object> all = new LinkedHashMap<>();
    all.put("rows", rows);
    all.put("dataToMemory", ratio);
    all.put("heapMb", heap);
    if (bounded()) {
      all.put("regionServerPageCacheMb", pageCacheMb());
      all.put("dataNodePageCacheMb", LEAST_PAGE_CACHE);
    }
    all.put("blockCacheMb", blockCacheMb());
    all.put("regions", regions());
    all.put("walBlockMb", walBlockMb());
    all.put("memstoreFlushMb", flushMb());
    all.put("tierBudgetMb", tierMb());
    return all;
  }
}
