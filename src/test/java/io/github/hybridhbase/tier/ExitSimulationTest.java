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
package io.github.hybridhbase.tier;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;
import static org.mockito.Mockito.withSettings;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.RegionInfoBuilder;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreConfigInformation;
import org.apache.hadoop.hbase.regionserver.StoreFileReader;
import org.apache.hadoop.hbase.regionserver.compactions.ExploringCompactionPolicy;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * One store under HBase's own selection, with the exit by compaction beside it: how many bytes
 * reach HDD for each byte that was flushed. A flush takes a turn and a unit of bytes.
 */
@InterfaceAudience.Private
class ExitSimulationTest {
  private static final long UNIT = 128L << 20;
  private static final int MIN_FILES = 3;
  private static final int MAX_FILES = 10;
  private static final int BLOCKING_FILES = 16;

  private static final class SimFile {
    private final HStoreFile file = mock(HStoreFile.class, withSettings().stubOnly());
    private final double units;
    private final boolean ssd;
    private final long written;

    SimFile(double units, boolean ssd, long written) {
      StoreFileReader reader = mock(StoreFileReader.class, withSettings().stubOnly());
      when(reader.length()).thenReturn((long) (units * UNIT));
      when(file.getReader()).thenReturn(reader);
      this.units = units;
      this.ssd = ssd;
      this.written = written;
    }
  }

  /** A store with its load. */
  private static final class Sim {
    private final ExploringCompactionPolicy policy;
    private final double keys;
    private final int maxAge;
    private final double share;
    private final List<SimFile> files = new ArrayList<>();
    private double hdd;
    private int mostFiles;
    private long turn;

    /**
     * Describes it.
     *
     * @param keys flushes that hold each key once, 0 where no key comes twice
     * @param maxAge in turns
     * @param share units of SSD, 0 for stock
     */
    Sim(double keys, int maxAge, double share) {
      StoreConfigInformation store = mock(StoreConfigInformation.class);
      when(store.getMemStoreFlushSize()).thenReturn(UNIT);
      when(store.getRegionInfo())
          .thenReturn(RegionInfoBuilder.newBuilder(TableName.valueOf("t")).build());
      this.policy = new ExploringCompactionPolicy(new Configuration(false), store);
      this.keys = keys;
      this.maxAge = maxAge;
      this.share = share;
    }

    Sim run(int turns) {
      for (int i = 0; i < turns; i++) {
        turn++;
        write(files.size(), 1, NewStoreFile.Kind.FLUSH, true);
        idle();
      }
      return this;
    }

    /** A turn's compactions. */
    void idle() {
      List<HStoreFile> all = files.stream().map(one -> one.file).collect(Collectors.toList());
      if (all.size() >= MIN_FILES) {
        compact(
            policy.applyCompactionPolicy(
                all, all.size() >= BLOCKING_FILES, false, MIN_FILES, MAX_FILES),
            false);
      }
      List<SimFile> run =
          Leavers.run(
              files,
              file -> file.ssd ? file.written : null,
              file -> 0,
              turn - maxAge,
              turn,
              MAX_FILES,
              Long.MAX_VALUE);
      compact(run.stream().map(one -> one.file).collect(Collectors.toList()), true);
      mostFiles = Math.max(mostFiles, files.size());
    }

    private void compact(List<HStoreFile> chosen, boolean exit) {
      if (chosen.isEmpty()) {
        return;
      }
      List<SimFile> inputs =
          files.stream().filter(one -> chosen.contains(one.file)).collect(Collectors.toList());
      int at = files.indexOf(inputs.get(0));
      files.removeAll(inputs);
      long oldest = inputs.stream().mapToLong(one -> one.written).min().orElseThrow();
      write(at, merged(inputs), NewStoreFile.Kind.MINOR, !exit && turn - oldest < maxAge);
    }

    private double merged(List<SimFile> inputs) {
      if (keys == 0) {
        return inputs.stream().mapToDouble(one -> one.units).sum();
      }
      double missing = 1;
      for (SimFile one : inputs) {
        missing *= 1 - one.units / keys;
      }
      return keys * (1 - missing);
    }

    private void write(int at, double units, NewStoreFile.Kind kind, boolean may) {
      NewStoreFile file = new NewStoreFile(kind, (long) (units * UNIT), 0);
      TierQuota quota = TierQuota.of((long) (share * UNIT), Long.MAX_VALUE / 2, 0);
      boolean ssd = may && quota.takes(file, (long) (onSsd() * UNIT), 0);
      hdd += ssd ? 0 : units;
      files.add(at, new SimFile(units, ssd, turn));
    }

    double onSsd() {
      return files.stream().filter(one -> one.ssd).mapToDouble(one -> one.units).sum();
    }

    /** Bytes that HDD took for each byte flushed, what is still on SSD counted as owed. */
    double owed() {
      return (hdd + onSsd()) / turn;
    }

    @Override
    public String toString() {
      return String.format("%.2f bytes a byte, %d files at most", owed(), mostFiles);
    }
  }

  /** At most this part of what HDD takes of stock. */
  @ParameterizedTest
  @CsvSource({
    // Updates of the same keys die on SSD.
    "20, 6, 1e6, 300, 0.4",
    "20, 60, 1e6, 300, 0.05",
    "80, 60, 1e6, 300, 0.25",
    // What comes only once is merged on SSD before it leaves.
    "0, 6, 1e6, 200, 0.66",
    "0, 60, 1e6, 200, 0.4",
    // A small share is better than none.
    "0, 60, 20, 200, 0.8",
    "20, 60, 20, 200, 0.65",
    // One flush an age costs what stock costs.
    "0, 1, 1e6, 200, 1.01"
  })
  void hddTakesLess(double keys, int maxAge, double share, int turns, double part) {
    Sim tier = new Sim(keys, maxAge, share).run(turns);
    Sim stock = new Sim(keys, maxAge, 0).run(turns);
    assertTrue(tier.owed() <= part * stock.owed(), () -> tier + ", stock " + stock);
    assertTrue(tier.mostFiles <= stock.mostFiles + 1, () -> tier + ", stock " + stock);
  }
}
