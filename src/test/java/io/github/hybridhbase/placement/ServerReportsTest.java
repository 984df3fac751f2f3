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
package io.github.hybridhbase.placement;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.ExcludedNodes;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.StoragePolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What servers say on their directories of WALs, and what an admin reads of it. */
@InterfaceAudience.Private
class ServerReportsTest {
  private static final String MASTER = "/hbase/MasterData/WALs/m1,16000,1";

  private final Layout layout = new Layout(new Path("/hbase"), new Path("/hbase"));
  private final FakeNamespace hdfs = new FakeNamespace();

  private static DatanodeInfo node(String host) {
    return new DatanodeInfoBuilder()
        .setNodeID(new DatanodeID("1.1.1.1", host, host, 9866, 1, 1, 1))
        .build();
  }

  private void says(String directory, DatanodeInfo... nodes) throws Exception {
    hdfs.with(directory, StoragePolicy.UNSPECIFIED);
    hdfs.write(ExcludedNodes.RECORD, new Path(directory), ExcludedNodes.of(List.of(nodes)));
  }

  private ServerReports now() throws Exception {
    return ServerReports.read(path -> Optional.of(hdfs), layout, 1);
  }

  @Test
  void dataNode_isNamedWithServers_untilRestoredOrGone() throws Exception {
    assertEquals(Map.of(), now().excluded());
    says("/hbase/WALs/r1,16020,1", node("d1"), node("d2"));
    says("/hbase/WALs/r2,16020,1", node("d1"));
    says("/hbase/WALs/r3,16020,1");
    says(MASTER, node("d1"));
    assertEquals(
        Map.of(
            "d1:9866", Set.of("m1,16000,1", "r1,16020,1", "r2,16020,1"),
            "d2:9866", Set.of("r1,16020,1")),
        now().excluded());

    says("/hbase/WALs/r1,16020,1");
    says("/hbase/WALs/r2,16020,1-splitting", node("d3"));
    says("/hbase/WALs/r3,16020,0", node("d3")); // r3 has started again since
    assertEquals(Map.of("d1:9866", Set.of("m1,16000,1", "r2,16020,1")), now().excluded());
    says("/hbase/WALs/r2,16020,1");
    says(MASTER);
    assertEquals(Map.of(), now().excluded());
    assertEquals(List.of(), now().unread());
  }

  /** What the master reads of the records of servers in each of these minutes. */
  private int reads(ServerReports[] look, int minutes) throws Exception {
    int before = hdfs.xattrReads();
    for (int minute = 0; minute < minutes; minute++) {
      look[0] = look[0].next(path -> Optional.of(hdfs), layout, 1);
    }
    return hdfs.xattrReads() - before;
  }

  private void excludes(String server, long bytes) throws Exception {
    hdfs.publish(
        ExcludedNodes.RECORD,
        new Path("/hbase/WALs/" + server),
        ExcludedNodes.of(List.of(node("n" + bytes))));
  }

  private ServerReports[] threeHundred() throws Exception {
    for (int server = 0; server < 300; server++) {
      hdfs.with("/hbase/WALs/r" + server + ",16020,1", StoragePolicy.UNSPECIFIED);
      excludes("r" + server + ",16020,1", 7);
    }
    ServerReports[] look = {ServerReports.NONE};
    assertEquals(300, reads(look, 1), "a master that has just become active");
    return look;
  }

  @Test
  void whatIsUnchangedIsReadOnceInFiveMinutes() throws Exception {
    ServerReports[] look = threeHundred();
    assertEquals(300, reads(look, 5));
    for (int minute = 0; minute < 5; minute++) {
      int read = reads(look, 1);
      assertTrue(read > 0 && read < 150, () -> read + " of 300 in one minute");
    }
    look[0] = look[0].failed("away");
    assertEquals(300, reads(look, 5));
    assertEquals(300, look[0].excluded().get("n7:9866").size());
  }

  @Test
  void whatAServerPublishesIsReadInTheNextMinute() throws Exception {
    ServerReports[] look = threeHundred();
    for (long bytes = 10; bytes < 20; bytes++) {
      excludes("r1,16020,1", bytes);
      hdfs.publish(
          ExcludedNodes.RECORD, new Path(MASTER), ExcludedNodes.of(List.of(node("d" + bytes))));
      hdfs.with(MASTER, StoragePolicy.UNSPECIFIED);
      reads(look, 1);
      assertEquals(Set.of("r1,16020,1"), look[0].excluded().get("n" + bytes + ":9866"));
      assertEquals(Set.of("m1,16000,1"), look[0].excluded().get("d" + bytes + ":9866"));
    }
    excludes("r1,16020,1", 20);
    hdfs.with("/hbase/WALs/r1,16020,2", StoragePolicy.UNSPECIFIED); // it has started again
    reads(look, 1);
    assertFalse(look[0].excluded().containsKey("n20:9866"));
  }

  @Test
  void aServerOfAFormerVersionIsReadEachMinute() throws Exception {
    ServerReports[] look = threeHundred();
    String former = "/hbase/WALs/former,16020,1";
    hdfs.with(former, StoragePolicy.UNSPECIFIED);
    reads(look, 5);
    hdfs.withForeign(former, ExcludedNodes.XATTR, "v1 n1:9866");
    reads(look, 5);
    for (int bytes = 2; bytes < 10; bytes++) {
      hdfs.withForeign(former, ExcludedNodes.XATTR, "v1 n" + bytes + ":9866");
      reads(look, 1);
      assertTrue(look[0].excluded().get("n" + bytes + ":9866").contains("former,16020,1"));
    }
  }

  @Test
  void stampsThatTheNameNodeLosesCostOneReadMore() throws Exception {
    ServerReports[] look = threeHundred();
    hdfs.forgetsStamps();
    assertEquals(300, reads(look, 1));
    assertEquals(300, reads(look, 5));
    excludes("r1,16020,1", 8);
    reads(look, 1);
    assertEquals(Set.of("r1,16020,1"), look[0].excluded().get("n8:9866"));
    hdfs.refusesStamps();
    excludes("r1,16020,1", 9);
    reads(look, 5);
    assertEquals(Set.of("r1,16020,1"), look[0].excluded().get("n9:9866"));
  }

  @Test
  void whoMayNotLookIsTold() throws Exception {
    ServerReports none =
        ServerReports.read(
            path -> {
              throw new AccessControlException("Permission denied: user=nobody");
            },
            layout,
            1);
    assertEquals(Map.of(), none.excluded());
    assertEquals(2, none.unread().size(), "RegionServers' and masters'");
    assertTrue(none.unread().get(0).contains("/hbase/WALs leave out"), none.unread()::toString);
    assertTrue(none.unread().get(0).contains("user=nobody"));
  }

  @Test
  void oneThatMayNotBeReadHidesNoOther() throws Exception {
    says("/hbase/WALs/r1,16020,1", node("d1"));
    says("/hbase/WALs/r2,16020,1", node("d2"));
    says("/hbase/WALs/r3,16020,1", node("d1"));
    says(MASTER, node("d1"));
    hdfs.hidesRecords("/hbase/WALs/r2,16020,1");
    assertEquals(
        Map.of("d1:9866", Set.of("m1,16000,1", "r1,16020,1", "r3,16020,1")), now().excluded());
    assertEquals(
        List.of(
            "May not see which DataNodes were left out of the WALs of r2,16020,1: Permission"
                + " denied: user=nobody"),
        now().unread());
    for (int server = 1; server <= 300; server++) {
      String directory = "/hbase/WALs/r" + server + ",16020,1";
      hdfs.with(directory, StoragePolicy.UNSPECIFIED).hidesRecords(directory);
    }
    assertEquals(Map.of("d1:9866", Set.of("m1,16000,1")), now().excluded());
    assertTrue(now().unread().get(0).contains("r1,16020,1, r10,16020,1, r100,16020,1, ... (300"));
  }

  @Test
  void oneFindingForEachDataNodeWhateverTheNumberOfServers() throws Exception {
    for (int server = 1; server <= 300; server++) {
      says("/hbase/WALs/r" + server + ",16020,1", node("d1"));
    }
    List<Finding> findings = now().findings(List.of());
    assertEquals(1, findings.size());
    Finding one = findings.get(0);
    assertEquals(FindingId.STALLED_DATANODE, one.id());
    assertEquals("d1:9866", one.subject());
    assertTrue(one.seen().contains("300 servers: r1,16020,1, r10,16020,1, r100,16020,1, ..."));
    assertTrue(one.remedy().contains("dmesg"));
  }

  @Test
  void age_growsWhileHdfsDoesNotAnswer() throws Exception {
    assertEquals("", ServerReports.NONE.age(900_000));
    ServerReports look = ServerReports.read(path -> Optional.of(hdfs), layout, 100_000);
    assertEquals("No server leaves a DataNode out of its WALs (seen 47 s ago).", look.age(147_999));
    assertTrue(look.age(99_000).endsWith("(seen 0 s ago)."), "a clock that was set back");
    assertTrue(look.failed("away").age(900_000).endsWith("800 s ago). The last look failed: away"));
    assertTrue(ServerReports.NONE.failed("away").age(1).contains("not known"));
  }
}
