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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.MoveDaemon;
import io.github.hybridhbase.testing.Replicas;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * An HBase that ran stock for a while gets the plugin, lives with it, and is rid of it again with
 * its master running.
 */
@InterfaceAudience.Private
class LifeAndUndoIT {
  private static final TableName TABLE = TableName.valueOf("t");

  private TypedCluster cluster;

  @Test
  @DisplayName("apply places, the master maintains, revert undoes under a running master")
  void lifeAndUndo() throws Exception {
    try (TypedCluster started =
        TypedCluster.spec().conf("dfs.storage.policy.satisfier.mode", "external").start()) {
      cluster = started;
      try (Table table = cluster.util().createTable(TABLE, "cf")) {
        cluster.util().loadTable(table, Bytes.toBytes("cf"));
      }
      cluster.flush(TABLE);
      cluster.flushMasterStore();
      cluster.rollWals();
      cluster.stopHBase();
      Map<String, Integer> before = policies();
      try (MoveDaemon mover = new MoveDaemon(cluster.conf())) {
        assertEquals(Exit.FINE, run("apply").exit());
        cluster.await("a clean audit", () -> run("audit").exit() == Exit.FINE);
        switchOn(cluster.conf());
        cluster.restartHBase();
        livesOn();
        undo(before);
        followsAnAdminsPolicyAbove();
      }
    }
  }

  private static void switchOn(Configuration conf) {
    Configuration shipped = new Configuration(false);
    shipped.addResource(new Path(TypedCluster.shippedSite().toUri()));
    shipped.forEach(entry -> conf.set(entry.getKey(), entry.getValue()));
    conf.set("hbase.hybrid.placement.check.period", "1s");
    conf.set("hbase.hybrid.scan.period", "1s");
    conf.setInt("hbase.hybrid.move.rate", 1000);
    // DataNodes that share a JVM stall by chance.
    conf.set("hbase.hybrid.wal.stall", "0");
  }

  private void livesOn() throws Exception {
    Path left = new Path(cluster.rootDir(), "oldWALs/left.1");
    Path nursery = new Path("/nursery");
    cluster.fs().mkdirs(nursery);
    cluster.fs().setStoragePolicy(nursery, StoragePolicy.ALL_SSD.name());
    Path young = new Path(nursery, "young");
    DFSTestUtil.createFile(cluster.fs(), young, 1_000, (short) 3, 1);
    Replicas.await(cluster.fs(), young, 3);
    Path staged = new Path(cluster.rootDir(), "staging/left");
    assertTrue(cluster.fs().rename(young, staged), left::toString);
    cluster.await("the master to have a misplaced file moved", () -> onSsd(staged) == 0);
  }

  private long onSsd(Path file) {
    try {
      return HdfsNamespace.of(cluster.fs())
          .orElseThrow()
          .blocks(file)
          .orElseThrow()
          .replicas(StorageType.SSD);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private void undo(Map<String, Integer> before) throws Exception {
    ToolRun reverted = run("revert");
    assertEquals(Exit.FINE, reverted.exit(), reverted::toString);
    assertAsBefore(before);
    // The master looks every second; let it look, servers start and logs roll.
    cluster.restartRegionServer(cluster.hbase().getRegionServer(0).getServerName());
    cluster.rollWals();
    cluster.failoverMaster();
    assertAsBefore(before);
    ToolRun again = run("revert", "--json");
    assertEquals(0, again.json().getAsJsonArray("actions").size(), again::toString);
    assertAsBefore(before);
    long set = HybridMetrics.get().value(Metric.POLICIES_SET);
    ToolRun applied = run("apply");
    assertEquals(Exit.FINE, applied.exit(), applied::toString);
    assertTrue(HybridMetrics.get().value(Metric.POLICIES_SET) > set);
    assertEquals(
        StoragePolicy.ALL_SSD.id(),
        (byte) (int) policies().get(cluster.walRoot().toUri().getPath() + "/WALs"));
  }

  /** All of HBase's directory is given to SSD under the running servers. */
  private void followsAnAdminsPolicyAbove() throws Exception {
    Path data = new Path(cluster.rootDir(), "data");
    StorageNamespace hdfs = HdfsNamespace.of(cluster.fs()).orElseThrow();
    List<FileBlocks> onDisk = storeFiles(hdfs);
    assertTrue(onDisk.stream().allMatch(file -> file.replicas(StorageType.SSD) == 0));
    cluster.fs().setStoragePolicy(cluster.rootDir(), StoragePolicy.ALL_SSD.name());
    cluster.await("user data to follow, the SSD tier to leave it alone", () -> follows(hdfs, data));
    try (Connection connection = ConnectionFactory.createConnection(cluster.conf());
        Table table = connection.getTable(TABLE)) {
      table.put(new Put(Bytes.toBytes("z")).addColumn(Bytes.toBytes("cf"), null, new byte[1]));
    }
    cluster.flush(TABLE);
    long scans = HybridMetrics.get().value(Metric.SCANS);
    cluster.await("two scans", () -> HybridMetrics.get().value(Metric.SCANS) > scans + 1);
    List<FileBlocks> now = storeFiles(hdfs);
    assertEquals(onDisk.size() + 1, now.size());
    assertEquals(onDisk.size(), on(now, StorageType.DISK), "nothing was moved");
    assertEquals(1, on(now, StorageType.SSD), "the new one was written to SSD and stays");
    assertTrue(run("audit", "--json").findings().contains("policy-above"));
  }

  private boolean follows(StorageNamespace hdfs, Path data) {
    try {
      return hdfs.policy(data).orElseThrow().effective() == StoragePolicy.ALL_SSD.id()
          && hdfs.read(PolicyProvenance.RECORD, data).read().isEmpty()
          && TierState.on(hdfs, cluster.rootDir())
              .read()
              .filter(word -> !word.drains())
              .isPresent();
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static long on(List<FileBlocks> files, StorageType medium) {
    return files.stream().filter(file -> file.replicas(medium) == 3).count();
  }

  private List<FileBlocks> storeFiles(StorageNamespace hdfs) throws IOException {
    List<FileBlocks> files = new ArrayList<>();
    RemoteIterator<LocatedFileStatus> all =
        cluster.fs().listFiles(new Path(cluster.rootDir(), "data/default/t"), true);
    while (all.hasNext()) {
      Path file = all.next().getPath();
      if (file.getParent().getName().equals("cf")) {
        files.add(hdfs.blocks(file).orElseThrow());
      }
    }
    return files;
  }

  private void assertAsBefore(Map<String, Integer> before) throws IOException {
    Map<String, Integer> now = policies();
    now.forEach(
        (path, policy) -> assertEquals(before.getOrDefault(path, 0), policy, "policy of " + path));
    for (String path : now.keySet()) {
      try {
        assertTrue(
            !cluster.fs().getXAttrs(new Path(path)).containsKey(PolicyProvenance.XATTR), path);
      } catch (FileNotFoundException e) {
        // It went meanwhile: HBase is running.
        continue;
      }
    }
  }

  private ToolRun run(String... args) {
    return ToolRun.of(cluster.conf(), args);
  }

  private Map<String, Integer> policies() throws IOException {
    Map<String, Integer> all = new TreeMap<>();
    policies(cluster.rootDir(), all);
    return all;
  }

  private void policies(Path directory, Map<String, Integer> into) throws IOException {
    try {
      for (FileStatus child : cluster.fs().listStatus(directory)) {
        if (child.isDirectory()) {
          into.put(
              child.getPath().toUri().getPath(), (int) ((HdfsFileStatus) child).getStoragePolicy());
          policies(child.getPath(), into);
        }
      }
    } catch (FileNotFoundException e) {
      // It went meanwhile: HBase is running.
      return;
    }
  }
}
