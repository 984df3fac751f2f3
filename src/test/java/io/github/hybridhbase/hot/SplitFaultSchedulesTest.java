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

import io.github.hybridhbase.hot.MortalFileSystem.Life;
import io.github.hybridhbase.hot.MortalFileSystem.Step;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.Seeds;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.regionserver.StoreEngine.IOExceptionRunnable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Compactions of a split store fail at each of their steps, and its server goes on, moves the
 * region or dies, in any order, while scans hold files and files expire: clients see what they see
 * of a store of stock HBase without failures. {@code -Dfaults.seed=N} repeats one schedule, {@code
 * -Dfaults.schedules=N} runs more.
 */
@InterfaceAudience.Private
class SplitFaultSchedulesTest {
  private static final byte[] FAMILY = LocalRegion.FAMILY;
  private static final int STEPS = 70;
  private static final int ROWS = 9;
  private static final int TTL = 30;

  private final List<RegionScanner> scans = new ArrayList<>();
  private long clock;
  private boolean expires;
  private int faults;

  /** A row that every split takes. */
  private byte[] hot;

  private LocalRegion split;
  private LocalRegion stock;

  @AfterEach
  void restoreTheClock() {
    EnvironmentEdgeManager.reset();
    MortalFileSystem.life = new Life();
  }

  @Test
  void clientsSeeTheSame() throws Exception {
    Seeds seeds = Seeds.of("faults.seed");
    try (ScratchDirectory scratch = ScratchDirectory.under(Paths.get("target", "faults"), "f")) {
      for (long seed : seeds.orElse(Integer.getInteger("faults.schedules", 6))) {
        try {
          run(new Path(scratch.path().resolve(Long.toHexString(seed)).toUri()), new Random(seed));
        } catch (Throwable t) {
          throw new AssertionError(seeds.repeat(seed), t);
        }
      }
    }
    System.out.println("Faults: " + seeds + ", " + faults);
    assertTrue(seeds.isOne() || faults > 0);
  }

  private void run(Path root, Random random) throws Exception {
    clock = 1_700_000_000_000L;
    EnvironmentEdgeManager.injectEdge(() -> clock);
    MortalFileSystem.life = new Life();
    ColumnFamilyDescriptorBuilder family = ColumnFamilyDescriptorBuilder.newBuilder(FAMILY);
    family.setNewVersionBehavior(random.nextInt(4) == 0);
    expires = random.nextInt(3) == 0;
    if (expires) {
      family.setTimeToLive(TTL);
    }
    long salt = random.nextLong();
    split =
        new LocalRegion(new Path(root, "split"), family.build(), 3, salt, MortalFileSystem.class);
    stock = new LocalRegion(new Path(root, "stock"), family.build(), 0, salt);
    for (int i = 0; ; i++) {
      hot = Bytes.toBytes("hot" + i);
      if (Math.floorMod(HeatSketch.mix(HeatSketch.hash(hot) + salt), 3) == 0) {
        break;
      }
    }
    split.conf().setBoolean(SplitEngine.BY_FILTER, random.nextBoolean());
    try {
      for (int step = 0; step < STEPS; step++) {
        clock += 1 + random.nextInt(200);
        step(random);
      }
      for (int i = 0; i < 2; i++) {
        split.flush();
        split.compact(split.files());
        same("after a compaction of all files");
        move();
      }
    } finally {
      scans.clear();
      MortalFileSystem.life.goesOn();
      split.close();
      stock.close();
    }
  }

  private void step(Random random) throws Exception {
    int what = random.nextInt(100);
    byte[] row = Bytes.toBytes("row" + random.nextInt(ROWS));
    if (what < 30) {
      for (LocalRegion one : List.of(split, stock)) {
        one.region().put(new Put(row).addColumn(FAMILY, row, Bytes.toBytes(clock)));
      }
    } else if (what < 45) {
      for (LocalRegion one : List.of(split, stock)) {
        one.region().delete(new Delete(row));
      }
    } else if (what < 58) {
      split.flush();
      stock.flush();
    } else if (what < 66) {
      split.compact(some(random));
      same("after a compaction");
    } else if (what < 82) {
      fault(random);
    } else if (what < 86) {
      split.archive();
      stock.archive();
    } else if (what < 91) {
      hold(random);
    } else if (what < 95) {
      move();
    } else if (what < 97) {
      stock.compact(stock.files());
    } else if (expires) {
      clock += random.nextInt(TTL * 1000);
      split.compact(List.of()); // HBase drops what has expired
      same("after files expired");
    }
  }

  private List<HStoreFile> some(Random random) {
    List<HStoreFile> files = split.files();
    if (random.nextInt(2) == 0 || files.isEmpty()) {
      return files;
    }
    int from = random.nextInt(files.size());
    return files.subList(from, from + 1 + random.nextInt(files.size() - from));
  }

  private void hold(Random random) throws IOException {
    if (random.nextInt(3) == 0) {
      for (RegionScanner scan : scans) {
        scan.close();
      }
      scans.clear();
    } else {
      Scan latest = new Scan().setIsolationLevel(IsolationLevel.READ_UNCOMMITTED);
      RegionScanner scan = split.region().getScanner(latest);
      scans.add(scan);
      boolean unused = scan.next(new ArrayList<>());
    }
  }

  private void move() throws Exception {
    split.reopen();
    stock.reopen();
    same("after a move");
  }

  private void fault(Random random) throws Exception {
    for (LocalRegion one : List.of(split, stock)) {
      one.region().put(new Put(hot).addColumn(FAMILY, hot, Bytes.toBytes(clock)));
      one.flush();
    }
    split.compact(List.of()); // drops what has expired: HBase would never select it after a failure
    // The newest among them, which has a hot row: a failure with one output is as in stock HBase.
    List<HStoreFile> all = split.files();
    List<HStoreFile> files =
        all.subList(random.nextBoolean() ? 0 : random.nextInt(all.size()), all.size());
    Life life = MortalFileSystem.life;
    boolean marker = random.nextInt(4) == 0;
    boolean before = random.nextBoolean();
    boolean unreadable = !marker && random.nextInt(4) == 0;
    boolean archives = !marker && !unreadable && random.nextInt(5) == 0;
    if (marker) {
      split.engine().marker =
          writer -> {
            if (!before) {
              writer.run();
            }
            throw new IOException("no marker");
          };
    } else if (unreadable) {
      life.cannotOpen(1 + random.nextInt(2));
    } else if (!archives) {
      split.engine().marker =
          writer -> {
            if (life.isOver()) {
              throw new IOException("dead");
            }
            writer.run();
          };
      life.endAfter(Step.values()[random.nextInt(3)], 1 + random.nextInt(2));
    }
    boolean failed = false;
    try {
      split.compact(files);
      if (archives) {
        life.end();
        split.archive();
      }
    } catch (IOException | FSError e) {
      failed = true;
      faults++;
    }
    split.engine().marker = IOExceptionRunnable::run;
    boolean dies = life.isOver() && random.nextBoolean() || archives && failed;
    life.goesOn();
    life.cannotOpen(0);
    if (dies) {
      life.end();
      MortalFileSystem.life = new Life();
      scans.clear();
      split.reopenAfterCrash();
      stock.reopen();
    }
    same("after a fault, " + (dies ? "dead" : "alive"));
  }

  private void same(String when) throws IOException {
    assertEquals(stock.cells(false, 1), split.cells(false, 1), () -> when);
  }
}
