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

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The active master's watch: takes one {@link ClusterLook} per period and publishes the space as
 * metrics. {@code hbase.wal.dir} and {@code hbase.rootdir} may be on two HDFSs. One thread; {@link
 * #last} is for any.
 *
 * <p>A look costs a listing of {@code WALs}, and for a superuser the DataNode report, otherwise
 * three HTTP requests.
 */
@InterfaceAudience.Private
public final class ClusterWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  private final List<Hdfs> all;
  private final LogOnChange logged = new LogOnChange();
  private volatile ClusterLook last = ClusterLook.NONE;

  ClusterWatch(List<Hdfs> all) {
    this.all = List.copyOf(all);
  }

  public static ClusterWatch of(Configuration conf, Layout layout) throws IOException {
    Map<URI, Hdfs> all = new LinkedHashMap<>();
    for (Path path : List.of(layout.root(), layout.wals())) {
      FileSystem fs = path.getFileSystem(conf);
      URI uri = fs.getUri();
      Optional<StorageNamespace> namespace = StorageNamespace.of(fs);
      if (all.containsKey(uri) || namespace.isEmpty()) {
        continue;
      }
      boolean walsHere = layout.wals().getFileSystem(conf).getUri().equals(uri);
      all.put(
          uri,
          new Hdfs(
              uri,
              namespace.get(),
              new DataNodeReader(fs, conf),
              walsHere ? Optional.of(layout.wals()) : Optional.empty(),
              WalFiles.replication(conf),
              WalFiles.blockSize(
                  WalFiles.configuredBlockSize(conf), namespace.get().defaultBlockSize(path))));
    }
    return new ClusterWatch(List.copyOf(all.values()));
  }

  /** {@link ClusterLook#NONE} before the first look. Any thread. */
  public ClusterLook last() {
    return last;
  }

  public void doWork() {
    Map<URI, SpaceLook> spaces = new LinkedHashMap<>();
    for (Hdfs hdfs : all) {
      hdfs.doWork();
      report(hdfs);
      spaces.put(hdfs.uri, hdfs.look);
    }
    last = last.with(spaces);
  }

  private void report(Hdfs hdfs) {
    if (!hdfs.trouble.isEmpty()) {
      HybridMetrics.get().count(Metric.SPACE_UNKNOWN);
      if (logged.changed(hdfs, hdfs.trouble)) {
        LOG.warn(
            "The space on SSD cannot be read from the NameNode ({}). Until it can, no new file goes"
                + " to the SSD tier; WALs and catalogs do. Check that a NameNode is active and that"
                + " this master reaches dfs.namenode.http-address.",
            hdfs.trouble);
      }
    } else if (logged.clear(hdfs)) {
      LOG.info("The space on SSD can be read again: {}. Nothing to do.", hdfs.look.read().get());
    }
  }

  public void close() {
    all.forEach(hdfs -> HybridMetrics.get().space.forget(hdfs));
  }

  static final class Hdfs {
    private final URI uri;
    private final StorageNamespace namespace;
    private final DataNodeReader space;
    private final Optional<Path> wals;
    private final int replicas;
    private final long walBlock;
    private SpaceLook look;

    private String trouble = "";

    /**
     * @param wals parent of the servers' directories, if here
     */
    Hdfs(
        URI uri,
        StorageNamespace namespace,
        DataNodeReader space,
        Optional<Path> wals,
        int replicas,
        long walBlock) {
      this.uri = uri;
      this.namespace = namespace;
      this.space = space;
      this.wals = wals;
      this.replicas = replicas;
      this.walBlock = walBlock;
      this.look = new SpaceLook(0, Optional.empty(), "", WalServers.NONE, replicas, walBlock);
    }

    private void doWork() {
      try {
        Observed<SsdSpace> read = Observed.with(space::space);
        WalServers servers =
            wals.isPresent() ? WalServers.of(namespace, wals.get()) : WalServers.NONE;
        take(read, servers);
      } catch (IOException | RuntimeException e) {
        trouble = HdfsError.of(e).text;
        look = look.failed(trouble);
        HybridMetrics.get().space.publish(this, Map.of());
      }
    }

    void take(Observed<SsdSpace> read, WalServers servers) {
      Optional<SsdSpace> seen = read.seen();
      trouble = seen.isPresent() ? "" : read.why();
      look = new SpaceLook(System.currentTimeMillis(), seen, trouble, servers, replicas, walBlock);
      HybridMetrics.get()
          .space
          .publish(
              this,
              seen.map(
                      ssd ->
                          Map.of(
                              "ssdCapacityBytes",
                              ssd.capacity,
                              "ssdUsedBytes",
                              ssd.used,
                              "ssdFreeBytes",
                              ssd.remaining,
                              "ssdDataNodes",
                              (long) ssd.nodes,
                              "ssdDataNodesFull",
                              (long) (ssd.nodes - ssd.nodesWithSpace(walBlock)),
                              "ssdSpaceKnown",
                              1L))
                  .orElse(Map.of()));
    }

    SpaceLook look() {
      return look;
    }
  }
}
