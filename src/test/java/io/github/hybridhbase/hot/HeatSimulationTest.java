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
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.commons.math3.distribution.ZipfDistribution;
import org.apache.commons.math3.random.JDKRandomGenerator;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What is learnt at the rates of real disks, by the product's classes and a clock of turns. */
@InterfaceAudience.Private
class HeatSimulationTest {
  private static final long ROWS = 10_000_000;
  private static final double READS_A_SECOND = 0.3;

  /** A hot file of 2 %, and what is known of the store's reads. */
  private static final class Store {
    private static final double SHARE = 0.02;

    private final long rows;
    private StoreHeat heat = new StoreHeat();
    private LongSupplier keys;

    Store(long rows, LongSupplier keys) {
      this.rows = rows;
      this.keys = keys;
      heat.sketch = new HeatSketch();
    }

    private static byte[] row(long key) {
      return Bytes.toBytes(HeatSketch.mix(key + 1));
    }

    private HotThreshold threshold() {
      return heat.threshold(rows, 1, (long) (SHARE * rows));
    }

    void turn(int reads) {
      for (int i = 0; i < reads; i++) {
        heat.read(row(keys.getAsLong()));
      }
      heat.turn(SHARE * rows, READS_A_SECOND, threshold().atLeast);
    }

    /** The server ends, or another one has the region. */
    void reopens() throws IOException {
      ByteArrayOutputStream file = new ByteArrayOutputStream();
      heat.sketch.write(new DataOutputStream(file));
      heat = new StoreHeat();
      heat.sketch = new HeatSketch();
      heat.sketch.read(new DataInputStream(new ByteArrayInputStream(file.toByteArray())));
    }

    Predicate<byte[]> compacted() {
      HotThreshold hot = threshold();
      return hot.rows == 0 ? HotFiles.NONE : heat.sketch.frozen(hot.level, hot.partBelow);
    }

    /** Of keys that are read, or of all rows. */
    static double part(Predicate<byte[]> hot, LongSupplier keys) {
      return IntStream.range(0, 50_000).filter(i -> hot.test(row(keys.getAsLong()))).count() / 5e4;
    }
  }

  /** True Zipf, ranks from 0. */
  static LongSupplier zipf(long rows, double exponent, int seed) {
    ZipfDistribution ranks =
        new ZipfDistribution(new JDKRandomGenerator(seed), Math.toIntExact(rows), exponent);
    return () -> ranks.sample() - 1;
  }

  private static LongSupplier even(long rows, Random random) {
    return () -> (long) (random.nextDouble() * rows);
  }

  /**
   * Of 84 turns, with a restart after two days and a move after five. Returns the most memory of
   * all.
   */
  private static long week(List<Store> stores) throws IOException {
    long most = 0;
    for (int turn = 0; turn < 84; turn++) {
      for (Store store : stores) {
        if (turn == 24 || turn == 60) {
          store.reopens();
        }
        store.turn((int) (READS_A_SECOND * 7_200));
      }
      most = Math.max(most, divide(stores));
    }
    return most;
  }

  private static long divide(List<Store> stores) {
    List<StoreHeat> heats = stores.stream().map(of -> of.heat).collect(Collectors.toList());
    return HotRows.divide(heats, HotRows.MOST_BYTES);
  }

  @Test
  void halfOfTheReadsAreCaughtAfterTwoWeeksAtTheRateOfADisk() throws Exception {
    Store store = new Store(ROWS, zipf(ROWS, 0.99, 1));
    week(List.of(store));
    week(List.of(store));
    Predicate<byte[]> hot = store.compacted();
    assertTrue(Store.part(hot, even(ROWS, new Random(2))) <= Store.SHARE);
    assertTrue(Store.part(hot, store.keys) >= 0.5);
  }

  @Tag("long")
  @Test
  void aHundredStoresShareOneMemoryAndTheSkewedOnesSplit() throws Exception {
    List<Store> stores =
        IntStream.range(0, 100)
            .mapToObj(i -> i % 2 == 0 ? zipf(ROWS, 0.99, i) : even(ROWS, new Random(i)))
            .map(keys -> new Store(ROWS, keys))
            .collect(Collectors.toList());
    long most = Math.max(week(stores), week(stores));
    assertTrue(most <= 40 << 20, most + " bytes");
    for (int i = 0; i < stores.size(); i++) {
      Predicate<byte[]> hot = stores.get(i).compacted();
      assertEquals(i % 2 == 0, hot != HotFiles.NONE, "store " + i);
      assertTrue(i % 2 != 0 || Store.part(hot, stores.get(i).keys) >= 0.5, "store " + i);
    }
  }

  /** Four reads a row choose what is read, and four more what is read instead. */
  @Test
  void aHotSetThatMovesIsFollowed() {
    int rows = 200_000;
    Store store = new Store(rows, zipf(rows, 0.99, 4));
    double before = learns(store);
    Predicate<byte[]> old = store.compacted();
    LongSupplier was = store.keys;
    store.keys = () -> rows - 1 - was.getAsLong();
    assertEquals(0, Store.part(old, store.keys), 0.1, "caught by the old hot file");
    double after = learns(store);
    assertTrue(before > 0.5 && after >= 0.8 * before, before + ", then " + after);
  }

  private static double learns(Store store) {
    for (int i = 0; i < 400; i++) {
      store.turn((int) store.rows / 100);
      divide(List.of(store));
    }
    return Store.part(store.compacted(), store.keys);
  }
}
