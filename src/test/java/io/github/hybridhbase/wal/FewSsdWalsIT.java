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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.ProbeFile;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.NameNodeCalls;
import io.github.hybridhbase.testing.SsdFault;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import io.github.hybridhbase.testing.VolumeLayout;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * WALs where few DataNodes have SSD and the NameNode considers load, as HDFS does by default: all
 * replicas on SSD, evenly, with no call of the NameNode more.
 */
@InterfaceAudience.Private
@Timeout(900)
class FewSsdWalsIT {
  /** Two of each rack have SSD. */
  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .dataNodes(20)
            .ssdOn(node -> node < 4, node -> "/r" + node % 2)
            .conf("dfs.datanode.block-pinning.enabled", "true")
            .startHdfs();
    cluster.fs().setPermission(new Path("/"), new FsPermission("777"));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  private static void assertOnSsdAndEven(OpenedWals wals, double busiest) {
    System.out.println(wals);
    assertTrue(wals.notOnSsd().size() <= 0.05 * wals.opened(), wals::toString);
    assertTrue(wals.busiest() <= busiest, wals::toString);
  }

  private static void roll(OpenedWals wals, int rolls, int servers) throws Exception {
    for (int roll = 0; roll < rolls; roll++) {
      wals.rollAll(servers);
    }
  }

  private static void manyWals(String provider) throws Exception {
    try (OpenedWals wals = new OpenedWals(cluster, provider).published()) {
      UserGroupInformation user = UserGroupInformation.getCurrentUser();
      cluster.fs().setOwner(wals.directory(), user.getShortUserName(), "none");
      roll(wals, 4, 10);
      assertOnSsdAndEven(wals, 1.15);
    }
  }

  @Test
  void manyWalsOfAsyncfs() throws Exception {
    manyWals("asyncfs");
  }

  @Tag("long")
  @Test
  void manyWalsOfFilesystem() throws Exception {
    manyWals("filesystem");
  }

  /** HBase's user is often no superuser, to whom HDFS does not report storages. */
  @Tag("long")
  @Test
  void manyWalsOfAUserWhoIsNoSuperuser() throws Exception {
    UserGroupInformation.createUserForTesting("hbase", new String[] {"none"})
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  manyWals("asyncfs");
                  return null;
                });
  }

  /**
   * Where no master has published them, each server learns from answers to its own blocks. By HDFS
   * alone about a quarter of the WALs are on SSD.
   */
  @Tag("long")
  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  void manyWalsOfServersThatLearnFromAnswersAlone(String provider) throws Exception {
    try (OpenedWals wals = new OpenedWals(cluster, provider)) {
      roll(wals, 4, 10);
      wals.forget();
      roll(wals, 4, 11);
      System.out.println("From answers alone: " + wals);
      assertTrue(wals.notOnSsd().size() <= 0.6 * wals.opened(), wals::toString);
    }
  }

  @Test
  @Tag("long")
  void fortyWithEight() throws Exception {
    try (TypedCluster forty =
        TypedCluster.spec()
            .dataNodes(40)
            .ssdOn(node -> node < 8, node -> "/r" + node % 4)
            .startHdfs()) {
      for (String provider : new String[] {"asyncfs", "filesystem"}) {
        try (OpenedWals wals = new OpenedWals(forty, provider).published()) {
          roll(wals, 4, 40);
          assertOnSsdAndEven(wals, 1.3);
        }
      }
    }
  }

  /** Each roll goes to the SSDs of the others, and within a minute of its end it has WALs again. */
  @ParameterizedTest
  @EnumSource
  @Tag("long")
  void theOthersTakeTheWalsOfADataNodeThatFails(SsdFault fault) throws Exception {
    for (String provider : new String[] {"asyncfs", "filesystem"}) {
      try (OpenedWals wals = new OpenedWals(cluster, provider).published()) {
        wals.rollAll(10);
        wals.forget();
        DataNode node = SsdFault.nodeWithSsd(cluster.hdfs());
        String address = node.getDatanodeId().getXferAddr();
        try (AutoCloseable end = fault.begin(cluster.hdfs(), node)) {
          roll(wals, 2, 10);
          System.out.println(fault + ", without " + address + ": " + wals);
          assertTrue(wals.notOnSsd().size() <= 0.05 * wals.opened(), wals::toString);
        }
        long ended = System.nanoTime();
        do {
          assertTrue(System.nanoTime() - ended < TimeUnit.MINUTES.toNanos(1), wals::toString);
          wals.published().forget(); // as the active master does each minute
          wals.rollAll(10);
        } while (!wals.notOnSsd().isEmpty() || wals.replicasOn(address) == 0);
      }
    }
  }

  private static void assertFiveServersOnSsd(OpenedWals wals) throws Exception {
    wals.forget();
    roll(wals, 4, 5);
    assertOnSsdAndEven(wals, 1.4); // one that took no block once is named last for 30 s
  }

  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  @Tag("long")
  void twoNameNodesAndAFailover(String provider) throws Exception {
    try (TypedCluster two =
            TypedCluster.spec()
                .dataNodes(12)
                .ssdOn(node -> node < 4, node -> "/r" + node % 2)
                .twoNameNodes()
                .startHdfs();
        OpenedWals wals = new OpenedWals(two, provider).published()) {
      assertFiveServersOnSsd(wals);
      two.hdfs().transitionToStandby(0);
      two.hdfs().transitionToActive(1);
      assertFiveServersOnSsd(wals);
    }
  }

  /** Each name service counts the load of its own, on the same DataNodes. */
  @ParameterizedTest
  @ValueSource(strings = {"asyncfs", "filesystem"})
  @Tag("long")
  void twoNameServices(String provider, @TempDir java.nio.file.Path directory) throws Exception {
    Configuration conf = new Configuration();
    conf.setBoolean(TypedHdfs.CONSIDER_LOAD, true);
    VolumeLayout volumes =
        TypedHdfs.SSD_AND_DISK.ssdOn(node -> node < 4).racks(node -> "/r" + node % 2);
    try (TypedHdfs two =
            TypedHdfs.start(
                conf, directory, 12, volumes, MiniDFSNNTopology.simpleFederatedTopology(2));
        FileSystem one = two.cluster().getFileSystem(0);
        FileSystem other = two.cluster().getFileSystem(1);
        OpenedWals ofOne = new OpenedWals(conf, one, provider).published();
        OpenedWals ofOther = new OpenedWals(conf, other, provider).published()) {
      assertNotEquals(one.getUri(), other.getUri());
      assertFiveServersOnSsd(ofOne);
      assertFiveServersOnSsd(ofOther);
      assertFiveServersOnSsd(ofOne);
    }
  }

  /** HDFS puts at most two of three replicas into one rack: the third is on DISK, and counted. */
  @Test
  void allSsdInOneOfSeveralRacksIsASilentFallback() throws Exception {
    try (TypedCluster one =
            TypedCluster.spec()
                .dataNodes(9)
                .ssdOn(node -> node < 3, node -> "/r" + node / 3)
                .startHdfs();
        OpenedWals wals = new OpenedWals(one, "asyncfs").published()) {
      long before = HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD);
      wals.rollAll(3);
      assertEquals(3, wals.notOnSsd().size(), wals::toString);
      assertEquals(before + 3, HybridMetrics.get().value(Metric.WAL_NOT_ON_SSD));
      for (String wal : wals.notOnSsd()) {
        assertEquals(2, wal.split("SSD", -1).length - 1, wal);
      }
    }
  }

  /** By HBase's own client, as a server's start and the space monitor probe. */
  @Test
  void aProbeTellsOfSpaceAndNotOfLoad() throws Exception {
    Path directory = new Path("/load");
    cluster.fs().mkdirs(directory);
    cluster.fs().setStoragePolicy(directory, "ALL_SSD");
    List<FSDataOutputStream> open = new ArrayList<>();
    try (OpenedWals wals = new OpenedWals(cluster, "asyncfs").published();
        DistributedFileSystem client = wals.client()) {
      // More of them where writers of the tests before have not ended on all DataNodes yet.
      boolean busy = false;
      while (!busy && open.size() < 160) {
        Path file = new Path(directory, "f" + open.size());
        FSDataOutputStream out = cluster.fs().create(file);
        open.add(out);
        out.write(1);
        out.hflush();
        if (open.size() % 8 == 0) {
          BlockLocation block = cluster.fs().getFileBlockLocations(file, 0, 1)[0];
          busy = !onSsd().equals(List.of(block.getStorageTypes()));
          TypedHdfs.heartbeat(cluster.hdfs());
        }
      }
      assertTrue(busy, "HDFS takes SSD however many files are open there");
      long blockSize = cluster.fs().getDefaultBlockSize(directory);
      assertEquals(
          onSsd(), ProbeFile.media(client, directory, StoragePolicy.ALL_SSD, blockSize, 10_000));
    } finally {
      for (FSDataOutputStream out : open) {
        out.close();
      }
    }
  }

  private static List<StorageType> onSsd() {
    return List.of(StorageType.SSD, StorageType.SSD, StorageType.SSD);
  }

  private static Map<String, Long> callsOfAWal(String provider) throws Exception {
    String watched =
        "Create AddBlock AbandonBlock GetListing GetFileInfo GetBlockLocations GetDatanodeReport"
            + " GetDatanodeStorageReport SetStoragePolicy";
    NameNodeCalls calls = new NameNodeCalls(cluster, watched.split(" "));
    try (OpenedWals wals = new OpenedWals(cluster, provider).published()) {
      wals.roll("calls,16020,1");
      Map<String, Long> made = calls.of(() -> wals.roll("calls,16020,1"));
      // The fixture's own: mkdirs is none of these.
      made.computeIfPresent("GetBlockLocations", (name, count) -> count == 1 ? null : count - 1);
      return made;
    }
  }

  @Test
  void aWalCostsTheNameNodeNoCallMore() throws Exception {
    assertEquals(Map.of("Create", 1L, "AddBlock", 1L), callsOfAWal("asyncfs"));
    assertEquals(Map.of("Create", 1L, "AddBlock", 1L), callsOfAWal("filesystem"));
  }

  /** HDFS pins what is created with favoured nodes, and a pinned block cannot leave SSD. */
  @Test
  void whatIsNamedIsNotPinned() throws Exception {
    for (String provider : new String[] {"asyncfs", "filesystem"}) {
      Path wal;
      try (OpenedWals wals = new OpenedWals(cluster, provider).published()) {
        wal = wals.roll("pinned,16020,1");
        assertEquals(0, wals.notOnSsd().size(), wals::toString);
      }
      assertNotPinned(wal, provider);
    }
  }

  private static void assertNotPinned(Path file, String provider) throws Exception {
    LocatedBlock located =
        cluster.fs().getClient().getLocatedBlocks(file.toUri().getPath(), 0).get(0);
    ExtendedBlock block = located.getBlock();
    int replicas = 0;
    for (DataNode node : cluster.hdfs().getDataNodes()) {
      if (node.getFSDataset().contains(block)) {
        replicas++;
        assertFalse(node.getFSDataset().getPinning(block), provider);
      }
    }
    assertEquals(3, replicas);
  }
}
