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
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.FailFastClient;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.wal.failover.Pipeline;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.io.asyncfs.AsyncFSOutput;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hbase.thirdparty.io.netty.channel.Channel;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** What an output leaves behind that was made on SSD and thrown away as its header failed. */
class DiscardedOutputIT {
  private static final long WAL_BLOCK = 8L << 20;
  private static final long GAP = 900L << 20;

  private final EventLoopGroup events = new NioEventLoopGroup(1);
  private final WALProvider provider = new HybridWALProvider();
  private HybridServer server;
  private TypedCluster cluster;
  private Configuration conf;
  private Path wal;

  @BeforeEach
  void startHdfs() throws Exception {
    cluster = TypedCluster.spec().conf("hbase.regionserver.hlog.blocksize", WAL_BLOCK).startHdfs();
    conf = new Configuration(cluster.conf());
    Path root = cluster.fs().makeQualified(new Path("/hbase"));
    CommonFSUtils.setRootDir(conf, root);
    Path directory = new Path(root, "WALs/server");
    cluster.fs().mkdirs(directory);
    cluster.fs().setStoragePolicy(directory.getParent(), "ALL_SSD");
    wal = new Path(directory, "server.1");
    server = HybridServer.enter("server", provider);
  }

  @AfterEach
  void stopHdfs() throws Exception {
    server.leave(provider);
    cluster.close();
    events.shutdownGracefully().syncUninterruptibly();
  }

  private static int filesBeingWritten(FileSystem fs) {
    return ((DistributedFileSystem) fs).getClient().getNumOfFilesBeingWritten();
  }

  private static List<StorageType> disk() {
    return Collections.nCopies(3, StorageType.DISK);
  }

  @Test
  @DisabledIfSystemProperty(
      named = "hbase.line",
      matches = "2\\.6\\.1.*",
      disabledReason = "Hadoop 3.3 does not count the files that a client writes")
  void aFanOutOutputLeavesNoBufferAndNoFileBeingWritten() throws Exception {
    BreaksAtItsHeader writer = new BreaksAtItsHeader(events);
    FailFastClient.Use failFast = server.clients.use(cluster.fs());
    writer.init(cluster.fs(), wal, conf, false, WAL_BLOCK, StreamSlowMonitor.create(conf, "test"));
    assertEquals(disk(), Pipeline.media(writer.getOutput().getPipeline()));
    Field buffer = writer.broken.getClass().getDeclaredField("buf");
    buffer.setAccessible(true);
    assertNull(buffer.get(writer.broken), "a direct buffer that nobody frees");
    assertEquals(0, filesBeingWritten(failFast.fs()), "its lease is renewed for ever");
    failFast.close();
    // The next try owns the name.
    assertEquals(1, filesBeingWritten(cluster.fs()));
    writer.close();
    assertTrue(cluster.fs().isFileClosed(wal));
    assertTrue(cluster.fs().getFileStatus(wal).getLen() > 0);
    assertEquals(0, filesBeingWritten(cluster.fs()));
  }

  @Test
  @DisabledIfSystemProperty(
      named = "hbase.line",
      matches = "2\\.6\\.1.*",
      disabledReason =
          "Hadoop 3.3 uses an SSD to its last byte: nothing is refused in the gap made here")
  void aStreamOfHdfsLeavesNoFileBeingWritten() throws Exception {
    new Ssds(cluster).capacity(GAP);
    HybridLogWriter writer = new HybridLogWriter();
    writer.init(cluster.fs(), wal, conf, false, WAL_BLOCK, StreamSlowMonitor.create(conf, "test"));
    assertEquals(disk(), Pipeline.media(Pipeline.of(writer.getStream())));
    assertEquals(1, filesBeingWritten(cluster.fs()));
    writer.close();
    assertEquals(0, filesBeingWritten(cluster.fs()));
  }

  /** Its first output loses its DataNodes before the header is written. */
  private static final class BreaksAtItsHeader extends HybridAsyncWriter {
    private AsyncFSOutput broken;

    BreaksAtItsHeader(EventLoopGroup events) {
      super(events, NioSocketChannel.class);
    }

    /** First called when the file is created, to find its media. */
    @Override
    public AsyncFSOutput getOutput() {
      AsyncFSOutput output = super.getOutput();
      if (broken == null && output != null) {
        broken = output;
        try {
          Method channels = broken.getClass().getDeclaredMethod("getDatanodeInfoMap");
          channels.setAccessible(true);
          for (Object channel : ((Map<?, ?>) channels.invoke(broken)).keySet()) {
            ((Channel) channel).close().syncUninterruptibly();
          }
        } catch (ReflectiveOperationException e) {
          throw new AssertionError(e);
        }
      }
      return output;
    }
  }
}
