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
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.Mode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.yetus.audience.InterfaceAudience;

/** A check of HBase's site file on this host. */
@InterfaceAudience.Private
final class SiteChecks {
  private static final Map<FindingId, String> OVERRIDING =
      Map.of(
          FindingId.HSTORE_POLICY, "hbase.hstore.block.storage.policy",
          FindingId.HREGION_POLICY, "hbase.hregion.block.storage.policy",
          FindingId.WAL_POLICY, HConstants.WAL_STORAGE_POLICY);

  private static final List<String> LISTS =
      List.of(
          SiteKeys.MASTER_LIST,
          SiteKeys.REGION_LIST,
          "hbase.coprocessor.regionserver.classes",
          "hbase.coprocessor.user.region.classes",
          "hbase.coprocessor.wal.classes");

  private SiteChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    problems(facts, diagnosis);
    facts
        .settings
        .warnings()
        .forEach(text -> diagnosis.add(FindingId.SETTING_PRICE, text.split("[=,]", 2)[0], text));
    OVERRIDING.forEach((id, key) -> overriding(facts.conf, id, key).ifPresent(diagnosis::add));
    enabled(facts, diagnosis);
    facts.before.seen().ifPresent(before -> lost(before, facts.conf, diagnosis));
    flushers(facts, diagnosis);
    engine(facts, diagnosis);
  }

  /** One of HBase's own keys for storage policies, which win over the plugin's. */
  private static Optional<Finding> overriding(Configuration conf, FindingId id, String key) {
    String value = conf.getTrimmed(key, "");
    return value.isEmpty() || value.equals("NONE")
        ? Optional.empty()
        : Optional.of(Finding.of(id, key, value));
  }

  static void problems(ClusterFacts facts, Diagnosis diagnosis) {
    facts
        .settings
        .problems()
        .forEach(text -> diagnosis.add(FindingId.SETTING_WRONG, text.split("=", 2)[0], text));
  }

  /** Servers set it in memory; only a file of an earlier version contains it. */
  private static void engine(ClusterFacts facts, Diagnosis diagnosis) {
    if (SiteKeys.namesPlugin(facts.conf.get(SiteKeys.ENGINE))) {
      diagnosis.add(FindingId.ENGINE_IN_SITE, SiteKeys.ENGINE);
    }
  }

  private static void enabled(ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.settings.mode() == Mode.OFF) {
      diagnosis.add(FindingId.NOT_ENABLED, HybridKeys.MODE.name(), facts.settings.mode().label());
      return;
    }
    List<String> keys = List.of(SiteKeys.WAL_PROVIDER, SiteKeys.MASTER_LIST, SiteKeys.REGION_LIST);
    for (String key : keys) {
      boolean named =
          key.equals(SiteKeys.WAL_PROVIDER)
              ? SiteKeys.namesProvider(
                  facts.conf.get(key), facts.conf.get(SiteKeys.WAL_GROUP_PROVIDER))
              : SiteKeys.namesPlugin(facts.conf.get(key));
      if (!named) {
        diagnosis.add(FindingId.NOT_ENABLED, key, facts.conf.get(key, "not set"));
      }
    }
  }

  private static void lost(Configuration before, Configuration now, Diagnosis diagnosis) {
    for (String key : LISTS) {
      List<String> gone = new ArrayList<>(names(before, key));
      gone.removeAll(names(now, key));
      if (!gone.isEmpty()) {
        diagnosis.add(
            FindingId.COPROCESSOR_LOST, key, String.join(", ", gone), String.join(",", gone));
      }
    }
  }

  private static List<String> names(Configuration conf, String key) {
    List<String> names = new ArrayList<>();
    Arrays.stream(conf.getTrimmedStrings(key)).forEach(n -> names.add(n.split("\\|", 2)[0].trim()));
    return names;
  }

  private static void flushers(ClusterFacts facts, Diagnosis diagnosis) {
    int flushers = facts.conf.getInt("hbase.hstore.flusher.count", 2);
    int small = facts.conf.getInt("hbase.regionserver.thread.compaction.small", 1);
    if (facts.settings.policy(Component.WAL).wantsSsd() && flushers <= 2 && small <= 1) {
      diagnosis.add(FindingId.FEW_FLUSHERS, "hbase.hstore.flusher.count", flushers, small);
    }
  }
}
