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
package io.github.hybridhbase.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.FileNotFoundException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Get;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The harness itself: what the other integration tests take for granted. */
@Tag("long")
class TypedClusterIT {
  private static final TableName TABLE = TableName.valueOf("t");
  private static final byte[] FAMILY = Bytes.toBytes("f");

  @Test
  void everyDisturbanceEndsInAClusterThatServesAllRows() throws Exception {
    Path directory;
    try (TypedCluster cluster = TypedCluster.spec().regionServers(2).start()) {
      directory = cluster.directory();
      assertEquals(
          List.of(), ListeningSockets.beyondLoopback(), "sockets that listen beyond loopback");
      cluster.util().createTable(TABLE, new byte[][] {FAMILY}, new byte[][] {Bytes.toBytes("m")});
      put(cluster, "a", "z");

      cluster.flush(TABLE);
      put(cluster, "b", "y");
      cluster.flush(TABLE);
      cluster.compact(TABLE, true);
      cluster
          .hbase()
          .getRegions(TABLE)
          .forEach(region -> assertEquals(1, region.getStore(FAMILY).getStorefilesCount()));

      put(cluster, "c", "x");
      List<org.apache.hadoop.fs.Path> before = cluster.openWals();
      assertEquals(4, before.size(), "two region servers', hbase:meta's, the master store's");
      cluster.rollWals();
      assertTrue(
          cluster.openWals().stream().noneMatch(before::contains), "every open WAL is a new one");

      ServerName victim = cluster.hbase().getRegionServer(0).getServerName();
      put(cluster, "d", "w");
      ServerName fresh = cluster.restartRegionServer(victim);
      assertNotEquals(victim, fresh);
      put(cluster, "e", "v");
      cluster.killRegionServer(fresh);
      assertRows(cluster, "a", "b", "c", "d", "e", "v", "w", "x", "y", "z");

      ServerName master = cluster.activeMaster().getServerName();
      assertNotEquals(master, cluster.failoverMaster());
      put(cluster, "g", "u");

      cluster.restartHBase();
      assertRows(cluster, "a", "b", "c", "d", "e", "g", "u", "v", "w", "x", "y", "z");
      assertEquals(
          List.of(), ListeningSockets.beyondLoopback(), "sockets that listen beyond loopback");
    }
    assertFalse(Files.exists(directory), "the directory is gone");
  }

  @Test
  void aSecondClusterStartsAndStockPutsAllOnDisk() throws Exception {
    for (int i = 0; i < 2; i++) {
      try (TypedCluster cluster = TypedCluster.spec().walDirApart().start()) {
        cluster.util().createTable(TABLE, FAMILY);
        put(cluster, "a");
        cluster.flush(TABLE);
        assertNotEquals(cluster.rootDir(), cluster.walRoot());
        assertTrue(cluster.fs().exists(new org.apache.hadoop.fs.Path(cluster.walRoot(), "WALs")));
        assertEquals(List.of(StorageType.DISK), media(cluster));
      }
    }
    // Told to stop, a thread takes its moment.
    try {
      Await.until("the end of threads", () -> keepers().isEmpty());
    } catch (AssertionError e) {
      throw new AssertionError("threads that would keep the JVM: " + keepers(), e);
    }
  }

  private static List<String> keepers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> !t.isDaemon() && t.getName().matches("(?i).*(region|master|datanode).*"))
        .map(Thread::getName)
        .collect(Collectors.toList());
  }

  @Test
  void hdfsCanBePreparedBeforeHBase() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().startHdfs()) {
      cluster.fs().mkdirs(cluster.rootDir());
      cluster.fs().setStoragePolicy(cluster.rootDir(), "ALL_SSD");
      cluster.startHBase();
      cluster.util().createTable(TABLE, FAMILY);
      put(cluster, "a");
      cluster.flush(TABLE);
      assertEquals(List.of(StorageType.SSD), media(cluster));
    }
  }

  @Test
  void aFailedStartLeavesNothing() throws Exception {
    // A JVM that was killed while it ran this may have left something: a directory of its own.
    Path targets = Files.createDirectories(TypedCluster.baseDirectory().resolve("target"));
    Path parent = Files.createTempDirectory(targets, "failed-start");
    ClusterSpec spec =
        TypedCluster.spec()
            .directory(parent)
            .conf("hbase.master.start.timeout.localHBaseCluster", 5_000)
            .conf("hbase.wal.provider", "no.such.Provider");
    assertThrows(Exception.class, spec::start);
    try (Stream<Path> left = Files.list(parent)) {
      assertEquals(0, left.count());
    }
    Files.delete(parent);
    assertThrows(
        FileNotFoundException.class, () -> TypedCluster.spec().site(Path.of("none.xml")).start());
  }

  private static void put(TypedCluster cluster, String... rows) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (String row : rows) {
        byte[] bytes = Bytes.toBytes(row);
        table.put(new Put(bytes).addColumn(FAMILY, bytes, bytes));
      }
    }
  }

  private static void assertRows(TypedCluster cluster, String... rows) throws Exception {
    try (Table table = cluster.connection().getTable(TABLE)) {
      for (String row : rows) {
        assertTrue(table.exists(new Get(Bytes.toBytes(row))), row);
      }
    }
  }

  /** The distinct media of every complete block under the root directory. */
  private static List<StorageType> media(TypedCluster cluster) throws Exception {
    List<StorageType> media = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> files = cluster.fs().listFiles(cluster.rootDir(), true);
    while (files.hasNext()) {
      for (BlockLocation block : files.next().getBlockLocations()) {
        for (StorageType type : block.getStorageTypes()) {
          if (!media.contains(type)) {
            media.add(type);
          }
        }
      }
    }
    return media;
  }
}
