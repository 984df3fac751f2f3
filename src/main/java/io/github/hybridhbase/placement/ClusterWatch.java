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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.Layout.DirectoryRule;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.WalFiles;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
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
 * The active master's watch of the cluster: takes one {@link ClusterLook} per period and lets each
 * {@link SsdSpaceMonitor} act on it. There is one per HDFS, since {@code hbase.wal.dir} and {@code
 * hbase.rootdir} may be on two. One thread; {@link #last} is for any.
 *
 * <p>A look costs three HTTP requests; one NameNode read per directory on SSD (three), four per
 * demoted one; one listing of {@code WALs} (a call per thousand servers); for a superuser the
 * DataNode report, at most once a minute in large clusters. Once a minute {@link #readReports}
 * lists the servers, and reads the records of those that published and of a fifth of all. A probe
 * is one block of one byte.
 */
@InterfaceAudience.Private
public final class ClusterWatch {
  private static final Logger LOG = LoggerFactory.getLogger(ClusterWatch.class);

  private final List<Hdfs> all;
  private final Namespaces namespaces;
  private final Layout layout;
  private final LogOnChange logged = new LogOnChange();
  private volatile ClusterLook last = ClusterLook.NONE;

  ClusterWatch(List<Hdfs> all, Namespaces namespaces, Layout layout) {
    this.all = List.copyOf(all);
    this.namespaces = namespaces;
    this.layout = layout;
  }

  /**
   * The watch of the active master. An HDFS is read if the space monitor or the tier needs it.
   *
   * @throws IOException if a file system cannot be resolved
   */
  public static ClusterWatch of(Configuration conf, HybridSettings settings, Layout layout)
      throws IOException {
    boolean tier = settings.policy(Component.TIER).wantsSsd();
    Namespaces.OfHBase namespaces = new Namespaces.OfHBase(conf, layout);
    Map<URI, Hdfs> all = new LinkedHashMap<>();
    List<DirectoryRule> rules = layout.rules(settings);
    if (settings.ssdPeriodSeconds() > 0) {
      for (DirectoryRule rule : rules) {
        if (rule.policy().wantsSsd()) {
          add(rule.path(), conf, settings, layout, rules, namespaces, all);
        }
      }
    }
    if (tier) {
      for (Path path : List.of(layout.root(), layout.wals())) {
        add(path, conf, settings, layout, rules, namespaces, all);
      }
    }
    return new ClusterWatch(List.copyOf(all.values()), namespaces, layout);
  }

  private static void add(
      Path path,
      Configuration conf,
      HybridSettings settings,
      Layout layout,
      List<DirectoryRule> rules,
      Namespaces.OfHBase namespaces,
      Map<URI, Hdfs> all)
      throws IOException {
    FileSystem fs = path.getFileSystem(conf);
    URI uri = fs.getUri();
    Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
    Optional<SpaceReader> space = SpaceReader.of(fs, conf);
    if (all.containsKey(uri) || namespace.isEmpty() || space.isEmpty()) {
      return;
    }
    List<DirectoryRule> here = new ArrayList<>();
    for (DirectoryRule rule : rules) {
      if (rule.path().getFileSystem(conf).getUri().equals(uri)) {
        here.add(rule);
      }
    }
    boolean walsHere = layout.wals().getFileSystem(conf).getUri().equals(uri);
    all.put(
        uri,
        new Hdfs(
            uri,
            namespace.get(),
            space.get(),
            walsHere ? Optional.of(layout.wals()) : Optional.empty(),
            here.stream().anyMatch(rule -> rule.component() == Component.WAL),
            Headroom.Estimate.of(conf, settings, namespace.get().defaultBlockSize(path)),
            SpaceLook.first(Settling.of(settings.watermarks())),
            new SsdSpaceMonitor(
                settings.watermarks(),
                settings.ssdPeriodSeconds() > 0 ? here : List.of(),
                Headroom.Estimate.replication(conf),
                new SsdDemoter(namespaces, WalFiles.configuredBlockSize(conf)),
                System::nanoTime,
                settings.mode().places())));
  }

  /** The last look; {@link ClusterLook#NONE} before the first. Any thread. */
  public ClusterLook last() {
    return last;
  }

  /** Looks once and acts; failures of one HDFS do not concern another. */
  public int doWork() {
    int changed = 0;
    Map<URI, SpaceLook> spaces = new LinkedHashMap<>();
    for (Hdfs hdfs : all) {
      try {
        changed += hdfs.doWork();
        logged.clear(hdfs);
      } catch (IOException | RuntimeException e) {
        String text = HdfsError.of(e).explain();
        if (logged.changed(hdfs, text)) {
          LOG.warn(
              "The space monitor could not act, so no component leaves SSD or returns to it; WALs"
                  + " that SSD refuses still go to DISK. It retries every hbase.hybrid.ssd.period."
                  + " {}",
              text);
        }
      }
      spaces.put(hdfs.uri, hdfs.look);
    }
    last = last.with(spaces);
    return changed;
  }

  public void readReports() {
    ServerReports next;
    try {
      next = last.reports().next(namespaces, layout, System.currentTimeMillis());
    } catch (IOException e) {
      LOG.debug("The servers' reports cannot be read now", e);
      next = last.reports().failed(HdfsError.of(e).text());
    }
    last = last.with(next);
  }

  /** Removes the metrics after the last look. */
  public void close() {
    all.forEach(hdfs -> hdfs.monitor.close());
  }

  /** One HDFS. */
  static final class Hdfs {
    private final URI uri;
    private final StorageNamespace namespace;
    private final SpaceReader space;
    private final Optional<Path> wals;
    private final boolean walsPlaced;
    private final Headroom.Estimate estimate;
    private final SsdSpaceMonitor monitor;
    private SpaceLook look;

    /**
     * @param wals parent of the servers' directories, if they are on this HDFS
     */
    Hdfs(
        URI uri,
        StorageNamespace namespace,
        SpaceReader space,
        Optional<Path> wals,
        boolean walsPlaced,
        Headroom.Estimate estimate,
        SpaceLook look,
        SsdSpaceMonitor monitor) {
      this.uri = uri;
      this.namespace = namespace;
      this.space = space;
      this.wals = wals;
      this.walsPlaced = walsPlaced;
      this.estimate = estimate;
      this.look = look;
      this.monitor = monitor;
    }

    private int doWork() throws IOException {
      Optional<SsdSpace> read;
      WalServers servers;
      try {
        read = space.read();
        servers = wals.isPresent() ? WalServers.of(namespace, wals.get()) : WalServers.NONE;
      } catch (IOException | RuntimeException e) {
        monitor.notSeen();
        look = look.failed(HdfsError.of(e).text(), System.nanoTime());
        throw e;
      }
      return act(read, space.trouble(), servers, System.nanoTime());
    }

    /** Makes a look of these readings, and lets the space monitor act on it. */
    int act(Optional<SsdSpace> read, String why, WalServers servers, long nanos)
        throws IOException {
      look = look.next(read, why, servers, estimate, walsPlaced, nanos);
      try {
        return monitor.doWork(look);
      } catch (IOException | RuntimeException e) {
        look = look.failed(HdfsError.of(e).text(), nanos);
        throw e;
      } finally {
        look = look.with(monitor.demotions());
      }
    }

    SsdSpaceMonitor monitor() {
      return monitor;
    }

    SpaceLook look() {
      return look;
    }
  }
}
