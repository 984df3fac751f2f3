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

import io.github.hybridhbase.hdfs.DataNodeReader;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.tool.cli.ClusterView;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of a {@link Demand} from a running cluster. What an unresponsive HBase has stays unset.
 */
@InterfaceAudience.Private
final class LiveCluster {
  /** Percent of a store for which servers tell the reads. */
  private static final int COUNTED = 10;

  private static final String CLUSTER = "the cluster";

  private static final int AHEAD = 3;

  private static final String IO = "Hadoop:service=HBase,name=RegionServer,sub=IO";

  private static final String HYBRID = "Hadoop:service=HBase,name=Hybrid,sub=Hybrid";

  private final Session session;
  private final Map<Component, Long> bytes = new EnumMap<>(Component.class);
  private final WalRate walRate = new WalRate();
  private Demand demand;
  private OptionalDouble ssd = OptionalDouble.empty();

  private LiveCluster(Session session) {
    this.session = session;
  }

  static LiveCluster read(Session session, Demand given) throws IOException {
    LiveCluster cluster = new LiveCluster(session);
    cluster.demand = cluster.hbase(cluster.files(given));
    cluster.space();
    return cluster;
  }

  Demand demand() {
    return demand;
  }

  /** Bytes; empty if none or unknown. */
  OptionalDouble ssd() {
    return ssd;
  }

  /**
   * By counted single-row reads.
   *
   * @param servers beans of the plugin's metrics
   * @return {@link Ask#HOT}; empty if no server has counted enough
   */
  static OptionalDouble hot(List<JsonObject> servers) {
    String answered = "HotGetsOf" + COUNTED + "Percent";
    double reads = 0;
    double sum = 0;
    for (JsonObject server : servers) {
      double percent = number(server, answered);
      double weight = percent > 0 ? Math.max(1, number(server, "HotDiskReads")) : 0;
      reads += weight;
      sum += weight * percent;
    }
    double of = Math.min(0.99, Math.max(COUNTED / 100.0, sum / reads / 100));
    return reads == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(1, Demand.hotPercent(COUNTED / 100.0, of)));
  }

  /**
   * Reads a second that missed the block cache: HBase's positional reads, which compactions do not
   * make.
   *
   * @param upSeconds mean time since the servers' start
   */
  static OptionalDouble reads(List<JsonObject> io, double upSeconds) {
    return io.isEmpty() || !(upSeconds > 0)
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            io.stream().mapToDouble(bean -> number(bean, "FsPReadTime_num_ops")).sum() / upSeconds);
  }

  private static double number(JsonObject bean, String name) {
    return bean.has(name) ? bean.get(name).getAsDouble() : 0;
  }

  private Demand files(Demand given) throws IOException {
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
    Demand found = given.orElse(Ask.DATA, of(Component.USER) + of(Component.TIER), CLUSTER);
    OptionalDouble rate = walRate.bytesPerSecond();
    return rate.isPresent()
        ? found.orElse(Ask.WRITE_RATE, rate.getAsDouble(), "the sizes and times of its WALs")
        : found;
  }

  /** Not the master's. */
  private boolean isOldWal(Path directory) {
    Path old = new Path(session.layout().walRoot(), HConstants.HREGION_OLDLOGDIR_NAME);
    return directory != null && directory.toUri().getPath().equals(old.toUri().getPath());
  }

  private long of(Component component) {
    return bytes.getOrDefault(component, 0L);
  }

  private Demand hbase(Demand given) {
    try {
      ClusterMetrics metrics;
      try (Connection connection = ClusterView.connect(session.conf());
          Admin admin = connection.getAdmin()) {
        metrics = admin.getClusterMetrics();
      }
      double up =
          metrics.getLiveServerMetrics().keySet().stream()
              .mapToDouble(server -> (System.currentTimeMillis() - server.getStartcode()) / 1e3)
              .average()
              .orElse(0);
      Demand found = given;
      OptionalDouble reads = reads(ClusterView.beans(session.conf(), metrics, IO), up);
      if (reads.isPresent()) {
        found =
            found.orElse(
                Ask.READS,
                reads.getAsDouble(),
                "HBase's reads of files since its servers started, page caches' too; give the"
                    + " peak");
      }
      OptionalDouble hot = hot(ClusterView.beans(session.conf(), metrics, HYBRID));
      return hot.isPresent()
          ? found.orElse(Ask.HOT, hot.getAsDouble(), "the servers' counts of reads")
          : found;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return given;
    } catch (IOException e) {
      session
          .err()
          .println(
              "HBase did not report its reads, give --reads and --hot: " + HdfsError.of(e).text());
      return given;
    }
  }

  private void space() throws IOException {
    FileSystem fs = session.layout().walRoot().getFileSystem(session.conf());
    Observed.with(() -> new DataNodeReader(fs, session.conf()).space())
        .seen()
        .filter(space -> space.nodes > 0)
        .ifPresent(space -> ssd = OptionalDouble.of(space.capacity));
  }

  /**
   * The write rate of WALs. Names carry creation times, so all files of a log except the last were
   * written between its first and last time. Not thread-safe.
   */
  static final class WalRate {
    private static final Pattern START = Pattern.compile("(%2C\\d+)%2C\\d+");

    /** Of one host and port, or of its hbase:meta or one of its groups, across restarts. */
    private static final class Log {
      private long first = Long.MAX_VALUE;
      private long last = Long.MIN_VALUE;
      private long lastBytes;
      private long bytes;
    }

    private final Map<String, Log> logs = new TreeMap<>();

    /**
     * Ignores a name without a time.
     *
     * @param bytes of one copy
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
