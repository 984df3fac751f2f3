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

import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.SsdFault;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.SteadyClient;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.testing.TypedHdfs;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.reflect.FieldUtils;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.master.HMaster;
import org.apache.hadoop.hbase.master.region.MasterRegion;
import org.apache.hadoop.hbase.regionserver.HRegion;
import org.apache.hadoop.hbase.regionserver.HRegionServer;
import org.apache.hadoop.hbase.wal.AbstractFSWALProvider;
import org.apache.hadoop.hbase.wal.WAL;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.test.LambdaTestUtils.VoidCallable;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One cluster with one region server that a {@link Trouble} is put upon, and what can be seen of it
 * while servers may die.
 */
@InterfaceAudience.Private
final class Stage {
  static final long GIB = 1L << 30;
  static final long ROOM = 16 * GIB;
  static final long FULL = 1L << 20;

  /** The NameNode sees space for a block, every DataNode refuses it. */
  static final long GAP = 900L << 20;

  static final long BALLAST = 300L << 20;
  static final long STEP = 4L << 20;
  static final TableName TABLE = TableName.valueOf("t");

  final TypedCluster cluster;
  final Ssds ssds;
  private SteadyClient client;

  Stage(TypedCluster cluster) {
    this.cluster = cluster;
    this.ssds = new Ssds(cluster);
  }

  void play(SteadyClient writer) {
    client = writer;
  }

  HMaster master() {
    return cluster.hbase().getMaster(0);
  }

  HRegionServer server() {
    return cluster.hbase().getRegionServer(0);
  }

  /** Whether a server has aborted or stopped. */
  boolean dead() {
    return server().isAborted()
        || server().isStopped()
        || master().isAborted()
        || master().isStopped();
  }

  private void requestRolls() {
    server().getWalRoller().requestRollAll();
    store().requestRollAll();
  }

  /** Rolls every WAL; returns when all have a new file, or a server is dead. */
  void roll() throws Exception {
    List<Path> before = currentWals();
    requestRolls();
    awaitRolled(before);
  }

  void rollIfAlive() throws Exception {
    if (!dead()) {
      roll();
    }
  }

  /** Rolls once every SSD has this capacity in bytes. */
  void rollWith(long ssdCapacity) throws Exception {
    ssds.capacity(ssdCapacity);
    roll();
  }

  /**
   * Rolls, where something goes before and comes back once the roll has met that.
   *
   * @param met a method, of the roller's stack
   */
  void rollMeeting(String met, VoidCallable goes, VoidCallable comesBack) throws Exception {
    List<Path> before = currentWals();
    goes.call();
    requestRolls();
    await(
        "a roll that meets it",
        () -> Arrays.toString(server().getWalRoller().getStackTrace()).contains(met));
    comesBack.call();
    awaitRolled(before);
  }

  /** Awaits that these are written no more: a WAL takes its next name before it has the file. */
  private void awaitRolled(List<Path> before) {
    await("the close of " + before, () -> before.stream().allMatch(this::isClosed));
  }

  private boolean isClosed(Path file) {
    try {
      return cluster.fs().isFileClosed(file);
    } catch (FileNotFoundException e) {
      return true; // archived
    } catch (IOException e) {
      return false; // the NameNode is away
    }
  }

  /** Whether a file is not where it was. */
  boolean isGone(Path file) {
    try {
      return !cluster.fs().exists(file);
    } catch (IOException e) {
      return false; // the NameNode is away
    }
  }

  /** Awaits a condition, or the death of a server. */
  void await(String what, java.util.function.BooleanSupplier condition) {
    cluster.await(what, () -> dead() || condition.getAsBoolean());
  }

  /** Awaits that the client has had a row acknowledged that was written after this call. */
  void awaitWrite() {
    int provenance = client.acknowledged() + 1; // one may be under way already
    await("a write", () -> client.acknowledged() > provenance);
  }

  /** The files that are written now: user, hbase:meta and master store. */
  List<Path> currentWals() {
    List<Path> files = new ArrayList<>();
    for (WAL wal : server().getWALs()) {
      files.add(AbstractFSWALProvider.getCurrentFileName(wal));
    }
    try {
      HRegion region = (HRegion) FieldUtils.readField(store(), "region", true);
      files.add(AbstractFSWALProvider.getCurrentFileName(region.getWAL()));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("MasterRegion has changed", e);
    }
    return files;
  }

  /** The media of each WAL that is written now. */
  Map<Path, List<StorageType>> media() throws IOException {
    Map<Path, List<StorageType>> media = new LinkedHashMap<>();
    for (Path wal : currentWals()) {
      media.put(wal, ssds.media(wal));
    }
    return media;
  }

  /** Whether every WAL has three replicas, each on a medium of this policy. */
  boolean allWalsAs(StoragePolicy policy) {
    try {
      return media().values().stream().allMatch(on -> on.size() == 3 && policy.misplaced(on) == 0);
    } catch (IOException e) {
      return false; // rolled away between the two looks, or the NameNode is away
    }
  }

  /** Whether every block of HBase's files has as many replicas as asked for. */
  boolean allIsWhole() {
    try {
      return isWhole(cluster.rootDir()) && isWhole(cluster.walRoot());
    } catch (IOException e) {
      return false; // a file went meanwhile
    }
  }

  private boolean isWhole(Path root) throws IOException {
    RemoteIterator<LocatedFileStatus> files = cluster.fs().listFiles(root, true);
    while (files.hasNext()) {
      LocatedFileStatus file = files.next();
      for (BlockLocation block : file.getBlockLocations()) {
        if (block.getStorageTypes().length < file.getReplication()) {
          return false;
        }
      }
    }
    return true;
  }

  /**
   * Opens files on the DataNodes with SSD, until each has much more load than HDFS allows it.
   *
   * @param open gets them
   */
  void keepSsdBusy(List<FSDataOutputStream> open) throws IOException {
    for (DataNode node : SsdFault.nodesWithSsd(cluster.hdfs())) {
      for (int file = 0; file < 15; file++) {
        FSDataOutputStream out =
            cluster
                .fs()
                .createFile(new Path("/busy/f" + open.size()))
                .recursive()
                .replication((short) 1)
                .favoredNodes(new InetSocketAddress[] {node.getXferAddress()})
                .build();
        open.add(out);
        out.write(1);
        out.hflush();
      }
    }
    TypedHdfs.heartbeat(cluster.hdfs());
  }

  /** Writes so many bytes that lie on SSD, three replicas each. */
  void fill(String name, long bytes) throws IOException {
    Path directory = new Path("/ballast");
    cluster.fs().mkdirs(directory);
    cluster.fs().setStoragePolicy(directory, "ALL_SSD");
    try (OutputStream out = cluster.fs().create(new Path(directory, name))) {
      byte[] chunk = new byte[1 << 20];
      for (long written = 0; written < bytes; written += chunk.length) {
        out.write(chunk);
      }
    }
    TypedHdfs.heartbeat(cluster.hdfs());
  }

  private MasterRegion store() {
    return master().getMasterRegion();
  }
}
