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

/**
 * The declarations of all configuration keys; {@code docs/configuration.md} and {@code
 * conf/hbase-site.xml} are made from them or tested against them.
 */
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
          "off", // whoever misspells off must not have data placed
          "prefer places what SSD takes; require also refuses to start a server whose placement"
              + " cannot hold; off is stock HBase.");

  static {
    policy(
        Component.WAL,
        "ALL_SSD",
        "Storage policy of write-ahead logs; with ALL_SSD also of edits recovered from them. With"
            + " ONE_SSD a sync still waits for DISK, so it speeds up no write; HOT and NONE"
            + " leave them alone.");
    policy(
        Component.MASTER,
        "ALL_SSD",
        "Storage policy of the store files and write-ahead logs of the master's local store."
            + " ONE_SSD speeds up no write; HOT and NONE leave them alone.");
    policy(
        Component.META,
        "ALL_SSD",
        "Storage policy of the hbase namespace: hbase:meta and the other catalogs. hbase:slowlog"
            + " grows without bound and is left alone, as with HOT and NONE all are.");
    policy(
        Component.TIER,
        "ALL_SSD",
        "Storage policy under which the SSD tier writes young store files. NONE disables the"
            + " tier, also per table or family.",
        StoragePolicy.ALL_SSD,
        StoragePolicy.ONE_SSD,
        StoragePolicy.NONE);
  }

  public static final Key<WalDelegate> WAL_DELEGATE =
      declare(
          "hbase.hybrid.wal.delegate",
          Values.of(WalDelegate.class),
          "asyncfs",
          "HBase's WAL provider through which the plugin creates WALs, since "
              + "hbase.wal.provider names the plugin's own. Set this to the value that "
              + "hbase.wal.provider had before the plugin.");

  public static final Key<WalHsync> WAL_HSYNC =
      declare(
          "hbase.hybrid.wal.hsync",
          Values.of(WalHsync.class),
          "stock",
          "Durability of WAL syncs: stock leaves it to hbase.wal.hsync; auto makes each sync an"
              + " hsync, which survives a power cut, while all replicas are on SSD; across a roll"
              + " only with dfs.datanode.synconclose=true on the DataNodes.");

  public static final Key<Duration> WAL_STALL =
      declare(
          "hbase.hybrid.wal.stall",
          Values.durationOrZero("100ms", "20s").note("0 = never"),
          "200ms",
          "Minimum lag of a DataNode's acknowledgements behind the other replicas' at which a WAL"
              + " is rolled off it. 4 times the usual sync time applies if longer; busy disks can"
              + " raise the minimum threefold. asyncfs only.");

  public static final Key<Duration> SSD_FALLBACK_TIMEOUT =
      declare(
          "hbase.hybrid.ssd.fallback.timeout",
          Values.duration("500ms", "20s"),
          "5s",
          "How long opening a WAL may keep failing on SSD before it is opened on DISK. Also the"
              + " time in total that a server with hbase.hybrid.mode=require waits for its probe of"
              + " SSD.");

  public static final Key<Duration> SSD_RETRY =
      declare(
          "hbase.hybrid.ssd.retry",
          Values.duration("1s", "1h"),
          "30s",
          "How long a server writes its WALs or store files to DISK, after SSD refused one, "
              + "before it tries SSD again; each further refusal doubles this, up to sixteenfold.");

  public static final Key<TierBudget> TIER_BUDGET =
      declare(
          "hbase.hybrid.tier.budget",
          Values.budget(),
          "20%",
          "SSD space for young store files, all replicas and archived files included. Each "
              + "live RegionServer gets an equal share. Files beyond go to DISK.");

  public static final Key<Duration> TIER_MAX_AGE =
      declare(
          "hbase.hybrid.tier.max.age",
          Values.duration("1s", "7d").note("a table or family may have a shorter one"),
          "1h",
          "Age at which compactions rewrite a store file from SSD to DISK, except files of hot "
              + "rows; earlier if the server has used four fifths of its share of "
              + "hbase.hybrid.tier.budget.");

  public static final Key<Duration> TIER_WRITE_DELAY =
      declare(
          "hbase.hybrid.tier.write.delay",
          Values.durationOrZero("1ms", "10s").note("0 = none; a table may have a shorter one"),
          "1s",
          "Upper bound on how long a write RPC is delayed while a region's memstore approaches"
              + " its blocking size, or the server's memstores their common limit, in regions that"
              + " the SSD tier serves.");

  public static final Key<StoragePolicy> HOT_POLICY =
      declare(
          "hbase.hybrid.hot.policy",
          Values.of(StoragePolicy.ALL_SSD, StoragePolicy.ONE_SSD, StoragePolicy.NONE)
              .note("a table or family may have its own"),
          "NONE",
          "Storage policy of files of hot rows: compactions put a store's rows that are read often"
              + " into a separate file. NONE splits no compaction. Needs the SSD tier and a ROW"
              + " Bloom filter.");

  public static final Key<Double> HOT_SHARE =
      declare(
          "hbase.hybrid.hot.share",
          Values.percent(0.1, 50).note("a table or family may have its own"),
          "10",
          "Largest part of a store's bytes that may be in files of hot rows. All files of hot "
              + "rows on a server use at most half of its share of hbase.hybrid.tier.budget.");

  public static final Key<Duration> SCAN_PERIOD =
      declare(
          "hbase.hybrid.scan.period",
          Values.durationOrZero("1s", "7d").note("0 = never"),
          "1h",
          "Pause between two scans, in which the active master reads where every replica is, and "
              + "takes the policy from archived files that HBase has kept for longer than its "
              + "cleaners do; costs one NameNode read per page of a directory.");

  private HybridKeys() {}

  private static <T> Key<T> declare(
      String name, Values<T> values, String defaultText, String meaning) {
    return declare(name, values, defaultText, defaultText, meaning);
  }

  private static <T> Key<T> declare(
      String name, Values<T> values, String defaultText, String insteadText, String meaning) {
    Key<T> key = new Key<>(name, values, defaultText, insteadText, meaning);
    ALL.add(key);
    return key;
  }

  private static void policy(
      Component component, String defaultText, String meaning, StoragePolicy... some) {
    Values<StoragePolicy> values = Values.of(some.length == 0 ? ANY : some);
    POLICIES.put(component, declare(component.policyKey(), values, defaultText, meaning));
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

  static String unknown(String set) {
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
