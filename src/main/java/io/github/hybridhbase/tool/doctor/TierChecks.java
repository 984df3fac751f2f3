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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check whether the SSD tier can work: by this host's HBase, the store engines that servers
 * report, and table descriptors.
 */
@InterfaceAudience.Private
final class TierChecks {
  private static final String ENGINE = StoreEngine.STORE_ENGINE_CLASS_KEY;
  private static final String POLICY = DefaultStoreEngine.DEFAULT_COMPACTION_POLICY_CLASS_KEY;

  private TierChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.tierDeclared && !facts.commitsAreTold) {
      diagnosis.add(
          FindingId.TIER_NOT_IN_FORCE,
          "SSD tier",
          "The StoreEngine of the HBase on this host has no form of commitStoreFiles that the"
              + " plugin knows.",
          "Run a line of HBase that docs/versions.md names, or set "
              + Component.TIER.policyKey()
              + "=NONE.");
    }
    if (facts.tierDeclared) {
      engines(facts, diagnosis);
    }
  }

  /**
   * Reports of servers take precedence; this host's site file counts only if no server has an open
   * store.
   */
  private static void engines(ClusterFacts facts, Diagnosis diagnosis) {
    List<ClusterFacts.Plugin> plugins = facts.plugins.seen().orElse(List.of());
    List<String> without =
        plugins.stream()
            .filter(plugin -> plugin.engine.equals(Optional.of(false)))
            .map(plugin -> plugin.server)
            .collect(Collectors.toList());
    boolean reported = plugins.stream().anyMatch(plugin -> plugin.engine.isPresent());
    String seen = "";
    if (!without.isEmpty()) {
      seen = "Stores of user tables lack the plugin's engine on " + Text.some(without) + ".";
    } else if (!reported && SiteKeys.enables(facts.conf)) {
      String named = facts.conf.get(ENGINE);
      if (named != null && !SiteKeys.namesPlugin(named)) {
        seen = ENGINE + " is " + named + " on this host.";
      }
    }
    if (!seen.isEmpty()) {
      diagnosis.add(
          FindingId.TIER_NO_ENGINE,
          ENGINE,
          seen,
          "Remove "
              + ENGINE
              + " from the RegionServers' hbase-site.xml, since they set the plugin's engine in"
              + " memory, and restart them; or set "
              + Component.TIER.policyKey()
              + "=NONE.");
    }
  }

  /** Why the SSD tier cannot serve a family, a sentence; "" if its descriptors permit it. */
  static String unserved(TableDescriptor table, ColumnFamilyDescriptor family, Configuration conf) {
    String engine = own(ENGINE, table, family);
    if (engine != null && !SiteKeys.namesPlugin(engine)) {
      return "Its store engine is " + engine + ".";
    }
    String policy = own(POLICY, table, family);
    policy = policy == null ? conf.get(POLICY, "") : policy;
    if (policy.endsWith(".FIFOCompactionPolicy")) {
      return "FIFO compaction never rewrites a file.";
    }
    return table.isCompactionEnabled() ? "" : "COMPACTION_ENABLED of the table is false.";
  }

  private static String own(String key, TableDescriptor table, ColumnFamilyDescriptor family) {
    String value = family.getConfigurationValue(key);
    return value == null ? table.getValue(key) : value;
  }
}
