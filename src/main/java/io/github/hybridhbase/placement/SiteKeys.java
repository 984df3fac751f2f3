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
package io.github.hybridhbase.placement;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.yetus.audience.InterfaceAudience;

/** The keys of a site file that enable the plugin. */
@InterfaceAudience.Private
public final class SiteKeys {
  public static final String WAL_PROVIDER = "hbase.wal.provider";
  public static final String WAL_GROUP_PROVIDER = "hbase.wal.regiongrouping.delegate.provider";
  public static final String MASTER_LIST = "hbase.coprocessor.master.classes";
  public static final String REGION_LIST = "hbase.coprocessor.region.classes";

  public static final String HSTORE_POLICY = "hbase.hstore.block.storage.policy";
  public static final String HREGION_POLICY = "hbase.hregion.block.storage.policy";

  private static final String PACKAGE = "io.github.hybridhbase.";

  private SiteKeys() {}

  public static boolean namesPlugin(String value) {
    return value != null && value.contains(PACKAGE);
  }

  /** Directly or for multiwal's groups. */
  public static boolean namesProvider(String provider, String ofGroups) {
    return namesPlugin(provider) || "multiwal".equals(provider) && namesPlugin(ofGroups);
  }

  public static boolean enables(Configuration conf) {
    return namesProvider(conf.get(WAL_PROVIDER), conf.get(WAL_GROUP_PROVIDER));
  }

  /** Whether multiwal creates the plugin's provider, at a server's first region. */
  public static boolean enablesGroups(Configuration conf) {
    return enables(conf) && !namesPlugin(conf.get(WAL_PROVIDER));
  }

  /** The policies that HBase itself sets on directories, by key; they win over the plugin's. */
  public static Map<String, String> overriding(Configuration conf) {
    Map<String, String> policies = new LinkedHashMap<>();
    for (String key : List.of(HConstants.WAL_STORAGE_POLICY, HSTORE_POLICY, HREGION_POLICY)) {
      String policy = conf.getTrimmed(key, "");
      if (!policy.isEmpty() && !policy.equalsIgnoreCase("NONE")) {
        policies.put(key, policy);
      }
    }
    return policies;
  }

  /** Whether no part is enabled. */
  public static boolean isStock(Configuration conf) {
    return !enables(conf)
        && !namesPlugin(conf.get(MASTER_LIST))
        && !namesPlugin(conf.get(REGION_LIST));
  }
}
