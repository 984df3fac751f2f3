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
package io.github.hybridhbase.hdfs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.RETURNS_DEEP_STUBS;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import io.github.hybridhbase.testing.WebAnswers;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.AdminStates;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the NameNode and DataNodes report, as RPCs to superusers and as {@code /jmx} to others. */
@InterfaceAudience.Private
class DataNodeReaderTest {
  private static final String JMX = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo";
  private static final String SSD = "{\\\"/a\\\":{\\\"storageType\\\":\\\"SSD\\\"}}";

  /** Of a NameNode. */
  private static final String BLOCK_STATS =
      "{'beans':[{'name':'Hadoop:service=NameNode,name=BlockStats','StorageTypeStats':["
          + "{'key':'DISK','value':{'capacityRemaining':2,'capacityTotal':3,"
          + "'capacityUsed':1,'nodesInService':4}},"
          + "{'key':'SSD','value':{'capacityRemaining':20,'capacityTotal':30,"
          + "'capacityUsed':10,'nodesInService':3}}]}]}".replace('\'', '"');

  private final List<WebAnswers> servers = new ArrayList<>();

  @AfterEach
  void stop() {
    servers.forEach(WebAnswers::close);
  }

  private WebAnswers server() throws IOException {
    servers.add(new WebAnswers());
    return servers.get(servers.size() - 1);
  }

  private static String bean(int port, String volumes) {
    return "{\"beans\":[{\"DataPort\":\"" + port + "\",\"VolumeInfo\":\"" + volumes + "\"}]}";
  }

  private static DataNodeState parse(String jmx) {
    return DataNodeState.of("h1:9866", listed("10.0.0.1:9864")).with(jmx);
  }

  private static JsonObject listed(String web) {
    JsonObject listed = new JsonObject();
    listed.addProperty("infoAddr", web);
    listed.addProperty("infoSecureAddr", "10.0.0.1:0");
    listed.addProperty("xferaddr", web);
    listed.addProperty("location", "/r1");
    listed.addProperty("adminState", "In Service");
    return listed;
  }

  @Test
  void mediaAreReadAsHadoopWritesThem() {
    String volumes =
        "{'/a':{'storageType':'SSD','usedSpace':30,'freeSpace':70,'reservedSpace':0},"
            + "'/b':{'storageType':'DISK'}}";
    DataNodeState node = parse(bean(9866, volumes.replace("'", "\\\"")));
    assertEquals(Set.of(StorageType.SSD, StorageType.DISK), node.types);
    assertTrue(node.hasSsd() && node.inService());
    assertEquals("/r1", node.rack);
    assertEquals("http://10.0.0.1:9864", node.web);
    SsdSpace space = SsdSpace.of(List.of(node), 0);
    assertEquals(List.of(100L, 30L, 70L), List.of(space.capacity, space.used, space.remaining));
  }

  @Test
  void whatIsNoAnswerOfThatDataNodeIsUnknown() {
    for (String jmx :
        List.of("", "<html>", "{}", bean(1, SSD), bean(9866, SSD.replace("SSD", "TAPE")))) {
      DataNodeState node = parse(jmx);
      assertTrue(node.types.isEmpty() && !node.hasSsd(), jmx);
    }
  }

  /** Twelve of forty hang: the others are known, and those later keep what they said before. */
  @Test
  @Timeout(60)
  void thoseThatHangHideNoOthers() throws Exception {
    AtomicBoolean hang = new AtomicBoolean(true);
    CountDownLatch never = new CountDownLatch(1);
    JsonObject live = new JsonObject();
    for (int i = 0; i < 40; i++) {
      boolean hangs = i < 12;
      WebAnswers node = server();
      node.on(
          JMX,
          () -> {
            if (hangs && hang.get()) {
              never.await();
            }
            return bean(node.port(), SSD);
          });
      live.add("h" + i + ":" + node.port(), listed("127.0.0.1:" + node.port()));
    }
    JsonObject attributes = new JsonObject();
    attributes.addProperty("LiveNodes", live.toString());
    DataNodeReader reader =
        deniedReader("get", "NameNodeInfo::LiveNodes", "{\"beans\":[" + attributes + "]}");
    assertEquals(28, reader.read().stream().filter(DataNodeState::hasSsd).count());
    hang.set(false);
    assertEquals(40, reader.read().stream().filter(DataNodeState::hasSsd).count());
    hang.set(true);
    assertEquals(40, reader.read().stream().filter(DataNodeState::hasSsd).count());
  }

  /**
   * Of a user who is no superuser.
   *
   * @param beans of the NameNode, in threes: verb, name, answer
   */
  private DataNodeReader deniedReader(String... beans) throws IOException {
    WebAnswers nameNode = server();
    nameNode.on(
        "/jmx?get=Hadoop:service=NameNode,name=NameNodeStatus::State",
        "{\"beans\":[{\"State\":\"active\"}]}");
    for (int i = 0; i < beans.length; i += 3) {
      String path = "/jmx?" + beans[i] + "=Hadoop:service=NameNode,name=" + beans[i + 1];
      nameNode.on(path, beans[i + 2]);
    }
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + nameNode.port());
    DistributedFileSystem dfs = mock(DistributedFileSystem.class);
    DFSClient client = mock(DFSClient.class);
    when(dfs.getUri()).thenReturn(URI.create("hdfs://127.0.0.1:8020"));
    when(dfs.getClient()).thenReturn(client);
    when(client.getDatanodeStorageReport(any()))
        .thenThrow(new RemoteException(AccessControlException.class.getName(), "no superuser"));
    return new DataNodeReader(dfs, conf);
  }

  private static DatanodeStorageReport report(int webPort, StorageReport... volumes) {
    return report(AdminStates.NORMAL, "localhost", webPort, volumes);
  }

  private static DatanodeStorageReport report(
      AdminStates state, String host, int webPort, StorageReport... volumes) {
    DatanodeID id = new DatanodeID("127.0.0.1", host, "u", 1, webPort, 0, 2);
    return new DatanodeStorageReport(
        new DatanodeInfoBuilder().setNodeID(id).setAdminState(state).build(), volumes);
  }

  private static StorageReport volume(StorageType type, long capacity, long used, long remaining) {
    DatanodeStorage storage = new DatanodeStorage("s", DatanodeStorage.State.NORMAL, type);
    return new StorageReport(storage, false, capacity, used, remaining, used, 0);
  }

  @Test
  void theReportsAddUpToWhatTheNameNodeTellsAsASum() {
    StorageReport disk = volume(StorageType.DISK, 9, 0, 9);
    StorageReport half = volume(StorageType.SSD, 1_000, 400, 500);
    StorageReport empty = volume(StorageType.SSD, 1_000, 0, 900);
    SsdSpace space =
        SsdSpace.of(DataNodeReader.of(report(3, disk, half, empty), report(3, half, half)), 0);
    assertEquals(4_000, space.capacity);
    assertEquals(1_200, space.used, "without what others than HDFS use");
    assertEquals(2_400, space.remaining, "of all volumes");
    assertEquals(2, space.nodes);
    assertEquals(1_400, space.perNode.get(0).free, "of all its volumes");
    assertEquals(900, space.perNode.get(0).remaining, "of one volume");
    assertEquals(1, space.nodesWithSpace(501), "a block needs one volume");
  }

  /** HDFS counts the replicas of a DataNode that was stopped in maintenance. */
  @Test
  void aDeadDataNodeOutOfServiceIsCountedAndNotMissed() throws Exception {
    StorageReport ssd = volume(StorageType.SSD, 1_000, 400, 500);
    DistributedFileSystem fs = mock(DistributedFileSystem.class, RETURNS_DEEP_STUBS);
    DFSClient client = mock(DFSClient.class);
    when(fs.getClient()).thenReturn(client);
    when(client.getDatanodeStorageReport(DatanodeReportType.LIVE))
        .thenReturn(
            new DatanodeStorageReport[] {
              report(3, ssd), report(AdminStates.IN_MAINTENANCE, "b", 3, ssd)
            });
    when(client.getDatanodeStorageReport(DatanodeReportType.DEAD))
        .thenReturn(
            new DatanodeStorageReport[] {
              report(AdminStates.NORMAL, "lost", 3, ssd),
              report(AdminStates.DECOMMISSION_INPROGRESS, "leaving", 3, ssd),
              report(AdminStates.ENTERING_MAINTENANCE, "entering", 3, ssd),
              report(AdminStates.IN_MAINTENANCE, "cared", 3, ssd),
              report(AdminStates.DECOMMISSIONED, "given-up", 3, ssd)
            });
    DataNodeReader reader = new DataNodeReader(fs, new Configuration(false));
    for (int look = 0; look < 3; look++) {
      assertEquals(2, reader.space().inMaintenance);
      assertEquals(1, reader.space().nodes);
    }
    verify(client).getDatanodeStorageReport(DatanodeReportType.DEAD); // not at each look
    assertEquals(List.of("lost:1 (dead)", "leaving:1 (dead)", "entering:1 (dead)"), reader.dead());
  }

  @Test
  void theSsdsAreReadOutOfTheNameNodesBeans() throws Exception {
    String system =
        "{'beans':[{'FSState':'Operational','NumInMaintenanceLiveDataNodes':1,"
            + "'NumInMaintenanceDeadDataNodes':2}]}";
    String state = system.replace('\'', '"');
    SsdSpace space =
        deniedReader("qry", "FSNamesystemState", state, "qry", "BlockStats", BLOCK_STATS).space();
    assertEquals(List.of(30L, 10L, 20L), List.of(space.capacity, space.used, space.remaining));
    assertEquals(3, space.nodes);
    assertEquals(3, space.inMaintenance);
    assertEquals(0, SsdSpace.of(BLOCK_STATS.replace("SSD", "RAM"), 0).orElseThrow().capacity);
  }

  @Test
  void anythingElseIsNoAnswer() {
    for (String other :
        List.of(
            "",
            "{}",
            "[]",
            "null",
            "<html>",
            "{\"beans\":[]}",
            "{\"beans\":[1]}",
            BLOCK_STATS.replace("30", "{}"),
            BLOCK_STATS.replace("30", "\"many\""),
            BLOCK_STATS.substring(0, 180))) {
      assertEquals(Optional.empty(), SsdSpace.of(other, 0), other);
    }
  }

  /** A DataNode with these volumes and a configuration of its own. */
  private DatanodeStorageReport configured(String volumes, StorageType... types)
      throws IOException {
    String conf =
        "<configuration><property><name>dfs.datanode.data.dir</name><value>"
            + volumes
            + "</value><final>false</final></property></configuration>";
    return report(
        server().on("/conf", conf).port(),
        Arrays.stream(types).map(type -> volume(type, 9, 0, 9)).toArray(StorageReport[]::new));
  }

  private static String settings(DatanodeStorageReport... reports) throws IOException {
    return DataNodeReader.settings(DataNodeReader.of(reports), new Configuration(false))
        .get("dfs.datanode.data.dir");
  }

  @Test
  void theOneDataNodeWithSsdIsAskedForItsSettingsThoughItIsListedLast() throws IOException {
    DatanodeStorageReport[] reports = {
      configured("/hdd0", StorageType.DISK),
      configured("/hdd1", StorageType.DISK),
      configured("/hdd2", StorageType.DISK),
      configured("[SSD]/ssd,/hdd", StorageType.DISK, StorageType.SSD)
    };
    assertEquals("[SSD]/ssd,/hdd", settings(reports));
    servers.get(3).close();
    // Unknown: the others have other settings.
    assertThrows(IOException.class, () -> settings(reports));
    servers.get(0).close();
    assertEquals("/hdd1", settings(reports[0], reports[1]), "without SSD any counts");
  }
}
