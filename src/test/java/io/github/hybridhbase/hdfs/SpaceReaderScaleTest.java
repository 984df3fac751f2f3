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
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hdfs.DFSClient;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocolPB.PBHelperClient;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorage;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.hdfs.server.protocol.StorageReport;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What reading the space of 1,000 DataNodes costs, in requests and bytes; never in time. */
class SpaceReaderScaleTest {
  private static final Logger LOG = LoggerFactory.getLogger(SpaceReaderScaleTest.class);
  private static final int NODES = 1_000;
  private static final int DISKS = 12;
  private static final int SSDS = 2;
  private static final long TIB = 1L << 40;
  private static final int LOOKS = 6;
  private static final int LEAVING = 8;

  private static StorageReport storage(int node, int number, StorageType type) {
    DatanodeStorage storage =
        new DatanodeStorage(
            String.format("DS-%08d-aaaa-bbbb-cccc-%012d", node, number),
            DatanodeStorage.State.NORMAL,
            type);
    return new StorageReport(storage, false, 4 * TIB, TIB, 3 * TIB, TIB, 0);
  }

  private static DatanodeStorageReport[] reports(int nodes, int ofNodesWithSsd) {
    DatanodeStorageReport[] reports = new DatanodeStorageReport[nodes];
    for (int node = 0; node < nodes; node++) {
      StorageReport[] storages = new StorageReport[DISKS + (node < ofNodesWithSsd ? SSDS : 0)];
      for (int i = 0; i < storages.length; i++) {
        storages[i] = storage(node, i, i < DISKS ? StorageType.DISK : StorageType.SSD);
      }
      DatanodeInfo info =
          new DatanodeInfo.DatanodeInfoBuilder()
              .setNodeID(
                  new DatanodeID(
                      "10.1." + node / 250 + "." + node % 250,
                      String.format("datanode-%04d.rack-%02d.example.org", node, node % 40),
                      String.format("%08d-aaaa-bbbb-cccc-%012d", node, node),
                      9866,
                      9864,
                      9865,
                      9867))
              .setNetworkLocation("/dc1/rack-" + node % 40)
              .build();
      reports[node] = new DatanodeStorageReport(info, storages);
    }
    return reports;
  }

  /** As a NameNode answers that also counts what {@value #LEAVING} more in maintenance hold. */
  private static String bean(int ofNodesWithSsd) {
    StringBuilder types = new StringBuilder();
    for (String type : new String[] {"DISK", "SSD"}) {
      int volumes = type.equals("SSD") ? SSDS : DISKS;
      int nodes = type.equals("SSD") ? ofNodesWithSsd : NODES;
      types.append(types.length() == 0 ? "" : ",");
      types.append(
          String.format(
              "{\"key\":\"%s\",\"value\":{\"blockPoolUsed\":%d,\"capacityNonDfsUsed\":0,"
                  + "\"capacityRemaining\":%d,\"capacityTotal\":%d,\"capacityUsed\":%d,"
                  + "\"nodesInService\":%d}}",
              type,
              (nodes + LEAVING) * volumes * TIB,
              nodes * volumes * 3 * TIB,
              (nodes * 4 + LEAVING) * volumes * TIB,
              (nodes + LEAVING) * volumes * TIB,
              nodes));
    }
    return "{\"beans\":[{\"name\":\"Hadoop:service=NameNode,name=BlockStats\","
        + "\"modelerType\":\"org.apache.hadoop.hdfs.server.blockmanagement.BlockManager\","
        + "\"StorageTypeStats\":["
        + types
        + "]}]}";
  }

  @ParameterizedTest
  @CsvSource({NODES + ", " + NODES + ", 1", NODES + ", 40, 1", "300, 40, " + LOOKS})
  @DisplayName("a thousand DataNodes: one kilobyte per read, their report once a minute")
  void thousandDataNodes_oneKilobytePerRead(int nodes, int withSsd, int read) throws Exception {
    AtomicLong requests = new AtomicLong();
    AtomicLong bytes = new AtomicLong();
    HttpServer web =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    web.createContext(
        "/jmx",
        exchange -> {
          String query = exchange.getRequestURI().getQuery();
          String text =
              query.endsWith("::State")
                  ? "{\"beans\":[{\"State\":\"active\"}]}"
                  : query.endsWith("FSNamesystemState")
                      ? "{\"beans\":[{\"FSState\":\"Operational\","
                          + "\"NumInMaintenanceLiveDataNodes\":8}]}"
                      : bean(withSsd);
          byte[] answer = text.getBytes(StandardCharsets.UTF_8);
          requests.incrementAndGet();
          bytes.addAndGet(answer.length);
          exchange.sendResponseHeaders(200, answer.length);
          try (OutputStream out = exchange.getResponseBody()) {
            out.write(answer);
          }
        });
    web.start();
    try {
      Configuration conf = new Configuration(false);
      conf.set("dfs.namenode.http-address", "127.0.0.1:" + web.getAddress().getPort());
      DFSClient client = mock(DFSClient.class);
      DatanodeStorageReport[] reports = reports(nodes, withSsd);
      when(client.getDatanodeStorageReport(any())).thenReturn(reports);
      DistributedFileSystem dfs = mock(DistributedFileSystem.class);
      when(dfs.getClient()).thenReturn(client);
      when(dfs.getUri()).thenReturn(URI.create("hdfs://127.0.0.1:8020"));
      SpaceReader reader = SpaceReader.of(dfs, conf).orElseThrow();
      for (int look = 0; look < LOOKS; look++) {
        SsdSpace space = reader.read().orElseThrow();
        assertEquals(withSsd * SSDS * 4 * TIB, space.capacity());
        assertEquals(withSsd * SSDS * TIB, space.used());
        assertEquals(75, space.freePercent());
        assertEquals(withSsd, space.perNode().size());
        assertEquals(LEAVING, space.inMaintenance());
      }
      assertEquals(3 * LOOKS, requests.get());
      assertTrue(bytes.get() / LOOKS < 2_048, "bytes a look: " + bytes.get() / LOOKS);
      verify(client, times(read)).getDatanodeStorageReport(any());
      long report =
          PBHelperClient.convertDatanodeStorageReports(reports).stream()
              .mapToLong(proto -> proto.getSerializedSize())
              .sum();
      assertTrue(report < 4_000_000, "bytes of the DataNodes' report: " + report);
      LOG.info("bytes: {} a look over HTTP, {} a report", bytes.get() / LOOKS, report);
    } finally {
      web.stop(0);
    }
  }
}
