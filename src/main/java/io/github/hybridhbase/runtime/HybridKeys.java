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
package io.github.hybridhbase.runtime;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** The declarations of all configuration keys, which {@code docs/configuration.md} explains. */
@InterfaceAudience.Public
public final class HybridKeys {
  private static final List<Key<?>> ALL = new ArrayList<>();
  private static final Map<Component, Key<StoragePolicy>> POLICIES = new EnumMap<>(Component.class);
  private static final StoragePolicy[] ANY = {
    StoragePolicy.ALL_SSD, StoragePolicy.ONE_SSD, StoragePolicy.HOT, StoragePolicy.NONE
  };

  public static final Key<Mode> MODE =
      declare(
          "hbase.hybrid.mode",
          Values.of(Mode.class),
          "prefer",
          "off"); // whoever misspells off must not have data placed

  static {
    policy(Component.WAL, "ALL_SSD");
    policy(Component.MASTER, "ALL_SSD");
    policy(Component.META, "ALL_SSD");
    policy(
        Component.TIER,
        "ALL_SSD",
        StoragePolicy.ALL_SSD,
        StoragePolicy.ONE_SSD,
        StoragePolicy.NONE);
  }

  public static final Key<WalDelegate> WAL_DELEGATE =
      declare("hbase.hybrid.wal.delegate", Values.of(WalDelegate.class), "asyncfs");

  public static final Key<WalHsync> WAL_HSYNC =
      declare("hbase.hybrid.wal.hsync", Values.of(WalHsync.class), "stock");

  public static final Key<Duration> WAL_STALL =
      declare(
          "hbase.hybrid.wal.stall",
          Values.durationOrZero("100ms", "20s").note("0 = never"),
          "200ms");

  public static final Key<Duration> SSD_FALLBACK_TIMEOUT =
      declare("hbase.hybrid.ssd.fallback.timeout", Values.duration("500ms", "20s"), "5s");

  public static final Key<Duration> SSD_RETRY =
      declare("hbase.hybrid.ssd.retry", Values.duration("1s", "1h"), "30s");

  public static final Key<TierBudget> TIER_BUDGET =
      declare("hbase.hybrid.tier.budget", Values.budget(), "20%");

  public static final Key<Duration> TIER_MAX_AGE =
      declare(
          "hbase.hybrid.tier.max.age",
          Values.duration("1s", "7d").note("a table or family may have a shorter one"),
          "1h");

  public static final Key<Duration> TIER_WRITE_DELAY =
      declare(
          "hbase.hybrid.tier.write.delay",
          Values.durationOrZero("1ms", "10s").note("0 = none; a table may have a shorter one"),
          "1s");

  public static final Key<StoragePolicy> HOT_POLICY =
      declare(
          "hbase.hybrid.hot.policy",
          Values.of(StoragePolicy.ALL_SSD, StoragePolicy.ONE_SSD, StoragePolicy.NONE)
              .note("a table or family may have its own"),
          "NONE");

  public static final Key<Double> HOT_SHARE =
      declare(
          "hbase.hybrid.hot.share",
          Values.percent(0.1, 50).note("a table or family may have its own"),
          "2");

  public static final Key<Duration> SCAN_PERIOD =
      declare(
          "hbase.hybrid.scan.period", Values.durationOrZero("1s", "7d").note("0 = never"), "1h");

  private HybridKeys() {}

  private static <T> Key<T> declare(String name, Values<T> values, String defaultText) {
    return declare(name, values, defaultText, defaultText);
  }

  private static <T> Key<T> declare(
      String name, Values<T> values, String defaultText, String insteadText) {
    Key<T> key = new Key<>(name, values, defaultText, insteadText);
    ALL.add(key);
    return key;
  }

  private static void policy(Component component, String defaultText, StoragePolicy... some) {
    Values<StoragePolicy> values = Values.of(some.length == 0 ? ANY : some);
    POLICIES.put(component, declare(component.policyKey(), values, defaultText));
  }

  public static List<Key<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  public static Optional<Key<?>> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /** A sentence for each that a configuration has beside these, sorted. */
  static List<String> unknown(Configuration conf) {
    List<String> unknown = new ArrayList<>();
    // A coprocessor's configuration is a wrapper that overrides little but the iterator.
    for (Map.Entry<String, String> entry : conf) {
      String name = entry.getKey();
      if (name.startsWith(Key.PREFIX) && find(name).isEmpty()) {
        unknown.add(unknown(name + "=" + Key.text(conf, name).orElse("")));
      }
    }
    unknown.sort(Comparator.naturalOrder());
    return unknown;
  }

  public static String unknown(String set) {
    return set + " is ignored: it is no key of this plugin. docs/configuration.md lists all.";
  }

  /** Null for user data and archive. */
  public static Key<StoragePolicy> policy(Component component) {
    return POLICIES.get(component);
  }

  /** The durability of WAL syncs. */
  public enum WalHsync {
    /** As {@code hbase.wal.hsync} and each mutation's durability require. */
    STOCK,
    /** An hsync if every replica is on SSD, otherwise stock. */
    AUTO
  }

  /** A WAL provider of HBase that writes on the plugin's behalf. */
  public enum WalDelegate {
    ASYNCFS,
    FILESYSTEM,
    MULTIWAL
  }
}
