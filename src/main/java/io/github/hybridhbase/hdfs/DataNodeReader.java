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
package io.github.hybridhbase.hdfs;

import io.github.hybridhbase.hdfs.WebClient.Jmx;
import io.github.hybridhbase.runtime.DaemonThreads;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.protocol.HdfsConstants.DatanodeReportType;
import org.apache.hadoop.hdfs.server.protocol.DatanodeStorageReport;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.com.google.gson.JsonElement;
import org.apache.hbase.thirdparty.com.google.gson.JsonParser;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A reader of an HDFS's DataNodes and SSD space: by one RPC for superusers, otherwise from {@code
 * /jmx}. Not thread-safe.
 */
@InterfaceAudience.Private
public final class DataNodeReader {
  private static final int MOST_ASKED = 3;
  private static final int AT_ONCE = 8;
  private static final int MOST_SECONDS = 20;
  private static final int MOST_BYTES = 16 << 20;
  private static final int MOST_MILLIS = 5_000;
  private static final String DATA_NODE = "/jmx?qry=Hadoop:service=DataNode,name=DataNodeInfo";

  // Reports of more DataNodes are kept for a minute: a thousand take megabytes.
  private static final int MANY = 100;
  private static final int MANY_IN_ALL = 400;
  private static final long KEEP_NANOS = TimeUnit.MINUTES.toNanos(1);

  private final DistributedFileSystem dfs;
  private final Configuration conf;
  private final WebClient web;

  /** Until the first denial, which is permanent. */
  private boolean superuser = true;

  /** A superuser's last reading; null if it failed. */
  private SsdSpace known;

  private long knownNanos;

  private int deadInMaintenance;

  /** Live ones at that count. */
  private int counted = -1;

  private long countedNanos;

  /** By the NameNode's key. */
  private Map<String, DataNodeState> before = Map.of();

  public DataNodeReader(FileSystem fs, Configuration conf) throws IOException {
    this.dfs = FailFastClient.unwrap(fs).orElseThrow(() -> new IOException(fs + " is no HDFS"));
    this.conf = conf;
    this.web = new WebClient(conf, MOST_BYTES, MOST_MILLIS);
  }

  /**
   * @throws IOException also if the NameNode is in standby, in safe mode or starting, since
   *     DataNodes may be missing
   */
  public SsdSpace space() throws IOException {
    if (superuser) {
      try {
        return reported();
      } catch (AccessControlException e) {
        superuser = false;
      }
    }
    // INVARIANT: in this order; figures read after a NameNode reports that it serves are complete.
    String active = NameNodeWeb.active(conf, dfs.getUri(), web);
    String system = web.read(active + Jmx.nameNode("FSNamesystemState"));
    if (!Jmx.attribute(system, "FSState").equals(Optional.of("Operational"))) {
      throw new IOException(active + " is in safe mode");
    }
    return SsdSpace.of(
            web.read(active + Jmx.BLOCK_STATS),
            Jmx.number(system, "NumInMaintenanceLiveDataNodes")
                + Jmx.number(system, "NumInMaintenanceDeadDataNodes"))
        .orElseThrow(() -> new IOException(active + " has no BlockStats"));
  }

  private SsdSpace reported() throws IOException {
    SsdSpace last = known;
    if (last != null
        && (last.nodes > MANY || last.nodes + last.without.size() > MANY_IN_ALL)
        && System.nanoTime() - knownNanos < KEEP_NANOS) {
      return last;
    }
    known = null;
    // Only the active NameNode answers.
    if (last == null && dfs.isInSafeMode()) {
      throw new IOException(dfs.getUri() + " is in safe mode");
    }
    List<DataNodeState> live = report(DatanodeReportType.LIVE);
    SsdSpace read = SsdSpace.of(live, deadInMaintenance(live.size()));
    if (last != null && read.nodes < last.nodes) {
      return reported(); // it may have restarted
    }
    known = read;
    knownNanos = System.nanoTime();
    return read;
  }

  /** Without a change of those that live, an admin alone changes it. */
  private int deadInMaintenance(int live) throws IOException {
    long now = System.nanoTime();
    if (live != counted || now - countedNanos >= KEEP_NANOS) {
      deadInMaintenance =
          (int)
              report(DatanodeReportType.DEAD).stream().filter(DataNodeState::inMaintenance).count();
      counted = live;
      countedNanos = now;
    }
    return deadInMaintenance;
  }

  /** Of one live DataNode, with SSD if there is any. */
  public static Map<String, String> settings(Collection<DataNodeState> live, Configuration conf)
      throws IOException {
    boolean ssd = live.stream().anyMatch(DataNodeState::hasSsd);
    Stream<DataNodeState> asked = live.stream().filter(node -> !ssd || node.hasSsd());
    return WebClient.settings(
        conf, asked.limit(MOST_ASKED).map(node -> node.web).collect(Collectors.toList()));
  }

  /**
   * All live ones, within {@value #MOST_SECONDS} s. A DataNode that does not respond keeps its last
   * media.
   */
  public List<DataNodeState> read() throws IOException {
    try {
      return report(DatanodeReportType.LIVE);
    } catch (AccessControlException e) {
      return fromWeb(dfs.getUri());
    }
  }

  /**
   * DataNodes with SSD that HDFS has given up, but for those taken out of service before; empty if
   * this user may not list them.
   */
  public List<String> dead() throws IOException {
    try {
      return report(DatanodeReportType.DEAD).stream()
          .filter(node -> node.hasSsd() && !node.isOut())
          .map(node -> node.name + " (dead)")
          .collect(Collectors.toList());
    } catch (AccessControlException e) {
      return List.of();
    }
  }

  /**
   * @throws AccessControlException if not a superuser
   */
  private List<DataNodeState> report(DatanodeReportType which) throws IOException {
    try {
      return of(dfs.getClient().getDatanodeStorageReport(which));
    } catch (RemoteException e) {
      throw e.unwrapRemoteException(AccessControlException.class);
    }
  }

  static List<DataNodeState> of(DatanodeStorageReport... reports) {
    long now =
        Arrays.stream(reports)
            .mapToLong(report -> report.getDatanodeInfo().getLastUpdate())
            .max()
            .orElse(0);
    return Arrays.stream(reports)
        .map(report -> DataNodeState.of(report, now))
        .collect(Collectors.toList());
  }

  List<DataNodeState> fromWeb(URI fs) throws IOException {
    List<DataNodeState> live = new ArrayList<>();
    try {
      String active = NameNodeWeb.active(conf, fs, web);
      String json = web.read(active + Jmx.nameNode("NameNodeInfo", "LiveNodes"));
      String nodes =
          Jmx.attribute(json, "LiveNodes")
              .orElseThrow(() -> new IOException("the NameNode's /jmx has no LiveNodes"));
      for (Map.Entry<String, JsonElement> node :
          JsonParser.parseString(nodes).getAsJsonObject().entrySet()) {
        live.add(DataNodeState.of(node.getKey(), node.getValue().getAsJsonObject()));
      }
    } catch (RuntimeException e) {
      throw new IOException("LiveNodes is not what Hadoop 3 writes there", e);
    }
    return withOwn(live);
  }

  private List<DataNodeState> withOwn(List<DataNodeState> live) throws IOException {
    // Hanging DataNodes must not hide the same others each time.
    Collections.shuffle(live);
    List<DataNodeState> all = new ArrayList<>();
    Map<String, DataNodeState> known = new HashMap<>();
    try {
      List<Callable<String>> questions =
          live.stream()
              .map(node -> (Callable<String>) () -> web.read(node.web + DATA_NODE))
              .collect(Collectors.toList());
      List<Optional<String>> answers =
          DaemonThreads.askAll("hybrid-datanodes", AT_ONCE, questions, MOST_SECONDS);
      for (int i = 0; i < live.size(); i++) {
        DataNodeState node = live.get(i).with(answers.get(i).orElse(""));
        node = node.orVolumesOf(before.get(node.address));
        all.add(node);
        known.put(node.address, node);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("Interrupted while reading DataNodes", e);
    }
    before = known;
    return all;
  }
}
