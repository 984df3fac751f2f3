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

import io.github.hybridhbase.hot.MortalFileSystem.Life;
import io.github.hybridhbase.testing.ScratchDirectory;
import io.github.hybridhbase.testing.Seeds;
import java.io.IOException;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.IsolationLevel;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.regionserver.RegionScanner;
import org.apache.hadoop.hbase.util.EnvironmentEdgeManager;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Seeded operations on a table whose compactions are split, and on one of stock HBase, of which
 * clients see the same.
 */
@InterfaceAudience.Private
abstract class Schedules {
  static final byte[] FAMILY = LocalRegion.FAMILY;

  final Seeds seeds;
  LocalTable split;
  LocalTable stock;
  long clock;

  /** Of the split table: each holds the files that it reads. The other has none. */
  private final List<RegionScanner> scans = new ArrayList<>();

  /**
   * @param seed property that names the seed of the one schedule that is repeated
   */
  Schedules(String seed) {
    this.seeds = Seeds.of(seed);
  }

  final void run(int schedules, int steps) throws Exception {
    System.out.println(getClass().getSimpleName() + ": " + seeds);
    try (ScratchDirectory scratch =
        ScratchDirectory.under(Paths.get("target", "schedules"), "schedule")) {
      for (long seed : seeds.orElse(schedules)) {
        try {
          run(new Path(scratch.path().resolve(Long.toHexString(seed)).toUri()), seed, steps);
        } catch (Throwable t) {
          throw new AssertionError(seeds.repeat(seed), t);
        }
      }
    } finally {
      EnvironmentEdgeManager.reset();
      MortalFileSystem.life = new Life();
    }
  }

  private void run(Path root, long seed, int steps) throws Exception {
    Random random = new Random(seed);
    clock = 1_700_000_000_000L;
    EnvironmentEdgeManager.injectEdge(() -> clock);
    MortalFileSystem.life = new Life();
    ColumnFamilyDescriptor family = family(random);
    split = table(new Path(root, "split"), family, splits(random));
    stock = table(new Path(root, "stock"), family, LocalRegion.hot(0, 0));
    split.regions().get(0).conf().setBoolean(SplitEngine.BY_FILTER, random.nextBoolean());
    try {
      for (int step = 0; step < steps; step++) {
        step(random);
      }
      end();
    } finally {
      MortalFileSystem.life.goesOn();
      forgetScans();
      both(LocalTable::close);
    }
  }

  private static LocalTable table(
      Path root, ColumnFamilyDescriptor family, Consumer<Configuration> settings)
      throws IOException {
    return new LocalTable(new LocalRegion(root, family, settings));
  }

  abstract ColumnFamilyDescriptor family(Random random);

  /** How compactions of a schedule are split. */
  abstract Consumer<Configuration> splits(Random random);

  abstract void step(Random random) throws Exception;

  abstract void end() throws Exception;

  interface Deed {
    void of(LocalTable table) throws Exception;
  }

  final void both(Deed deed) throws Exception {
    deed.of(split);
    deed.of(stock);
  }

  final void move(int region) throws Exception {
    both(one -> one.regions().get(region).reopen());
    assertSeen("after a move");
  }

  /** What a scan reads is not archived before it is closed. */
  final void scan(Random random) throws Exception {
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

  final void closeScans() throws IOException {
    for (RegionScanner scan : scans) {
      scan.close();
    }
    scans.clear();
  }

  /** Their server is dead. */
  final void forgetScans() {
    scans.clear();
  }

  final void assertSeen(String when) throws Exception {
    assertEquals(
        String.join("\n", stock.cells(false, 3)),
        String.join("\n", split.cells(false, 3)),
        () -> "seen by clients " + when);
  }
}
