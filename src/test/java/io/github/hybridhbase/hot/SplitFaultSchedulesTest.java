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

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hot.MortalFileSystem.Life;
import io.github.hybridhbase.hot.MortalFileSystem.Step;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSError;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.regionserver.HStoreFile;
import org.apache.hadoop.hbase.regionserver.StoreEngine.IOExceptionRunnable;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/**
 * Compactions of a split store fail at each of their steps, and its server goes on, moves the
 * region or dies, in any order, while scans hold files and files expire: clients see what they see
 * of a store of stock HBase without failures. {@code -Dfaults.seed=N} repeats one schedule, {@code
 * -Dfaults.schedules=N} runs more.
 */
@InterfaceAudience.Private
class SplitFaultSchedulesTest extends Schedules {
  private static final int STEPS = 70;
  private static final int ROWS = 9;
  private static final int TTL = 30;

  private boolean expires;
  private int faults;

  /** A row that every split takes. */
  private byte[] hot;

  SplitFaultSchedulesTest() {
    super("faults.seed");
  }

  @Test
  void clientsSeeTheSame() throws Exception {
    run(Integer.getInteger("faults.schedules", 6), STEPS);
    System.out.println("Faults: " + faults);
    assertTrue(seeds.isOne() || faults > 0);
  }

  @Override
  ColumnFamilyDescriptor family(Random random) {
    ColumnFamilyDescriptorBuilder family =
        ColumnFamilyDescriptorBuilder.newBuilder(FAMILY)
            .setNewVersionBehavior(random.nextInt(4) == 0);
    expires = random.nextInt(3) == 0;
    if (expires) {
      family.setTimeToLive(TTL);
    }
    return family.build();
  }

  @Override
  Consumer<Configuration> splits(Random random) {
    long salt = random.nextLong();
    hot = Bytes.toBytes("hot");
    for (int i = 0; !SplitEngine.isHot(hot, 3, salt); i++) {
      hot = Bytes.toBytes("hot" + i);
    }
    return LocalRegion.mortal(3, salt);
  }

  /** Of the one region. */
  private LocalRegion region() {
    return split.regions().get(0);
  }

  private void compact(List<HStoreFile> files, String when) throws Exception {
    region().compact(files);
    assertSeen(when);
  }

  @Override
  void end() throws Exception {
    for (int i = 0; i < 2; i++) {
      split.flush();
      compact(region().files(), "after a compaction of all files");
      move(0);
    }
  }

  @Override
  void step(Random random) throws Exception {
    clock += 1 + random.nextInt(200);
    int what = random.nextInt(100);
    byte[] row = Bytes.toBytes("row" + random.nextInt(ROWS));
    if (what < 30) {
      put(row);
    } else if (what < 45) {
      both(one -> one.regions().get(0).region().delete(new Delete(row)));
    } else if (what < 58) {
      both(LocalTable::flush);
    } else if (what < 66) {
      compact(some(random), "after a compaction");
    } else if (what < 82) {
      fault(random);
    } else if (what < 86) {
      both(LocalTable::archive);
    } else if (what < 91) {
      scan(random);
    } else if (what < 95) {
      move(0);
    } else if (what < 97) {
      stock.regions().get(0).compact(stock.regions().get(0).files());
    } else if (expires) {
      clock += random.nextInt(TTL * 1000);
      compact(List.of(), "after files expired"); // HBase drops what has expired
    }
  }

  private void put(byte[] row) throws Exception {
    Put put = new Put(row).addColumn(FAMILY, row, Bytes.toBytes(clock));
    both(one -> one.regions().get(0).region().put(new Put(put)));
  }

  private List<HStoreFile> some(Random random) {
    List<HStoreFile> files = region().files();
    if (random.nextInt(2) == 0 || files.isEmpty()) {
      return files;
    }
    int from = random.nextInt(files.size());
    return files.subList(from, from + 1 + random.nextInt(files.size() - from));
  }

  private void fault(Random random) throws Exception {
    put(hot);
    both(LocalTable::flush);
    LocalRegion split = region();
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
      forgetScans();
      split.reopenAfterCrash();
      stock.regions().get(0).reopen();
    }
    assertSeen("after a fault, " + (dies ? "dead" : "alive"));
  }
}
