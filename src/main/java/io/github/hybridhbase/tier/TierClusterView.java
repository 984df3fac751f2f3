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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.hdfs.Found;
import io.github.hybridhbase.hdfs.HdfsNamespace;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierUse;
import io.github.hybridhbase.space.Headroom;
import io.github.hybridhbase.space.HeadroomEstimate;
import io.github.hybridhbase.space.Settling;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ClusterMetrics.Option;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.ServerName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.yetus.audience.InterfaceAudience;

/** The {@link TierController}'s view of a real cluster. One thread. */
@InterfaceAudience.Private
public final class TierClusterView implements TierController.View {
  private final SpaceReader space;
  private final HeadroomEstimate estimate;
  private final Connection connection;
  private final StorageNamespace namespace;
  private final Optional<Path> wals;
  private Settling settling;

  private TierClusterView(
      SpaceReader space,
      HeadroomEstimate estimate,
      Settling settling,
      Connection connection,
      StorageNamespace namespace,
      Optional<Path> wals) {
    this.space = space;
    this.estimate = estimate;
    this.settling = settling;
    this.connection = connection;
    this.namespace = namespace;
    this.wals = wals;
  }

  /**
   * Creates the controller for the HDFS of the store files; empty without storage policies there.
   */
  public static Optional<TierController> controller(
      Configuration conf, HybridSettings settings, Path root, Connection connection)
      throws IOException {
    FileSystem fs = root.getFileSystem(conf);
    Optional<StorageNamespace> namespace = HdfsNamespace.of(fs);
    Optional<SpaceReader> space = SpaceReader.of(fs, conf);
    if (namespace.isEmpty() || space.isEmpty()) {
      return Optional.empty();
    }
    long block = namespace.get().defaultBlockSize(root);
    HeadroomEstimate estimate =
        new HeadroomEstimate(conf, block, conf.getInt("dfs.replication", 3), false);
    return Optional.of(
        new TierController(
            settings,
            namespace.get(),
            root,
            new TierClusterView(
                space.get(),
                estimate,
                Settling.of(settings.watermarks()),
                connection,
                namespace.get(),
                TierUseReport.wals(conf, root)),
            ManagementFactory.getRuntimeMXBean().getName(),
            System::nanoTime,
            System::currentTimeMillis));
  }

  @Override
  public Optional<SsdSpace> space() {
    settling = settling.next(space.read(), System.nanoTime());
    return settling.certain();
  }

  @Override
  public boolean settled() {
    return settling.settled();
  }

  @Override
  public Headroom headroom(Optional<SsdSpace> seen, int servers) {
    return estimate.next(seen, servers, System.nanoTime());
  }

  @Override
  public int servers() throws IOException {
    try (Admin admin = connection.getAdmin()) {
      return admin.getRegionServers().size();
    }
  }

  @Override
  public Collection<Long> uses() throws IOException {
    if (wals.isEmpty()) {
      return List.of();
    }
    try (Admin admin = connection.getAdmin()) {
      return uses(
          namespace,
          wals.get(),
          admin.getRegionServers(),
          () -> admin.getClusterMetrics(EnumSet.of(Option.LIVE_SERVERS)));
    }
  }

  /** The master's metrics of regions, read only if a server published no figure. */
  interface Regions {
    ClusterMetrics now() throws IOException;
  }

  /**
   * The published figures. A server counts as 0 if it published none and has no region of a table;
   * it is omitted, and so gets the equal share, if its figure is unreadable or missing despite such
   * regions.
   */
  static Collection<Long> uses(
      StorageNamespace namespace, Path wals, Collection<ServerName> servers, Regions regions)
      throws IOException {
    List<Long> uses = new ArrayList<>();
    List<ServerName> silent = new ArrayList<>();
    for (ServerName server : servers) {
      Found<TierUse> said = namespace.read(TierUse.RECORD, new Path(wals, server.toString()));
      said.read().ifPresent(use -> uses.add(use.bytes()));
      if (said.isAbsent()) {
        silent.add(server);
      }
    }
    if (!silent.isEmpty()) {
      Map<ServerName, ServerMetrics> known = regions.now().getLiveServerMetrics();
      silent.removeIf(server -> !known.containsKey(server) || hasStores(known.get(server)));
      uses.addAll(Collections.nCopies(silent.size(), 0L));
    }
    return uses;
  }

  private static boolean hasStores(ServerMetrics server) {
    return server.getRegionMetrics().keySet().stream()
        .anyMatch(region -> !RegionInfo.getTable(region).isSystemTable());
  }
}
