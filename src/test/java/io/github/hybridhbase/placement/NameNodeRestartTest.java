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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpServer;
import io.github.hybridhbase.hdfs.FakeNamespace;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Watermarks;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The space monitor, from the answers of a NameNode's web server to the policies of the
 * directories, while the NameNode restarts: SSD is 78 % used on thirty DataNodes.
 */
class NameNodeRestartTest {
  private static final long GIB = 1L << 30;
  private static final int NODES = 30;
  private static final WalServers SERVERS =
      new WalServers(
          IntStream.range(0, 60).mapToObj(i -> "rs" + i + ",1,1").collect(Collectors.toList()));
  private static final int UNSET = StoragePolicy.UNSPECIFIED;
  private static final String[] PARTS = {"/hbase/WALs", "/hbase/data/hbase", "/hbase/MasterData"};
  private static final Configuration CONF = new Configuration(false);
  private static final List<DirectoryRule> RULES =
      new Layout(new Path("/hbase"), new Path("/hbase")).rules(HybridSettings.read(CONF));

  private final FakeNamespace hdfs =
      new FakeNamespace()
          .with("/hbase", UNSET)
          .with("/hbase/data", UNSET)
          .with(PARTS[0], UNSET)
          .with(PARTS[1], UNSET)
          .with(PARTS[2], UNSET);

  /** What the NameNode's web server tells; null where the bean is not there yet. */
  private String state = "active";

  private String fsState = "Operational";
  private int registered = NODES;
  private int usedPercent = 78;
  private boolean up = true;
  private HttpServer web;
  private SpaceReader reader;
  private ClusterWatch.Hdfs monitor;
  private Optional<SsdSpace> read = Optional.empty();
  private long now = 1;

  @BeforeEach
  void start() throws Exception {
    web = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/jmx",
        exchange -> {
          byte[] answer =
              answer(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(up ? 200 : 503, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    web.start();
    Configuration conf = new Configuration(false);
    conf.set("dfs.namenode.http-address", "127.0.0.1:" + web.getAddress().getPort());
    DFSClient client = mock(DFSClient.class);
    when(client.getDatanodeStorageReport(any()))
        .thenThrow(
            new org.apache.hadoop.ipc.RemoteException(
                AccessControlException.class.getName(), "no superuser"));
    DistributedFileSystem dfs = mock(DistributedFileSystem.class);
    when(dfs.getClient()).thenReturn(client);
    when(dfs.getUri()).thenReturn(URI.create("hdfs://127.0.0.1:8020"));
    reader = SpaceReader.of(dfs, conf).orElseThrow();
    monitor = monitor();
    new DirectoryEnforcer(rule -> Optional.of(hdfs), 0, false).place(RULES);
  }

  @AfterEach
  void stop() {
    web.stop(0);
  }

  private ClusterWatch.Hdfs monitor() {
    Watermarks watermarks = new Watermarks(10, 20, 60);
    return new ClusterWatch.Hdfs(
        URI.create("hdfs://nn"),
        hdfs,
        reader,
        Optional.empty(),
        true,
        new Headroom.Estimate(CONF, 256 << 20, 3, false),
        SpaceLook.first(Settling.of(watermarks)),
        new SsdSpaceMonitor(
            watermarks, RULES, 3, new SsdDemoter(rule -> Optional.of(hdfs), 0), () -> now, true));
  }

  private String answer(String query) {
    if (query.contains("NameNodeStatus")) {
      return bean(state == null ? null : "\"State\":\"" + state + "\"");
    }
    if (query.contains("FSNamesystemState")) {
      return bean(fsState == null ? null : "\"FSState\":\"" + fsState + "\"");
    }
    long capacity = 100 * GIB * registered;
    long used = capacity * usedPercent / 100;
    return bean(
        registered == 0
            ? "\"StorageTypeStats\":[]"
            : String.format(
                "\"StorageTypeStats\":[{\"key\":\"DISK\",\"value\":{\"capacityTotal\":1}},"
                    + "{\"key\":\"SSD\",\"value\":{\"capacityTotal\":%d,"
                    + "\"capacityUsed\":%d,\"capacityRemaining\":%d,\"nodesInService\":%d}}]",
                capacity, used, capacity - used, registered));
  }

  private static String bean(String content) {
    return content == null ? "{\"beans\":[]}" : "{\"beans\":[{" + content + "}]}";
  }

  /** A look of the space monitor every ten seconds. */
  private void look() throws IOException {
    now += TimeUnit.SECONDS.toNanos(10);
    read = reader.read();
    monitor.act(read, reader.trouble(), SERVERS, now);
  }

  private void looks(int count) throws IOException {
    for (int i = 0; i < count; i++) {
      look();
    }
  }

  private void assertAllOnSsd() {
    assertEquals(Set.of(), monitor.monitor().demoted());
    for (String part : PARTS) {
      assertEquals(StoragePolicy.ALL_SSD.id(), hdfs.own(part), part);
    }
  }

  @Test
  void nothingLeavesSsdWhileTheNameNodeRestarts() throws IOException {
    looks(12);
    assertAllOnSsd();
    up = false;
    looks(2);
    assertEquals(Optional.empty(), read);
    up = true;
    state = null;
    fsState = null;
    registered = 0;
    looks(3);
    assertEquals(Optional.empty(), read, "the image is being loaded");
    state = "active";
    fsState = "safeMode";
    registered = 2;
    looks(3);
    assertEquals(Optional.empty(), read, "safe mode");
    fsState = "Operational";
    registered = 0;
    look();
    assertAllOnSsd();
    for (registered = 1; registered < NODES; registered += 3) {
      look();
      assertAllOnSsd();
    }
    registered = NODES;
    looks(30);
    assertAllOnSsd();
    assertEquals(NODES, read.orElseThrow().nodes());
  }

  @Test
  void aMasterThatComesWithTheNameNodeTrustsNoFirstLook() throws IOException {
    for (registered = 1; registered < NODES; registered += 7) {
      look();
      assertAllOnSsd();
    }
    registered = NODES;
    looks(12);
    assertAllOnSsd();
  }

  @Test
  void nothingComesBackOnAnUncertainLook() throws IOException {
    usedPercent = 95;
    looks(12);
    assertEquals(Set.of(Component.META, Component.MASTER), monitor.monitor().demoted());
    registered = 1;
    usedPercent = 10;
    hdfs.writes().clear();
    looks(3);
    assertEquals(Set.of(Component.META, Component.MASTER), monitor.monitor().demoted());
    looks(10);
    assertTrue(monitor.monitor().demoted().size() < 2, "it stood");
  }

  @Test
  void whatSsdRefusesLeavesItAlsoWhileTheNameNodeRestarts() throws IOException {
    looks(12);
    registered = 3;
    look();
    assertAllOnSsd();
    hdfs.refusesProbes("could only be written to 0 of the 1 minReplication nodes");
    look();
    assertEquals(
        Set.of(Component.META, Component.MASTER, Component.WAL), monitor.monitor().demoted());
  }

  @Test
  void aStandbyTellsNothing() {
    state = "standby";
    assertEquals(Optional.empty(), reader.read());
    assertTrue(reader.trouble().contains("standby"), reader.trouble());
    state = "active";
    fsState = "safeMode";
    assertEquals(Optional.empty(), reader.read());
    assertTrue(reader.trouble().contains("safe mode"), reader.trouble());
    state = null;
    assertEquals(Optional.empty(), reader.read());
    assertTrue(reader.trouble().contains("loading"), reader.trouble());
  }
}
