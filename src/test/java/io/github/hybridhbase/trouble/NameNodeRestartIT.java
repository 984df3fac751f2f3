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
package io.github.hybridhbase.trouble;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.testing.DataNodeRestart;
import io.github.hybridhbase.testing.TypedCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DFSTestUtil;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.junit.jupiter.api.Test;

/** What is said of SSD while a real NameNode restarts and its DataNodes come back one by one. */
class NameNodeRestartIT {
  private static final long GIB = 1L << 30;
  private static final int NODES = 3;
  private static final long MINUTE = TimeUnit.MINUTES.toNanos(1);

  private final List<String> seen = new ArrayList<>();
  private DataNodeReader reader;

  /** Looks, and checks that what is read is true of the DataNodes there are. */
  private Optional<SsdSpace> look() {
    Observed<SsdSpace> looked = Observed.with(reader::space);
    Optional<SsdSpace> read = looked.seen();
    String text = read.map(SsdSpace::toString).orElse("nothing: " + looked.why());
    if (seen.isEmpty() || !seen.get(seen.size() - 1).equals(text)) {
      seen.add(text);
    }
    read.ifPresent(
        space -> {
          assertTrue(space.capacity > 0, seen::toString);
          assertEquals(space.nodes * 8 * GIB, space.capacity, seen::toString);
        });
    return read;
  }

  private int nodes() {
    return look().map(space -> space.nodes).orElse(-1);
  }

  @Test
  void neverNoSsdAndNeverAWrongSum() throws Exception {
    try (TypedCluster cluster = TypedCluster.spec().ssdCapacity(8 * GIB).startHdfs()) {
      for (int i = 0; i < 5; i++) {
        DFSTestUtil.createFile(cluster.fs(), new Path("/f" + i), 1_000, (short) NODES, 1);
      }
      reader = new DataNodeReader(cluster.fs(), cluster.conf());
      assertEquals(NODES, nodes());

      MiniDFSCluster hdfs = cluster.hdfs();
      List<DataNodeProperties> away = List.of(hdfs.stopDataNode(0), hdfs.stopDataNode(0));
      AtomicReference<Exception> failure = new AtomicReference<>();
      hdfs.shutdownNameNode(0);
      Thread restart =
          new Thread(
              () -> {
                try {
                  hdfs.restartNameNode(0, false);
                } catch (Exception e) {
                  failure.set(e);
                }
              },
              "restart");
      restart.start();
      while (restart.isAlive()) {
        look();
      }
      assertEquals(null, failure.get());
      // One DataNode has a replica of each file: the NameNode leaves safe mode with it alone.
      for (int back = 1; back <= NODES; back++) {
        int expected = back;
        cluster.await(back + " DataNodes", () -> nodes() == expected);
        if (back < NODES) {
          DataNodeRestart.restart(hdfs, away.get(back - 1));
        }
      }
      assertTrue(seen.stream().anyMatch(what -> what.startsWith("nothing")), seen::toString);
    }
  }
}
