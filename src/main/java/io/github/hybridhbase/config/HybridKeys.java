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
package io.github.hybridhbase.config;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Every configuration key of the plugin. Each is declared here and nowhere else: the settings, the
 * tables of {@code docs/configuration.md}, {@code conf/hbase-site.xml} and {@code hbase-hybrid
 * keys} come from this list, or are tested against it.
 */
@InterfaceAudience.Public
public final class HybridKeys {
  private static final String V0_1 = "0.1.0";

  // These two are filled by the declarations, so they stand above them.
  private static final List<Key<?>> ALL = new ArrayList<>();
  private static final Map<Component, Key<StoragePolicy>> POLICIES = new EnumMap<>(Component.class);

  public static final Key<Mode> MODE =
      declare(
          "hbase.hybrid.mode",
          V0_1,
          Values.of(Mode.class),
          "prefer",
          "prefer refuses no write and no start for placement, and reports what cannot be placed;"
              + " require refuses to start a server where the placement cannot hold; off is stock"
              + " HBase, but policies that were set stay, without fall-back: run 'hbase-hybrid"
              + " revert' first.");

  static {
    policy(Component.WAL, "ALL_SSD", "Storage policy of the write-ahead logs, user and meta.");
    policy(
        Component.MASTER,
        "ALL_SSD",
        "Storage policy of MasterData: the master's local store and its WALs.");
    policy(
        Component.META,
        "ALL_SSD",
        "Storage policy of the hbase namespace: hbase:meta and the other catalogs; hbase:slowlog,"
            + " which grows without bound, follows hbase.hybrid.user.policy.");
    policy(
        Component.TMP,
        "ALL_SSD",
        "Storage policy that young store files are written under where the SSD tier is on; NONE"
            + " turns it off, also for one table or family.",
        StoragePolicy.ALL_SSD,
        StoragePolicy.ONE_SSD,
        StoragePolicy.NONE);
    policy(
        Component.ARCHIVE,
        "HOT",
        "Storage policy of oldWALs, archive, corrupt WALs and snapshots; a rename moves no block,"
            + " so a WAL stays on SSD in oldWALs until it is deleted or moved.");
    policy(
        Component.USER,
        "HOT",
        "Storage policy of user tables, MOB files and bulk load staging; a family's own"
            + " STORAGE_POLICY wins.");
  }

  public static final Key<WalDelegate> WAL_DELEGATE =
      declare(
          "hbase.hybrid.wal.delegate",
          V0_1,
          Values.of(WalDelegate.class),
          "asyncfs",
          "HBase's WAL provider that does the writing.");

  public static final Key<WalHsync> WAL_HSYNC =
      declare(
          "hbase.hybrid.wal.hsync",
          V0_1,
          Values.of(WalHsync.class),
          "stock",
          "stock leaves it to hbase.wal.hsync whether a sync reaches the medium; auto makes every"
              + " sync of a WAL an hsync while all its replicas are on SSD, and needs"
              + " dfs.datanode.synconclose on the DataNodes to be durable to the end.");

  public static final Key<Integer> WAL_GATHER =
      declare(
          "hbase.hybrid.wal.gather.percent",
          V0_1,
          Values.number(0, 100, "percent").note("0 = never waits"),
          "50",
          "With asyncfs and hsync: share of a flush's usual time that the next flush may wait for"
              + " the writers that were just answered, while that pays.");

  public static final Key<Integer> WAL_STALL =
      declare(
          "hbase.hybrid.wal.stall.ms",
          V0_1,
          Values.numberOrZero(100, 20_000, "milliseconds").note("0 = never"),
          "200",
          "With asyncfs: a WAL on SSD is rolled away from a DataNode that has not acknowledged for"
              + " this long what the others have, and for more than four times what a flush"
              + " usually takes, or took for the last one; on busy disks for up to three times"
              + " this key.");

  public static final Key<Boolean> WAL_STALL_DURABLE =
      declare(
          "hbase.hybrid.wal.stall.durable",
          V0_1,
          Values.flag(),
          "false",
          "With hbase.hybrid.wal.hsync=auto: a WAL that leaves a DataNode which stalls stays on SSDs"
              + " alone, and durable, with fewer replicas where SSDs are short, instead of taking a"
              + " replica on DISK. Never fewer than dfs.namenode.replication.min.");

  public static final Key<Integer> SSD_LOW =
      declare(
          "hbase.hybrid.ssd.low",
          V0_1,
          Values.number(0, 90, "percent").note("0 = only the headroom and refusals count"),
          "10",
          "Free share of SSD below which components leave it and their new files go to DISK:"
              + " hbase:meta below it, the master store below two thirds of it, the WAL below one"
              + " third.");

  public static final Key<Integer> SSD_HIGH =
      declare(
          "hbase.hybrid.ssd.high",
          V0_1,
          Values.number(1, 95, "percent").note("above " + SSD_LOW),
          "20",
          "Free share of SSD from which components come back, in reverse order, each after SSD took"
              + " a probe block.");

  public static final Key<Integer> SSD_DWELL =
      declare(
          "hbase.hybrid.ssd.dwell",
          V0_1,
          Values.number(1, 86_400, "seconds"),
          "60",
          "How long a component stays away from SSD at least, and how long, 60 s at most, a change"
              + " of DataNodes or of their SSD must stand before the space monitor goes by it.");

  public static final Key<Integer> SSD_PERIOD =
      declare(
          "hbase.hybrid.ssd.period",
          V0_1,
          Values.number(0, 3_600, "seconds").note("0 = never"),
          "10",
          "How often the active master looks at the space on SSD; a look is three HTTP requests to"
              + " the NameNode and a dozen calls.");

  public static final Key<Integer> SSD_FALLBACK_TIMEOUT =
      declare(
          "hbase.hybrid.ssd.fallback.timeout",
          V0_1,
          Values.number(500, 20_000, "milliseconds"),
          "5000",
          "How long opening a WAL may go on failing on SSD before it is opened on DISK, and how"
              + " long a start waits for all its probe blocks and its look at the space on SSD.");

  public static final Key<Integer> SSD_RETRY =
      declare(
          "hbase.hybrid.ssd.retry",
          V0_1,
          Values.number(1, 3_600, "seconds"),
          "30",
          "How long a server leaves SSD alone after SSD refused one of its WALs or store files;"
              + " doubles up to 16 times that while refusals go on.");

  public static final Key<TierBudget> TMP_BUDGET =
      declare(
          "hbase.hybrid.tmp.budget",
          V0_1,
          Values.budget(),
          "20%",
          "How much of SSD young store files may take with all their replicas, archived ones"
              + " included; every live RegionServer has an equal share at least, and what some leave"
              + " goes to those that write more.");

  public static final Key<Integer> TMP_MAX_AGE =
      declare(
          "hbase.hybrid.tmp.max.age",
          V0_1,
          Values.number(1, 604_800, "seconds").note("a table or family may have a shorter one"),
          "3600",
          "Age from which a store file that was written to SSD is rewritten to DISK.");

  public static final Key<Integer> TMP_DRAIN_RATE =
      declare(
          "hbase.hybrid.tmp.drain.rate",
          V0_1,
          Values.number(1, 1_000, "files a second"),
          "5",
          "How many archived files a RegionServer asks HDFS's storage policy satisfier to move from SSD"
              + " to DISK; each request is two writes of the NameNode.");

  public static final Key<Integer> TMP_PERIOD =
      declare(
          "hbase.hybrid.tmp.period",
          V0_1,
          Values.number(1, 300, "seconds"), // the grant is renewed at the master's turns
          "10",
          "How often a RegionServer looks at its own files on SSD, and the active master at whether"
              + " the SSD tier may be open.");

  public static final Key<Integer> TMP_WRITE_DELAY =
      declare(
          "hbase.hybrid.tmp.write.delay",
          V0_1,
          Values.number(0, 10_000, "milliseconds").note("0 = none; a table may have a shorter one"),
          "1000",
          "The longest that a call with writes waits while the SSD tier serves its region and"
              + " the memstore would be full before HBase flushes it, or is half way from one flush"
              + " to where HBase refuses writes, or the server's memstores are near their common"
              + " limit.");

  public static final Key<Integer> REPAIR_PERIOD =
      declare(
          "hbase.hybrid.repair.period",
          V0_1,
          Values.number(0, 86_400, "seconds").note("0 = only at start"),
          "300",
          "How often the active master looks whether the declared directories still have their"
              + " policies; a look is two to four NameNode reads a directory.");

  public static final Key<Integer> SCAN_PERIOD =
      declare(
          "hbase.hybrid.repair.census.period",
          V0_1,
          Values.number(0, 604_800, "seconds").note("0 = never"),
          "3600",
          "How often the active master reads where every replica is and has misplaced closed files"
              + " moved, counted from the end of the time before; one NameNode call a page of a"
              + " directory.");

  public static final Key<Integer> SCAN_RATE =
      declare(
          "hbase.hybrid.repair.census.rate",
          V0_1,
          Values.number(0, 10_000, "reads a second").note("0 = no bound"),
          "12",
          "How often the active master's scan asks the NameNode, in the long run: 100,000 regions"
              + " take 7 to 12 hours. The first ten seconds' worth after a pause, and all of the first"
              + " scan after declared policies changed, and 'hbase-hybrid audit', are as fast as it"
              + " answers.");

  public static final Key<Integer> MOVE_RATE =
      declare(
          "hbase.hybrid.repair.move.rate",
          V0_1,
          Values.number(0, 1_000, "files a second").note("0 = none"),
          "10",
          "How many misplaced files HDFS's storage policy satisfier is asked to move; each request"
              + " is one write of the NameNode.");

  public static final Key<Boolean> MOVE_EXISTING =
      declare(
          "hbase.hybrid.repair.move.existing",
          V0_1,
          Values.flag(),
          "false",
          "Whether the active master has data moved that was there before the plugin, or before a"
              + " component was declared to be elsewhere, for as long as this is true; with false,"
              + " where there is any, it logs how much that is and waits for 'hbase-hybrid apply'.");

  public static final Key<Integer> VERIFY_RATE =
      declare(
          "hbase.hybrid.repair.verify.rate",
          V0_1,
          Values.number(0, 1_000, "files a second").note("0 = none"),
          "10",
          "How many new store files a RegionServer checks for where their blocks were written; each"
              + " costs one NameNode read.");

  public static final Key<Boolean> PAGE =
      declare(
          "hbase.hybrid.page",
          V0_1,
          Values.flag(),
          "true",
          "Whether the active master shows the placement as /hybrid of its web UI, where it has"
              + " one; 'hbase-hybrid audit --html FILE' writes the same page.");

  private HybridKeys() {}

  private static <T> Key<T> declare(
      String name, String since, Values<T> values, String defaultText, String meaning) {
    Key<T> key = new Key<>(name, since, values, defaultText, meaning);
    ALL.add(key);
    return key;
  }

  private static void policy(
      Component component, String defaultText, String meaning, StoragePolicy... some) {
    Values<StoragePolicy> values = Values.of(some.length == 0 ? StoragePolicy.values() : some);
    POLICIES.put(component, declare(component.policyKey(), V0_1, values, defaultText, meaning));
  }

  /** All keys, in the order in which the documents list them. */
  public static List<Key<?>> all() {
    return Collections.unmodifiableList(ALL);
  }

  /** The key of this name. */
  public static Optional<Key<?>> find(String name) {
    return ALL.stream().filter(key -> key.name().equals(name)).findFirst();
  }

  /** The key that declares the storage policy of a component. */
  public static Key<StoragePolicy> policy(Component component) {
    return POLICIES.get(component);
  }
}
