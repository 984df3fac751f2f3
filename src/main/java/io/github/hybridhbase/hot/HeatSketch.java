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

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Numbers of reads by row: a hash table with 28 bits of a row's hash and 4 of its reads, its level,
 * 0 to 15. It grows with the rows read; in less memory counts are halved, which forgets rows read
 * once.
 *
 * <p>{@link #add} allocates nothing, takes no lock and is for any thread: races only lower counts.
 * The rest is for one thread.
 */
@InterfaceAudience.Private
public final class HeatSketch {
  static final int MOST = 15;

  /** Memory of a first sketch, of 1,500 rows. */
  static final int LEAST_BYTES = 1 << 13;

  private static final int PROBES = 64;

  /** Reads that give the share of each level to 1.5 points. */
  private static final int WINDOW = 1_000;

  /** Of a level, in hashes. */
  private static final long PARTS = 1L << 24;

  private static final double HASHES = 1L << 28;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

  private static final long SEED = 0x9E3779B97F4A7C15L;
  private static final long FIRST = 0xBF58476D1CE4E5B9L;
  private static final long SECOND = 0x94D049BB133111EBL;

  private volatile int[] table;

  int rows;

  /** Reads without a place. */
  private int missed;

  /** By {@link #add}. */
  long reads;

  /** Latest reads by their row's level before. */
  private volatile int[] latest = new int[MOST + 1];

  public HeatSketch() {
    this(new int[LEAST_BYTES / Integer.BYTES]);
  }

  private HeatSketch(int[] table) {
    this.table = table;
  }

  long bytes() {
    return (long) Integer.BYTES * table.length;
  }

  public void add(byte[] row) {
    add(hash(row));
  }

  void add(long hash) {
    reads++;
    int level = add(tag(hash), 1);
    latest[level]++;
  }

  /** Returns its level before. */
  private int add(int tag, int count) {
    int[] to = table;
    int slot = slot(to, tag);
    if (slot < 0 || to[slot] == 0 && rows >= to.length / 4 * 3) {
      missed++;
      return 0;
    }
    int level = to[slot] & MOST;
    rows += level == 0 ? 1 : 0;
    to[slot] = tag | Math.min(MOST, level + count);
    return level;
  }

  private static int tag(long hash) {
    return (int) hash & ~MOST;
  }

  private static int slot(int[] in, int tag) {
    int mask = in.length - 1;
    for (int i = 0; i < PROBES; i++) {
      int slot = (tag >>> 4) + i & mask;
      if (in[slot] == 0 || (in[slot] & ~MOST) == tag) {
        return slot;
      }
    }
    return -1;
  }

  /** 0 to 15. */
  int level(byte[] row) {
    return level(hash(row));
  }

  private int level(long hash) {
    int[] in = table;
    int slot = slot(in, tag(hash));
    return slot < 0 ? 0 : in[slot] & MOST;
  }

  /** Memory for the rows read by now. */
  long wantedBytes() {
    long wanted = rows + missed;
    return 10 * wanted <= 7L * table.length
        ? bytes()
        : Integer.BYTES * Long.highestOneBit(3 * wanted - 1);
  }

  void fit(long mostBytes) {
    long wanted = wantedBytes();
    long bytes = Math.max(LEAST_BYTES, Math.min(mostBytes, wanted));
    int length = (int) Long.highestOneBit(bytes / Integer.BYTES);
    if (length < table.length || bytes < wanted) {
      while (3L * rows > 2L * length) {
        age();
      }
    }
    if (length != table.length) {
      rebuild(length, 0);
    }
  }

  void age() {
    rebuild(table.length, 1);
    int[] was = latest;
    int[] halved = new int[MOST + 1];
    for (int level = 0; level <= MOST; level++) {
      halved[level / 2] += was[level];
    }
    latest = halved;
  }

  private void rebuild(int length, int shift) {
    HeatSketch to = new HeatSketch(new int[length]);
    for (int entry : table) {
      int count = (entry & MOST) >> shift;
      if (count > 0) {
        int unused = to.add(entry & ~MOST, count);
      }
    }
    rows = to.rows;
    missed = 0;
    table = to.table;
  }

  boolean isKnown() {
    return Arrays.stream(latest).sum() >= WINDOW;
  }

  /** Halves the weight of older reads. */
  void turn() {
    int[] was = latest;
    if (Arrays.stream(was).sum() >= 2 * WINDOW) {
      latest = Arrays.stream(was).map(count -> count / 2).toArray();
    }
  }

  /** By the row's level before each: a row's own reads do not speak for it. */
  int[] readsByLevel() {
    return latest.clone();
  }

  /**
   * Rows that pass as of each level, 0 to 15; the first is 0.
   *
   * @param storeRows some have the same 28 bits as a row that was read
   */
  long[] rowsByLevel(long storeRows) {
    long[] found = new long[MOST + 1];
    for (int entry : table) {
      found[entry & MOST]++;
    }
    found[0] = 0;
    for (int level = 1; level <= MOST; level++) {
      found[level] += Math.round(found[level] * (storeRows / HASHES));
    }
    return found;
  }

  void write(DataOutput to) throws IOException {
    int[] from = table;
    to.writeInt((int) Arrays.stream(from).filter(entry -> entry != 0).count());
    for (int entry : from) {
      if (entry != 0) {
        to.writeInt(entry);
      }
    }
  }

  /** Adds what {@link #write} has written. */
  void read(DataInput from) throws IOException {
    for (int left = from.readInt(); left > 0; left--) {
      int entry = from.readInt();
      if (rows >= table.length / 2) {
        rebuild(2 * table.length, 0);
      }
      int unused = add(entry & ~MOST, entry & MOST);
    }
  }

  /**
   * The rows at this level or above, and a constant part of the level below, copied.
   *
   * @param partBelow 0 to 1
   */
  Predicate<byte[]> frozen(int level, double partBelow) {
    HeatSketch copy = new HeatSketch(table.clone());
    long below = (long) (partBelow * PARTS);
    return row -> {
      long hash = hash(row);
      int found = copy.level(hash);
      return found >= level || found > 0 && found == level - 1 && isWithin(hash, below);
    };
  }

  private static boolean isWithin(long hash, long below) {
    return (mix(hash) & PARTS - 1) < below;
  }

  /** Allocates nothing. Files of counts hold 28 bits of it. */
  static long hash(byte[] row) {
    int end = row.length;
    long hash = SEED ^ end * FIRST;
    int at = 0;
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
