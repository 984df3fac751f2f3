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

import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.PolicyProvenance;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.page.WebUi;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** {@code hbase.hybrid.mode=observe}: all views answer, and nothing on HDFS is the plugin's. */
@InterfaceAudience.Private
class ObserveIT {
  private static final TableName TABLE = TableName.valueOf("observed");
  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster =
        TypedCluster.spec()
            .plugin()
            .conf("hbase.hybrid.mode", "observe")
            .conf("hbase.hybrid.hot.policy", "ALL_SSD")
            .conf("hbase.hybrid.move.existing", "true")
            .conf("hbase.hybrid.scan.period", "2s")
            .conf("hbase.hybrid.ssd.period", "1s")
            .conf("hbase.hybrid.placement.check.period", "1s")
            .conf("hbase.master.info.port", 0)
            .start();
    try (Table table = cluster.util().createTable(TABLE, "cf")) {
      for (int row = 0; row < 100; row++) {
        table.put(
            new Put(new byte[] {(byte) row}).addColumn(new byte[] {'c', 'f'}, null, new byte[99]));
      }
    }
    cluster.flush(TABLE);
    cluster.flush(TableName.META_TABLE_NAME);
    cluster.flushMasterStore();
    cluster.rollWals();
    cluster.compact(TABLE, true);
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  /** Everything below HBase's root with a policy or an xattr of its own. */
  private static List<String> placed(Path path) throws IOException {
    DistributedFileSystem fs = cluster.fs();
    List<String> placed = new ArrayList<>();
    TreeSet<String> xattrs = new TreeSet<>(fs.getXAttrs(path).keySet());
    xattrs.removeIf(name -> !name.startsWith("user.hbase.hybrid"));
    String policy = fs.getStoragePolicy(path).getName();
    if (!policy.equals("HOT") || !xattrs.isEmpty()) {
      placed.add(path + " " + policy + xattrs);
    }
    if (fs.getFileStatus(path).isDirectory()) {
      for (FileStatus child : fs.listStatus(path)) {
        placed.addAll(placed(child.getPath()));
      }
    }
    return placed;
  }

  private static String page() {
    int port = cluster.activeMaster().getInfoServer().getPort();
    try (InputStream in = new URL("http://127.0.0.1:" + port + WebUi.PATH).openStream()) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void plants(ToolRun run, String... ids) {
    assertEquals(List.of(ids), new ArrayList<>(new TreeSet<>(run.findings())), run::toString);
  }

  @Test
  void nothingIsPlacedAndEveryViewShowsWhatWouldBe() throws Exception {
    cluster.await("a page with a scan", () -> page().contains(">meta</th>"));
    cluster.await("the space on SSD", () -> page().contains("3 DataNodes"));
    // A minute after the master's start it knows what the servers run.
    cluster.await("a verdict", () -> page().contains("Observed: the declaration is not enforced"));
    String page = page();
    assertTrue(page.contains("would be set for wal"), page);
    ToolRun audit = ToolRun.of(cluster.conf(), "audit", "--json");
    plants(audit, "observed", "would-move", "would-place");
    assertEquals(Exit.FINE, audit.exit(), audit::toString);
    assertTrue(ToolRun.of(cluster.conf(), "doctor").out().contains("observed"));
    assertEquals(Exit.FINDINGS, ToolRun.of(cluster.conf(), "apply").exit());
    assertEquals(List.of(), placed(cluster.rootDir()));
    whatWasPlacedBeforeIsAWarning();
  }

  private static void whatWasPlacedBeforeIsAWarning() throws Exception {
    Path catalogs = new Path(cluster.rootDir(), "data/hbase");
    StorageNamespace hdfs = HdfsNamespace.of(cluster.fs()).orElseThrow();
    hdfs.write(
        PolicyProvenance.RECORD,
        catalogs,
        PolicyProvenance.first(StoragePolicy.UNSPECIFIED, StoragePolicy.ALL_SSD));
    hdfs.setPolicy(catalogs, StoragePolicy.ALL_SSD);
    ToolRun audit = ToolRun.of(cluster.conf(), "audit", "--json");
    plants(audit, "observed", "still-placed", "would-move", "would-place");
    assertEquals(Exit.FINDINGS, audit.exit(), audit::toString);
  }
}
