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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.Seeds;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Edits that take HBase's output several packets, while DataNodes are stopped and started again one
 * after the other: a flush that breaks between two packets is answered by nobody. Stock HBase is
 * beside it, on the same DataNodes.
 */
@InterfaceAudience.Private
@Tag("long")
class LargeEditsIT {
  private static final int DATA_NODES = 4;
  private static final int LARGEST = 40 << 20;

  /** Stops after which what was written is read and deleted, so that disks do not fill. */
  private static final int READ_EVERY = 4;

  /** Longer than any stop takes, and far from for ever. */
  private static final long PATIENCE_MILLIS = 60_000;

  /** A process that is short of processors sleeps no longer than this instead of 100 ms. */
  private static final long STANDS_STILL_NANOS = TimeUnit.SECONDS.toNanos(15);

  private static final long MINUTES = Long.getLong("wal.minutes", 1);
  private static final Seeds SEEDS = Seeds.of("wal.seed");

  @TempDir static Path volumes;

  @Test
  @Timeout(value = 3, unit = TimeUnit.HOURS)
  void noEditWaitsForEverWhileDataNodesRestart() throws Exception {
    Configuration settings = new Configuration();
    settings.setInt("dfs.replication", 3);
    settings.setInt("dfs.client.socket-timeout", 10_000);
    System.out.println(SEEDS);
    Random random = new Random(SEEDS.orElse(1)[0]);
    try (TypedHdfs hdfs = TypedHdfs.start(settings, volumes, DATA_NODES, TypedHdfs.SSD_AND_DISK)) {
      WalLoad stock = load(hdfs, "stock");
      WalLoad plugin = load(hdfs, "plugin");
      List<WalLoad> both = List.of(stock, plugin);
      Thread watch = new Thread(() -> noteStandstills(both), "standstills");
      watch.setDaemon(true);
      watch.start();
      int stops = 0;
      long end = System.nanoTime() + TimeUnit.MINUTES.toNanos(MINUTES);
      while (System.nanoTime() < end) {
        awaitProgress(both);
        TimeUnit.MILLISECONDS.sleep(random.nextInt(300));
        DataNodeProperties stopped = hdfs.cluster().stopDataNode(random.nextInt(DATA_NODES));
        stops++;
        awaitProgress(both);
        DataNodeRestart.restart(hdfs.cluster(), stopped);
        hdfs.cluster().waitActive();
        if (stops % READ_EVERY == 0) {
          // Else each reading takes longer than the one before, until the disk is full.
          both.forEach(WalLoad::pause);
          for (WalLoad load : both) {
            load.readBackAndDelete();
          }
          both.forEach(WalLoad::resume);
        }
        System.out.printf(
            "%tT %d stops; the longest wait of an edit: stock %d ms (%s), plugin %d ms (%s)%n",
            System.currentTimeMillis(),
            stops,
            stock.longestMillis(),
            stock,
            plugin.longestMillis(),
            plugin);
      }
      watch.interrupt();
      plugin.stop();
      plugin.check();
      System.out.printf(
          "%d stops; the longest wait of an edit: stock %d ms, plugin %d ms%n",
          stops, stock.longestMillis(), plugin.longestMillis());
      stock.stop();
      stock.check();
    }
  }

  private static WalLoad load(TypedHdfs hdfs, String name) throws IOException {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path("/" + name);
    hdfs.fs().mkdirs(root);
    Configuration conf = HBaseConfiguration.create(hdfs.fs().getConf());
    CommonFSUtils.setRootDir(conf, root);
    conf.set("hbase.wal.provider", "asyncfs");
    conf.setBoolean("hbase.wal.hsync", true);
    if (name.equals("plugin")) {
      PluginWriters.into(conf);
    }
    WalLoad load = new WalLoad(conf, 2, LARGEST);
    load.useDefaultDurability();
    return load;
  }

  /** Until it is interrupted. */
  private static void noteStandstills(List<WalLoad> loads) {
    long before = System.nanoTime();
    try {
      while (true) {
        TimeUnit.MILLISECONDS.sleep(100);
        long nanos = System.nanoTime() - before;
        before += nanos;
        if (nanos > STANDS_STILL_NANOS) {
          System.out.printf("Stood still for %d ms%n", TimeUnit.NANOSECONDS.toMillis(nanos));
          loads.forEach(load -> load.stoodStill(nanos));
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Some edits of each; the last one is the plugin's, and must not wait for ever. */
  private static void awaitProgress(List<WalLoad> loads) throws InterruptedException {
    for (WalLoad load : loads) {
      long wanted = load.acknowledged() + 3;
      long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS);
      while (load.acknowledged() < wanted && System.nanoTime() < end) {
        TimeUnit.MILLISECONDS.sleep(5);
      }
    }
    WalLoad plugin = loads.get(loads.size() - 1);
    assertTrue(plugin.longestMillis() < PATIENCE_MILLIS, "An edit waits for ever: " + plugin);
  }
}
