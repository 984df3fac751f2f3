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
import java.util.stream.IntStream;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Approximate numbers of reads by row, of bounded size: a filter of one bit for the first read of a
 * row, and four 4-bit counters in one cache line for each row read again (as TinyLFU). A row's
 * level is the number of its reads, at most 16. The sketch counts the rows of each level, so that a
 * threshold needs no list of rows.
 *
 * <p>{@link #add} allocates nothing, takes no lock and may run on any number of threads: lost
 * increments only lower a count. All else is one thread's. {@link #age} halves all counts after ten
 * reads per row that the sketch was made for, or after a half-life, since an idle store would never
 * forget by counts alone.
 */
@InterfaceAudience.Private
public final class HeatSketch {
  /** The filter's read and 15 of the counters. */
  static final int MOST = 16;

  /** Longs, 64 bytes. */
  private static final int BLOCK = 8;

  private static final int BYTES_A_ROW = 4;

  /** With more, all counters would end at their maximum. */
  private static final long READS_A_ROW = 10;

  /** Reads from which on the share of each level is known: 1.5 points of error. */
  private static final int WINDOW = 1_000;

  /** Of a level, in hashes. */
  private static final long PARTS = 1L << 24;

  /** Keys of no row, whose levels are those of chance: half a point of error. */
  private static final int MEETINGS = 4_096;

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

  /** Since the last aging, with half of those before. */
  private long reads;

  /** Number of the latest reads by the row's level before each. */
  private volatile int[] now = new int[MOST + 1];

  /** As {@link #now}, of the window before. */
  private volatile int[] before = new int[MOST + 1];

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
    System.arraycopy(of.rows, 0, rows, 0, rows.length);
  }

  /**
   * @param storeRows rows of the store: four bytes each, up to 4 MiB
   */
  public static HeatSketch ofRows(long storeRows) {
    long wanted = Math.max(SMALLEST, Math.min(LARGEST, BYTES_A_ROW * storeRows));
    return new HeatSketch((int) Long.highestOneBit(2 * wanted - 1));
  }

  /** Memory of a sketch for so many rows. */
  public static long bytes(long storeRows) {
    long wanted = Math.max(SMALLEST, Math.min(LARGEST, BYTES_A_ROW * storeRows));
    long table = Long.highestOneBit(2 * wanted - 1);
    return table + table / BLOCK;
  }

  /** Memory. */
  public long bytes() {
    return (long) Long.BYTES * (counters.length + seen.length);
  }

  /** Counts a read. */
  public void add(byte[] row, int offset, int length) {
    add(hash(row, offset, length));
  }

  void add(long hash) {
    reads++;
    int bit = seenBit(hash);
    long mask = 1L << bit;
    int word = bit >>> 6;
    boolean known = (seen[word] & mask) != 0;
    int least = least(hash);
    int level = least + (known ? 1 : 0);
    now[level]++;
    if (!known) {
      seen[word] |= mask;
      moves(level, level + 1);
    } else if (level < MOST) {
      increment(hash, least);
      moves(level, level + 1);
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

  /** Recent reads of a row: 0 to 16. */
  int level(byte[] row, int offset, int length) {
    return level(hash(row, offset, length));
  }

  private int level(long hash) {
    int bit = seenBit(hash);
    return least(hash) + (int) (seen[bit >>> 6] >>> bit & 1);
  }

  boolean isFull() {
    return reads >= sample;
  }

  /** Half of these are left when the sketch ages. */
  long mostReads() {
    return sample;
  }

  public void age() {
    for (int i = 0; i < counters.length; i++) {
      counters[i] = counters[i] >>> 1 & LOW_BITS;
    }
    Arrays.fill(seen, 0);
    halve(rows);
    rows[0] = 0;
    halve(now);
    halve(before);
    reads /= 2;
  }

  /** Moves what is at each level to the level that rows there have after {@link #age}. */
  private static void halve(int[] byLevel) {
    for (int level = 1; level <= MOST; level++) {
      int was = Math.max(0, byLevel[level]);
      byLevel[level] = 0;
      byLevel[(level - 1) / 2] += was;
    }
  }

  /** Forgets where the reads of the last window but one went. */
  void turn() {
    if (Arrays.stream(now).sum() >= WINDOW) {
      before = now;
      now = new int[MOST + 1];
    }
  }

  /** Older ones by half. */
  public long reads() {
    return reads;
  }

  /**
   * The share of the latest reads, 0 to 1, that went to rows which were at each level before: what
   * a file of those rows would have answered. A row's own reads do not speak for it.
   */
  double[] readsByLevel() {
    int[] last = now;
    int[] one = before;
    double all = Math.max(1, Arrays.stream(last).sum() + Arrays.stream(one).sum());
    return IntStream.rangeClosed(0, MOST).mapToDouble(i -> (last[i] + one[i]) / all).toArray();
  }

  /** The number of rows at each level, 0 to 16; the first is 0. */
  long[] rowsByLevel() {
    long[] found = new long[MOST + 1];
    for (int i = 1; i <= MOST; i++) {
      found[i] = Math.max(0, rows[i]);
    }
    return found;
  }

  /**
   * As {@link #rowsByLevel()}, with the rows that meet other rows' counters: unread ones, and read
   * ones that are counted as one. A store of many more rows than the sketch was made for has mostly
   * such rows.
   */
  long[] rowsByLevel(long storeRows) {
    long[] found = rowsByLevel();
    long known = Arrays.stream(found).sum();
    double distinct = Math.max(known, Math.min(storeRows, distinct(storeRows)));
    double unread = Math.max(0, storeRows - distinct);
    int[] met = new int[MOST + 1];
    for (int i = 0; i < MEETINGS; i++) {
      met[level(mix(SEED + i))]++;
    }
    double seldom = Math.max(1, MEETINGS - met[0]);
    for (int level = 1; level <= MOST; level++) {
      double shared = met[level] / seldom * (distinct - known);
      found[level] += Math.round(shared + (double) met[level] / MEETINGS * unread);
    }
    return found;
  }

  /** Rows that were read: those that share a bit are found again by linear counting. */
  private double distinct(long storeRows) {
    long bits = 0;
    for (long word : seen) {
      bits += Long.bitCount(word);
    }
    double all = (double) seen.length * Long.SIZE;
    return bits == all ? storeRows : -all * Math.log(1 - bits / all);
  }

  /**
   * A copy of the rows at this level or above, and a constant part of those at the level below.
   *
   * @param partBelow 0 to 1
   */
  HotSet frozen(int level, double partBelow) {
    return new Frozen(new HeatSketch(this), level, (long) (partBelow * PARTS));
  }

  /**
   * A constant part of a set, of any place in the order of keys.
   *
   * @param part 0 to 1
   * @param salt another one takes another part, also of what is a part already
   */
  static HotSet part(HotSet of, double part, long salt) {
    long below = (long) (part * PARTS);
    return part >= 1
        ? of
        : (row, offset, length) ->
            isWithin(mix(hash(row, offset, length) ^ salt), below)
                && of.contains(row, offset, length);
  }

  private static boolean isWithin(long hash, long below) {
    return (mix(hash) & PARTS - 1) < below;
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
      return found >= level || found == level - 1 && isWithin(hash, below);
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
