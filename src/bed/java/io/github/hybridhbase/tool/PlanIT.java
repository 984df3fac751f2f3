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

import io.github.hybridhbase.demo.HybridYcsbBinding;
import io.github.hybridhbase.demo.YcsbLoad;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import java.util.Map;
import java.util.Properties;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.util.Bytes;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A plan for the demo's cluster, from a fifth of its load, against what audit finds after all of
 * it. A second stands for a fifth of the load, so that no time decides.
 */
@Tag("long")
@InterfaceAudience.Private
class PlanIT {
  private static final TableName TABLE = TableName.valueOf("usertable");
  private static final int ROWS = 10_000;
  private static final int PARTS = 5;
  private static final double WITHIN = 0.2;

  private TypedCluster cluster;

  @Test
  void whatIsPredictedByComponentIsWhatAuditFinds() throws Exception {
    try (TypedCluster started =
        TypedCluster.spec()
            .regionServers(2)
            .ssdCapacity(16L << 30)
            .diskCapacity(32L << 30)
            .plugin()
            .start()) {
      cluster = started;
      cluster
          .util()
          .createTable(
              TableDescriptorBuilder.newBuilder(TABLE)
                  .setColumnFamily(
                      ColumnFamilyDescriptorBuilder.of(HybridYcsbBinding.FAMILY_DEFAULT))
                  .build(),
              new byte[][] {
                Bytes.toBytes("user3"), Bytes.toBytes("user5"), Bytes.toBytes("user7")
              });
      cluster.flush(TABLE);
      cluster.flush(TableName.META_TABLE_NAME);
      cluster.flushMasterStore();
      load();
      cluster.rollWals();
      JsonObject first = audit();
      double written = (ssd(first, "wal") + ssd(first, "archive")) / 3;
      JsonObject plan = plan(Long.toString(Math.round(written)));
      for (int part = 1; part < PARTS; part++) {
        load();
      }
      cluster.rollWals();
      Map<String, Double> found = found(audit());
      StringBuilder said = new StringBuilder();
      found.forEach(
          (component, bytes) ->
              said.append(
                  String.format(
                      "%s: predicted %,.0f, found %,.0f%n",
                      component, predicted(plan, component), bytes)));
      System.out.println(said);
      found.forEach(
          (component, bytes) ->
              assertEquals(bytes, predicted(plan, component), WITHIN * bytes, said::toString));

      // Once the memstores are flushed, the WALs are old ones: their blocks stay where they are.
      cluster.flush(TABLE);
      cluster.flush(TableName.META_TABLE_NAME);
      cluster.rollWals();
      cluster.await("old WALs", () -> ssd(audit(), "archive") > 0.5 * found.get("wal"));
      JsonObject flushed = audit();
      double wals = ssd(flushed, "wal") + ssd(flushed, "archive");
      double planned = predicted(plan, "wal") + predicted(plan, "archive");
      assertEquals(wals, planned, WITHIN * wals, plan::toString);
    }
  }

  private void load() throws Exception {
    Properties properties = new Properties();
    properties.setProperty("table", TABLE.getNameAsString());
    properties.setProperty("recordcount", Integer.toString(ROWS));
    properties.setProperty("fieldcount", "10");
    properties.setProperty("fieldlength", "100");
    properties.setProperty("insertorder", "hashed");
    properties.setProperty("dataintegrity", "true");
    new YcsbLoad(cluster.connection(), properties, 4).run((rows, seconds) -> {});
  }

  private JsonObject audit() {
    return ToolRun.of(cluster.conf(), "audit", "--json").json();
  }

  /** From the cluster itself, but for how fast it is written to. */
  private JsonObject plan(String rate) {
    ToolRun run =
        ToolRun.of(
            cluster.conf(),
            "plan",
            "--json",
            "--write-rate",
            rate,
            "--after",
            PARTS + "",
            "--data",
            "1g");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    ToolRun live =
        ToolRun.of(cluster.conf(), "plan", "--json", "--write-rate", rate, "--after", PARTS + "");
    assertTrue(live.exit() == Exit.FINE || live.exit() == Exit.FINDINGS, live::toString);
    JsonObject servers = live.json().getAsJsonObject("inputs").getAsJsonObject("servers");
    assertEquals("the cluster", servers.get("origin").getAsString());
    assertEquals(2, servers.get("value").getAsInt());
    return live.json();
  }

  private static double predicted(JsonObject plan, String component) {
    return plan.getAsJsonObject("ssdBytes").get(component).getAsDouble();
  }

  private static Map<String, Double> found(JsonObject audit) {
    return Map.of(
        "wal", ssd(audit, "wal"), "meta", ssd(audit, "meta"), "master", ssd(audit, "master"));
  }

  /** Closed files: of open ones the NameNode does not know how long they are. */
  private static double ssd(JsonObject audit, String label) {
    for (var one : audit.getAsJsonArray("components")) {
      JsonObject component = one.getAsJsonObject();
      if (component.get("component").getAsString().equals(label)) {
        return component.getAsJsonObject("closed").get("ssdBytes").getAsDouble();
      }
    }
    throw new AssertionError("no component " + label);
  }
}
