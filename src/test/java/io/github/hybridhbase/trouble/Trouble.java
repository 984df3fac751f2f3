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

import static io.github.hybridhbase.trouble.Stage.BALLAST;
import static io.github.hybridhbase.trouble.Stage.FULL;
import static io.github.hybridhbase.trouble.Stage.GAP;
import static io.github.hybridhbase.trouble.Stage.GIB;
import static io.github.hybridhbase.trouble.Stage.ROOM;
import static io.github.hybridhbase.trouble.Stage.STEP;

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
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.SafeModeAction;
import org.apache.hadoop.hdfs.server.blockmanagement.BlockManager;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.DataNodeTestUtils;
import org.apache.hadoop.io.IOUtils;
import org.apache.yetus.audience.InterfaceAudience;

/** The kinds of SSD trouble, each as it is put upon a cluster and taken from it again. */
@InterfaceAudience.Private
enum Trouble {
  FIRST_START_IN_THE_GAP(
      "first start of the cluster, SSDs in the gap",
      stage -> stage.ssds.capacity(GAP),
      Stage::roll),
  RESTART_IN_THE_GAP(
      "restart of a cluster that lives on SSD, SSDs in the gap",
      stage -> liveOnSsd(stage, GAP),
      Stage::roll),
  RESTART_FULL(
      "restart of a cluster that lives on SSD, SSDs full",
      stage -> liveOnSsd(stage, FULL),
      Stage::roll),
  GAP_AT_A_ROLL("SSDs come into the gap, then a roll", stage -> stage.rollWith(GAP)),
  GAP_AT_A_ROLL_WITH_WALS_APART(
      "the same with `hbase.wal.dir` apart from `hbase.rootdir`", stage -> stage.rollWith(GAP)) {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.walDirApart();
    }
  },
  FULL_AT_A_ROLL_WITH_ONE_SSD(
      "with `ONE_SSD`: SSDs become full, then a roll", stage -> stage.rollWith(FULL)) {
    @Override
    StoragePolicy policy() {
      return StoragePolicy.ONE_SSD;
    }
  },
  /** Until the spare space of 1 GiB is nearly reached; what is no file of HDFS takes the rest. */
  FILLED_UNDER_LOAD(
      "SSDs filled under load, by HDFS and by others, into the gap, then a roll",
      stage -> {
        for (int step = 0; roomiest(stage) >= GIB + 6 * STEP; step++) {
          stage.fill("ballast" + step, STEP);
        }
        stage.rollWith(GIB + BALLAST - 8 * STEP);
      }) {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.ssdCapacity(GIB + BALLAST)
          .conf("dfs.blocksize", STEP)
          .conf("hbase.regionserver.hlog.blocksize", 8 * STEP);
    }

    @Override
    void remedy(Stage stage) throws Exception {
      stage.cluster.fs().delete(new Path("/ballast"), true);
      stage.ssds.capacity(GIB + BALLAST);
    }
  },
  QUOTA(
      "quota of SSD on WALs used up, then a roll",
      stage -> {
        quota(stage, FULL);
        stage.roll();
      }) {
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
      for (DataNode node : stage.cluster.hdfs().getDataNodes()) {
        File directory = new File(Ssds.of(node).get(0).getBaseURI().getPath());
        dead.add(directory);
        DataNodeTestUtils.injectDataDirFailure(directory);
        stage.rollIfAlive();
      }
      for (DataNode node : stage.cluster.hdfs().getDataNodes()) {
        node.checkDiskError();
      }
      stage.rollIfAlive();
    }

    /** No disk is changed so fast that the NameNode has not noticed that it was gone. */
    @Override
    void remedy(Stage stage) throws Exception {
      stage.await("a NameNode that knows of no SSD", () -> isWithoutSsd(stage));
      DataNodeTestUtils.restoreDataDirFromFailure(dead.toArray(new File[0]));
      for (int i = 0; i < dead.size(); i++) {
        DataNodeRestart.restart(stage.cluster.hdfs(), 0); // it is appended again: each in turn
      }
      stage.cluster.hdfs().waitActive();
    }
  },
  ONLY_SSD_NODE_DIES(
      "the only DataNode with SSD dies, then three rolls",
      stage -> {
        for (DataNode node : stage.cluster.hdfs().getDataNodes().subList(1, 4)) {
          Ssds.capacity(node, 0);
        }
        TypedHdfs.heartbeat(stage.cluster.hdfs());
      },
      stage -> {
        stage.cluster.hdfs().stopDataNode(0);
        for (int roll = 0; roll < 3; roll++) {
          stage.rollIfAlive();
        }
      }) {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.dataNodes(4);
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
      DistributedFileSystem fs = stage.cluster.fs();
      fs.mkdirs(stage.cluster.rootDir());
      Ssds.publish(fs, stage.cluster.conf(), stage.cluster.rootDir());
    }

    @Override
    void strike(Stage stage) throws Exception {
      busy.clear();
      DataNode node = SsdFault.nodeWithSsd(stage.cluster.hdfs());
      stage.keepSsdBusy(busy);
      dead = stage.cluster.hdfs().stopDataNode(node.getDatanodeId().getXferAddr());
      stage.roll();
      stage.rollIfAlive();
    }

    @Override
    void remedy(Stage stage) throws Exception {
      // Those of the DataNode that died are lost.
      busy.forEach(IOUtils::closeStream);
      DataNodeRestart.restart(stage.cluster.hdfs(), dead);
      stage.cluster.hdfs().waitActive();
    }
  },
  SAFE_MODE(
      "the NameNode goes into safe mode, a roll, and it leaves safe mode",
      stage ->
          stage.rollMeeting(
              "OpenDeadline.pause",
              () -> stage.cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER),
              () -> stage.cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE))),
  SAFE_MODE_AT_AN_ARCHIVING(
      "the NameNode goes into safe mode as a WAL is archived",
      stage -> {
        // A WAL with edits that no flush has, of any table, is not archived; the client writes on.
        stage.roll();
        stage.cluster.util().flush();
        AtomicReference<Path> archived = new AtomicReference<>();
        AbstractFSWAL<?> wal = (AbstractFSWAL<?>) stage.server().getWALs().get(0);
        wal.registerWALActionsListener(
            new WALActionsListener() {
              @Override
              public void preLogArchive(Path from, Path to) throws IOException {
                if (archived.compareAndSet(null, from)) {
                  stage.cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_ENTER);
                }
              }
            });
        wal.requestLogRoll();
        stage.await("an archiving that waits", Trouble::waitsToArchive);
        stage.cluster.fs().setSafeMode(SafeModeAction.SAFEMODE_LEAVE);
        stage.await("the archiving", () -> stage.isGone(archived.get()));
      }),
  NAME_NODE_RESTARTS(
      "the NameNode is down, a roll, and it starts again after some 10 s",
      stage ->
          stage.rollMeeting(
              "OpenDeadline.pause",
              () -> stage.cluster.hdfs().shutdownNameNode(0),
              () -> stage.cluster.hdfs().restartNameNode(0, true))),
  NAME_NODE_RESTARTS_ON_USED_SSD(
      "the NameNode restarts while SSD is 78 % used",
      stage -> {
        stage.fill("ballast", 76 * STEP); // HBase has taken the rest
        stage.cluster.hdfs().restartNameNode(0, true);
      }) {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.ssdCapacity(100 * STEP)
          .conf("dfs.blocksize", STEP)
          .conf("hbase.regionserver.hlog.blocksize", STEP)
          .conf("dfs.datanode.round-robin-volume-choosing-policy.additional-available-space", 0);
    }
  },
  NAME_NODE_FAILS_OVER(
      "the active NameNode dies, a roll, and the other one takes over",
      stage ->
          stage.rollMeeting(
              "createWriterInstance", // a roll that asks both NameNodes
              () -> stage.cluster.hdfs().shutdownNameNode(0),
              () -> stage.cluster.hdfs().transitionToActive(1))) {
    @Override
    ClusterSpec shape(ClusterSpec spec) {
      return spec.twoNameNodes();
    }
  };

  /** What is done to a cluster. */
  private interface Deed {
    void to(Stage stage) throws Exception;
  }

  private final String label;
  private final Deed beforeStart;
  private final Deed strike;

  Trouble(String label) {
    this(label, Stage::roll);
  }

  Trouble(String label, Deed strike) {
    this(label, stage -> {}, strike);
  }

  Trouble(String label, Deed beforeStart, Deed strike) {
    this.label = label;
    this.beforeStart = beforeStart;
    this.strike = strike;
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
  void beforeStart(Stage stage) throws Exception {
    beforeStart.to(stage);
  }

  /** What happens while HBase runs and a client writes. */
  void strike(Stage stage) throws Exception {
    strike.to(stage);
  }

  /** Takes it away again: all SSDs come back, with space. */
  void remedy(Stage stage) throws Exception {
    if (!isTheNameNodes()) {
      stage.ssds.capacity(ROOM);
    }
  }

  /** A cluster that has run before, with all its system parts on SSD as its rival can. */
  private static void liveOnSsd(Stage stage, long thenSsdCapacity) throws Exception {
    stage.cluster.startHBase();
    stage.cluster.util().createTable(Stage.TABLE, "f");
    stage.await("WALs on SSD", () -> stage.allWalsAs(StoragePolicy.ALL_SSD));
    stage.cluster.stopHBase();
    stage.ssds.capacity(thenSsdCapacity);
  }

  /** Bytes available on the SSD that has most, as its DataNode judges them. */
  private static long roomiest(Stage stage) throws IOException {
    long most = 0;
    for (DataNode node : stage.cluster.hdfs().getDataNodes()) {
      most = Math.max(most, Ssds.of(node).get(0).getAvailable());
    }
    return most;
  }

  private static void quota(Stage stage, long bytes) throws Exception {
    Path wals = new Path(stage.cluster.walRoot(), "WALs");
    stage.cluster.fs().setQuotaByStorageType(wals, StorageType.SSD, bytes);
  }

  private static boolean isWithoutSsd(Stage stage) {
    BlockManager blocks = stage.cluster.hdfs().getNamesystem().getBlockManager();
    return blocks.getDatanodeManager().getDatanodes().stream()
        .flatMap(node -> Arrays.stream(node.getStorageInfos()))
        .noneMatch(storage -> storage.getStorageType() == StorageType.SSD);
  }

  /** Whether the plugin has met the trouble as it archives, and waits for its end. */
  private static boolean waitsToArchive() {
    return Thread.getAllStackTraces().values().stream()
        .map(Arrays::toString)
        .anyMatch(stack -> stack.contains("OpenDeadline.pause") && stack.contains("ArchiveDelay"));
  }
}
