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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.wal.DelegateProvider.SplitReader;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSCluster.DataNodeProperties;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Which logs of a dead server are ended durably as they are split: an append changes the stamp. */
@InterfaceAudience.Private
@DisabledIfSystemProperty(named = "hbase.line", matches = "2\\.5.*")
class SplitReaderIT {
  private static final String DIRECTORY = "/hbase/WALs/s,1,1-splitting/";

  @TempDir private static File directory;

  private static MiniDFSCluster cluster;
  private static DistributedFileSystem fs;
  private static Configuration conf;

  @BeforeAll
  static void start() throws IOException {
    conf = HBaseConfiguration.create();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, directory.toString());
    conf.setInt("dfs.replication", 1);
    cluster = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    fs = cluster.getFileSystem();
    fs.mkdirs(new Path(DIRECTORY));
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      cluster.shutdown();
    }
  }

  /** A log that its server closed. */
  private static Path closed(String name) throws Exception {
    Path log = new Path(DIRECTORY + name);
    FSHLogProvider.createWriter(conf, fs, log, false).close();
    return log;
  }

  private static void closedAgo(Path log, int minutes) throws IOException {
    fs.setTimes(log, System.currentTimeMillis() - TimeUnit.MINUTES.toMillis(minutes), -1);
  }

  private static long stamp(Path log) throws IOException {
    return fs.getClient()
        .getLocatedBlocks(log.toString(), 0, 1)
        .getLastLocatedBlock()
        .getBlock()
        .getGenerationStamp();
  }

  /** Reads a log as a split does. */
  private static boolean isEnded(Path log, boolean empty) throws IOException {
    long before = stamp(log);
    SplitReader reader = new SplitReader();
    reader.init(fs, log, conf, -1);
    if (empty) {
      assertNull(reader.next());
    }
    reader.close();
    return stamp(log) > before;
  }

  /** With the replica on the host that died, that is half a minute and more a log. */
  @Test
  void oneThatItsServerClosedLongAgoIsLeftAlone() throws Exception {
    Path log = closed("closed");
    closedAgo(log, 5);
    assertEquals(false, isEnded(log, true));
  }

  @Test
  void oneThatMayHaveBeenRecoveredInTheMiddleOfItsCloseIsEnded() throws Exception {
    assertEquals(true, isEnded(closed("closing"), true));
  }

  @Test
  void oneWithoutATrailerIsEnded() throws Exception {
    Path whole = closed("whole");
    byte[] bytes = new byte[(int) fs.getFileStatus(whole).getLen()];
    try (FSDataInputStream in = fs.open(whole)) {
      in.readFully(bytes);
    }
    Path log = new Path(DIRECTORY + "open");
    try (FSDataOutputStream out = fs.create(log)) {
      out.write(Arrays.copyOf(bytes, bytes.length - 8));
    }
    closedAgo(log, 5);
    assertEquals(true, isEnded(log, false));
  }

  /** As one on a host that has lost its power; one that refuses tells an append at once. */
  @Test
  void aDataNodeThatTakesNoConnectionIsSilent() throws Exception {
    Path log = closed("silent");
    assertFalse(SplitReader.isLeft(fs, log));
    int port = cluster.getDataNodes().get(0).getXferPort();
    DataNodeProperties stopped = cluster.stopDataNode(0);
    List<Socket> waiting = new ArrayList<>();
    try {
      assertFalse(SplitReader.isLeft(fs, log), "refused");
      try (ServerSocket silent = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
        for (boolean full = false; !full; ) {
          waiting.add(new Socket());
          try {
            waiting.get(waiting.size() - 1).connect(silent.getLocalSocketAddress(), 200);
          } catch (SocketTimeoutException e) {
            full = true;
          }
        }
        assertTrue(SplitReader.isLeft(fs, log));
      }
    } finally {
      for (Socket one : waiting) {
        one.close();
      }
      assertTrue(cluster.restartDataNode(stopped, true));
      cluster.waitActive();
    }
  }
}
