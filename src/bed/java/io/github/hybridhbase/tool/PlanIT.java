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

import io.github.hybridhbase.bed.UserTable;
import io.github.hybridhbase.testing.Await;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Stop;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A plan for a running cluster: nothing for an empty one; its data, write rate and SSD. */
@Tag("long")
@InterfaceAudience.Private
class PlanIT {
  @Test
  void aClusterIsReadAndAnEmptyOneIsNotPlannedFor() throws Exception {
    try (TypedCluster cluster =
        TypedCluster.spec()
            .regionServers(2)
            .ssdCapacity(16L << 30)
            .diskCapacity(32L << 30)
            .plugin()
            .conf("hbase.regionserver.info.port", 0)
            .start()) {
      ToolRun empty = ToolRun.of(cluster.conf(), "plan");
      assertEquals(Exit.USAGE, empty.exit(), empty::toString);
      assertTrue(empty.err().startsWith("User data of "), empty::toString);

      TableName table = TableName.valueOf(UserTable.NAME);
      UserTable rows = new UserTable(cluster.connection());
      rows.create(1, 65_536);
      rows.load(UserTable.properties(5_000));
      cluster.flush(table);
      cluster.rollWals();
      try (Table read = cluster.connection().getTable(table)) {
        read.getScanner(new Scan().setReadType(Scan.ReadType.PREAD)).next(100);
      }
      Session session = Session.open(cluster.conf(), System.out, System.err, false, new Stop());
      // Reports of servers and JMX are some seconds old.
      Await.until("the store files", () -> read(session, Ask.DATA) > 1_000);
      Await.until("the reads", () -> read(session, Ask.READS) > 0);
      LiveCluster live = LiveCluster.read(session, Demand.of(3));
      for (Ask ask : List.of(Ask.DATA, Ask.WRITE_RATE)) {
        assertTrue(live.demand.get(ask) > 1_000, () -> ask.flag);
      }
      assertTrue(live.ssd.orElseThrow() > 1L << 30, "the NameNode's SSD");
    }
  }

  private static double read(Session session, Ask ask) {
    try {
      return LiveCluster.read(session, Demand.of(3)).demand.get(ask);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
