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
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** An HBase that ran stock for a while gets the plugin, lives with it, and is rid of it again. */
@InterfaceAudience.Private
class LifeAndUndoIT {
  private static final TableName TABLE = TableName.valueOf("t");

  private TypedCluster cluster;

  @Test
  @DisplayName("without the properties, nothing is left that the plugin did")
  void lifeAndUndo() throws Exception {
    try (TypedCluster started =
        TypedCluster.spec().conf("hbase.hfile.compaction.discharger.interval", 500).start()) {
      cluster = started;
      try (Table table = cluster.util().createTable(TABLE, "cf")) {
        cluster.util().loadTable(table, Bytes.toBytes("cf"));
      }
      cluster.flush(TABLE);
      cluster.flushMasterStore();
      cluster.flush(TableName.META_TABLE_NAME);
      refuses();

      cluster.stopHBase();
      shipped().forEach(entry -> cluster.conf().set(entry.getKey(), entry.getValue()));
      // DataNodes that share a JVM stall by chance.
      cluster.conf().set("hbase.hybrid.wal.stall", "0");
      cluster.restartHBase();
      livesOn();

      cluster.stopHBase();
      shipped().forEach(entry -> cluster.conf().unset(entry.getKey()));
      cluster.restartHBase();
      undo();
    }
  }

  private void refuses() {
    ToolRun refused = run("apply");
    assertEquals(Exit.FINDINGS, refused.exit(), refused::toString);
    assertTrue(refused.out().contains("does not run the plugin"), refused::toString);
    ToolRun forced = run("apply", "--force", "--dry-run");
    assertEquals(Exit.FINE, forced.exit(), forced::toString);
    assertTrue(
        misplaced().contains("wal")
            || run("check", "--blocks", "--json").sum("wal", "open", "files") > 0,
        "stock WALs are on DISK");
  }

  private static Configuration shipped() {
    Configuration shipped = new Configuration(false);
    shipped.addResource(new Path(TypedCluster.shippedSite().toUri()));
    return shipped;
  }

  private void livesOn() throws Exception {
    assertTrue(misplaced().contains("meta"), () -> run("check", "--blocks").toString());
    ToolRun applied = run("apply");
    assertEquals(Exit.FINE, applied.exit(), applied::toString);
    // HBase archives what a compaction has replaced a while later.
    cluster.await("all in place", () -> misplaced().isEmpty());
    assertTrue(
        run("check", "--blocks", "--json").component("meta").toString().contains("\"ssdFiles\""));
    assertTrue(onSsd("meta") > 0, "hbase:meta is on SSD");
    assertEquals(Map.of(), policiesOfDirectories(), "directories have no policy");
  }

  private void undo() throws Exception {
    cluster.rollWals();
    assertTrue(onSsd("meta") > 0, "its files stay until HBase rewrites them");
    ToolRun reverted = run("revert");
    assertEquals(Exit.FINE, reverted.exit(), reverted::toString);
    cluster.await("an empty SSD", () -> onSsd("meta") + onSsd("user") == 0);
    assertEquals(Map.of(), policiesOfDirectories());
    ToolRun again = run("revert", "--json");
    assertEquals(Exit.FINE, again.exit(), again::toString);
    assertEquals(0, again.json().getAsJsonArray("regions").size(), again::toString);
  }

  private List<String> misplaced() {
    List<String> components = new ArrayList<>();
    for (JsonElement one : run("check", "--blocks", "--json").json().getAsJsonArray("findings")) {
      JsonObject finding = one.getAsJsonObject();
      if (finding.get("id").getAsString().equals("misplaced")) {
        components.add(finding.get("subject").getAsString());
      }
    }
    return components;
  }

  private long onSsd(String component) {
    return run("check", "--blocks", "--json").sum(component, "closed", "ssdBytes");
  }

  private ToolRun run(String... args) {
    return ToolRun.of(new Configuration(cluster.conf()), args);
  }

  /** By path, of HBase's directories that have one. */
  private Map<String, Byte> policiesOfDirectories() throws IOException {
    Map<String, Byte> all = new TreeMap<>();
    policies(cluster.rootDir(), all);
    return all;
  }

  private void policies(Path directory, Map<String, Byte> into) throws IOException {
    try {
      for (FileStatus child : cluster.fs().listStatus(directory)) {
        if (child.isDirectory()) {
          byte policy = ((HdfsFileStatus) child).getStoragePolicy();
          if (policy != 0) {
            into.put(child.getPath().toUri().getPath(), policy);
          }
          policies(child.getPath(), into);
        }
      }
    } catch (FileNotFoundException e) {
      return; // HBase is running
    }
  }
}
