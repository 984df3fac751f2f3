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
import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginFinder;
import io.github.hybridhbase.runtime.DaemonThreads;
import io.github.hybridhbase.tool.cli.ClusterView;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.ServerMetrics;
import org.apache.hadoop.hbase.Size;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;

/** A reader of a {@link Demand} from HBase's metrics, means since the servers' start. */
@InterfaceAudience.Private
final class LiveCluster {
  private static final int AT_ONCE = 8;
  private static final int PATIENCE_SECONDS = 15;

  /** Percent of a store for which servers tell the reads. */
  private static final int COUNTED = 10;

  private static final String SERVER = "Hadoop:service=HBase,name=RegionServer,sub=";
  private static final String HYBRID = "Hadoop:service=HBase,name=Hybrid,sub=Hybrid";

  final Demand demand;

  /** Bytes; empty if none or unknown. */
  final OptionalDouble ssd;

  private LiveCluster(Demand demand, OptionalDouble ssd) {
    this.demand = demand;
    this.ssd = ssd;
  }

  /** Also of servers that do not answer: what they have stays unset. */
  static LiveCluster read(Session session, Demand given) throws IOException {
    Configuration conf = session.conf;
    ClusterMetrics cluster;
    try (Connection connection = ClusterView.connect(conf);
        Admin admin = connection.getAdmin()) {
      cluster = admin.getClusterMetrics();
    }
    double up =
        cluster.getLiveServerMetrics().keySet().stream()
            .mapToDouble(server -> (System.currentTimeMillis() - server.getStartcode()) / 1e3)
            .average()
            .orElse(0);
    try {
      Demand found =
          given
              .orElse(Ask.DATA, OptionalDouble.of(data(cluster)), "HBase's store files")
              .orElse(
                  Ask.WRITE_RATE,
                  rate(beans(conf, cluster, SERVER + "WAL"), "writtenBytes", up),
                  "HBase's WALs since its servers started; give the peak")
              // Positional reads, which compactions do not make.
              .orElse(
                  Ask.READS,
                  rate(beans(conf, cluster, SERVER + "IO"), "FsPReadTime_num_ops", up),
                  "HBase's reads of files since its servers started, page caches' too; give the"
                      + " peak")
              .orElse(Ask.HOT, hot(beans(conf, cluster, HYBRID)), "the servers' counts of reads");
      FileSystem fs = session.layout.walRoot().getFileSystem(conf);
      OptionalDouble ssd =
          Observed.with(() -> new DataNodeReader(fs, conf).space())
              .seen()
              .filter(space -> space.nodes > 0)
              .map(space -> OptionalDouble.of(space.capacity))
              .orElse(OptionalDouble.empty());
      return new LiveCluster(found, ssd);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
    }
  }

  /** Bytes of user tables' store files. */
  private static double data(ClusterMetrics cluster) {
    return cluster.getLiveServerMetrics().values().stream()
        .flatMap(server -> server.getRegionMetrics().values().stream())
        .filter(region -> !RegionInfo.getTable(region.getRegionName()).isSystemTable())
        .mapToDouble(region -> region.getStoreFileSize().get(Size.Unit.BYTE))
        .sum();
  }

  /** A second, of all; empty if none answered. */
  static OptionalDouble rate(List<JsonObject> beans, String counter, double upSeconds) {
    return beans.isEmpty() || !(upSeconds > 0)
        ? OptionalDouble.empty()
        : OptionalDouble.of(
            beans.stream().mapToDouble(bean -> Jmx.number(bean, counter)).sum() / upSeconds);
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
      double percent = Jmx.number(server, answered);
      double weight = percent > 0 ? Math.max(1, Jmx.number(server, "HotDiskReads")) : 0;
      reads += weight;
      sum += weight * percent;
    }
    double of = Math.min(0.99, Math.max(COUNTED / 100.0, sum / reads / 100));
    return reads == 0
        ? OptionalDouble.empty()
        : OptionalDouble.of(Math.max(1, Demand.hotPercent(COUNTED / 100.0, of)));
  }

  private static List<JsonObject> beans(Configuration conf, ClusterMetrics cluster, String bean)
      throws InterruptedException {
    List<Callable<JsonObject>> questions = new ArrayList<>();
    for (ServerMetrics server : cluster.getLiveServerMetrics().values()) {
      String address =
          PluginFinder.address(
              conf, server.getServerName().getHostname(), server.getInfoServerPort());
      questions.add(() -> Jmx.bean(conf, address + "/jmx?qry=" + bean).orElseThrow());
    }
    return DaemonThreads.askAll("hybrid-ask", AT_ONCE, questions, PATIENCE_SECONDS).stream()
        .flatMap(Optional::stream)
        .collect(Collectors.toList());
  }
}
