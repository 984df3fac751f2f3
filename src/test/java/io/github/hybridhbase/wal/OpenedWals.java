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
import static org.mockito.Mockito.mock;

import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.wal.fallback.HybridServer;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.HBaseConfiguration;
import org.apache.hadoop.hbase.io.asyncfs.monitor.StreamSlowMonitor;
import org.apache.hadoop.hbase.util.CommonFSUtils;
import org.apache.hadoop.hbase.wal.AsyncFSWALProvider;
import org.apache.hadoop.hbase.wal.FSHLogProvider;
import org.apache.hadoop.hbase.wal.WALProvider;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.io.netty.channel.EventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.nio.NioEventLoopGroup;
import org.apache.hbase.thirdparty.io.netty.channel.socket.nio.NioSocketChannel;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * WALs of many servers on an HDFS without HBase, by the plugin's writers: each server has one open,
 * and a roll opens the next one before it closes that. Where the replicas of each are is counted as
 * it is opened.
 */
@InterfaceAudience.Private
final class OpenedWals implements AutoCloseable {
  private static final int BLOCK = 8 << 20;

  private final FileSystem admin;

  /** Of each server its own, as of separate processes. */
  private final Map<String, FileSystem> clients = new HashMap<>();

  /** Each with a provider, as of a server that runs. */
  private final List<HybridServer> servers = new ArrayList<>();

  private final WALProvider provider = mock(WALProvider.class);
  private final Configuration conf;
  private final boolean async;
  private final EventLoopGroup events = new NioEventLoopGroup(2);

  /** HBase's lists of slow DataNodes, of each server its own. */
  private final Map<String, StreamSlowMonitor> monitors = new HashMap<>();

  private final ExecutorService closer = Executors.newCachedThreadPool();
  private final Map<String, AutoCloseable> open = new HashMap<>();
  private final Map<String, Path> files = new TreeMap<>();
  private final Map<String, Integer> replicasOn = new TreeMap<>();
  private final List<String> notOnSsd = new ArrayList<>();
  private int opened;
  private int number;

  /**
   * None is open.
   *
   * <p>The servers are the current user's.
   *
   * @param provider {@code asyncfs} or {@code filesystem}
   */
  OpenedWals(TypedCluster cluster, String provider) throws IOException {
    this(cluster.conf(), cluster.fs(), provider);
  }

  /**
   * @param hdfs of a client of the file system
   * @param admin the superuser's
   */
  OpenedWals(Configuration hdfs, FileSystem admin, String provider) throws IOException {
    this.admin = admin;
    this.async = provider.equals("asyncfs");
    conf = HBaseConfiguration.create(hdfs);
    Path root = new Path("/hbase-" + System.nanoTime());
    admin.mkdirs(new Path(root, "WALs"));
    admin.setStoragePolicy(new Path(root, "WALs"), "ALL_SSD");
    CommonFSUtils.setRootDir(conf, admin.makeQualified(root));
    PluginWriters.into(conf);
  }

  /** A client of a server of its own, which reads what is {@link #published}. */
  DistributedFileSystem client() throws IOException {
    return (DistributedFileSystem) FileSystem.newInstance(admin.getUri(), conf);
  }

  /**
   * Publishes the DataNodes with SSD, as the active master does. As the superuser: all DataNodes of
   * one JVM have one {@code /jmx}.
   */
  OpenedWals published() throws Exception {
    UserGroupInformation.getLoginUser()
        .doAs(
            (PrivilegedExceptionAction<Void>)
                () -> {
                  try (FileSystem fs = FileSystem.newInstance(admin.getUri(), conf)) {
                    Ssds.publish(fs, conf, CommonFSUtils.getRootDir(conf));
                  }
                  return null;
                });
    return this;
  }

  /** Where these WALs are. */
  Path directory() throws IOException {
    return new Path(CommonFSUtils.getRootDir(conf), "WALs");
  }

  /** Opens the next WAL of a server and closes the one before. */
  Path roll(String server) throws Exception {
    Path directory = new Path(directory(), server);
    FileSystem fs = client(server);
    fs.mkdirs(directory);
    Path wal = new Path(directory, server.replace(',', '.') + "." + ++number);
    opened++;
    AutoCloseable next =
        async
            ? AsyncFSWALProvider.createAsyncWriter(
                conf, fs, wal, false, BLOCK, events, NioSocketChannel.class, monitor(server))
            : FSHLogProvider.createWriter(conf, fs, wal, false, BLOCK);
    AutoCloseable before = open.put(server, next);
    files.put(server, wal);
    count(wal);
    if (before != null) {
      // As HBase does: the close of one that broke waits for its lease.
      Future<?> unused =
          closer.submit(
              () -> {
                before.close();
                return null;
              });
    }
    return wal;
  }

  private FileSystem client(String server) throws IOException {
    FileSystem fs = clients.get(server);
    if (fs == null) {
      fs = FileSystem.newInstance(admin.getUri(), conf);
      clients.put(server, fs);
      servers.add(HybridServer.enter(server, provider));
    }
    return fs;
  }

  private StreamSlowMonitor monitor(String server) {
    return monitors.computeIfAbsent(server, name -> StreamSlowMonitor.create(conf, name));
  }

  /** The same for so many servers, the NameNode hearing of the load meanwhile. */
  void rollAll(int servers) throws Exception {
    for (int server = 0; server < servers; server++) {
      roll("rs" + server + ",16020,1");
      if (server % 8 == 7) {
        // All DataNodes report once a second; to trigger them takes longer, one after the other.
        TimeUnit.MILLISECONDS.sleep(1_100);
      }
    }
  }

  private void count(Path wal) throws IOException {
    BlockLocation block = block(wal);
    StorageType[] media = block.getStorageTypes();
    for (int i = 0; i < media.length; i++) {
      if (media[i] == StorageType.SSD) {
        replicasOn.merge(block.getNames()[i], 1, Integer::sum);
      }
    }
    if (!isOnSsd(block)) {
      notOnSsd.add(wal.getName() + " on " + Arrays.toString(media));
    }
  }

  private BlockLocation block(Path wal) throws IOException {
    return admin.getFileBlockLocations(wal, 0, 1)[0];
  }

  private static boolean isOnSsd(BlockLocation block) {
    StorageType[] media = block.getStorageTypes();
    return media.length == 3 && Arrays.stream(media).allMatch(type -> type == StorageType.SSD);
  }

  /** WALs that were opened. */
  int opened() {
    return opened;
  }

  /** Those of them with a replica off SSD, or fewer than three. */
  List<String> notOnSsd() {
    return notOnSsd;
  }

  /** Replicas on the SSD of this DataNode. */
  int replicasOn(String address) {
    return replicasOn.getOrDefault(address, 0);
  }

  /** Starts counting anew. */
  void forget() {
    opened = 0;
    notOnSsd.clear();
    replicasOn.clear();
  }

  /** Replicas on the DataNode with the most of them, by the mean of those with any. */
  double busiest() {
    int most = replicasOn.values().stream().mapToInt(count -> count).max().orElse(0);
    return most / replicasOn.values().stream().mapToInt(count -> count).average().orElse(1);
  }

  @Override
  public void close() throws Exception {
    for (AutoCloseable wal : open.values()) {
      wal.close();
    }
    closer.shutdown();
    assertTrue(closer.awaitTermination(120, TimeUnit.SECONDS), "WALs that do not close");
    events.shutdownGracefully().syncUninterruptibly();
    servers.forEach(server -> server.leave(provider));
    for (FileSystem fs : clients.values()) {
      fs.close();
    }
  }

  @Override
  public String toString() {
    return opened + " WALs, not on SSD " + notOnSsd + ", replicas " + replicasOn;
  }
}
