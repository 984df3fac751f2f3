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
package io.github.hybridhbase.space;

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.HBaseNamespaces;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.WalBlockSize;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.placement.DirectoryRule;
import io.github.hybridhbase.placement.Layout;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The space monitors of one HBase, one per HDFS, since {@code hbase.wal.dir} and {@code
 * hbase.rootdir} may be on two. One thread.
 *
 * <p>A look costs three HTTP requests independent of cluster size; two NameNode reads per directory
 * on SSD (three to five) and for {@code WALs}, a third per demoted one; one listing of {@code WALs}
 * (a call per thousand servers); for a superuser the DataNode report, at most once a minute in
 * large clusters. A probe is one block of one byte.
 */
@InterfaceAudience.Private
public final class SsdSpaceMonitors {
  private static final Logger LOG = LoggerFactory.getLogger(SsdSpaceMonitors.class);

  private final List<SsdSpaceMonitor> monitors;

  private final LogOnChange logged = new LogOnChange();

  public SsdSpaceMonitors(List<SsdSpaceMonitor> monitors) {
    this.monitors = List.copyOf(monitors);
  }

  /**
   * The space monitors of the active master.
   *
   * @throws IOException if a file system cannot be resolved
   */
  public static SsdSpaceMonitors of(Configuration conf, HybridSettings settings, Layout layout)
      throws IOException {
    Map<URI, List<DirectoryRule>> byHdfs = new LinkedHashMap<>();
    for (DirectoryRule rule : layout.rules(settings)) {
      byHdfs
          .computeIfAbsent(rule.path().getFileSystem(conf).getUri(), uri -> new ArrayList<>())
          .add(rule);
    }
    List<SsdSpaceMonitor> monitors = new ArrayList<>();
    for (List<DirectoryRule> rules : byHdfs.values()) {
      FileSystem fs = rules.get(0).path().getFileSystem(conf);
      Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
      Optional<SpaceReader> space = SpaceReader.of(fs, conf);
      if (namespace.isPresent() && space.isPresent()) {
        monitors.add(monitor(conf, settings, layout, rules, namespace.get(), space.get()));
      }
    }
    return new SsdSpaceMonitors(monitors);
  }

  private static SsdSpaceMonitor monitor(
      Configuration conf,
      HybridSettings settings,
      Layout layout,
      List<DirectoryRule> rules,
      StorageNamespace namespace,
      SpaceReader space)
      throws IOException {
    long configured = WalBlockSize.configured(conf);
    Optional<Path> wals =
        rules.stream()
            .filter(rule -> rule.component() == Component.WAL)
            .map(DirectoryRule::path)
            .findFirst();
    return new SsdSpaceMonitor(
        settings.watermarks(),
        rules,
        HeadroomEstimate.replication(conf),
        new SsdDemoter(new HBaseNamespaces(conf, layout), configured),
        new HdfsWatch(namespace, space, wals),
        HeadroomEstimate.of(conf, settings, namespace.defaultBlockSize(rules.get(0).path())),
        Settling.of(settings.watermarks()),
        System::nanoTime);
  }

  /** One entry per HDFS looked at so far. Any thread. */
  public List<SpaceLook> last() {
    return monitors.stream()
        .flatMap(monitor -> monitor.last().stream())
        .collect(Collectors.toList());
  }

  /** Looks at each HDFS once; failures are independent. */
  public int doWork() {
    int changed = 0;
    for (SsdSpaceMonitor monitor : monitors) {
      try {
        changed += monitor.doWork();
        logged.isOver(monitor);
      } catch (IOException | RuntimeException e) {
        String text = HdfsError.of(e).explain();
        if (logged.isNews(monitor, text)) {
          LOG.warn("The space monitor could not act: {}", text);
        }
      }
    }
    return changed;
  }

  /** Removes the metrics after the last look. */
  public void close() {
    monitors.forEach(SsdSpaceMonitor::close);
  }

  private static final class HdfsWatch implements SpaceWatch {
    private final StorageNamespace namespace;
    private final SpaceReader space;
    private final Optional<Path> wals;

    HdfsWatch(StorageNamespace namespace, SpaceReader space, Optional<Path> wals) {
      this.namespace = namespace;
      this.space = space;
      this.wals = wals;
    }

    @Override
    public Optional<SsdSpace> space() {
      return space.read();
    }

    @Override
    public String trouble() {
      return space.trouble();
    }

    @Override
    public WalServers servers() throws IOException {
      return wals.isPresent() ? WalServers.of(namespace, wals.get()) : new WalServers(0, List.of());
    }
  }
}
