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
package io.github.hybridhbase.wal;

import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.SsdFault;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.server.datanode.DataNode;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * One of four DataNodes with SSD fails: every roll meanwhile succeeds, on the SSDs of the others,
 * and within a minute of its end the DataNode has WALs again.
 */
@InterfaceAudience.Private
@Tag("long")
@Timeout(600)
class FewSsdFaultsIT {
  private static final int SERVERS = 10;

  private static TypedCluster cluster;

  @BeforeAll
  static void start() throws Exception {
    cluster = FewSsdWalsIT.twentyWithFour().startHdfs();
    cluster.fs().setPermission(new Path("/"), new FsPermission("777"));
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  static List<Arguments> faults() {
    List<Arguments> all = new ArrayList<>();
    for (SsdFault fault : SsdFault.values()) {
      all.add(Arguments.of(fault, "asyncfs"));
      all.add(Arguments.of(fault, "filesystem"));
    }
    return all;
  }

  @ParameterizedTest
  @MethodSource("faults")
  void theOthersTakeItsWalsUntilItIsBack(SsdFault fault, String provider) throws Exception {
    try (OpenedWals wals = new OpenedWals(cluster, provider).published()) {
      wals.rollAll(SERVERS);
      wals.forget();
      DataNode node = SsdFault.nodeWithSsd(cluster.hdfs());
      String address = node.getDatanodeId().getXferAddr();
      AutoCloseable end = fault.begin(cluster.hdfs(), node);
      try {
        wals.rollAll(SERVERS);
        wals.rollAll(SERVERS);
        System.out.println("Without " + address + ": " + wals);
        assertTrue(wals.notOnSsd().size() <= 0.05 * wals.opened(), wals::toString);
      } finally {
        end.close();
      }
      long ended = System.nanoTime();
      while (true) {
        wals.published().forget(); // as the active master does each minute
        wals.rollAll(SERVERS);
        if (wals.notOnSsd().isEmpty() && wals.replicasOn(address) > 0) {
          break;
        }
        assertTrue(System.nanoTime() - ended < TimeUnit.SECONDS.toNanos(60), wals::toString);
        TimeUnit.SECONDS.sleep(1);
      }
      System.out.printf(
          "%s, %s: back after %d ms: %s%n",
          fault, provider, TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - ended), wals);
    }
  }
}
