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

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.Observed;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import org.apache.yetus.audience.InterfaceAudience;

/** The list of all checks, pure functions of the facts. */
@InterfaceAudience.Private
public final class Doctor {
  private static final List<BiConsumer<ClusterFacts, Diagnosis>> CHECKS =
      List.of(
          HdfsChecks::ssd,
          HdfsChecks::examine,
          SiteChecks::examine,
          HBaseChecks::examine,
          Doctor::plugins);

  private Doctor() {}

  public static Diagnosis examine(ClusterFacts facts) {
    Diagnosis diagnosis = new Diagnosis();
    CHECKS.forEach(check -> check.accept(facts, diagnosis));
    facts.zooKeeperDisks.forEach(disk -> diagnosis.add(FindingId.ZOOKEEPER_ON_DISK, disk));
    // Without these the cluster may be unable to do what is declared.
    diagnosis.need("HBase's servers", facts.servers);
    diagnosis.need(
        "whether HDFS accepts blocks and policies", HdfsChecks.mayCreate(facts.capabilities));
    diagnosis.need("the directories' policies", facts.policies);
    return diagnosis;
  }

  /** Whether no part of the plugin is installed. */
  public static boolean isStock(ClusterFacts facts) {
    return HBaseChecks.isStock(facts);
  }

  private static void plugins(ClusterFacts facts, Diagnosis diagnosis) {
    List<ServerPlugin> plugins = facts.plugins.seen().orElse(List.of());
    if (facts.settings.mode() != Mode.OFF) {
      diagnosis.seen("the plugin's version on each server", facts.plugins);
      boolean stock = HBaseChecks.isStock(facts);
      Set<String> reported = HBaseChecks.withoutCoprocessor(facts);
      PluginChecks.running(facts.conf, stock, reported, plugins, diagnosis);
      PluginChecks.declarations(withThisHost(plugins, facts), diagnosis);
    }
    PluginChecks.writers(plugins, diagnosis);
    PluginChecks.stalled(plugins, diagnosis);
    if (facts.tierDeclared) {
      PluginChecks.engines(facts.conf, facts.commitsAreNotified, plugins, diagnosis);
    }
  }

  /** The verbs use this host's site file. */
  private static List<ServerPlugin> withThisHost(List<ServerPlugin> plugins, ClusterFacts facts) {
    List<ServerPlugin> all = new ArrayList<>(plugins);
    ServerPlugin here =
        new ServerPlugin("this host", Observed.unknown("no server"), Observed.at(true));
    here.declared = facts.settings.declared();
    all.add(here);
    return all;
  }
}
