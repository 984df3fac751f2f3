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
import io.github.hybridhbase.config.Mode;
import io.github.hybridhbase.directory.Obstacle;
import io.github.hybridhbase.report.FindingId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** A check of HBase's site file on this host. */
@InterfaceAudience.Private
final class SiteChecks {
  private static final Map<Obstacle.Kind, String> SHADOWING =
      Map.of(
          Obstacle.Kind.HSTORE_POLICY, "hbase.hstore.block.storage.policy",
          Obstacle.Kind.HREGION_POLICY, "hbase.hregion.block.storage.policy",
          Obstacle.Kind.WAL_POLICY, Obstacle.WAL_KEY);

  private static final List<String> LISTS =
      List.of(
          SiteKeys.MASTER_LIST,
          SiteKeys.REGION_LIST,
          "hbase.coprocessor.regionserver.classes",
          "hbase.coprocessor.user.region.classes",
          "hbase.coprocessor.wal.classes");

  private SiteChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    facts
        .settings
        .problems()
        .forEach(
            text ->
                diagnosis.add(
                    FindingId.SETTING_WRONG,
                    text.split("=", 2)[0],
                    text,
                    "Fix or remove it in hbase-site.xml of every master and RegionServer."));
    facts
        .settings
        .warnings()
        .forEach(
            text -> diagnosis.add(FindingId.SETTING_PRICE, text.split("[=,]", 2)[0], text, ""));
    SHADOWING.forEach(
        (kind, key) -> Obstacle.shadowing(facts.conf, kind, key).ifPresent(diagnosis::add));
    enabled(facts, diagnosis);
    facts.before.seen().ifPresent(before -> lost(before, facts.conf, diagnosis));
    flushers(facts, diagnosis);
    engine(facts, diagnosis);
  }

  /** Servers set it in memory; only a file of an earlier version contains it. */
  private static void engine(ClusterFacts facts, Diagnosis diagnosis) {
    if (SiteKeys.namesPlugin(facts.conf.get(SiteKeys.ENGINE))) {
      diagnosis.add(
          FindingId.ENGINE_IN_SITE,
          SiteKeys.ENGINE,
          SiteKeys.ENGINE + " names the plugin's store engine on this host.",
          "Remove it from hbase-site.xml: RegionServers set it in memory. No restart is needed.");
    }
  }

  private static void enabled(ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.settings.mode() == Mode.OFF) {
      diagnosis.add(
          FindingId.NOT_ENABLED,
          "hbase.hybrid.mode",
          "It is off.",
          "Set hbase.hybrid.mode=prefer in hbase-site.xml and restart.");
      return;
    }
    for (String key : List.of(SiteKeys.WAL_PROVIDER, SiteKeys.MASTER_LIST, SiteKeys.REGION_LIST)) {
      boolean named =
          key.equals(SiteKeys.WAL_PROVIDER)
              ? SiteKeys.namesProvider(
                  facts.conf.get(key), facts.conf.get(SiteKeys.WAL_GROUP_PROVIDER))
              : SiteKeys.namesPlugin(facts.conf.get(key));
      if (!named) {
        diagnosis.add(
            FindingId.NOT_ENABLED,
            key,
            key + " does not name the plugin on this host.",
            "Add the plugin's class to it, see conf/hbase-site.xml"
                + (key.equals(SiteKeys.WAL_PROVIDER) ? "." : "; append to what stands there."));
      }
    }
  }

  private static void lost(Configuration before, Configuration now, Diagnosis diagnosis) {
    for (String key : LISTS) {
      List<String> gone = new ArrayList<>(names(before, key));
      gone.removeAll(names(now, key));
      if (!gone.isEmpty()) {
        diagnosis.add(
            FindingId.COPROCESSOR_LOST,
            key,
            "No more in the list: " + String.join(", ", gone) + ".",
            "Put them back in front, behind a comma: "
                + key
                + "="
                + String.join(",", gone)
                + ",...");
      }
    }
  }

  /** Class names without the optional priority and arguments. */
  private static List<String> names(Configuration conf, String key) {
    List<String> names = new ArrayList<>();
    Arrays.stream(conf.getTrimmedStrings(key)).forEach(n -> names.add(n.split("\\|", 2)[0].trim()));
    return names;
  }

  private static void flushers(ClusterFacts facts, Diagnosis diagnosis) {
    int flushers = facts.conf.getInt("hbase.hstore.flusher.count", 2);
    int small = facts.conf.getInt("hbase.regionserver.thread.compaction.small", 1);
    if (facts.settings.policy(Component.WAL).wantsSsd() && flushers <= 2 && small <= 1) {
      diagnosis.add(
          FindingId.FEW_FLUSHERS,
          "hbase.hstore.flusher.count",
          flushers + " flusher threads and " + small + " thread for small compactions a server.",
          "Raise hbase.hstore.flusher.count and hbase.regionserver.thread.compaction.small to about"
              + " the number of disks a server has.");
    }
  }
}
