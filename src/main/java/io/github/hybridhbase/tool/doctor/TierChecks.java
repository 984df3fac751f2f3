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
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.SiteKeys;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.regionserver.DefaultStoreEngine;
import org.apache.hadoop.hbase.regionserver.StoreEngine;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** What keeps families of tables from the SSD tier and from hot rows. */
@InterfaceAudience.Private
final class TierChecks {
  private static final String ENGINE = StoreEngine.STORE_ENGINE_CLASS_KEY;
  private static final String POLICY = DefaultStoreEngine.DEFAULT_COMPACTION_POLICY_CLASS_KEY;

  private static final String TRACKER = "hbase.store.file-tracker.impl";

  private TierChecks() {}

  /** The setting that excludes a family from the SSD tier; empty if none. */
  static String unserved(TableDescriptor table, ColumnFamilyDescriptor family, Configuration conf) {
    String engine = own(ENGINE, table, family);
    if (engine != null && !SiteKeys.namesPlugin(engine)) {
      return ENGINE + "=" + engine;
    }
    if (family.isMobEnabled()) {
      return "IS_MOB=true";
    }
    String tracker = own(TRACKER, table, family);
    if ("FILE".equalsIgnoreCase(tracker == null ? conf.get(TRACKER) : tracker)) {
      return TRACKER + "=FILE";
    }
    String policy = own(POLICY, table, family);
    policy = policy == null ? conf.get(POLICY, "") : policy;
    if (policy.endsWith(".FIFOCompactionPolicy")) {
      return POLICY + "=" + policy;
    }
    return table.isCompactionEnabled() ? "" : "COMPACTION_ENABLED of the table=false";
  }

  private static String own(String key, TableDescriptor table, ColumnFamilyDescriptor family) {
    String value = family.getConfigurationValue(key);
    return value == null ? table.getValue(key) : value;
  }

  /** A check whether families with hot rows on SSD can gain by it. */
  static final class HotChecks {
    private static final int LARGE = 16 << 10;

    private HotChecks() {}

    /** The family's values win over the table's. */
    static void read(
        ClusterFacts.Family to,
        TableDescriptor table,
        ColumnFamilyDescriptor family,
        Configuration site) {
      Configuration conf = new Configuration(false);
      String key = HybridKeys.HOT_POLICY.name();
      String value = family.getConfigurationValue(key);
      value = value == null ? table.getValue(key) : value;
      value = value == null ? site.get(key) : value;
      if (value != null) {
        conf.set(key, value);
      }
      to.hot = HybridKeys.HOT_POLICY.get(conf).wantsSsd();
      to.hotOnOneSsd = HybridKeys.HOT_POLICY.get(conf) == StoragePolicy.ONE_SSD;
      BloomType filter = family.getBloomFilterType();
      to.filter =
          !BloomFilterFactory.isGeneralBloomEnabled(site)
              ? "switched off (" + BloomFilterFactory.IO_STOREFILE_BLOOM_ENABLED + ")"
              : filter == BloomType.ROW ? "" : filter.name();
      to.blockBytes = family.getBlocksize();
    }

    static void examine(ClusterFacts.Family family, ClusterFacts facts, Diagnosis diagnosis) {
      if (!family.hot) {
        return;
      }
      List<String> without = family.hotOnOneSsd ? serversWithoutSsd(facts) : List.of();
      if (!without.isEmpty()) {
        diagnosis.add(
            FindingId.HOT_ONE_SSD, family.name, without.size(), Text.some(without), family.table());
      }
      if (!family.filter.isEmpty()) {
        diagnosis.add(
            FindingId.HOT_NO_ROW_FILTER,
            family.name,
            family.filter,
            family.table(),
            family.column());
      }
      if (family.blockBytes > LARGE) {
        diagnosis.add(
            FindingId.HOT_LARGE_BLOCKS,
            family.name,
            family.blockBytes,
            family.table(),
            family.column());
      }
    }

    /** RegionServers whose own DataNode has no SSD. */
    private static List<String> serversWithoutSsd(ClusterFacts facts) {
      Map<String, Boolean> ssdOfHost = new HashMap<>();
      for (DataNodeState node : facts.dataNodes.seen().orElse(List.of())) {
        if (!node.types.isEmpty()) {
          ssdOfHost.merge(node.name.replaceAll(":\\d+$", ""), node.hasSsd(), Boolean::logicalOr);
        }
      }
      return facts.servers.seen().orElse(List.of()).stream()
          .map(server -> server.name)
          .filter(name -> Boolean.FALSE.equals(ssdOfHost.get(name.split(",")[0])))
          .collect(Collectors.toList());
    }
  }
}
