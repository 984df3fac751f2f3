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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridMetrics.HotMetrics;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.tool.cli.ClusterView;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.plan.Workload;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of workload inputs from a running cluster: sizes from HDFS, servers and heap from
 * HBase's master, SSD from the NameNode. Inputs of an unresponsive HBase stay unset, with a
 * message.
 */
@InterfaceAudience.Private
final class LiveCluster {
  private static final String CLUSTER = "the cluster";

  private static final int AHEAD = 3;

  private static final double MEMSTORE_SHARE = 0.4;

  private final Session session;
  private final Map<Component, Long> bytes = new EnumMap<>(Component.class);
  private final WalRate walRate = new WalRate();
  private Workload workload;
  private final List<String> remarks = new ArrayList<>();

  private LiveCluster(Session session) {
    this.session = session;
  }

  static LiveCluster read(Session session, Workload given) throws IOException {
    LiveCluster cluster = new LiveCluster(session);
    cluster.workload = cluster.space(cluster.hbase(cluster.files(given)));
    return cluster;
  }

  Workload workload() {
    return workload;
  }

  /** What the plan does not follow from the inputs alone, a sentence each. */
  List<String> remarks() {
    return remarks;
  }

  /**
   * What a plan before any volume is tagged as SSD rests on.
   *
   * @return empty if there is SSD or the number of its DataNodes is given
   */
  static Optional<String> withoutSsd(Workload given, Optional<SsdSpace> space) {
    return given.knows(Input.DATA_NODES) || space.filter(one -> one.nodes() > 0).isPresent()
        ? Optional.empty()
        : Optional.of(
            "No DataNode "
                + (space.isPresent() ? "has SSD" : "is known to have SSD")
                + " yet, so this is for as many DataNodes with SSD as there are RegionServers. If"
                + " fewer are to have SSD, give --"
                + Input.DATA_NODES.flag()
                + " N: each of them then needs more");
  }

  /**
   * What hot rows on SSD would answer, by the servers' counts of reads.
   *
   * @param servers beans of the plugin's metrics
   * @return empty if no server publishes them
   */
  static Optional<String> hotRows(List<JsonObject> servers) {
    double reads = 0;
    double[] answered = new double[HotMetrics.SHARES.length];
    int counting = 0;
    for (JsonObject server : servers) {
      double weight = Math.max(1, number(server, "HotDiskReads"));
      double first = number(server, of(HotMetrics.SHARES[0]));
      if (first > 0) {
        counting++;
        reads += weight;
        for (int i = 0; i < answered.length; i++) {
          answered[i] += weight * number(server, of(HotMetrics.SHARES[i]));
        }
      }
    }
    if (counting == 0) {
      return servers.isEmpty()
          ? Optional.empty()
          : Optional.of(
              "What hot rows on SSD would answer is unknown: no RegionServer has counted enough"
                  + " reads of a table with "
                  + HybridKeys.HOT_POLICY.name());
    }
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < answered.length; i++) {
      parts.add(
          String.format(
              Locale.ROOT,
              "%d %% of the bytes would answer %.0f %%",
              HotMetrics.SHARES[i],
              answered[i] / reads));
    }
    return Optional.of(
        "Of the reads of single rows that "
            + Text.count(counting, "RegionServer")
            + " counted, hot rows on SSD with "
            + String.join(", ", parts)
            + " (hbase.hybrid.hot.share)");
  }

  private static String of(int percent) {
    return "HotGetsOf" + percent + "Percent";
  }

  private static double number(JsonObject bean, String name) {
    return bean.has(name) ? bean.get(name).getAsDouble() : 0;
  }

  private Workload files(Workload given) throws IOException {
    Progress progress = new Progress(session.err(), "reading sizes of files", System::nanoTime);
    new BlockScanner(session.layout(), session.namespaces(), session.stop()::requested, AHEAD)
        .walk(
            (context, file) -> {
              progress.step();
              bytes.merge(context.component(), file.length(), Long::sum);
              if (context.component() == Component.WAL || isOldWal(file.path().getParent())) {
                walRate.add(file.path().getName(), file.length());
              }
            });
    Workload found =
        given
            .orElse(Input.DATA, of(Component.USER) + of(Component.TIER), CLUSTER)
            .orElse(Input.META, of(Component.META), CLUSTER)
            .orElse(Input.MASTER, of(Component.MASTER), CLUSTER);
    OptionalDouble rate = walRate.bytesPerSecond();
    return rate.isPresent()
        ? found.orElse(Input.WRITE_RATE, rate.getAsDouble(), "the sizes and times of its WALs")
        : found;
  }

  /** The master's are elsewhere. */
  private boolean isOldWal(Path directory) {
    Path old = new Path(session.layout().walRoot(), HConstants.HREGION_OLDLOGDIR_NAME);
    return directory != null && directory.toUri().getPath().equals(old.toUri().getPath());
  }

  private long of(Component component) {
    return bytes.getOrDefault(component, 0L);
  }

  private Workload hbase(Workload given) {
    try {
      ClusterMetrics metrics;
      try (Connection connection = ClusterView.connect(session.conf());
          Admin admin = connection.getAdmin()) {
        metrics = admin.getClusterMetrics();
      }
      hotRows(
              ClusterView.beans(
                  session.conf(), metrics, "Hadoop:service=HBase,name=Hybrid,sub=Hybrid"))
          .ifPresent(remarks::add);
      double share =
          session.conf().getDouble("hbase.regionserver.global.memstore.size", MEMSTORE_SHARE);
      double heap =
          metrics.getLiveServerMetrics().values().stream()
              .map(ServerMetrics::getMaxHeapSize)
              .mapToDouble(size -> size.get(Size.Unit.BYTE))
              .average()
              .orElse(0);
      return given
          .orElse(Input.SERVERS, Math.max(1, metrics.getLiveServerMetrics().size()), CLUSTER)
          .orElse(Input.REGIONS, metrics.getRegionCount(), CLUSTER)
          .orElse(Input.MEMSTORE, heap * share, "heap of the cluster's RegionServers");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return given;
    } catch (IOException e) {
      session
          .err()
          .println(
              "HBase did not say how many servers it has and how much heap: "
                  + HdfsError.of(e).text());
      return given;
    }
  }

  private Workload space(Workload given) throws IOException {
    FileSystem fs = session.layout().walRoot().getFileSystem(session.conf());
    Optional<SsdSpace> space = SpaceReader.readOnce(fs, session.conf());
    withoutSsd(given, space).ifPresent(remarks::add);
    if (space.isEmpty() || space.get().nodes() == 0) {
      return given;
    }
    int nodes = space.get().nodes();
    return given
        .orElse(Input.DATA_NODES, nodes, CLUSTER)
        .orElse(Input.SSD, space.get().capacity() / (double) nodes, CLUSTER);
  }

  /**
   * The write rate of WALs, computed from the remaining files. Their names carry their creation
   * times, so all files of a log except the last were written between its first and last time. Not
   * thread-safe.
   */
  static final class WalRate {
    private static final Pattern START = Pattern.compile("(%2C\\d+)%2C\\d+");

    /**
     * The files of one host and port, or of its hbase:meta or one of its groups; a restarted server
     * continues its log.
     */
    private static final class Log {
      private long first = Long.MAX_VALUE;
      private long last = Long.MIN_VALUE;
      private long lastBytes;
      private long bytes;
    }

    private final Map<String, Log> logs = new TreeMap<>();

    /**
     * A name without a time is ignored.
     *
     * @param name without directories
     * @param bytes of one copy, as the NameNode reports
     */
    void add(String name, long bytes) {
      String plain = name.endsWith(".meta") ? name.substring(0, name.length() - 5) : name;
      int dot = plain.lastIndexOf('.');
      long begun;
      try {
        begun = Long.parseLong(plain.substring(dot + 1));
      } catch (NumberFormatException e) {
        return;
      }
      Log log =
          logs.computeIfAbsent(
              START.matcher(plain.substring(0, Math.max(0, dot))).replaceAll("$1")
                  + name.substring(plain.length()),
              k -> new Log());
      log.first = Math.min(log.first, begun);
      log.bytes += bytes;
      if (begun > log.last) {
        log.last = begun;
        log.lastBytes = bytes;
      }
    }

    /** Empty if no log has two files. */
    OptionalDouble bytesPerSecond() {
      return logs.values().stream().anyMatch(log -> log.last > log.first)
          ? OptionalDouble.of(
              logs.values().stream()
                  .filter(log -> log.last > log.first)
                  .mapToDouble(log -> (log.bytes - log.lastBytes) * 1e3 / (log.last - log.first))
                  .sum())
          : OptionalDouble.empty();
    }
  }
}
