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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a DataNode's own {@code /jmx} answers, for users that are no superuser of HDFS. */
@InterfaceAudience.Private
class DataNodeReaderTest {
  private static String bean(String attributes) {
    return "{\"beans\":[{\"name\":\"Hadoop:service=DataNode,name=DataNodeInfo\","
        + attributes
        + "}]}";
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
    DataNodeState node =
        parse(
            bean(
                "\"DataPort\":\"9866\",\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"SSD\\\","
                    + "\\\"usedSpace\\\":30,\\\"freeSpace\\\":70,\\\"reservedSpace\\\":0},"
                    + "\\\"/b\\\":{\\\"storageType\\\":\\\"DISK\\\"}}\""));
    assertEquals(Set.of(StorageType.SSD, StorageType.DISK), node.types);
    assertTrue(node.hasSsd() && node.inService());
    assertEquals("/r1", node.rack);
    assertEquals("http://10.0.0.1:9864", node.web);
    SsdSpace space = SsdSpace.of(List.of(node));
    assertEquals(List.of(100L, 30L, 70L), List.of(space.capacity, space.used, space.remaining));
  }

  @Test
  void whatIsNoAnswerOfThatDataNodeIsUnknown() {
    for (String jmx :
        new String[] {
          "",
          "<html>",
          "{}",
          bean(
              "\"DataPort\":\"1\",\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"SSD\\\"}}\""),
          bean(
              "\"DataPort\":\"9866\",\"VolumeInfo\":\"{\\\"/a\\\":{\\\"storageType\\\":\\\"TAPE\\\"}}\"")
        }) {
      DataNodeState node = parse(jmx);
      assertTrue(node.types.isEmpty(), jmx);
      assertFalse(node.hasSsd(), jmx);
    }
  }

  /** Twelve of forty hang: the others are known, and those later keep what they said before. */
  @Test
  @Timeout(60)
  void thoseThatHangHideNoOthers() throws Exception {
    List<HttpServer> servers = new ArrayList<>();
    AtomicBoolean hang = new AtomicBoolean(true);
    CountDownLatch end = new CountDownLatch(1);
    JsonObject live = new JsonObject();
    ExecutorService threads = Executors.newCachedThreadPool();
    try {
      for (int i = 0; i < 40; i++) {
        boolean hangs = i < 12;
        HttpServer server = server(threads);
        String port = String.valueOf(server.getAddress().getPort());
        server.createContext(
            "/jmx",
            exchange -> {
              if (hangs && hang.get()) {
                await(end);
              }
              answer(
                  exchange,
                  bean(
                      "\"DataPort\":\""
                          + port
                          + "\",\"VolumeInfo\":\"{\\\"/a\\\":"
                          + "{\\\"storageType\\\":\\\"SSD\\\"}}\""));
            });
        servers.add(server);
        live.add("h" + i + ":" + port, listed("127.0.0.1:" + port));
      }
      HttpServer nameNode = server(threads);
      servers.add(nameNode);
      nameNode.createContext(
          "/jmx",
          exchange -> {
            JsonObject attribute = new JsonObject();
            attribute.addProperty("State", "active");
            attribute.addProperty("LiveNodes", live.toString());
            answer(exchange, "{\"beans\":[" + attribute + "]}");
          });
      Configuration conf = new Configuration(false);
      conf.set("dfs.namenode.http-address", "127.0.0.1:" + nameNode.getAddress().getPort());
      URI fs = URI.create("hdfs://127.0.0.1:8020");
      DistributedFileSystem dfs = mock(DistributedFileSystem.class);
      when(dfs.getUri()).thenReturn(fs);
      DataNodeReader reader = new DataNodeReader(dfs, conf);
      assertEquals(28, reader.fromWeb(fs).stream().filter(DataNodeState::hasSsd).count());
      hang.set(false);
      assertEquals(40, reader.fromWeb(fs).stream().filter(DataNodeState::hasSsd).count());
      hang.set(true);
      List<DataNodeState> all = reader.fromWeb(fs);
      assertEquals(40, all.stream().filter(DataNodeState::hasSsd).count());
    } finally {
      end.countDown();
      servers.forEach(server -> server.stop(0));
      threads.shutdownNow();
    }
  }

  private static HttpServer server(Executor threads) throws IOException {
    InetAddress loopback = InetAddress.getLoopbackAddress();
    HttpServer server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
    server.setExecutor(threads);
    server.start();
    return server;
  }

  private static void await(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void answer(HttpExchange exchange, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(200, bytes.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }
}
