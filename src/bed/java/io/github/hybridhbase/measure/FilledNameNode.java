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
package io.github.hybridhbase.measure;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.AddBlockFlag;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.security.token.block.ExportedBlockKeys;
import org.apache.hadoop.hdfs.server.common.HdfsServerConstants.NodeType;
import org.apache.hadoop.hdfs.server.common.StorageInfo;
import org.apache.hadoop.hdfs.server.datanode.DataNodeLayoutVersion;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.NamespaceInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo.BlockStatus;
import org.apache.hadoop.hdfs.server.protocol.SlowDiskReports;
import org.apache.hadoop.hdfs.server.protocol.SlowPeerReports;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.metrics2.lib.DefaultMetricsSystem;
import org.apache.hadoop.util.VersionInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A NameNode with the files of a large HBase: ten inodes a region, of which seven are files with
 * three replicas each. Its DataNodes exist for it alone: they register, report and receive blocks
 * without a process or a byte of their own. Fills itself by calls within its own JVM, prints {@code
 * filled} and ends when its standard input closes.
 */
@InterfaceAudience.Private
public final class FilledNameNode {
  /** Store files of a region. */
  public static final int FILES = 5;

  /** One region in this many has a store file on SSD. */
  public static final int TIERED = 100;

  static final int TABLES = 100;
  private static final int DATA_NODES = 40;
  private static final int WITH_SSD = 8;
  private static final long CAPACITY = 8L << 40;
  private static final int THREADS = 16;
  private static final String CLIENT = "filler";

  private final NamenodeProtocols nameNode;
  private final NamespaceInfo namespace;
  private final List<DatanodeRegistration> dataNodes = new ArrayList<>();
  private final AtomicLong inodes = new AtomicLong();

  private FilledNameNode(NameNode nameNode) throws IOException {
    this.nameNode = nameNode.getRpcServer();
    this.namespace = this.nameNode.versionRequest();
  }

  /**
   * @param args directory, port of RPC, port of the web server, regions, servers
   */
  public static void main(String[] args) throws Exception {
    File directory = Path.of(args[0]).toFile();
    FileUtil.fullyDelete(directory);
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", "hdfs://127.0.0.1:" + args[1]);
    conf.set(DFSConfigKeys.DFS_NAMENODE_HTTP_ADDRESS_KEY, "127.0.0.1:" + args[2]);
    conf.set(DFSConfigKeys.DFS_NAMENODE_NAME_DIR_KEY, directory.toURI().toString());
    conf.set("dfs.namenode.fs-limits.min-block-size", "0");
    // Formatting registers metrics, which the NameNode of the same JVM registers again.
    DefaultMetricsSystem.setMiniClusterMode(true);
    NameNode.format(conf);
    NameNode nameNode = NameNode.createNameNode(new String[0], conf);
    FilledNameNode filled = new FilledNameNode(nameNode);
    filled.register();
    Thread beat = new Thread(filled::beat, "heartbeats");
    beat.setDaemon(true);
    beat.start();
    long began = System.nanoTime();
    filled.fill(Integer.parseInt(args[3]), Integer.parseInt(args[4]));
    System.out.printf(
        "filled: %d inodes after %d s%n",
        filled.inodes.get(), TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - began));
    System.out.flush();
    while (System.in.read() >= 0) {
      // whoever started it is there
    }
    System.exit(0);
  }

  private void register() throws IOException {
    for (int node = 0; node < DATA_NODES; node++) {
      DatanodeID id =
          new DatanodeID(
              "127.1.0." + (node + 1), "dn" + node, "uuid-" + node, 9866, 9864, 9865, 9867);
      DatanodeRegistration made =
          new DatanodeRegistration(
              id,
              new StorageInfo(
                  DataNodeLayoutVersion.getCurrentLayoutVersion(),
                  namespace.getNamespaceID(),
                  namespace.getClusterID(),
                  namespace.getCTime(),
                  NodeType.DATA_NODE),
              new ExportedBlockKeys(),
              VersionInfo.getVersion());
      dataNodes.add(nameNode.registerDatanode(made));
    }
    heartbeats();
  }

  private static DatanodeStorage storage(int node, StorageType type) {
    return new DatanodeStorage("storage-" + node + "-" + type, DatanodeStorage.State.NORMAL, type);
  }

  private static StorageReport report(int node, StorageType type) {
    return new StorageReport(
        storage(node, type), false, CAPACITY, CAPACITY / 10, CAPACITY / 10 * 9, CAPACITY / 10, 0);
  }

  private void heartbeats() throws IOException {
    for (int node = 0; node < dataNodes.size(); node++) {
      List<StorageReport> reports = new ArrayList<>(List.of(report(node, StorageType.DISK)));
      if (node < WITH_SSD) {
        reports.add(report(node, StorageType.SSD));
      }
      nameNode.sendHeartbeat(
          dataNodes.get(node),
          reports.toArray(new StorageReport[0]),
          0,
          0,
          0,
          0,
          0,
          null,
          false,
          SlowPeerReports.EMPTY_REPORT,
          SlowDiskReports.EMPTY_REPORT);
    }
  }

  private void beat() {
    try {
      while (true) {
        heartbeats();
        TimeUnit.SECONDS.sleep(3);
      }
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void fill(int regions, int servers) throws IOException, InterruptedException {
    file("/hbase/hbase.id", "");
    for (int server = 0; server < servers; server++) {
      file("/hbase/WALs/" + server(server) + "/" + server(server) + ".1", "ALL_SSD");
    }
    // As the plugin has left them; it would probe the DataNodes otherwise, which do not exist.
    for (String placed : List.of("/hbase/WALs", "/hbase/MasterData", "/hbase/data/hbase/meta")) {
      if (!nameNode.mkdirs(placed, FsPermission.getDirDefault(), true)) {
        throw new IOException(placed);
      }
      nameNode.setStoragePolicy(placed, "ALL_SSD");
    }
    file("/hbase/MasterData/WALs/master,16000,1/master.1", "ALL_SSD");
    file("/hbase/data/hbase/meta/1588230740/info/a", "ALL_SSD");
    AtomicInteger next = new AtomicInteger();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> all = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      all.add(
          threads.submit(
              () -> {
                for (int one; (one = next.getAndIncrement()) < regions; ) {
                  region(one);
                }
                return null;
              }));
    }
    threads.shutdown();
    for (Future<?> one : all) {
      try {
        one.get();
      } catch (ExecutionException e) {
        threads.shutdownNow();
        throw new IOException(e.getCause());
      }
    }
  }

  /** As HBase names a server. */
  public static String server(int number) {
    return "server" + number + ".example.org,16020,1";
  }

  /** The directory of a region's one family. */
  public static String family(int region) {
    return String.format("/hbase/data/default/t%d/%032x/f", region % TABLES, region);
  }

  private void region(int number) throws IOException, InterruptedException {
    String family = family(number);
    String region = family.substring(0, family.length() - 2);
    file(region + "/.regioninfo", "");
    file(region + "/recovered.edits/2.seqid", "");
    for (int file = 0; file < FILES; file++) {
      file(
          String.format("%s/%032x", family, file),
          file == 0 && number % TIERED == 0 ? "ALL_SSD" : "");
    }
    inodes.addAndGet(3); // region, family, recovered.edits
  }

  /** A file of one block, with a policy of its own if that is not empty. */
  private void file(String path, String policy) throws IOException, InterruptedException {
    long id =
        nameNode
            .create(
                path,
                FsPermission.getFileDefault(),
                CLIENT,
                new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
                true,
                (short) 3,
                128L << 20,
                null,
                null,
                null)
            .getFileId();
    if (!policy.isEmpty()) {
      nameNode.setStoragePolicy(path, policy);
    }
    LocatedBlock block =
        nameNode.addBlock(
            path,
            CLIENT,
            null,
            DatanodeInfo.EMPTY_ARRAY,
            id,
            null,
            EnumSet.noneOf(AddBlockFlag.class));
    ExtendedBlock written = block.getBlock();
    written.setNumBytes(64L << 20);
    for (int replica = 0; replica < block.getLocations().length; replica++) {
      int node = Integer.parseInt(block.getLocations()[replica].getDatanodeUuid().substring(5));
      ReceivedDeletedBlockInfo[] received = {
        new ReceivedDeletedBlockInfo(written.getLocalBlock(), BlockStatus.RECEIVED_BLOCK, "")
      };
      nameNode.blockReceivedAndDeleted(
          dataNodes.get(node),
          written.getBlockPoolId(),
          new StorageReceivedDeletedBlocks[] {
            new StorageReceivedDeletedBlocks(
                storage(node, block.getStorageTypes()[replica]), received)
          });
    }
    // Reports wait in a queue of the NameNode's.
    for (int tries = 0; !nameNode.complete(path, CLIENT, written, id); tries++) {
      if (tries > 10_000) {
        throw new IOException(path + " is not complete");
      }
      TimeUnit.MILLISECONDS.sleep(1);
    }
    inodes.incrementAndGet();
  }
}
