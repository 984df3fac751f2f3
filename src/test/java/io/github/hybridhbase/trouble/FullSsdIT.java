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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.impl.FsVolumeImpl;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * SSD has space for 0 to 3 blocks all the while, as other users of HDFS leave it: no server aborts
 * and no row is lost. Prints the share of looks at the open WAL that found a replica on DISK, and
 * the latency of puts; {@code -Dhybrid.minutes} says how long, {@code -Dhybrid.seed} how SSD fills.
 */
@Tag("long")
@Timeout(value = 45, unit = TimeUnit.MINUTES)
class FullSsdIT {
  private static final long BLOCK = 8L << 20;
  private static final int WRITERS = 4;
  private static final byte[] FAMILY = Bytes.toBytes("f");

  private final List<Long> micros = new ArrayList<>();
  private final ConcurrentLinkedQueue<IOException> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean done;
  private int looks;
  private int onDisk;

  @Test
  void serversWriteOnWhileSsdHasSpaceForThreeBlocksAtMost() throws Exception {
    long seed = Long.getLong("hybrid.seed", System.nanoTime());
    Duration length = Duration.ofMinutes(Integer.getInteger("hybrid.minutes", 5));
    System.out.println("-Dhybrid.seed=" + seed);
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.regionserver.hlog.blocksize", BLOCK)
            .conf("dfs.blocksize", BLOCK)
            .conf("hbase.master.logcleaner.ttl", 1000)
            .conf("hbase.hybrid.ssd.retry", "30s")
            .startHdfs()) {
      cluster.startHBase();
      cluster.util().createTable(Stage.TABLE, "f");
      Stage stage = new Stage(cluster);
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int number = i;
        Thread writer = new Thread(() -> write(cluster, number), "writer-" + i);
        writer.setDaemon(true);
        writer.start();
        writers.add(writer);
      }
      watch(stage, new Random(seed), System.nanoTime() + length.toNanos());
      done = true;
      for (Thread writer : writers) {
        writer.join();
      }
      System.out.println(summary());
      assertEquals(List.of(), List.copyOf(failures));
      assertFalse(stage.dead(), "no server may die");
      assertEquals(micros.size(), rows(cluster));
    }
  }

  /** Fills and looks, five times a second. */
  private void watch(Stage stage, Random random, long end) throws Exception {
    for (int tick = 0; System.nanoTime() < end && !stage.dead(); tick++) {
      if (tick % 25 == 0) {
        leave(stage.cluster(), random);
      }
      try {
        for (List<StorageType> media : new Ssds(stage.cluster()).openWals().values()) {
          if (!media.isEmpty()) {
            looks++;
            onDisk += media.contains(StorageType.DISK) ? 1 : 0;
          }
        }
      } catch (IOException e) {
        continue; // rolled away between the two looks
      }
      TimeUnit.MILLISECONDS.sleep(200); // the rate of the looks
    }
  }

  /** Leaves space for 0 to 3 blocks on each SSD. */
  private static void leave(TypedCluster cluster, Random random) throws IOException {
    for (DataNode node : cluster.hdfs().getDataNodes()) {
      try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
        for (FsVolumeSpi volume : volumes) {
          if (volume.getStorageType() == StorageType.SSD) {
            FsVolumeImpl ssd = (FsVolumeImpl) volume;
            ssd.setCapacityForTesting(
                ssd.getDfsUsed() + ssd.getReservedForReplicas() + random.nextInt(4) * BLOCK);
          }
        }
      }
    }
    TypedHdfs.heartbeat(cluster.hdfs());
  }

  private void write(TypedCluster cluster, int writer) {
    byte[] value = new byte[1000];
    new Random(writer).nextBytes(value);
    try (Table table = cluster.connection().getTable(Stage.TABLE)) {
      for (int row = 0; !done; row++) {
        long start = System.nanoTime();
        table.put(new Put(Bytes.toBytes(writer + "-" + row)).addColumn(FAMILY, FAMILY, value));
        synchronized (micros) {
          micros.add((System.nanoTime() - start) / 1000);
        }
        TimeUnit.MILLISECONDS.sleep(10); // the rate of the writes
      }
    } catch (IOException e) {
      failures.add(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static int rows(TypedCluster cluster) throws IOException {
    int rows = 0;
    try (Table table = cluster.connection().getTable(Stage.TABLE);
        var scanner = table.getScanner(new Scan().setCaching(1000))) {
      while (scanner.next() != null) {
        rows++;
      }
    }
    return rows;
  }

  private String summary() {
    long[] sorted = micros.stream().mapToLong(Long::longValue).sorted().toArray();
    return String.format(
        Locale.ROOT,
        "%d puts; ms: mean %.2f, median %.2f, 99 %% %.2f, 99.9 %% %.2f, longest %.0f; "
            + "%d of %d looks at an open WAL found DISK (%.1f %%)",
        sorted.length,
        Arrays.stream(sorted).average().orElse(0) / 1000,
        at(sorted, 0.5),
        at(sorted, 0.99),
        at(sorted, 0.999),
        at(sorted, 1),
        onDisk,
        looks,
        100.0 * onDisk / looks);
  }

  private static double at(long[] sorted, double share) {
    return sorted[(int) Math.min(sorted.length - 1, sorted.length * share)] / 1000.0;
  }
}
