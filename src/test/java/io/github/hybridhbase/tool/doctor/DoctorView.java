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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace.PolicyStatus;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.tool.doctor.CapabilityProbe.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.StorageType;
import org.apache.yetus.audience.InterfaceAudience;

/** A healthy cluster as doctor sees it, with faults to plant, for tests of other packages. */
@InterfaceAudience.Private
public final class DoctorView extends HealthyFacts {
  private ClusterFacts facts;

  public DoctorView() {
    healthySite();
    facts = healthy();
  }

  public Configuration conf() {
    return conf;
  }

  /** Sets a key of the site file; before other faults. */
  public void set(String key, String value) {
    conf.set(key, value);
    facts = healthy();
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
  public void hdfs(SsdSpace space, Map<String, PolicyStatus> policies) {
    facts.space = Observed.at(space);
    facts.policies = Observed.at(policies);
  }

  /** The first server's WALs do. */
  public void excludes(Map<String, String> dataNodes) {
    facts.plugins.seen().orElseThrow().get(0).excluded = dataNodes;
  }

  public List<Finding> findings() {
    return Doctor.examine(facts).findings();
  }

  public void probeGoesTo(StorageType... types) {
    facts.capabilities = Observed.at(HealthyFacts.replicas(types));
  }

  public void refuses(Step step, IOException why) {
    facts.capabilities = Observed.at(HealthyFacts.refusing(step, why));
  }

  /** The last server has the plugin's coprocessor, and HBase's WAL provider. */
  public void hbaseIsDown() {
    facts.servers = Observed.unknown("HBase does not answer");
    facts.plugins = Observed.unknown("HBase does not answer");
    facts.masterCoprocessors = Observed.unknown("HBase does not answer");
  }

  public void spaceIsUnreadable() {
    facts.space = Observed.unknown("the web server is off");
    facts.dataNodes = Observed.unknown("this user may not");
  }

  /** The last server runs without the plugin, with another version, engine or declaration. */
  public void lastServerRuns(String version, Boolean engine, String wals, boolean writers) {
    List<ServerPlugin> plugins = new ArrayList<>(facts.plugins.seen().orElseThrow());
    ServerPlugin last =
        new ServerPlugin("b", Observed.at(Optional.ofNullable(version)), Observed.at(true));
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
