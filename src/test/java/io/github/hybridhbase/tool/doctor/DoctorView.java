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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.hdfs.DataNodeState;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.testing.Ssds;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A healthy cluster as doctor sees it, and faults to plant in it. */
@InterfaceAudience.Private
public final class DoctorView {
  static final long GIB = 1L << 30;

  final Configuration conf = new Configuration(false);
  ClusterFacts facts;

  public DoctorView() {
    conf.set("hbase.wal.provider", "io.github.hybridhbase.wal.HybridWALProvider");
    conf.set(
        "hbase.coprocessor.master.classes",
        "io.github.hybridhbase.coprocessor.HybridMasterObserver");
    conf.set(
        "hbase.coprocessor.region.classes",
        "io.github.hybridhbase.coprocessor.HybridRegionObserver");
    facts = healthy();
  }

  private ClusterFacts healthy() {
    ClusterFacts healthy = new ClusterFacts(conf);
    healthy.dataNodes =
        Observed.at(List.of(ssdNode("a", "/r1"), ssdNode("b", "/r1"), ssdNode("c", "/r1")));
    healthy.space = Observed.at(new SsdSpace(300 * GIB, GIB, 299 * GIB, 3, List.of()));
    healthy.capabilities =
        Observed.at(
            new CapabilityProbe(
                List.of(StorageType.SSD, StorageType.SSD, StorageType.SSD), Map.of()));
    healthy.policies = Observed.at(Map.of());
    healthy.nameNode = Observed.at(Map.of());
    healthy.dataNode = Observed.at(Map.of(HdfsChecks.SYNC_ON_CLOSE, "true"));
    healthy.families = Observed.at(List.of());
    healthy.servers =
        Observed.at(
            List.of(
                new ClusterFacts.Server("a", "2.6.4", true, List.of("HybridRegionObserver")),
                new ClusterFacts.Server("b", "2.6.4", false, List.of())));
    healthy.plugins =
        Observed.at(List.of(plugin("master", "1.0"), plugin("a", "1.0"), plugin("b", "1.0")));
    healthy.masterCoprocessors = Observed.at(List.of("HybridMasterObserver"));
    healthy.peers = Observed.at(List.of("peer"));
    healthy.oldWals = Observed.at(new ClusterFacts.OldWals(3, 100, 600_000));
    return healthy;
  }

  /** A server that is configured for the plugin and runs this version, or none if it is null. */
  static ServerPlugin plugin(String server, String version) {
    return new ServerPlugin(server, Observed.at(Optional.ofNullable(version)), Observed.at(true));
  }

  /** A DataNode in service with SSD and DISK. */
  static DataNodeState ssdNode(String name, String rack) {
    return node(name, rack, "In Service", StorageType.SSD, StorageType.DISK);
  }

  static DataNodeState node(String name, String rack, String state, StorageType... types) {
    return Ssds.dataNode(name, rack, state, Set.copyOf(List.of(types)));
  }

  public Configuration conf() {
    return conf;
  }

  /** Sets a key of the site file; before other faults. */
  public DoctorView set(String key, String value) {
    conf.set(key, value);
    facts = healthy();
    return this;
  }

  /** Unsets keys of the site file; before other faults. */
  DoctorView unset(String... keys) {
    List.of(keys).forEach(conf::unset);
    facts = healthy();
    return this;
  }

  DoctorView with(Consumer<ClusterFacts> fault) {
    fault.accept(facts);
    return this;
  }

  DoctorView plugins(ServerPlugin... plugins) {
    facts.plugins = Observed.at(List.of(plugins));
    return this;
  }

  DoctorView regionServers(ClusterFacts.Server... servers) {
    facts.servers = Observed.at(List.of(servers));
    return this;
  }

  DoctorView families(ClusterFacts.Family... families) {
    facts.families = Observed.at(List.of(families));
    return this;
  }

  /** Of one DataNode. */
  DoctorView dataNode(Map<String, String> settings) {
    facts.dataNode = Observed.at(settings);
    return this;
  }

  /** What the master's page is told of the servers. */
  public Diagnosis servers() {
    return facts
        .plugins
        .seen()
        .map(plugins -> PluginChecks.examine(conf, true, plugins))
        .orElseGet(Diagnosis::new);
  }

  /** What is read from HDFS, in the same way by all views. */
  public DoctorView hdfs(SsdSpace space, Map<String, PolicyStatus> policies) {
    facts.space = Observed.at(space);
    facts.policies = Observed.at(new TreeMap<>(policies));
    return this;
  }

  /** The first server's WALs do. */
  public void excludes(Map<String, String> dataNodes) {
    facts.plugins.seen().orElseThrow().get(0).excluded = dataNodes;
  }

  public DoctorView probeGoesTo(StorageType... types) {
    facts.capabilities = Observed.at(new CapabilityProbe(List.of(types), Map.of()));
    return this;
  }

  public DoctorView refuses(Step step, IOException why) {
    facts.capabilities = Observed.at(new CapabilityProbe(List.of(), Map.of(step, why)));
    return this;
  }

  public DoctorView hbaseIsDown() {
    facts.servers = Observed.unknown("HBase does not answer");
    facts.plugins = Observed.unknown("HBase does not answer");
    facts.masterCoprocessors = Observed.unknown("HBase does not answer");
    return this;
  }

  public void spaceIsUnreadable() {
    facts.space = Observed.unknown("the web server is off");
    facts.dataNodes = Observed.unknown("this user may not");
  }

  /** The last server runs without the plugin, with another version, engine or declaration. */
  public void lastServerRuns(String version, Boolean engine, String wals, boolean writers) {
    List<ServerPlugin> plugins = new ArrayList<>(facts.plugins.seen().orElseThrow());
    ServerPlugin last = plugin("b", version);
    if (!writers) {
      last.notInForce =
          List.of(new WriterShortfall("hbase.hybrid.wal.hsync=auto", "It is ViewFS.", "See."));
    }
    last.engine = Optional.ofNullable(engine);
    last.declared = Map.of("hbase.hybrid.wal.policy", wals);
    plugins.forEach(plugin -> plugin.declared = Map.of("hbase.hybrid.wal.policy", "ALL_SSD"));
    plugins.set(plugins.size() - 1, last);
    facts.plugins = Observed.at(plugins);
  }

  public Diagnosis diagnosis() {
    return Doctor.examine(facts);
  }
}
