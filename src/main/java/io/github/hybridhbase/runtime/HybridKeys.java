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
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The declarations of all configuration keys: the settings, the tables of {@code
 * docs/configuration.md}, {@code conf/hbase-site.xml} and {@code hbase-hybrid keys} come from this
 * list, or are tested against it.
 */
@InterfaceAudience.Public
public final class HybridKeys {
  private static final String V0_1 = "0.1.0";

  private static final List<Key<?>> ALL = new ArrayList<>();
  private static final Map<Component, Key<StoragePolicy>> POLICIES = new EnumMap<>(Component.class);

  public static final Key<Mode> MODE =
      declare(
          "hbase.hybrid.mode",
          V0_1,
          Values.of(Mode.class),
          "prefer",
          "observe", // whoever misspells off or observe must not have data placed
          "How firmly placement is enforced: observe only compares; canary also places the server's"
              + " own WALs; prefer places all; require also refuses to start a server whose"
              + " placement cannot hold; off is stock HBase (run hbase-hybrid revert first).");

  static {
    policy(
        Component.WAL,
        "ALL_SSD",
        "Storage policy of write-ahead logs; with ALL_SSD also of edits recovered from them. With"
            + " ONE_SSD a sync still waits for DISK, so it speeds up no write; HOT is DISK; NONE"
            + " leaves them alone.");
    policy(
        Component.MASTER,
        "ALL_SSD",
        "Storage policy of MasterData: the master's local store and its write-ahead logs. ONE_SSD"
            + " speeds up no write; HOT is DISK; NONE leaves the directory alone.");
    policy(
        Component.META,
        "ALL_SSD",
        "Storage policy of the hbase namespace: hbase:meta and the other catalogs."
            + " hbase:slowlog grows without bound and follows hbase.hybrid.user.policy.");
    policy(
        Component.TIER,
        "ALL_SSD",
        "Storage policy under which the SSD tier writes young store files. NONE disables the"
            + " tier, also per table or family.",
        StoragePolicy.ALL_SSD,
        StoragePolicy.ONE_SSD,
        StoragePolicy.NONE);
    policy(
        Component.ARCHIVE,
        "HOT",
        "Storage policy of oldWALs, archive, corrupt WALs and snapshots. A rename moves no block,"
            + " so an archived WAL stays on SSD until it is deleted or moved. NONE sets no"
            + " policy.");
    policy(
        Component.USER,
        "HOT",
        "Storage policy of user tables, MOB files and bulk load staging; the STORAGE_POLICY of"
            + " a family takes precedence.");
  }

  public static final Key<WalDelegate> WAL_DELEGATE =
      declare(
          "hbase.hybrid.wal.delegate",
          V0_1,
          Values.of(WalDelegate.class),
          "asyncfs",
          "HBase's WAL provider through which the plugin creates WALs, since "
              + "hbase.wal.provider names the plugin's own. Set this to the value that "
              + "hbase.wal.provider had before the plugin.");

  public static final Key<WalHsync> WAL_HSYNC =
      declare(
          "hbase.hybrid.wal.hsync",
          V0_1,
          Values.of(WalHsync.class),
          "stock",
          "Durability of WAL syncs: stock leaves it to hbase.wal.hsync; auto makes each sync an"
              + " hsync, which survives a power cut, while all replicas are on SSD; across a roll"
              + " only with dfs.datanode.synconclose=true on the DataNodes.");

  public static final Key<Duration> WAL_STALL =
      declare(
          "hbase.hybrid.wal.stall",
          V0_1,
          Values.durationOrZero("100ms", "20s").note("0 = never"),
          "200ms",
          "Minimum lag of a DataNode's acknowledgements behind the other replicas' at which a WAL"
              + " is rolled off it. 4 times the usual sync time applies if longer; busy disks can"
              + " raise the minimum threefold. asyncfs only.");

  public static final Key<Integer> SSD_LOW =
      declare(
          "hbase.hybrid.ssd.low",
          V0_1,
          Values.number(0, 90, "percent").note("0 = only the headroom and refusals count"),
          "10",
          "Low watermark of free SSD space: below it new files of hbase:meta go to DISK, below "
              + "two thirds of it also those of the master's store, below one third also WALs. "
              + "Existing files stay.");

  public static final Key<Integer> SSD_HIGH =
      declare(
          "hbase.hybrid.ssd.high",
          V0_1,
          Values.number(1, 95, "percent").note("above " + SSD_LOW),
          "20",
          "High watermark of free SSD space, above which the WALs, then the master's store, then"
              + " hbase:meta return to SSD: one at each check, after hbase.hybrid.ssd.dwell, and if"
              + " SSD accepts a probe block.");

  public static final Key<Duration> SSD_DWELL =
      declare(
          "hbase.hybrid.ssd.dwell",
          V0_1,
          Values.duration("1s", "24h"),
          "60s",
          "Minimum time that a component which the space monitor took off SSD stays off it (for a"
              + " WAL or store file that SSD refused, see hbase.hybrid.ssd.retry). Also how long,"
              + " at most 60 s, the DataNodes and their SSD space must have been stable before the"
              + " space monitor acts on that space.");

  public static final Key<Duration> SSD_PERIOD =
      declare(
          "hbase.hybrid.ssd.period",
          V0_1,
          Values.durationOrZero("1s", "1h").note("0 = never"),
          "10s",
          "Interval at which the active master reads SSD space (three HTTP requests and about seven"
              + " calls to the NameNode), and a RegionServer checks its files on SSD. 0 disables"
              + " the space monitor; WALs that SSD refuses still go to DISK.");

  public static final Key<Duration> SSD_FALLBACK_TIMEOUT =
      declare(
          "hbase.hybrid.ssd.fallback.timeout",
          V0_1,
          Values.duration("500ms", "20s"),
          "5s",
          "How long opening a WAL may keep failing on SSD before it is opened on DISK. Also "
              + "the time in total that a starting server waits for its probes of SSD.");

  public static final Key<Duration> SSD_RETRY =
      declare(
          "hbase.hybrid.ssd.retry",
          V0_1,
          Values.duration("1s", "1h"),
          "30s",
          "How long a server writes its WALs or store files to DISK, after SSD refused one, "
              + "before it tries SSD again; each further refusal doubles this, up to sixteenfold.");

  public static final Key<TierBudget> TIER_BUDGET =
      declare(
          "hbase.hybrid.tier.budget",
          V0_1,
          Values.budget(),
          "20%",
          "SSD space for young store files, all replicas and archived files included. Each "
              + "live RegionServer gets at least an equal share; unused shares go to servers that "
              + "write more. Files beyond go to DISK.");

  public static final Key<Duration> TIER_MAX_AGE =
      declare(
          "hbase.hybrid.tier.max.age",
          V0_1,
          Values.duration("1s", "7d").note("a table or family may have a shorter one"),
          "1h",
          "Age at which compactions rewrite a store file from SSD to DISK, except files of hot "
              + "rows; earlier if the server has used four fifths of its share of "
              + "hbase.hybrid.tier.budget.");

  public static final Key<Duration> TIER_WRITE_DELAY =
      declare(
          "hbase.hybrid.tier.write.delay",
          V0_1,
          Values.durationOrZero("1ms", "10s").note("0 = none; a table may have a shorter one"),
          "1s",
          "Upper bound on how long a write RPC is delayed while a region's memstore approaches"
              + " its blocking size, or the server's memstores their common limit, in regions that"
              + " the SSD tier serves.");

  public static final Key<StoragePolicy> HOT_POLICY =
      declare(
          "hbase.hybrid.hot.policy",
          V0_1,
          Values.of(StoragePolicy.ALL_SSD, StoragePolicy.ONE_SSD, StoragePolicy.NONE)
              .note("a table or family may have its own"),
          "NONE",
          "Storage policy of files of hot rows: compactions put a store's rows that are read often"
              + " into a separate file. NONE splits no compaction. Needs the SSD tier and a ROW"
              + " Bloom filter.");

  public static final Key<Integer> HOT_SHARE =
      declare(
          "hbase.hybrid.hot.share",
          V0_1,
          Values.number(1, 50, "percent").note("a table or family may have its own"),
          "10",
          "Largest part of a store's bytes that may be in files of hot rows. All files of hot "
              + "rows on a server use at most half of its share of hbase.hybrid.tier.budget.");

  public static final Key<Duration> PLACEMENT_CHECK_PERIOD =
      declare(
          "hbase.hybrid.placement.check.period",
          V0_1,
          Values.durationOrZero("1s", "24h").note("0 = only at start"),
          "5m",
          "Interval at which the active master checks the policies of the declared directories and"
              + " sets those that are missing, but none over an admin's; costs two to four NameNode"
              + " reads per directory.");

  public static final Key<Duration> SCAN_PERIOD =
      declare(
          "hbase.hybrid.scan.period",
          V0_1,
          Values.durationOrZero("1s", "7d").note("0 = never: misplaced files stay"),
          "1h",
          "Pause between two scans, in which the active master reads where every replica is "
              + "and has misplaced closed files moved; costs one NameNode read per page of a "
              + "directory.");

  public static final Key<Integer> MOVE_RATE =
      declare(
          "hbase.hybrid.move.rate",
          V0_1,
          Values.number(0, 1_000, "files a second").note("0 = none"),
          "10",
          "Rate at which HDFS's storage policy satisfier is asked to move misplaced files; each"
              + " request is one NameNode write.");

  public static final Key<Boolean> MOVE_EXISTING =
      declare(
          "hbase.hybrid.move.existing",
          V0_1,
          Values.flag(),
          "false",
          "Whether data that predates the plugin or a changed policy is moved without confirmation;"
              + " if false, the active master logs its size and waits for hbase-hybrid apply.");

  private HybridKeys() {}

  private static <T> Key<T> declare(
      String name, String since, Values<T> values, String defaultText, String meaning) {
    return declare(name, since, values, defaultText, defaultText, meaning);
  }

  private static <T> Key<T> declare(
      String name,
      String since,
      Values<T> values,
      String defaultText,
      String insteadText,
      String meaning) {
    Key<T> key = new Key<>(name, since, values, defaultText, insteadText, meaning);
    ALL.add(key);
    return key;
  }

  private static void policy(
      Component component, String defaultText, String meaning, StoragePolicy... some) {
    Values<StoragePolicy> values = Values.of(some.length == 0 ? StoragePolicy.values() : some);
    POLICIES.put(component, declare(component.policyKey(), V0_1, values, defaultText, meaning));
  }

  public static List<Key<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  public static Optional<Key<?>> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

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

  /** A finder of names that look like keys of the plugin and are none. Pure. */
  public static final class UnknownKeys {
    /** Edit distance within which a key is suggested. */
    private static final int NEAR = 6;

    /** Edit distance within which a name without the plugin's prefix counts as a misspelling. */
    private static final int SLIP = 3;

    private UnknownKeys() {}

    static boolean looksLikeOne(String name) {
      String bare = name.trim().toLowerCase(Locale.ROOT);
      return bare.startsWith(Key.PREFIX)
          || HybridKeys.all().stream().anyMatch(key -> distance(bare, key) <= SLIP);
    }

    /** One sentence for each that is set, in the order of their names. */
    static List<String> problems(Configuration conf) {
      List<String> problems = new ArrayList<>();
      // Iterated, since a coprocessor's configuration is a wrapper that overrides little else.
      for (Map.Entry<String, String> entry : conf) {
        String name = entry.getKey();
        if (name.startsWith(Key.PREFIX) && HybridKeys.find(name).isEmpty()) {
          problems.add(
              name
                  + "="
                  + Key.text(conf, name).orElse("")
                  + " is ignored: it is no key of this plugin"
                  + hint(name));
        }
      }
      problems.sort(Comparator.naturalOrder());
      return problems;
    }

    /** The nearest key, and where all are, as the end of a sentence. */
    public static String hint(String name) {
      return nearest(name).map(key -> "; did you mean " + key + "?").orElse(".")
          + " 'hbase-hybrid keys' lists all.";
    }

    private static Optional<Key<?>> nearest(String name) {
      return HybridKeys.all().stream()
          .filter(key -> distance(name, key) <= NEAR)
          .min(Comparator.comparingInt(key -> distance(name, key)));
    }

    // commons-text holds the undeprecated twin, but hbase/lib may lack commons-text.
    @SuppressWarnings("deprecation")
    private static int distance(String name, Key<?> key) {
      if (Math.abs(name.length() - key.name().length()) > NEAR) {
        return Integer.MAX_VALUE; // and a name of a megabyte costs nothing
      }
      return StringUtils.getLevenshteinDistance(name, key.name());
    }
  }
}
