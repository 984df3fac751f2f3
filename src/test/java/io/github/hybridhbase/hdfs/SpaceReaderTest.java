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

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.Test;

class SpaceReaderTest {
  private static final String ANSWER =
      "{\"beans\":[{\"name\":\"Hadoop:service=NameNode,name=BlockStats\","
          + "\"modelerType\":\"x\",\"StorageTypeStats\":["
          + "{\"key\":\"DISK\",\"value\":{\"blockPoolUsed\":1,\"capacityNonDfsUsed\":0,"
          + "\"capacityRemaining\":2,\"capacityTotal\":3,\"capacityUsed\":1,\"nodesInService\":4}},"
          + "{\"key\":\"SSD\",\"value\":{\"blockPoolUsed\":10,\"capacityNonDfsUsed\":0,"
          + "\"capacityRemaining\":20,\"capacityTotal\":30,\"capacityUsed\":10,"
          + "\"nodesInService\":3}}]}]}";

  @Test
  void readsTheSsdsOutOfTheNameNodesBean() {
    SsdSpace space = SsdSpace.of(ANSWER, 0).orElseThrow();
    assertEquals(30, space.capacity);
    assertEquals(10, space.used);
    assertEquals(20, space.remaining);
    assertEquals(3, space.nodes);
  }

  @Test
  void anHdfsWithoutSsdHasNoCapacityAndAnythingElseIsNoAnswer() {
    assertEquals(0, SsdSpace.of(ANSWER.replace("SSD", "RAM"), 0).orElseThrow().capacity);
    for (String other :
        new String[] {
          "",
          "{}",
          "[]",
          "<html>",
          "{\"beans\":[]}",
          "{\"beans\":[1]}",
          "null",
          ANSWER.replace("30", "{}"),
          ANSWER.replace("30", "\"many\""),
          ANSWER.substring(0, 200)
        }) {
      assertEquals(Optional.empty(), SsdSpace.of(other, 0), other);
    }
  }

  @Test
  void anAnswerThatIsTooLongOrNeverEndsIsGivenUp() throws IOException {
    CountDownLatch done = new CountDownLatch(1);
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(java.util.concurrent.Executors.newCachedThreadPool());
    server.createContext("/ok", e -> send(e, ANSWER));
    server.createContext("/long", e -> send(e, "x".repeat(100_000)));
    server.createContext(
        "/silent",
        e -> {
          try {
            done.await();
          } catch (InterruptedException i) {
            Thread.currentThread().interrupt();
          }
          e.close();
        });
    server.createContext("/no", e -> e.sendResponseHeaders(403, -1));
    server.start();
    try (WebClient get = new WebClient(new Configuration(false), 10_000, 60_000);
        WebClient impatient = new WebClient(new Configuration(false), 10_000, 200)) {
      String base = "http://127.0.0.1:" + server.getAddress().getPort();
      assertEquals(ANSWER, get.read(base + "/ok"));
      assertTrue(
          assertThrows(IOException.class, () -> get.read(base + "/long"))
              .getMessage()
              .contains("more than 10000 bytes"));
      assertThrows(IOException.class, () -> impatient.read(base + "/silent"));
      assertTrue(
          assertThrows(IOException.class, () -> get.read(base + "/no"))
              .getMessage()
              .startsWith("Not let in by " + base + "/no: "));
    } finally {
      done.countDown();
      server.stop(0);
    }
  }

  private static void send(com.sun.net.httpserver.HttpExchange exchange, String text)
      throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private static SsdSpace space(DatanodeStorageReport[] reports) {
    return SsdSpace.of(DataNodeReader.of(reports));
  }

  private static DatanodeStorageReport node(String uuid, StorageReport... volumes) {
    return new DatanodeStorageReport(
        new DatanodeInfo.DatanodeInfoBuilder()
            .setNodeID(new DatanodeID("10.0.0.1", "dn", uuid, 1, 2, 3, 4))
            .build(),
        volumes);
  }

  private static StorageReport volume(StorageType type, long capacity, long used, long remaining) {
    return new StorageReport(
        new DatanodeStorage("s", DatanodeStorage.State.NORMAL, type),
        false,
        capacity,
        used,
        remaining,
        used,
        0);
  }

  @Test
  void theReportsAddUpToWhatTheNameNodeTellsAsASum() {
    StorageReport disk = volume(StorageType.DISK, 9, 0, 9);
    StorageReport half = volume(StorageType.SSD, 1_000, 400, 500);
    StorageReport empty = volume(StorageType.SSD, 1_000, 0, 900);
    SsdSpace space =
        space(new DatanodeStorageReport[] {node("a", disk, half, empty), node("b", half, half)});
    assertEquals(4_000, space.capacity);
    assertEquals(1_200, space.used, "without what others than HDFS use");
    assertEquals(2_400, space.remaining, "of all volumes");
    assertEquals(2, space.nodes);
    assertEquals(1_400, space.perNode.get(0).free, "of all its volumes");
    assertEquals(900, space.perNode.get(0).remaining, "of one volume");
    assertEquals(1, space.nodesWithSpace(501), "a block needs one volume");
  }

  @Test
  void aThousandDataNodesAreToldApart() {
    DatanodeStorageReport[] reports = new DatanodeStorageReport[1_000];
    for (int i = 0; i < reports.length; i++) {
      StorageReport[] storages = new StorageReport[13];
      for (int volume = 0; volume < storages.length; volume++) {
        StorageType type = volume == 0 ? StorageType.SSD : StorageType.DISK;
        storages[volume] =
            new StorageReport(
                new DatanodeStorage("s" + volume, DatanodeStorage.State.NORMAL, type),
                false,
                1000,
                10,
                990,
                10,
                0);
      }
      reports[i] =
          new DatanodeStorageReport(
              new DatanodeInfo.DatanodeInfoBuilder()
                  .setNodeID(new DatanodeID("10.0.0.1", "dn" + i, "u" + i, 1, 2, 3, 4))
                  .build(),
              storages);
    }
    List<DataNodeState> nodes = List.of();
    long nanos = 0;
    for (int round = 0; round < 50; round++) {
      long start = System.nanoTime();
      nodes = space(reports).perNode;
      nanos = System.nanoTime() - start;
    }
    System.out.println(
        "1,000 DataNodes with 13 volumes each: "
            + nanos / 1000
            + " us to read when warm; "
            + ANSWER.length()
            + " characters of JMX whatever their number");
    assertEquals(1_000, nodes.size());
    assertEquals(1_000_000, nodes.stream().mapToLong(node -> node.capacity).sum());
  }
}
