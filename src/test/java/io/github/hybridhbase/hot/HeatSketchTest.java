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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.util.Arrays;
import java.util.function.IntPredicate;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** Counts of reads by row, of bounded size. */
@InterfaceAudience.Private
class HeatSketchTest {
  private static byte[] row(int number) {
    return Bytes.toBytes("user" + number);
  }

  private static int level(HeatSketch sketch, int number) {
    return sketch.level(row(number));
  }

  private static void add(HeatSketch sketch, int number, int times) {
    for (int i = 0; i < times; i++) {
      sketch.add(row(number));
    }
  }

  @Test
  void countsUpToTheHighestLevel() {
    HeatSketch sketch = new HeatSketch();
    assertEquals(0, level(sketch, 1));
    for (int reads = 1; reads <= 20; reads++) {
      add(sketch, 1, 1);
      assertEquals(Math.min(reads, HeatSketch.MOST), level(sketch, 1));
    }
    assertEquals(20, sketch.reads);
    assertEquals(5, sketch.readsByLevel()[HeatSketch.MOST]);
    assertEquals(1, sketch.readsByLevel()[0], "the first read finds an unread row");
    assertEquals(1, sketch.rowsByLevel(0)[HeatSketch.MOST]);
    assertEquals(1, Arrays.stream(sketch.rowsByLevel(0)).sum(), "a row is at one level");
  }

  @Test
  void growsWithTheRowsThatAreRead() {
    HeatSketch sketch = new HeatSketch();
    assertEquals(8_192, sketch.wantedBytes());
    for (int i = 0; i < 100_000; i++) {
      add(sketch, i, 1);
      sketch.fit(Long.MAX_VALUE);
    }
    assertEquals(100_000, sketch.rows, 60, "all but those with the same 28 bits");
    assertEquals(Integer.BYTES << 18, sketch.bytes());
    assertEquals(1, level(sketch, 77_777));
  }

  /** Until the next turn: a row that was read before is counted still. */
  @Test
  void aFullTableTakesNoMoreRows() {
    HeatSketch sketch = new HeatSketch();
    for (int i = 0; i < 10_000; i++) {
      add(sketch, i, 1);
    }
    assertEquals(8_192 / 4 * 3 / 4, sketch.rows);
    add(sketch, 1, 1);
    assertEquals(2, level(sketch, 1));
    assertTrue(sketch.wantedBytes() >= 4 * 10_000, "room for all that were read");
    sketch.fit(Long.MAX_VALUE);
    add(sketch, 9_999, 1);
    assertEquals(1, level(sketch, 9_999));
  }

  /** Of 100,000 rows 1,000 are read often; there is memory for a tenth. */
  @Test
  void withinLessMemoryRowsThatAreReadOnceAreForgotten() {
    HeatSketch sketch = new HeatSketch();
    for (int turn = 0; turn < 100; turn++) {
      for (int i = 0; i < 1_000; i++) {
        add(sketch, i, 1);
        add(sketch, 1_000 + 1_000 * turn + i, 1);
      }
      sketch.fit(60_000);
      assertTrue(sketch.bytes() <= 60_000);
    }
    long found = IntStream.range(0, 1_000).filter(i -> level(sketch, i) >= 4).count();
    assertEquals(1_000, found);
    long wrong = IntStream.range(1_000, 101_000).filter(i -> level(sketch, i) >= 2).count();
    assertTrue(wrong < 10, wrong + " cold rows");
    sketch.fit(0);
    assertEquals(8_192, sketch.bytes());
    assertTrue(sketch.rows >= 1_000, "what is read most stays longest");
  }

  /** A store of a billion rows has many with the same 28 bits. */
  @Test
  void rowsThatPassForOthersAreCounted() {
    HeatSketch sketch = new HeatSketch();
    add(sketch, 1, 3);
    add(sketch, 2, 3);
    assertEquals(2, sketch.rowsByLevel(1_000_000)[3]);
    assertEquals(4, sketch.rowsByLevel(1 << 28)[3]);
  }

  @Test
  void countsThatAreWrittenAreAddedWhereTheyAreRead() throws Exception {
    HeatSketch sketch = new HeatSketch();
    for (int i = 0; i < 5_000; i++) {
      add(sketch, i, i < 10 ? 9 : 1);
      sketch.fit(Long.MAX_VALUE);
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    sketch.write(new DataOutputStream(bytes));
    assertEquals(4 + 4 * sketch.rows, bytes.size());
    HeatSketch read = new HeatSketch();
    read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(9, level(read, 5));
    assertEquals(1, level(read, 4_999));
    assertEquals(sketch.rows, read.rows);
    read.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray())));
    assertEquals(HeatSketch.MOST, level(read, 5), "of two regions that were merged");
    assertEquals(2, level(read, 4_999));
    assertEquals(0, Arrays.stream(read.readsByLevel()).sum(), "nobody has read here");
  }

  @Test
  void agingHalvesAndForgets() {
    HeatSketch sketch = new HeatSketch();
    add(sketch, 1, 13);
    add(sketch, 2, 1);
    sketch.age();
    assertEquals(6, level(sketch, 1));
    assertEquals(0, level(sketch, 2));
    assertEquals(1, sketch.rowsByLevel(0)[6]);
    for (int i = 0; i < 4; i++) {
      sketch.age();
    }
    assertEquals(0, level(sketch, 1));
    assertEquals(0, Arrays.stream(sketch.rowsByLevel(0)).sum());
  }

  /** A compaction takes hours, and a row's cells come in several batches. */
  @Test
  void aFrozenSetDoesNotChange() {
    HeatSketch sketch = new HeatSketch();
    add(sketch, 1, 5);
    Predicate<byte[]> frozen = sketch.frozen(5, 0);
    add(sketch, 2, 9);
    sketch.age();
    assertTrue(frozen.test(row(1)));
    assertTrue(!frozen.test(row(2)));
  }

  /** The same rows each time, and about as many as were asked for. */
  @Test
  void aPartOfALevelIsFrozenToo() {
    HeatSketch sketch = new HeatSketch();
    for (int i = 0; i < 1_000; i++) {
      add(sketch, i, i < 100 ? 4 : 3);
    }
    Predicate<byte[]> some = sketch.frozen(4, 0.3);
    IntPredicate isHot = i -> some.test(row(i));
    assertEquals(100, IntStream.range(0, 100).filter(isHot).count());
    long part = IntStream.range(100, 1_000).filter(isHot).count();
    assertEquals(270, part, 60);
    assertEquals(part, IntStream.range(100, 1_000).filter(isHot).count());
    assertEquals(0, IntStream.range(1_000, 2_000).filter(isHot).count());
  }

  /** Handlers take no lock: counts that meet are lost, and nothing else. */
  @Test
  void manyThreadsNeverCountTooMuch() throws Exception {
    HeatSketch sketch = new HeatSketch();
    Thread[] threads = new Thread[4];
    for (int t = 0; t < threads.length; t++) {
      threads[t] =
          new Thread(() -> IntStream.range(0, 200_000).forEach(i -> add(sketch, i % 1_000, 1)));
      threads[t].start();
    }
    for (Thread thread : threads) {
      thread.join();
    }
    for (int i = 0; i < 1_000; i++) {
      int level = level(sketch, i);
      assertTrue(level > 0 && level <= HeatSketch.MOST, "row " + i + " at " + level);
    }
    assertTrue(sketch.reads <= threads.length * 200_000L);
  }
}
