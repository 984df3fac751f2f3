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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.crypto.CryptoProtocolVersion;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DFSConfigKeys;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.ExtendedBlock;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hadoop.hdfs.protocol.LocatedBlock;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.hadoop.hdfs.server.datanode.InternalDataNodeTestUtils;
import org.apache.hadoop.hdfs.server.namenode.NameNode;
import org.apache.hadoop.hdfs.server.namenode.metrics.NameNodeMetrics;
import org.apache.hadoop.hdfs.server.protocol.DatanodeRegistration;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.NamenodeProtocols;
import org.apache.hadoop.hdfs.server.protocol.ReceivedDeletedBlockInfo;
import org.apache.hadoop.hdfs.server.protocol.StorageReceivedDeletedBlocks;
import org.apache.hadoop.io.EnumSetWritable;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Audit of a hundred thousand files in a thousand regions, in a JVM of its own with 256 MB of heap.
 * The NameNode is told of blocks that the DataNodes do not have, as NNThroughputBenchmark does.
 */
@InterfaceAudience.Private
@Tag("long")
class AuditScaleIT {
  private static final int REGIONS = 1_000;
  private static final int FILES_A_REGION = 100;
  private static final long LENGTH = 1_000;
  private static final String CLIENT = "scale";

  private TypedCluster cluster;
  private NamenodeProtocols nameNode;
  private String pool;
  private Duration cpu;
  private final Map<String, DatanodeRegistration> dataNodes = new HashMap<>();

  @Test
  void aLargeNamespaceTakesOneCallAPageAndLittleHeap() throws Exception {
    try (TypedCluster started =
        TypedCluster.spec().conf(DFSConfigKeys.DFS_NAMENODE_MIN_BLOCK_SIZE_KEY, 1).startHdfs()) {
      cluster = started;
      new HBaseOnHdfs(cluster);
      nameNode = cluster.hdfs().getNameNodeRpc();
      pool = cluster.hdfs().getNamesystem().getBlockPoolId();
      for (DataNode dataNode : cluster.hdfs().getDataNodes()) {
        dataNodes.put(
            dataNode.getDatanodeUuid(),
            InternalDataNodeTestUtils.getDNRegistrationForBP(dataNode, pool));
      }
      for (int region = 0; region < REGIONS; region++) {
        fill(String.format("/hbase/data/default/large/%032x/cf", region));
      }
      long directories = cluster.fs().getContentSummary(new Path("/hbase")).getDirectoryCount();
      long before = calls("getListingOps");
      long readsBefore = calls("fileInfoOps");
      long begun = System.nanoTime();
      String out = audit();
      long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
      long listings = calls("getListingOps") - before;
      long reads = calls("fileInfoOps") - readsBefore;
      System.out.printf(
          "audit of %d files in %d regions: %d ms with the start of its JVM, -Xmx256m,"
              + " CPU %s, load of the machine %.1f,"
              + " %d directories, %d listing calls, %d other reads of status%n",
          REGIONS * FILES_A_REGION,
          REGIONS,
          millis,
          cpu,
          ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(),
          directories,
          listings,
          reads);
      assertTrue(out.contains("\"diskBytes\": " + 3 * LENGTH * REGIONS * FILES_A_REGION), out);
      // Every directory here fits a page, and one more call tells the page of 1,000 regions apart.
      assertTrue(listings > REGIONS, listings + " calls");
      assertTrue(listings <= directories + 1, listings + " calls, " + directories + " directories");
      assertTrue(reads < 100, reads + " reads of single paths");
    }
  }

  /** Of this cluster's own NameNode: an earlier one in this JVM may have left its counters. */
  private static long calls(String counter) throws ReflectiveOperationException {
    Field field = NameNodeMetrics.class.getDeclaredField(counter);
    field.setAccessible(true);
    return ((MutableCounterLong) field.get(NameNode.getNameNodeMetrics())).value();
  }

  private void fill(String directory) throws Exception {
    List<HdfsFileStatus> files = new ArrayList<>();
    List<ExtendedBlock> blocks = new ArrayList<>();
    Map<String, Map<String, List<ReceivedDeletedBlockInfo>>> received = new HashMap<>();
    for (int i = 0; i < FILES_A_REGION; i++) {
      String path = directory + String.format("/%032x", i);
      HdfsFileStatus file =
          nameNode.create(
              path,
              FsPermission.getFileDefault(),
              CLIENT,
              new EnumSetWritable<>(EnumSet.of(CreateFlag.CREATE)),
              true,
              (short) 3,
              LENGTH,
              CryptoProtocolVersion.supported(),
              null,
              null);
      LocatedBlock located =
          nameNode.addBlock(path, CLIENT, null, null, file.getFileId(), null, null);
      ExtendedBlock block = located.getBlock();
      block.setNumBytes(LENGTH);
      for (int r = 0; r < located.getLocations().length; r++) {
        DatanodeID at = located.getLocations()[r];
        received
            .computeIfAbsent(at.getDatanodeUuid(), uuid -> new HashMap<>())
            .computeIfAbsent(located.getStorageIDs()[r], id -> new ArrayList<>())
            .add(
                new ReceivedDeletedBlockInfo(
                    block.getLocalBlock(),
                    ReceivedDeletedBlockInfo.BlockStatus.RECEIVED_BLOCK,
                    null));
      }
      files.add(file);
      blocks.add(block);
    }
    for (Map.Entry<String, Map<String, List<ReceivedDeletedBlockInfo>>> at : received.entrySet()) {
      List<StorageReceivedDeletedBlocks> reports = new ArrayList<>();
      at.getValue()
          .forEach(
              (storage, infos) ->
                  reports.add(
                      new StorageReceivedDeletedBlocks(
                          new DatanodeStorage(storage),
                          infos.toArray(new ReceivedDeletedBlockInfo[0]))));
      nameNode.blockReceivedAndDeleted(
          dataNodes.get(at.getKey()), pool, reports.toArray(new StorageReceivedDeletedBlocks[0]));
    }
    for (int i = 0; i < FILES_A_REGION; i++) {
      String path = directory + String.format("/%032x", i);
      cluster.await(
          "the NameNode to know the replicas of " + path,
          new Completion(path, blocks.get(i), files.get(i).getFileId())::done);
    }
  }

  /** Closes a file as soon as the NameNode has heard of its replicas. */
  private final class Completion {
    private final String path;
    private final ExtendedBlock block;
    private final long id;

    Completion(String path, ExtendedBlock block, long id) {
      this.path = path;
      this.block = block;
      this.id = id;
    }

    boolean done() {
      try {
        return nameNode.complete(path, CLIENT, block, id);
      } catch (java.io.IOException e) {
        throw new java.io.UncheckedIOException(e);
      }
    }
  }

  private String audit() throws Exception {
    try (ForkedTool tool =
        new ForkedTool(
            cluster.directory(),
            256,
            "audit",
            "--json",
            "-D",
            "hbase.rootdir=" + cluster.rootDir())) {
      assertEquals(Exit.FINE, tool.await(), () -> tool.out() + tool.err());
      cpu = tool.cpu();
      return tool.out();
    }
  }
}
