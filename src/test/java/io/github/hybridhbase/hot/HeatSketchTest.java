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
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntPredicate;
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
    byte[] row = row(number);
    return sketch.level(row, 0, row.length);
  }

  private static void add(HeatSketch sketch, int number, int times) {
    byte[] row = row(number);
    for (int i = 0; i < times; i++) {
      sketch.add(row, 0, row.length);
    }
  }

  @Test
  void countsUpToTheHighestLevel() {
    HeatSketch sketch = HeatSketch.ofRows(1_000);
    assertEquals(0, level(sketch, 1));
    for (int reads = 1; reads <= 20; reads++) {
      add(sketch, 1, 1);
      assertEquals(Math.min(reads, HeatSketch.MOST), level(sketch, 1));
    }
    assertEquals(20, sketch.reads());
    assertEquals(4 / 20.0, sketch.readsByLevel()[HeatSketch.MOST]);
    assertEquals(1 / 20.0, sketch.readsByLevel()[0], "the first read finds an unread row");
    assertEquals(1, sketch.rowsByLevel()[HeatSketch.MOST]);
    assertEquals(1, Arrays.stream(sketch.rowsByLevel()).sum(), "a row is at one level");
  }

  @Test
  void aPartOfAnArrayIsARow() {
    HeatSketch sketch = HeatSketch.ofRows(1_000);
    byte[] row = row(123);
    byte[] within = new byte[row.length + 7];
    System.arraycopy(row, 0, within, 3, row.length);
    sketch.add(row, 0, row.length);
    assertEquals(1, sketch.level(within, 3, row.length));
  }

  @Test
  void sizesAreBounded() {
    assertEquals(8_192 + 1_024, HeatSketch.ofRows(0).bytes());
    assertEquals((4 << 20) + (512 << 10), HeatSketch.ofRows(10_000_000).bytes());
    for (long rows : new long[] {0, 1, 2_048, 2_049, 100_000, 1_000_000, Integer.MAX_VALUE}) {
      assertEquals(HeatSketch.bytes(rows), HeatSketch.ofRows(rows).bytes());
    }
  }

  /** Of 100,000 rows, 1,000 are read ten times and all others once. */
  @Test
  void fewColdRowsPassForHotOnes() {
    HeatSketch sketch = HeatSketch.ofRows(100_000);
    for (int i = 0; i < 100_000; i++) {
      add(sketch, i, i < 1_000 ? 10 : 1);
    }
    long found = IntStream.range(0, 1_000).filter(i -> level(sketch, i) >= 8).count();
    long wrong = IntStream.range(1_000, 100_000).filter(i -> level(sketch, i) >= 8).count();
    assertEquals(1_000, found);
    assertTrue(wrong < 100, wrong + " cold rows");
    long[] rows = sketch.rowsByLevel();
    long above = IntStream.rangeClosed(8, HeatSketch.MOST).mapToLong(i -> rows[i]).sum();
    assertEquals(1_000, above, 60, "the sketch counts its rows by itself");
  }

  @Test
  void agingHalvesAndForgets() {
    HeatSketch sketch = HeatSketch.ofRows(1_000);
    add(sketch, 1, 13);
    add(sketch, 2, 1);
    sketch.age();
    assertEquals(6, level(sketch, 1));
    assertEquals(0, level(sketch, 2));
    assertEquals(7, sketch.reads());
    assertEquals(1, sketch.rowsByLevel()[6]);
    for (int i = 0; i < 4; i++) {
      sketch.age();
    }
    assertEquals(0, level(sketch, 1));
    assertEquals(0, Arrays.stream(sketch.rowsByLevel()).sum());
  }

  @Test
  void isFullAtTenReadsARow() {
    HeatSketch sketch = HeatSketch.ofRows(2_048);
    Random random = new Random(1);
    for (int i = 0; i < 20_479; i++) {
      sketch.add(random.nextLong());
    }
    assertTrue(!sketch.isFull());
    sketch.add(0);
    assertTrue(sketch.isFull());
    sketch.age();
    assertTrue(!sketch.isFull());
  }

  /** A compaction takes hours, and a row's cells come in several batches. */
  @Test
  void aFrozenSetDoesNotChange() {
    HeatSketch sketch = HeatSketch.ofRows(1_000);
    add(sketch, 1, 5);
    HotSet frozen = sketch.frozen(5, 0);
    add(sketch, 2, 9);
    sketch.age();
    assertTrue(frozen.contains(row(1), 0, row(1).length));
    assertTrue(!frozen.contains(row(2), 0, row(2).length));
  }

  /** The same rows each time, and about as many as were asked for. */
  @Test
  void aPartOfALevelIsFrozenToo() {
    HeatSketch sketch = HeatSketch.ofRows(10_000);
    for (int i = 0; i < 1_000; i++) {
      add(sketch, i, i < 100 ? 4 : 3);
    }
    HotSet some = sketch.frozen(4, 0.3);
    IntPredicate isHot = i -> some.contains(row(i), 0, row(i).length);
    assertEquals(100, IntStream.range(0, 100).filter(isHot).count());
    long part = IntStream.range(100, 1_000).filter(isHot).count();
    assertEquals(270, part, 60);
    assertEquals(part, IntStream.range(100, 1_000).filter(isHot).count());
    assertEquals(0, IntStream.range(1_000, 2_000).filter(isHot).count());
  }

  /** Rows that were never read meet others' bits, and pass as read once. */
  @Test
  void rowsThatMeetOthersAreCounted() {
    HeatSketch sketch = HeatSketch.ofRows(2_048);
    for (int i = 0; i < 4_000; i++) {
      add(sketch, i, 1);
    }
    long[] counted = sketch.rowsByLevel(8_000);
    long read = IntStream.range(0, 8_000).filter(i -> level(sketch, i) > 0).count();
    assertTrue(read > 5_000, read + " pass for read");
    assertEquals(read, Arrays.stream(counted).sum(), 0.05 * read);
    assertTrue(Arrays.stream(sketch.rowsByLevel()).sum() < 3_500, "bits that were set");
  }

  @Test
  void aPartOfASetIsOfAnyPlaceInTheOrder() {
    HotSet tenth = HeatSketch.part((row, offset, length) -> row[offset] == 'u', 0.1, 1);
    IntPredicate in = i -> tenth.contains(row(i), 0, row(i).length);
    assertEquals(1_000, IntStream.range(0, 10_000).filter(in).count(), 150);
    assertEquals(100, IntStream.range(9_000, 10_000).filter(in).count(), 40);
    HotSet all = (row, offset, length) -> true;
    assertSame(all, HeatSketch.part(all, 1, 1));
    HotSet again = HeatSketch.part(HeatSketch.part(all, 0.5, 1), 0.5, 2);
    IntPredicate inBoth = i -> again.contains(row(i), 0, row(i).length);
    assertEquals(2_500, IntStream.range(0, 10_000).filter(inBoth).count(), 250);
  }

  /** Handlers take no lock: counts that meet are lost, and nothing else. */
  @Test
  void manyThreadsNeverCountTooMuch() throws Exception {
    HeatSketch sketch = HeatSketch.ofRows(10_000);
    int threads = 4;
    CountDownLatch begin = new CountDownLatch(1);
    Thread[] all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      all[t] =
          new Thread(
              () -> {
                try {
                  begin.await();
                } catch (InterruptedException e) {
                  return;
                }
                for (int i = 0; i < 20_000; i++) {
                  add(sketch, i % 1_000, 1);
                }
              });
      all[t].start();
    }
    begin.countDown();
    for (Thread thread : all) {
      thread.join();
    }
    for (int i = 0; i < 1_000; i++) {
      int level = level(sketch, i);
      assertTrue(level > 0 && level <= HeatSketch.MOST, "row " + i + " at " + level);
    }
    assertTrue(sketch.reads() <= threads * 20_000L);
  }
}
