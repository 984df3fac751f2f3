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
package io.github.hybridhbase.hot;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Approximate numbers of reads by row, of a bounded size: a filter of one bit that takes the first
 * read of a row, and four 4-bit counters in one cache line for each row that is read again (as
 * TinyLFU). A row's level is the number of its reads, 16 at most; the sketch counts the rows of
 * each level too, so that a threshold can be chosen without a list of rows.
 *
 * <p>{@link #add} allocates nothing, takes no lock and may be called from any number of threads:
 * increments that meet are lost, which only makes a count lower. All else is one thread's. {@link
 * #age} halves all counts, when the sketch has taken ten reads for each row that it was made for,
 * or at the end of a half-life: by counts alone an idle store would never forget.
 */
@InterfaceAudience.Private
public final class HeatSketch {
  /** The highest level: the filter's read and 15 of the counters. */
  static final int MOST = 16;

  /** Longs of a block, 64 bytes. */
  private static final int BLOCK = 8;

  private static final int BYTES_A_ROW = 4;

  /** With more, the counters of all rows would end at their highest value. */
  private static final long READS_A_ROW = 10;

  /** Of a level, in hashes. */
  private static final long PARTS = 1L << 24;

  private static final int SMALLEST = 1 << 13;
  private static final int LARGEST = 1 << 22;
  private static final long LOW_BITS = 0x7777777777777777L;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final long FIRST = 0xBF58476D1CE4E5B9L;
  private static final long SECOND = 0x94D049BB133111EBL;

  private final long[] counters;
  private final long[] seen;
  private final int blockMask;
  private final int seenMask;
  private final int[] rows = new int[MOST + 1];
  private final long sample;

  /** Reads since the last aging, and what is left of those before. */
  private long reads;

  /** Those of rows whose counters were at their highest value. */
  private long beyond;

  private HeatSketch(int counterBytes) {
    counters = new long[counterBytes / Long.BYTES];
    seen = new long[counterBytes / Long.BYTES / BLOCK];
    blockMask = counters.length / BLOCK - 1;
    seenMask = seen.length * Long.SIZE - 1;
    sample = READS_A_ROW * counterBytes / BYTES_A_ROW;
  }

  private HeatSketch(HeatSketch of) {
    counters = of.counters.clone();
    seen = of.seen.clone();
    blockMask = of.blockMask;
    seenMask = of.seenMask;
    sample = of.sample;
    reads = of.reads;
    beyond = of.beyond;
    System.arraycopy(of.rows, 0, rows, 0, rows.length);
  }

  /**
   * Makes an empty sketch.
   *
   * @param storeRows rows of the store: a row takes four bytes, up to 4 MiB
   */
  public static HeatSketch ofRows(long storeRows) {
    long wanted = Math.max(SMALLEST, Math.min(LARGEST, BYTES_A_ROW * storeRows));
    return new HeatSketch((int) Long.highestOneBit(2 * wanted - 1));
  }

  /** What a sketch of so many rows takes of memory, in bytes. */
  public static long bytes(long storeRows) {
    long wanted = Math.max(SMALLEST, Math.min(LARGEST, BYTES_A_ROW * storeRows));
    long table = Long.highestOneBit(2 * wanted - 1);
    return table + table / BLOCK;
  }

  /** What it takes of memory, in bytes. */
  public long bytes() {
    return (long) Long.BYTES * (counters.length + seen.length);
  }

  /** A row is read. */
  public void add(byte[] row, int offset, int length) {
    add(hash(row, offset, length));
  }

  /** A row with this {@link #hash} is read. */
  void add(long hash) {
    reads++;
    int bit = seenBit(hash);
    long mask = 1L << bit;
    int word = bit >>> 6;
    boolean known = (seen[word] & mask) != 0;
    int level = least(hash);
    if (!known) {
      seen[word] |= mask;
      moves(level, level + 1);
    } else if (level < MOST - 1) {
      increment(hash, level);
      moves(level + 1, level + 2);
    } else {
      beyond++;
    }
  }

  /** Counters above the least one keep what other rows have put there. */
  private void increment(long hash, int least) {
    int block = block(hash);
    long at = hash;
    for (int i = 0; i < 4; i++) {
      int word = block + (i << 1) + (int) (at & 1);
      int shift = (int) (at >>> 1 & 15) << 2;
      if ((counters[word] >>> shift & 15) <= least) {
        counters[word] += 1L << shift;
      }
      at >>>= 5;
    }
  }

  private void moves(int from, int to) {
    if (from > 0) {
      rows[from]--;
    }
    rows[to]++;
  }

  private int block(long hash) {
    return ((int) (hash >>> 40) & blockMask) * BLOCK;
  }

  private int seenBit(long hash) {
    return (int) (hash >>> 32 ^ hash) & seenMask;
  }

  private int least(long hash) {
    int block = block(hash);
    int least = 15;
    long at = hash;
    for (int i = 0; i < 4; i++) {
      int word = block + (i << 1) + (int) (at & 1);
      least = Math.min(least, (int) (counters[word] >>> ((int) (at >>> 1 & 15) << 2) & 15));
      at >>>= 5;
    }
    return least;
  }

  /** How often a row was read lately: 0 to 16. */
  int level(byte[] row, int offset, int length) {
    return level(hash(row, offset, length));
  }

  private int level(long hash) {
    int bit = seenBit(hash);
    return least(hash) + (int) (seen[bit >>> 6] >>> bit & 1);
  }

  /** Whether enough was counted since the last aging. */
  boolean isFull() {
    return reads >= sample;
  }

  /** Halves all counts. */
  public void age() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = counters[i] >>> 1 & LOW_BITS;
    }
    Arrays.fill(seen, 0);
    for (int level = 1; level <= MOST; level++) {
      int was = rows[level];
      rows[level] = 0;
      int now = (level - 1) / 2;
      if (now > 0) {
        rows[now] += Math.max(0, was);
      }
    }
    reads /= 2;
    beyond /= 2;
  }

  /** Reads that the counts come from, older ones by half. */
  public long reads() {
    return reads;
  }

  /** Reads of rows at the highest level that their level does not show. */
  long beyond() {
    return beyond;
  }

  /** How many rows are at each level, 0 to 16; the first is 0. */
  long[] rowsByLevel() {
    long[] now = new long[MOST + 1];
    for (int i = 1; i <= MOST; i++) {
      now[i] = Math.max(0, rows[i]);
    }
    return now;
  }

  /**
   * How many rows are at each level, and among those at level 1 the rows that were never read and
   * meet other rows' bits in the filter.
   *
   * @param storeRows all rows of the store
   */
  long[] rowsByLevel(long storeRows) {
    long[] now = rowsByLevel();
    long bits = 0;
    for (long word : seen) {
      bits += Long.bitCount(word);
    }
    double all = (double) seen.length * Long.SIZE;
    double set = bits / all;
    // Rows that share a bit are counted as one: linear counting finds them again.
    double distinct = bits == all ? storeRows : -all * Math.log(1 - set);
    double unread = Math.max(0, storeRows - Math.max(distinct, Arrays.stream(now).sum()));
    now[1] += Math.round(set * unread);
    return now;
  }

  /** The rows at this level or above it, as they are now: a copy. */
  HotSet frozen(int level) {
    return frozen(level, 0);
  }

  /**
   * The same with a part of the rows at the level below, always the same ones.
   *
   * @param partBelow 0 to 1
   */
  HotSet frozen(int level, double partBelow) {
    return new Frozen(new HeatSketch(this), level, (long) (partBelow * PARTS));
  }

  private static final class Frozen implements HotSet {
    private final HeatSketch sketch;
    private final int level;
    private final long below;

    Frozen(HeatSketch sketch, int level, long below) {
      this.sketch = sketch;
      this.level = level;
      this.below = below;
    }

    @Override
    public boolean contains(byte[] row, int offset, int length) {
      long hash = hash(row, offset, length);
      int found = sketch.level(hash);
      return found >= level || found == level - 1 && (mix(hash) & PARTS - 1) < below;
    }
  }

  /** A 64-bit hash of a row key, without allocation. Not stored anywhere, so it may change. */
  static long hash(byte[] row, int offset, int length) {
    long hash = SEED ^ length * FIRST;
    int at = offset;
    int end = offset + length;
    for (; at + Long.BYTES <= end; at += Long.BYTES) {
      hash = mix(hash ^ (long) LONGS.get(row, at));
    }
    long tail = 0;
    for (; at < end; at++) {
      tail = tail << Byte.SIZE | row[at] & 0xFF;
    }
    return mix(hash ^ tail);
  }

  /** The finalizer of SplitMix64. */
  static long mix(long value) {
    long mixed = (value ^ value >>> 30) * FIRST;
    mixed = (mixed ^ mixed >>> 27) * SECOND;
    return mixed ^ mixed >>> 31;
  }
}
