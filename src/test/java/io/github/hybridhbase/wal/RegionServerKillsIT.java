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

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.IntStream;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.JVMClusterUtil.RegionServerThread;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * RegionServers die without farewell, one after the other, at random points of a load on coalesced,
 * durable WALs; each leaves a file open that ends anywhere. {@code -Dwal.kills=N}.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class RegionServerKillsIT {
  private static final int KILLS = Integer.getInteger("wal.kills", 24);
  private static final int WRITERS = 10;
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");

  private final AtomicIntegerArray acknowledged = new AtomicIntegerArray(WRITERS);
  private volatile boolean stopping;

  private static byte[] row(int writer, int edit) {
    return Bytes.toBytes(String.format("%d-%08d", writer, edit));
  }

  /** Writes rows in order, each until it is acknowledged: the count says which must be there. */
  private Void write(TypedCluster cluster, int writer) throws IOException {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int edit = 0; !stopping; edit++) {
        byte[] row = row(writer, edit);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
        acknowledged.set(writer, edit + 1);
      }
      return null;
    }
  }

  private void assertAllThere(TypedCluster cluster) throws IOException {
    int[] expected = IntStream.range(0, WRITERS).map(acknowledged::get).toArray();
    int[] found = new int[WRITERS];
    try (Table table = cluster.connection().getTable(TABLE);
        ResultScanner scanner = table.getScanner(new Scan().setCaching(1_000))) {
      for (Result result : scanner) {
        int writer = result.getRow()[0] - '0';
        assertArrayEquals(row(writer, found[writer]), result.getRow(), "no row left out");
        found[writer]++;
      }
    }
    for (int i = 0; i < WRITERS; i++) {
      assertTrue(found[i] >= expected[i], "writer " + i + ": " + found[i] + " of " + expected[i]);
    }
  }

  private int total() {
    return IntStream.range(0, WRITERS).map(acknowledged::get).sum();
  }

  @Test
  void noAcknowledgedRowIsLostWhenRegionServersDieAtRandomPoints() throws Exception {
    long seed = Long.getLong("wal.seed", System.nanoTime());
    System.out.println("-Dwal.seed=" + seed + " -Dwal.kills=" + KILLS);
    Random random = new Random(seed);
    ExecutorService pool = Executors.newFixedThreadPool(WRITERS);
    try (TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf(HybridKeys.WAL_HSYNC.name(), "auto")
            .conf("hbase.client.retries.number", 60)
            .regionServers(3)
            .start()) {
      byte[][] splits = new byte[WRITERS - 1][];
      for (int i = 1; i < WRITERS; i++) {
        splits[i - 1] = Bytes.toBytes(Integer.toString(i));
      }
      cluster.util().createTable(TABLE, FAMILY, splits);
      List<Future<?>> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        writers.add(pool.submit(() -> write(cluster, writer)));
      }
      for (int kill = 1; kill <= KILLS; kill++) {
        int target = total() + 200 + random.nextInt(2_000);
        cluster.await("load before kill " + kill, () -> total() >= target);
        List<RegionServerThread> servers = cluster.hbase().getLiveRegionServerThreads();
        ServerName victim =
            servers.get(random.nextInt(servers.size())).getRegionServer().getServerName();
        if (random.nextInt(3) == 0) {
          cluster.flush(TABLE);
        }
        cluster.killRegionServer(victim);
        cluster.hbase().startRegionServerAndWait(TypedCluster.AWAIT_MILLIS);
        assertAllThere(cluster);
      }
      stopping = true;
      for (Future<?> writer : writers) {
        writer.get(120, TimeUnit.SECONDS);
      }
      assertAllThere(cluster);
      System.out.println(total() + " rows acknowledged, " + KILLS + " kills, none lost");
    } finally {
      stopping = true;
      pool.shutdownNow();
    }
  }
}
