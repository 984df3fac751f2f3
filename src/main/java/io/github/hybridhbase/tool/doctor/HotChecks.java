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

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.HybridKeys;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.regionserver.BloomType;
import org.apache.hadoop.hbase.util.BloomFilterFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** A check of table descriptors whether families whose hot rows are to be on SSD can gain by it. */
@InterfaceAudience.Private
final class HotChecks {
  private static final int LARGE = 16 << 10;

  private HotChecks() {}

  /** The family's own values win, then the table's. */
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
    BloomType filter = family.getBloomFilterType();
    to.filter =
        !BloomFilterFactory.isGeneralBloomEnabled(site)
            ? "switched off (" + BloomFilterFactory.IO_STOREFILE_BLOOM_ENABLED + ")"
            : filter == BloomType.ROW ? "" : filter.name();
    to.blockBytes = family.getBlocksize();
  }

  static void examine(ClusterFacts.Family family, Diagnosis diagnosis) {
    if (!family.hot) {
      return;
    }
    if (!family.filter.isEmpty()) {
      diagnosis.add(
          FindingId.HOT_NO_ROW_FILTER, family.name, family.filter, table(family), column(family));
    }
    if (family.blockBytes > LARGE) {
      diagnosis.add(
          FindingId.HOT_LARGE_BLOCKS,
          family.name,
          family.blockBytes,
          table(family),
          column(family));
    }
  }

  private static String table(ClusterFacts.Family family) {
    return family.name.substring(0, family.name.lastIndexOf(':'));
  }

  private static String column(ClusterFacts.Family family) {
    return family.name.substring(family.name.lastIndexOf(':') + 1);
  }
}
