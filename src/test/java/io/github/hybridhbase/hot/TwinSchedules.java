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

import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.Seeds;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ArrayBackedTag;
import org.apache.hadoop.hbase.CellComparator;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeepDeletedCells;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.Tag;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A store whose compactions are split, and one of stock HBase, under the same seeded operations:
 * versions, TTL, kept deletes, new version behaviour, tags, four kinds of deletes, wide rows, bulk
 * loads, moves. {@code -Dtwin.seed=N} repeats one schedule.
 */
@InterfaceAudience.Private
final class TwinSchedules {
  private static final int STEPS = 60;
  private static final int ROWS = 14;
  private static final byte[] FAMILY = LocalRegion.FAMILY;

  static {
    // HBase's own assertion does not hold for what a major compaction keeps of deleted cells, with
    // or
    // without a split; servers run without assertions.
    TwinSchedules.class
        .getClassLoader()
        .setClassAssertionStatus(
            "org.apache.hadoop.hbase.regionserver.querymatcher.NewVersionBehaviorTracker", false);
  }

  private final Seeds seeds = Seeds.of("twin.seed");
  private long clock;
  private int looks;
  private int pairs;

  /** Runs so many schedules. */
  void run(int schedules) throws Exception {
    System.out.println("Twins: " + seeds);
    try (ScratchDirectory scratch = ScratchDirectory.under(Paths.get("target", "twins"), "twin")) {
      for (long seed : seeds.orElse(schedules)) {
        try {
          run(new Path(scratch.path().resolve(Long.toHexString(seed)).toUri()), seed);
        } catch (Throwable t) {
          throw new AssertionError(seeds.repeat(seed), t);
        }
      }
    } finally {
      EnvironmentEdgeManager.reset();
    }
    System.out.println("Twins: " + looks + " looks after compactions, hot files in " + pairs);
    assertTrue(seeds.isOne() || pairs > looks / 4, pairs + " of " + looks + " had hot files");
  }

  private static ColumnFamilyDescriptor family(Random random) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setMaxVersions(random.nextBoolean() ? 1 : 1 + random.nextInt(4))
            .setBlocksize(512)
            .setKeepDeletedCells(
                KeepDeletedCells.values()[random.nextInt(KeepDeletedCells.values().length)])
            .setNewVersionBehavior(random.nextInt(4) == 0);
    if (random.nextInt(3) == 0) {
      family.setTimeToLive(30).setMinVersions(random.nextInt(2));
    }
    return family.build();
  }

  private void run(Path root, long seed) throws Exception {
    Random random = new Random(seed);
    clock = 1_700_000_000_000L;
    EnvironmentEdgeManager.injectEdge(() -> clock);
    ColumnFamilyDescriptor family = family(random);
    int oneIn = new int[] {1, 2, 3, 3, 10, 1_000_000}[random.nextInt(6)];
    try (LocalRegion split = new LocalRegion(new Path(root, "split"), family, oneIn, seed);
        LocalRegion stock = new LocalRegion(new Path(root, "stock"), family, 0, seed)) {
      for (int step = 0; step < STEPS; step++) {
        step(random, split, stock);
      }
      compactAll(split);
      compactAll(stock);
      assertSame(split, stock, "after a compaction of all files");
      split.reopen();
      stock.reopen();
      assertSame(split, stock, "opened again");
    }
  }

  private void step(Random random, LocalRegion split, LocalRegion stock) throws Exception {
    int what = random.nextInt(100);
    clock += random.nextInt(100);
    if (what < 48) {
      put(random, split, stock);
    } else if (what < 62) {
      apply(delete(random), split, stock);
    } else if (what < 78) {
      split.flush();
      stock.flush();
    } else if (what < 88) {
      compact(random, split, stock);
      looks++;
      pairs += HotFiles.count(split.files()) > 0 ? 1 : 0;
      assertSame(split, stock, "after a compaction");
    } else if (what < 91) {
      split.archive();
      stock.archive();
    } else if (what < 94) {
      split.reopen();
      stock.reopen();
    } else if (what < 97) {
      List<KeyValue> cells = cells(random, 1 + random.nextInt(20));
      split.bulkLoad(cells);
      stock.bulkLoad(cells);
    } else {
      clock += random.nextInt(20_000);
    }
  }

  private static byte[] row(Random random) {
    return Bytes.toBytes("row" + random.nextInt(ROWS));
  }

  private static byte[] column(Random random) {
    return Bytes.toBytes("c" + random.nextInt(3));
  }

  /** Now or a little earlier, so that timestamps meet. */
  private long time(Random random) {
    return clock - (random.nextInt(3) == 0 ? random.nextInt(3_000) / 100 * 100 : 0);
  }

  private List<KeyValue> cells(Random random, int count) {
    List<KeyValue> cells = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      cells.add(cell(random, row(random), column(random)));
    }
    cells.sort(CellComparator.getInstance());
    return cells;
  }

  private KeyValue cell(Random random, byte[] row, byte[] column) {
    List<Tag> tags =
        random.nextInt(4) == 0
            ? List.of(new ArrayBackedTag((byte) 65, "tag" + random.nextInt(9)))
            : List.of();
    byte[] value = new byte[random.nextInt(200)];
    random.nextBytes(value);
    return new KeyValue(
        row,
        0,
        row.length,
        FAMILY,
        0,
        FAMILY.length,
        column,
        0,
        column.length,
        time(random),
        KeyValue.Type.Put,
        value,
        0,
        value.length,
        tags);
  }

  private void put(Random random, LocalRegion... regions) throws Exception {
    byte[] row = row(random);
    Put put = new Put(row);
    int cells = random.nextInt(8) == 0 ? 25 : 1 + random.nextInt(3);
    for (int i = 0; i < cells; i++) {
      put.add(cell(random, row, cells == 25 ? Bytes.toBytes("w" + i) : column(random)));
    }
    if (random.nextInt(10) == 0) {
      put.setTTL(1 + random.nextInt(10_000));
    }
    apply(put, regions);
  }

  private Delete delete(Random random) {
    Delete delete = new Delete(row(random));
    switch (random.nextInt(5)) {
      case 0:
        return delete.addFamily(FAMILY, time(random));
      case 1:
        return delete.addFamilyVersion(FAMILY, time(random));
      case 2:
        return delete.addColumns(FAMILY, column(random), time(random));
      case 3:
        return delete.addColumn(FAMILY, column(random)); // the latest, which HBase looks up
      default:
        return delete.addColumn(FAMILY, column(random), time(random));
    }
  }

  private static void apply(Mutation change, LocalRegion... regions) throws Exception {
    for (LocalRegion one : regions) {
      if (change instanceof Put) {
        one.region().put(new Put((Put) change));
      } else {
        one.region().delete(new Delete((Delete) change));
      }
    }
  }

  /** The same flushes in both; the split store has one file or two of a compaction. */
  private static void compact(Random random, LocalRegion split, LocalRegion stock)
      throws Exception {
    List<Long> ids =
        stock.files().stream()
            .map(HStoreFile::getMaxSequenceId)
            .distinct()
            .sorted()
            .collect(Collectors.toList());
    if (ids.isEmpty()) {
      return;
    }
    int from = random.nextInt(ids.size());
    boolean all = random.nextInt(3) == 0;
    long low = all ? 0 : ids.get(from);
    long high = all ? Long.MAX_VALUE : ids.get(from + random.nextInt(ids.size() - from));
    for (LocalRegion one : List.of(split, stock)) {
      one.compact(
          one.files().stream()
              .filter(file -> file.getMaxSequenceId() >= low && file.getMaxSequenceId() <= high)
              .collect(Collectors.toList()));
    }
  }

  private static void compactAll(LocalRegion region) throws Exception {
    region.flush();
    region.compact(region.files());
  }

  private static void assertSame(LocalRegion split, LocalRegion stock, String when)
      throws Exception {
    assertEquals(cells(stock, false), cells(split, false), () -> "seen by clients " + when);
    assertEquals(cells(stock, true), cells(split, true), () -> "all cells " + when);
  }

  private static String cells(LocalRegion region, boolean raw) throws Exception {
    List<String> found = region.cells(raw, raw ? HConstants.ALL_VERSIONS : 3);
    if (raw) {
      Collections.sort(found); // equal keys have no order
    }
    return String.join("\n", found);
  }
}
