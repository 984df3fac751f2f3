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
package io.github.hybridhbase.tier;

import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.Key;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CompoundConfiguration;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A table's or family's own settings of the SSD tier, within the site file's limits, and their
 * problems. Immutable.
 *
 * <p>Whoever may alter a table writes these values, so nothing here throws, and an unknown policy
 * keeps the store off SSD: it may be a misspelt {@code NONE}.
 */
@InterfaceAudience.Private
public final class TableSettings {
  private static final Key<StoragePolicy> POLICY = HybridKeys.policy(Component.TIER);

  private static final Key<Duration> MAX_AGE = HybridKeys.TIER_MAX_AGE;
  private static final Key<Duration> WRITE_DELAY = HybridKeys.TIER_WRITE_DELAY;

  private static final List<Key<?>> OF_FAMILY =
      List.of(POLICY, MAX_AGE, HybridKeys.HOT_POLICY, HybridKeys.HOT_SHARE);

  /** Longest part of a foreign text in a log. */
  private static final int SHOWN = 80;

  private final HybridSettings site;

  /** Without the site file's values. */
  private final Configuration own;

  private TableSettings(HybridSettings site, Configuration own) {
    this.site = site;
    this.own = own;
  }

  /** Of a table as a whole. */
  static TableSettings of(HybridSettings site, TableDescriptor table) {
    return new TableSettings(site, new CompoundConfiguration().addBytesMap(table.getValues()));
  }

  static TableSettings of(
      HybridSettings site, TableDescriptor table, ColumnFamilyDescriptor family) {
    return new TableSettings(site, add(of(site, table).own, family));
  }

  /** In HBase's order of stores: the last wins. */
  private static Configuration add(Configuration to, ColumnFamilyDescriptor family) {
    return ((CompoundConfiguration) to)
        .addStringMap(family.getConfiguration())
        .addBytesMap(family.getValues());
  }

  StoragePolicy policy() {
    return StringUtils.isBlank(own.get(POLICY.name()))
        ? site.policy(Component.TIER)
        : POLICY.find(own).map(this::least).orElse(StoragePolicy.NONE);
  }

  private StoragePolicy least(StoragePolicy wanted) {
    StoragePolicy most = site.policy(Component.TIER);
    return wanted.compareTo(most) < 0 ? most : wanted;
  }

  int maxAgeSeconds() {
    return (int) least(MAX_AGE).toSeconds();
  }

  /** 0 for never. */
  int writeDelayMillis() {
    return (int) least(WRITE_DELAY).toMillis();
  }

  private Duration least(Key<Duration> key) {
    Duration most = site.get(key);
    return key.find(own).filter(wanted -> wanted.compareTo(most) < 0).orElse(most);
  }

  /** One sentence each, sorted. */
  public static List<String> problems(HybridSettings site, TableDescriptor table) {
    List<String> problems = of(site, table).problems("table");
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      TableSettings own = new TableSettings(site, add(new CompoundConfiguration(), family));
      String in = "In family " + shown(family.getNameAsString()) + " ";
      own.problems("family").forEach(problem -> problems.add(in + problem));
    }
    return problems;
  }

  private List<String> problems(String of) {
    Map<Key<?>, Object> limited =
        Map.of(POLICY, policy(), MAX_AGE, least(MAX_AGE), WRITE_DELAY, least(WRITE_DELAY));
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, String> entry : own) {
      String name = entry.getKey();
      String set = shown(name) + "=" + shown(entry.getValue());
      Key<?> key = HybridKeys.find(name).orElse(null);
      boolean may =
          key != null && (key == WRITE_DELAY ? of.equals("table") : OF_FAMILY.contains(key));
      if (!may && name.startsWith(Key.PREFIX)) {
        problems.add(set + " is ignored: it is no setting of a " + of + ".");
      } else if (may && StringUtils.isNotBlank(entry.getValue())) {
        Object wanted = key.find(own).orElse(null);
        if (wanted == null || !wanted.equals(limited.getOrDefault(key, wanted))) {
          String most =
              limited.containsKey(key) ? ", up to the site file's " + site.inForce(key) : "";
          problems.add(set + " is not in force; allowed: " + key.values().allowed() + most + ".");
        }
      }
    }
    Collections.sort(problems);
    return problems;
  }

  private static String shown(String text) {
    return StringUtils.abbreviate(Text.escape(text), SHOWN);
  }
}
