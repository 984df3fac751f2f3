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
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
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
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Mutation;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A table whose compactions are split, and one of stock HBase, under the same seeded operations:
 * versions, TTL, kept deletes, new version behaviour, tags, four kinds of deletes, wide rows, bulk
 * loads, moves, splits and merges of regions, clones of snapshots. {@code -Dtwin.seed=N} repeats
 * one schedule.
 */
@InterfaceAudience.Private
final class TwinSchedules {
  private static final int STEPS = 60;
  private static final int ROWS = 14;
  private static final int MOST_REGIONS = 4;
  private static final byte[] FAMILY = LocalRegion.FAMILY;

  private final Seeds seeds = Seeds.of("twin.seed");
  private long clock;
  private int looks;
  private int pairs;

  /** Of the split table: each holds the files that it reads. The other has none. */
  private final List<RegionScanner> scans = new ArrayList<>();

  /** Whether HBase drops files whose newest cell has expired: other ones of one file and of two. */
  private boolean dropsFiles;

  /** Done to regions, and those of them with a hot file. */
  private final Map<String, int[]> deeds = new TreeMap<>();

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
    deeds.forEach(
        (deed, times) ->
            System.out.println("Twins: " + times[0] + " times " + deed + ", hot in " + times[1]));
    assertTrue(seeds.isOne() || pairs > looks / 4, pairs + " of " + looks + " had hot files");
  }

  private ColumnFamilyDescriptor family(Random random) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setMaxVersions(random.nextBoolean() ? 1 : 1 + random.nextInt(4))
            .setBlocksize(512)
            .setKeepDeletedCells(
                KeepDeletedCells.values()[random.nextInt(KeepDeletedCells.values().length)])
            .setNewVersionBehavior(random.nextInt(4) == 0);
    dropsFiles = false;
    if (random.nextInt(3) == 0) {
      int least = random.nextInt(2);
      family.setTimeToLive(30).setMinVersions(least);
      dropsFiles = least == 0;
    }
    return family.build();
  }

  private void run(Path root, long seed) throws Exception {
    Random random = new Random(seed);
    clock = 1_700_000_000_000L;
    EnvironmentEdgeManager.injectEdge(() -> clock);
    ColumnFamilyDescriptor family = family(random);
    int oneIn = new int[] {1, 2, 3, 3, 10, 1_000_000}[random.nextInt(6)];
    boolean byFilter = random.nextBoolean();
    try (LocalTable split = table(new Path(root, "split"), family, oneIn, seed);
        LocalTable stock = table(new Path(root, "stock"), family, 0, seed)) {
      split.regions().get(0).conf().setBoolean(SplitEngine.BY_FILTER, byFilter);
      for (int step = 0; step < STEPS; step++) {
        step(random, split, stock);
      }
      split.flush();
      stock.flush();
      for (int i = 0; i < split.regions().size(); i++) {
        compactReferences(i, split, stock);
        split.regions().get(i).compact(split.regions().get(i).files());
        stock.regions().get(i).compact(stock.regions().get(i).files());
      }
      assertSame(split, stock, "after a compaction of all files");
      for (int i = 0; i < split.regions().size(); i++) {
        split.regions().get(i).reopen();
        stock.regions().get(i).reopen();
      }
      assertSame(split, stock, "opened again");
      closeScans();
    }
  }

  /** What a scan reads is not archived before it is closed. */
  private void scan(Random random, LocalTable split) throws Exception {
    if (random.nextInt(3) == 0) {
      closeScans();
    } else {
      int region = random.nextInt(split.regions().size());
      Scan latest = new Scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED); // keeps no cell
      RegionScanner scan = split.regions().get(region).region().getScanner(latest);
      scans.add(scan);
      boolean unused = scan.next(new ArrayList<>());
    }
  }

  private void closeScans() throws Exception {
    for (RegionScanner scan : scans) {
      scan.close();
    }
    scans.clear();
  }

  private static LocalTable table(Path root, ColumnFamilyDescriptor family, int oneIn, long salt)
      throws Exception {
    return new LocalTable(new LocalRegion(root, family, oneIn, salt));
  }

  private void step(Random random, LocalTable split, LocalTable stock) throws Exception {
    int what = random.nextInt(100);
    clock += random.nextInt(100);
    if (what < 42) {
      put(random, split, stock);
    } else if (what < 55) {
      apply(delete(random), split, stock);
    } else if (what < 70) {
      split.flush();
      stock.flush();
    } else if (what < 81) {
      compact(random, split, stock);
    } else if (what < 84) {
      split.archive();
      stock.archive();
    } else if (what < 87) {
      int region = random.nextInt(split.regions().size());
      split.regions().get(region).reopen();
      stock.regions().get(region).reopen();
      done("move", split, stock);
    } else if (what < 90) {
      List<KeyValue> cells = cells(random, 1 + random.nextInt(20));
      split.bulkLoad(cells);
      stock.bulkLoad(cells);
    } else if (what < 92) {
      clock += random.nextInt(20_000);
    } else if (what < 95) {
      scan(random, split);
    } else {
      changeRegions(random, split, stock);
    }
  }

  private void changeRegions(Random random, LocalTable split, LocalTable stock) throws Exception {
    int regions = split.regions().size();
    int index = random.nextInt(regions);
    byte[] row = row(random);
    switch (random.nextInt(4)) {
      case 0:
        boolean flushed = random.nextInt(4) > 0; // what is in memory is not in a clone
        boolean toClone = random.nextBoolean();
        for (LocalTable one : List.of(split, stock)) {
          if (flushed) {
            one.flush();
          }
          one.snapshotAndClone(toClone);
        }
        done(toClone ? "clone, table deleted" : "clone deleted", split, stock);
        break;
      case 1:
        if (index + 1 < regions) {
          compactReferences(index, split, stock);
          compactReferences(index + 1, split, stock);
          split.merge(index);
          stock.merge(index);
          done("merge", split, stock);
        }
        break;
      default:
        RegionInfo of = split.regions().get(index).info();
        if (regions < MOST_REGIONS && of.containsRow(row) && !Bytes.equals(of.getStartKey(), row)) {
          compactReferences(index, split, stock);
          split.split(index, row);
          stock.split(index, row);
          done("split", split, stock);
        }
    }
  }

  private void done(String deed, LocalTable split, LocalTable stock) throws Exception {
    int[] times = deeds.computeIfAbsent(deed, key -> new int[2]);
    times[0]++;
    times[1] += split.regions().stream().anyMatch(one -> hasHotRows(one.files())) ? 1 : 0;
    assertSame(split, stock, "after " + deed);
  }

  private static boolean hasHotRows(List<HStoreFile> files) {
    return files.stream().anyMatch(HotFiles::isIn);
  }

  /**
   * HBase does not split or merge a region that refers to files of another one. Compacted twice: a
   * delete marker may stay if a file has an older put, and a reference counts the puts of its whole
   * file, while the split store may refer to one of its two files only.
   */
  private static void compactReferences(int index, LocalTable split, LocalTable stock)
      throws Exception {
    if (hasReferences(index, split, stock)) {
      for (LocalTable one : List.of(split, stock)) {
        LocalRegion region = one.regions().get(index);
        region.compact(region.files());
        one.archive();
        region.compact(region.files());
      }
    }
  }

  private static boolean hasReferences(int index, LocalTable... tables) {
    return Stream.of(tables).anyMatch(one -> one.regions().get(index).region().hasReferences());
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

  private void put(Random random, LocalTable... tables) throws Exception {
    byte[] row = row(random);
    Put put = new Put(row);
    int cells = random.nextInt(8) == 0 ? 25 : 1 + random.nextInt(3);
    for (int i = 0; i < cells; i++) {
      put.add(cell(random, row, cells == 25 ? Bytes.toBytes("w" + i) : column(random)));
    }
    if (random.nextInt(10) == 0) {
      put.setTTL(1 + random.nextInt(10_000));
    }
    apply(put, tables);
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

  private static void apply(Mutation change, LocalTable... tables) throws Exception {
    for (LocalTable one : tables) {
      HRegion region = one.regionOf(change.getRow()).region();
      if (change instanceof Put) {
        region.put(new Put((Put) change));
      } else {
        region.delete(new Delete((Delete) change));
      }
    }
  }

  /**
   * The same flushes in both; the split store has one file or two of a compaction. All files of a
   * region that refers to another one's, as HBase does.
   */
  private void compact(Random random, LocalTable split, LocalTable stock) throws Exception {
    int index = random.nextInt(split.regions().size());
    int files = ids(stock.regions().get(index)).size();
    int from = random.nextInt(Math.max(1, files));
    int to = from + random.nextInt(Math.max(1, files - from));
    boolean all =
        random.nextInt(3) == 0 || dropsFiles && ids(split.regions().get(index)).size() != files;
    if (hasReferences(index, split, stock)) {
      compactReferences(index, split, stock);
    } else if (files > 0) {
      for (LocalTable one : List.of(split, stock)) {
        LocalRegion region = one.regions().get(index);
        List<Long> ids = ids(region);
        List<HStoreFile> chosen = region.files();
        if (!all) {
          // The ids of split stores may be lower by one: HBase counts a reference's up.
          assertEquals(files, ids.size(), () -> "generations of files of " + region.files());
          chosen.removeIf(file -> file.getMaxSequenceId() < ids.get(from));
          chosen.removeIf(file -> file.getMaxSequenceId() > ids.get(to));
        }
        region.compact(chosen);
      }
    }
    looks++;
    pairs += hasHotRows(split.regions().get(index).files()) ? 1 : 0;
    assertSame(split, stock, "after a compaction");
  }

  private static List<Long> ids(LocalRegion region) {
    return region.files().stream()
        .map(HStoreFile::getMaxSequenceId)
        .distinct()
        .sorted()
        .collect(Collectors.toList());
  }

  private void assertSame(LocalTable split, LocalTable stock, String when) throws Exception {
    assertEquals(cells(stock, false), cells(split, false), () -> "seen by clients " + when);
    if (!dropsFiles) {
      assertEquals(cells(stock, true), cells(split, true), () -> "all cells " + when);
    }
  }

  private static String cells(LocalTable table, boolean raw) throws Exception {
    List<String> found = table.cells(raw, raw ? HConstants.ALL_VERSIONS : 3);
    if (raw) {
      Collections.sort(found); // equal keys have no order
    }
    return String.join("\n", found);
  }
}
