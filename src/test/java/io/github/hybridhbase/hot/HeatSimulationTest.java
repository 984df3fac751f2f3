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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is learnt of reads at the rates of real disks, by the product's own classes and a clock of
 * turns.
 */
@InterfaceAudience.Private
class HeatSimulationTest {
  private static final long ROWS = 10_000_000;
  private static final int ROW_BYTES = 1_000;
  private static final double READS_A_SECOND = 0.3;
  private static final int TURNS_A_DAY = 12;

  /** One store: who reads what of it, and what of that is known. */
  private static final class Store {
    private final long rows;
    private final double share;
    private final long salt;
    private LongSupplier keys;
    private StoreHeat heat = new StoreHeat();
    private byte[] written = new byte[Integer.BYTES];
    private long writtenReads;

    Store(long rows, double share, long salt, LongSupplier keys) {
      this.rows = rows;
      this.share = share;
      this.salt = salt;
      this.keys = keys;
      heat.sketch(new HeatSketch());
    }

    private byte[] row(long key) {
      return Bytes.toBytes(HeatSketch.mix(key + salt));
    }

    void read(long count) {
      for (long i = 0; i < count; i++) {
        heat.read(row(keys.getAsLong()));
      }
    }

    HotThreshold threshold() {
      return heat.threshold(rows, ROW_BYTES, (long) (share * rows * ROW_BYTES));
    }

    void turn() throws IOException {
      heat.turn(share * rows, READS_A_SECOND, threshold().atLeast);
      if (HotStore.isToWrite(heat.sketch(), writtenReads)) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        heat.sketch().write(new DataOutputStream(bytes));
        written = bytes.toByteArray();
        writtenReads = heat.sketch().reads();
      }
    }

    /** Another server opens it, and knows what was written last. */
    void moves() throws IOException {
      HeatSketch read = new HeatSketch();
      read.read(new DataInputStream(new ByteArrayInputStream(written)));
      heat = new StoreHeat();
      heat.sketch(read);
      writtenReads = 0;
    }

    HotSet compacts() {
      HotThreshold hot = threshold();
      return hot.rows == 0 ? HotFiles.NONE : heat.sketch().frozen(hot.level, hot.partBelow);
    }

    private boolean isIn(HotSet hot, long key) {
      byte[] row = row(key);
      return hot.contains(row, 0, row.length);
    }

    double caught(HotSet hot) {
      int found = 0;
      for (int i = 0; i < 50_000; i++) {
        found += isIn(hot, keys.getAsLong()) ? 1 : 0;
      }
      return found / 50_000.0;
    }

    double part(HotSet hot) {
      int found = 0;
      for (int i = 0; i < 200_000; i++) {
        found += isIn(hot, (long) ((i + 0.5) * rows / 200_000)) ? 1 : 0;
      }
      return found / 200_000.0;
    }

    String look(HotSet hot) {
      return String.format(
          Locale.ROOT,
          "%.2f %% of the rows catch %.1f %% of the reads; %d KB",
          100 * part(hot),
          100 * caught(hot),
          heat.sketch().bytes() >> 10);
    }
  }

  /** True Zipf by rejection and inversion (Hoermann and Derflinger); ranks from 0. */
  private static LongSupplier zipf(long rows, double exponent, Random random) {
    double first = integral(1.5, exponent) - 1;
    double last = integral(rows + 0.5, exponent);
    return () -> {
      while (true) {
        double u = last + random.nextDouble() * (first - last);
        double x = Math.pow(1 + u * (1 - exponent), 1 / (1 - exponent));
        long k = Math.max(1, Math.min(rows, Math.round(x)));
        if (u >= integral(k + 0.5, exponent) - Math.pow(k, -exponent)) {
          return k - 1;
        }
      }
    };
  }

  private static double integral(double x, double exponent) {
    return (Math.pow(x, 1 - exponent) - 1) / (1 - exponent);
  }

  private static LongSupplier even(long rows, Random random) {
    return () -> (long) (random.nextDouble() * rows);
  }

  /** Most reads go to some rows, from one row on. */
  private static LongSupplier hotspot(
      long rows, double hot, double reads, long from, Random random) {
    return () ->
        random.nextDouble() < reads
            ? (from + (long) (random.nextDouble() * hot * rows)) % rows
            : (long) (random.nextDouble() * rows);
  }

  /** The most memory that all had. */
  private static long days(List<Store> stores, int days) throws IOException {
    long most = 0;
    for (int turn = 0; turn < days * TURNS_A_DAY; turn++) {
      for (Store store : stores) {
        store.read((long) (READS_A_SECOND * 86_400 / TURNS_A_DAY));
        store.turn();
      }
      List<StoreHeat> heats = stores.stream().map(one -> one.heat).collect(Collectors.toList());
      most = Math.max(most, HotRows.divide(heats, HotRows.MOST_BYTES));
    }
    return most;
  }

  /** A restart after two days, a move after five, and a compaction of all files at the end. */
  private static long week(List<Store> stores) throws IOException {
    long most = days(stores, 2);
    for (Store store : stores) {
      store.moves();
    }
    most = Math.max(most, days(stores, 3));
    for (Store store : stores) {
      store.moves();
    }
    return Math.max(most, days(stores, 2));
  }

  @Test
  void halfOfTheReadsAreCaughtAfterTwoWeeksAtTheRateOfADisk() throws Exception {
    Store store = new Store(ROWS, 0.02, 1, zipf(ROWS, 0.99, new Random(1)));
    week(List.of(store));
    System.out.println("Zipf, first week: " + store.look(store.compacts()));
    week(List.of(store));
    HotSet hot = store.compacts();
    System.out.println("Zipf, second week: " + store.look(hot));
    assertTrue(store.part(hot) <= 0.02);
    assertTrue(store.caught(hot) >= 0.5);
  }

  @Tag("long")
  @Test
  void aHundredStoresShareOneMemory() throws Exception {
    List<Store> stores = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Random random = new Random(i);
      LongSupplier keys = i % 2 == 0 ? zipf(ROWS, 0.99, random) : even(ROWS, random);
      stores.add(new Store(ROWS, 0.02, 1_000_003L * i, keys));
    }
    long most = Math.max(week(stores), week(stores));
    System.out.println("100 stores: at most " + (most >> 10) + " KB");
    for (int i = 0; i < 4; i++) {
      System.out.println("100 stores: " + stores.get(i).look(stores.get(i).compacts()));
    }
    assertTrue(most <= 40 << 20, most + " bytes");
    for (int i = 0; i < stores.size(); i++) {
      Store store = stores.get(i);
      HotSet hot = store.compacts();
      assertEquals(i % 2 == 0, hot != HotFiles.NONE, "store " + i);
      if (hot != HotFiles.NONE) {
        assertTrue(store.caught(hot) >= 0.5, i + ": " + store.look(hot));
      }
    }
  }

  /** At any number of reads, and any share. */
  @Test
  void evenKeysAreNeverHot() throws Exception {
    long rows = 200_000;
    for (double share : new double[] {0.02, 0.1, 0.25}) {
      Store store = new Store(rows, share, 1, even(rows, new Random(3)));
      for (int turn = 0; turn < 100; turn++) {
        store.read(20_000);
        store.turn();
        HotRows.divide(List.of(store.heat), HotRows.MOST_BYTES);
        assertEquals(0, store.threshold().rows, "after " + 20_000 * turn);
      }
    }
  }

  /** Four reads a row choose what is read, and four more what is read instead. */
  @Test
  void aHotSetThatMovesIsFollowed() throws Exception {
    long rows = 200_000;
    Store store = new Store(rows, 0.25, 1, hotspot(rows, 0.2, 0.8, 0, new Random(4)));
    double before = 0;
    for (int i = 0; i < 16; i++) {
      if (i == 8) {
        before = store.caught(store.compacts());
        store.keys = hotspot(rows, 0.2, 0.8, rows / 2, new Random(5));
      }
      for (int turn = 0; turn < 50; turn++) {
        store.read(rows / 100);
        store.turn();
        HotRows.divide(List.of(store.heat), HotRows.MOST_BYTES);
      }
      System.out.println(
          "Moved, " + (i + 1) / 2.0 + " reads a row: " + store.look(store.compacts()));
    }
    assertTrue(before > 0.75, "" + before);
    assertTrue(store.caught(store.compacts()) >= 0.8 * before);
  }
}
