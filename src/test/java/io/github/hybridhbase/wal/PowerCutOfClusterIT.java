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
import static org.junit.jupiter.api.Assertions.assertEquals;

import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.testing.Seeds;
import io.github.hybridhbase.testing.TypedCluster;
import java.io.IOException;
import java.util.Random;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole cluster loses its power, with flushes, compactions and rolls behind it: after a flush
 * the log is gone, and only the store file holds the rows. {@code -Dwal.cuts=N}.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(600)
class PowerCutOfClusterIT {
  private static final int CUTS = Integer.getInteger("wal.cuts", 3);
  private static final byte[] FAMILY = Bytes.toBytes("f");
  private static final TableName TABLE = TableName.valueOf("t");

  private final FsyncCamera camera = new FsyncCamera();
  private int rows;

  private TypedCluster start(boolean syncOnClose) throws Exception {
    TypedCluster cluster =
        TypedCluster.spec()
            .plugin()
            .conf(HybridKeys.WAL_HSYNC.name(), "auto")
            .conf("dfs.datanode.synconclose", Boolean.toString(syncOnClose))
            .startHdfs();
    camera.watch(cluster.hdfs());
    cluster.startHBase();
    cluster.util().createTable(TABLE, FAMILY);
    return cluster;
  }

  private void put(TypedCluster cluster, int more) throws IOException {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int end = rows + more; rows < end; rows++) {
        byte[] row = Bytes.toBytes(rows);
        table.put(new Put(row).addColumn(FAMILY, FAMILY, row));
      }
    }
  }

  private void cutThePower(TypedCluster cluster) throws Exception {
    camera.cut(
        cluster.hdfs(),
        () -> {
          cluster
              .hbase()
              .getLiveRegionServerThreads()
              .forEach(t -> t.getRegionServer().abort("cut"));
          cluster.hbase().killMaster(cluster.activeMaster().getServerName());
          cluster.await("the servers' end", () -> cluster.hbase().getLiveMasterThreads().isEmpty());
          return null;
        });
  }

  private void assertAllThere(TypedCluster cluster) throws IOException {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (int i = 0; i < rows; i++) {
        byte[] row = Bytes.toBytes(i);
        assertArrayEquals(row, table.get(new Get(row)).value(), "row " + i + " of " + rows);
      }
    }
  }

  @Test
  void withSyncOnCloseNoAcknowledgedRowIsLostAlsoAfterFlushes() throws Exception {
    Seeds seeds = Seeds.of("wal.seed");
    for (long seed : seeds.orElse(CUTS)) {
      System.out.println(seeds.repeat(seed));
      new PowerCutOfClusterIT().oneCut(new Random(seed));
    }
  }

  private void oneCut(Random random) throws Exception {
    try (TypedCluster cluster = start(true)) {
      for (int i = 0; i < 4; i++) {
        put(cluster, 50 + random.nextInt(300));
        cluster.flush(TABLE);
        if (random.nextBoolean()) {
          cluster.rollWals();
        }
        if (random.nextInt(3) == 0) {
          cluster.compact(TABLE, true);
        }
      }
      put(cluster, 50 + random.nextInt(300));
      cutThePower(cluster);
      cluster.restartHBase();
      assertAllThere(cluster);
    }
  }

  @Test
  void withoutItTheSameCutLosesTheStoreFileOfAFlush() throws Exception {
    try (TypedCluster cluster = start(false)) {
      put(cluster, 200);
      cluster.flush(TABLE);
      cutThePower(cluster);
      assertEquals(1, unreadable(cluster), "the flush's store file");
    }
  }

  private static int unreadable(TypedCluster cluster) throws IOException {
    int broken = 0;
    RemoteIterator<LocatedFileStatus> files =
        cluster.fs().listFiles(CommonFSUtils.getTableDir(cluster.rootDir(), TABLE), true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      if (!file.getPath().getParent().getName().equals("f")) {
        continue;
      }
      try (FSDataInputStream in = cluster.fs().open(file.getPath())) {
        IOUtils.readFully(in, new byte[(int) file.getLen()], 0, (int) file.getLen());
      } catch (IOException e) {
        broken++;
      }
    }
    return broken;
  }
}
