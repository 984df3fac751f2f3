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

import static io.github.hybridhbase.trouble.Stage.GAP;
import static io.github.hybridhbase.trouble.Stage.ROOM;

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.ClusterSpec;
import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.SsdFault;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.regionserver.wal.AbstractFSWAL;
import org.apache.hadoop.hbase.regionserver.wal.WALActionsListener;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsDatasetSpi;
import org.apache.hadoop.hdfs.server.datanode.fsdataset.FsVolumeSpi;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** The kinds of SSD trouble, each as it is put upon a cluster and taken from it again. */
@InterfaceAudience.Private
enum Trouble {
  FIRST_START_IN_THE_GAP("first start of the cluster, SSDs in the gap") {
    @Override
    void beforeStart(Stage stage) throws Exception {
      stage.ssds().capacity(GAP);
    }
  },
  RESTART_IN_THE_GAP("restart of a cluster that lives on SSD, SSDs in the gap") {
    @Override
    void beforeStart(Stage stage) throws Exception {
      liveOnSsd(stage);
      stage.ssds().capacity(GAP);
    }
  },
  RESTART_FULL("restart of a cluster that lives on SSD, SSDs full") {
    @Override
    void beforeStart(Stage stage) throws Exception {
      liveOnSsd(stage);
      stage.ssds().capacity(1L << 20);
    }
  },
  GAP_AT_A_ROLL("SSDs come into the gap, then a roll") {
    @Override
    void strike(Stage stage) throws Exception {
      stage.ssds().capacity(GAP);
      stage.roll();
    }
  },
  GAP_AT_A_ROLL_WITH_WALS_APART("the same with `hbase.wal.dir` apart from `hbase.rootdir`") {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.walDirApart();
    }

    @Override
    void strike(Stage stage) throws Exception {
      GAP_AT_A_ROLL.strike(stage);
    }
  },
  FULL_AT_A_ROLL_WITH_ONE_SSD("with `ONE_SSD`: SSDs become full, then a roll") {
    @Override
    StoragePolicy policy() {
      return StoragePolicy.ONE_SSD;
    }

    @Override
    void strike(Stage stage) throws Exception {
      stage.ssds().capacity(1L << 20);
      stage.roll();
    }
  },
  FILLED_UNDER_LOAD("SSDs filled under load, by HDFS and by others, into the gap, then a roll") {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.ssdCapacity(Stage.GIB + BALLAST)
          .conf("dfs.blocksize", STEP)
          .conf("hbase.regionserver.hlog.blocksize", 8 * STEP);
    }

    /** Until the spare space of 1 GiB is nearly reached; what is no file of HDFS takes the rest. */
    @Override
    void strike(Stage stage) throws Exception {
      for (int step = 0; stage.ssds().roomiest() >= Stage.GIB + 6 * STEP; step++) {
        stage.fill("ballast" + step, STEP);
      }
      stage.ssds().capacity(Stage.GIB + BALLAST - 8 * STEP);
      stage.roll();
    }

    @Override
    void remedy(Stage stage) throws Exception {
      stage.cluster().fs().delete(new Path("/ballast"), true);
      stage.ssds().capacity(Stage.GIB + BALLAST);
    }
  },
  QUOTA("quota of SSD on WALs used up, then a roll") {
    @Override
    void strike(Stage stage) throws Exception {
      quota(stage, 1L << 20);
      stage.roll();
    }

    @Override
    void remedy(Stage stage) throws Exception {
      quota(stage, -1);
    }
  },
  SSD_VOLUMES_DIE(
      "with `failed.volumes.tolerated=1`: every SSD volume dies, in turn, a roll each") {
    private final List<File> dead = new ArrayList<>();

    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.conf("dfs.datanode.failed.volumes.tolerated", 1)
          // A DataNode looks at its disks this often at most, by default every 15 minutes.
          .conf("dfs.datanode.disk.check.min.gap", "0s")
          // What HDFS does every five minutes and every six hours: docs/failures.md says what.
          .conf("dfs.namenode.heartbeat.recheck-interval", 1_000)
          .conf("dfs.blockreport.intervalMsec", 10_000);
    }

    @Override
    void strike(Stage stage) throws Exception {
      dead.clear();
      for (DataNode node : stage.cluster().hdfs().getDataNodes()) {
        File directory = ssdDirectory(node);
        dead.add(directory);
        DataNodeTestUtils.injectDataDirFailure(directory);
        if (!stage.dead()) {
          stage.roll();
        }
      }
      for (DataNode node : stage.cluster().hdfs().getDataNodes()) {
        node.checkDiskError();
      }
      if (!stage.dead()) {
        stage.roll();
      }
    }

    /** No disk is changed so fast that the NameNode has not noticed that it was gone. */
    @Override
    void remedy(Stage stage) throws Exception {
      stage.await("a NameNode that knows of no SSD", () -> isWithoutSsd(stage));
      DataNodeTestUtils.restoreDataDirFromFailure(dead.toArray(new File[0]));
      for (int i = 0; i < dead.size(); i++) {
        DataNodeRestart.restart(stage.cluster().hdfs(), 0); // it is appended again: each in turn
      }
      stage.cluster().hdfs().waitActive();
    }
  },
  ONLY_SSD_NODE_DIES("the only DataNode with SSD dies, then three rolls") {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.dataNodes(4);
    }

    @Override
    void beforeStart(Stage stage) throws Exception {
      for (DataNode node : stage.cluster().hdfs().getDataNodes().subList(1, 4)) {
        Ssds.capacity(node, 0);
      }
      TypedHdfs.heartbeat(stage.cluster().hdfs());
    }

    @Override
    void strike(Stage stage) throws Exception {
      stage.cluster().hdfs().stopDataNode(0);
      for (int roll = 0; roll < 3 && !stage.dead(); roll++) {
        stage.roll();
      }
    }
  },
  FEW_BUSY_SSD_NODES("of 12 DataNodes 4 have SSD and are busy, one of them dies, then two rolls") {
    private final List<FSDataOutputStream> busy = new ArrayList<>();
    private DataNodeProperties dead;

    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.dataNodes(12)
          .ssdOn(node -> node < 4, node -> "/r" + node % 2)
          // Here each DataNode is the server's own, which HDFS takes whatever its load is.
          .conf("dfs.namenode.block-placement-policy.default.prefer-local-node", "false")
          // A WAL that the dead DataNode left may be short until its next full block report.
          .conf("dfs.blockreport.intervalMsec", 10_000);
    }

    /** As after an earlier run: a server that finds nothing published looks a minute later. */
    @Override
    void beforeStart(Stage stage) throws Exception {
      DistributedFileSystem fs = stage.cluster().fs();
      fs.mkdirs(stage.cluster().rootDir());
      Ssds.publish(fs, stage.cluster().conf(), stage.cluster().rootDir());
    }

    @Override
    void strike(Stage stage) throws Exception {
      busy.clear();
      MiniDFSCluster hdfs = stage.cluster().hdfs();
      DataNode node = SsdFault.nodeWithSsd(hdfs);
      stage.keepSsdBusy(busy);
      dead = hdfs.stopDataNode(node.getDatanodeId().getXferAddr());
      stage.roll();
      if (!stage.dead()) {
        stage.roll();
      }
    }

    @Override
    void remedy(Stage stage) throws Exception {
      // Those of the DataNode that died are lost.
      busy.forEach(IOUtils::closeStream);
      DataNodeRestart.restart(stage.cluster().hdfs(), dead);
      stage.cluster().hdfs().waitActive();
    }
  },
  SAFE_MODE("the NameNode goes into safe mode, a roll, and it leaves safe mode") {
    @Override
    void strike(Stage stage) throws Exception {
      List<Path> before = stage.currentWals();
      stage.cluster().fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
      stage.requestRolls();
      stage.await("a roll that waits", () -> waits(stage.roller()));
      stage.cluster().fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
      stage.awaitRolled(before);
    }
  },
  SAFE_MODE_AT_AN_ARCHIVING("the NameNode goes into safe mode as a WAL is archived") {
    @Override
    void strike(Stage stage) throws Exception {
      // A WAL with edits that no flush has, of any table, is not archived; the client writes on.
      stage.roll();
      stage.cluster().util().flush();
      AtomicReference<Path> archived = new AtomicReference<>();
      AbstractFSWAL<?> wal = (AbstractFSWAL<?>) stage.server().getWALs().get(0);
      wal.registerWALActionsListener(
          new WALActionsListener() {
            @Override
            public void preLogArchive(Path from, Path to) throws IOException {
              if (archived.compareAndSet(null, from)) {
                stage.cluster().fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
              }
            }
          });
      wal.requestLogRoll();
      stage.await("an archiving that waits", Trouble::waitsToArchive);
      stage.cluster().fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
      stage.await("the archiving", () -> stage.isGone(archived.get()));
    }
  },
  NAME_NODE_RESTARTS("the NameNode is down, a roll, and it starts again after some 10 s") {
    @Override
    void strike(Stage stage) throws Exception {
      List<Path> before = stage.currentWals();
      stage.cluster().hdfs().shutdownNameNode(0);
      stage.requestRolls();
      stage.await("a roll that waits", () -> waits(stage.roller()));
      stage.cluster().hdfs().restartNameNode(0, true);
      stage.awaitRolled(before);
    }
  },
  NAME_NODE_RESTARTS_ON_USED_SSD("the NameNode restarts while SSD is 78 % used") {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.ssdCapacity(100 * STEP)
          .conf("dfs.blocksize", STEP)
          .conf("hbase.regionserver.hlog.blocksize", STEP)
          .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", 0);
    }

    @Override
    void strike(Stage stage) throws Exception {
      stage.fill("ballast", 76 * STEP); // HBase has taken the rest
      stage.cluster().hdfs().restartNameNode(0, true);
    }

    @Override
    void remedy(Stage stage) {
      // SSD had space all the while.
    }
  },
  NAME_NODE_FAILS_OVER("the active NameNode dies, a roll, and the other one takes over") {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.twoNameNodes();
    }

    @Override
    void strike(Stage stage) throws Exception {
      List<Path> before = stage.currentWals();
      stage.cluster().hdfs().shutdownNameNode(0);
      stage.requestRolls();
      stage.await("a roll that asks both NameNodes", () -> asks(stage.roller()));
      stage.cluster().hdfs().transitionToActive(1);
      stage.awaitRolled(before);
    }

    @Override
    void remedy(Stage stage) {
      // SSD had space all the while, and DataNodes never get through to the NameNode that died.
    }
  };

  private static final long BALLAST = 300L << 20;
  private static final long STEP = 4L << 20;

  private final String label;

  Trouble(String label) {
    this.label = label;
  }

  /** What happens, for the table. */
  String label() {
    return label;
  }

  /** The cluster it happens to. */
  ClusterSpec shape(ClusterSpec spec) {
    return spec;
  }

  /** What both rivals ask of the WALs, and the plugin of all system parts. */
  StoragePolicy policy() {
    return StoragePolicy.ALL_SSD;
  }

  /** Whether SSD refuses all blocks, so that the space monitor takes everything away from it. */
  boolean leavesNoSpace() {
    return name().contains("GAP") || name().contains("FULL") || this == FILLED_UNDER_LOAD;
  }

  /** Whether SSD has space all the while, and only the NameNode could not be asked. */
  boolean isTheNameNodes() {
    return name().startsWith("SAFE_MODE") || name().startsWith("NAME_NODE");
  }

  /** What happens before HBase starts. */
  void beforeStart(Stage stage) throws Exception {}

  /** What happens while HBase runs and a client writes. */
  void strike(Stage stage) throws Exception {
    stage.roll();
  }

  /** Takes it away again: all SSDs come back, with space. */
  void remedy(Stage stage) throws Exception {
    stage.ssds().capacity(ROOM);
  }

  /** A cluster that has run before, with all its system parts on SSD as its rival can. */
  private static void liveOnSsd(Stage stage) throws Exception {
    stage.cluster().startHBase();
    stage.cluster().util().createTable(Stage.TABLE, "f");
    stage.await("WALs on SSD", () -> stage.allWalsAs(StoragePolicy.ALL_SSD));
    stage.cluster().stopHBase();
  }

  private static void quota(Stage stage, long bytes) throws Exception {
    Path wals = new Path(stage.cluster().walRoot(), "WALs");
    stage.cluster().fs().setQuotaByStorageType(wals, StorageType.SSD, bytes);
  }

  private static boolean isWithoutSsd(Stage stage) {
    return stage
        .cluster()
        .hdfs()
        .getNamesystem()
        .getBlockManager()
        .getDatanodeManager()
        .getDatanodes()
        .stream()
        .flatMap(node -> Arrays.stream(node.getStorageInfos()))
        .noneMatch(storage -> storage.getStorageType() == StorageType.SSD);
  }

  static File ssdDirectory(DataNode node) throws Exception {
    try (FsDatasetSpi.FsVolumeReferences volumes = node.getFSDataset().getFsVolumeReferences()) {
      for (FsVolumeSpi volume : volumes) {
        if (volume.getStorageType() == StorageType.SSD) {
          return new File(volume.getBaseURI().getPath());
        }
      }
    }
    throw new AssertionError("no SSD");
  }

  /** Whether a roll has met the trouble and waits for its end. */
  private static boolean waits(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(
            frame ->
                frame.getClassName().endsWith(".OpenDeadline")
                    && frame.getMethodName().equals("pause"));
  }

  /** Whether a roll has begun, and asks for a new file. */
  private static boolean asks(Thread thread) {
    return Arrays.stream(thread.getStackTrace())
        .anyMatch(frame -> frame.getMethodName().equals("createWriterInstance"));
  }

  /** Whether the plugin has met the trouble as it archives, and waits for its end. */
  private static boolean waitsToArchive() {
    return Thread.getAllStackTraces().values().stream()
        .map(Arrays::toString)
        .anyMatch(stack -> stack.contains("OpenDeadline.pause") && stack.contains("ArchiveDelay"));
  }
}
