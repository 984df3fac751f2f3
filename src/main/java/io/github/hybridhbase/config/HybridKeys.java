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
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Every configuration key of the plugin, with its default, what it allows and what it does. The
 * README's key table and {@code conf/hbase-site.xml} are tested against this list.
 */
@InterfaceAudience.Public
public final class HybridKeys {
  /** All keys of the plugin start with this. */
  public static final String PREFIX = "hbase.hybrid.";

  /** {@link Mode}: {@code prefer}, {@code require} or {@code off}. */
  public static final String MODE = PREFIX + "mode";

  /** The WAL provider that writes: {@code asyncfs}, {@code filesystem} or {@code multiwal}. */
  public static final String WAL_DELEGATE = PREFIX + "wal.delegate";

  /** {@code stock}, or {@code auto}: an hsync on every sync wherever every replica is on SSD. */
  public static final String WAL_HSYNC = PREFIX + "wal.hsync";

  /** Percent of a flush's usual time that a batch of syncs may wait for more; 0 = never. */
  public static final String WAL_GATHER = PREFIX + "wal.gather.percent";

  /** Seconds between two looks of the active master at the declared directories; 0 = never. */
  public static final String REPAIR_PERIOD = PREFIX + "repair.period";

  /** Seconds between two scans by the active master; 0 = none. */
  public static final String SCAN_PERIOD = PREFIX + "repair.census.period";

  /** Misplaced files a second that HDFS is asked to move; 0 = none. */
  public static final String MOVE_RATE = PREFIX + "repair.move.rate";

  /** Whether the scan moves existing data without having been told to by {@code apply}. */
  public static final String MOVE_EXISTING = PREFIX + "repair.move.existing";

  /** New store files a second whose blocks a RegionServer reads back; 0 = none. */
  public static final String VERIFY_RATE = PREFIX + "repair.verify.rate";

  /** How much of SSD user files may take while they are young: a percentage, or bytes. */
  public static final String TMP_BUDGET = PREFIX + "tmp.budget";

  /** Seconds after which a store file that was written to SSD is moved to DISK. */
  public static final String TMP_MAX_AGE = PREFIX + "tmp.max.age";

  /** Files a second that a RegionServer asks HDFS to move from SSD to DISK. */
  public static final String TMP_DRAIN_RATE = PREFIX + "tmp.drain.rate";

  /** Seconds between two looks of a RegionServer at its own files on SSD. */
  public static final String TMP_PERIOD = PREFIX + "tmp.period";

  /** Free share of SSD, in percent, below which components leave it, one after the other. */
  public static final String SSD_LOW = PREFIX + "ssd.low";

  /** Free share of SSD, in percent, from which components come back; above {@link #SSD_LOW}. */
  public static final String SSD_HIGH = PREFIX + "ssd.high";

  /** Least seconds that a component stays away from SSD once it has left. */
  public static final String SSD_DWELL = PREFIX + "ssd.dwell";

  /** Seconds between two looks of the active master at the space on SSD; 0 = never. */
  public static final String SSD_PERIOD = PREFIX + "ssd.period";

  /** Milliseconds that opening a WAL may lose on SSD before it is opened on DISK. */
  public static final String SSD_FALLBACK_TIMEOUT = PREFIX + "ssd.fallback.timeout";

  /** Seconds for which a server leaves SSD alone after SSD refused one of its WALs. */
  public static final String SSD_RETRY = PREFIX + "ssd.retry";

  /** One key: its name, default, the values it allows, and its meaning, for people. */
  @InterfaceAudience.Public
  public static final class Key {
    private final String name;
    private final String defaultValue;
    private final String allowed;
    private final String meaning;

    Key(String name, String defaultValue, String allowed, String meaning) {
      this.name = name;
      this.defaultValue = defaultValue;
      this.allowed = allowed;
      this.meaning = meaning;
    }

    /** The full key. */
    public String name() {
      return name;
    }

    /** The value in force where the key is not set. */
    public String defaultValue() {
      return defaultValue;
    }

    /** The values allowed, with their unit. */
    public String allowed() {
      return allowed;
    }

    /** What the key does, in one sentence. */
    public String meaning() {
      return meaning;
    }
  }

  private static final List<Key> ALL = build();

  private HybridKeys() {}

  /** All keys, in the order in which the README lists them. */
  public static List<Key> all() {
    return ALL;
  }

  private static List<Key> build() {
    List<Key> keys = new ArrayList<>();
    keys.add(
        new Key(
            MODE,
            "prefer",
            "prefer, require, off",
            "prefer never stops a write; require refuses to start a server where the placement"
                + " cannot hold; off is stock HBase"));
    for (Component component : Component.values()) {
      keys.add(
          new Key(
              component.policyKey(),
              component.defaultPolicy().name(),
              allowedPolicies(component),
              meaning(component)));
    }
    keys.add(
        new Key(
            WAL_DELEGATE,
            "asyncfs",
            "asyncfs, filesystem, multiwal",
            "the HBase WAL provider that does the writing"));
    keys.add(
        new Key(
            WAL_HSYNC,
            "stock",
            "stock, auto",
            "stock leaves it to hbase.wal.hsync; auto makes every sync of a WAL durable while all"
                + " its replicas are on SSD"));
    keys.add(
        new Key(
            WAL_GATHER,
            "50",
            "whole percent, 0 to 100; 0 = never",
            "share of a flush's usual time that the next one may wait for writers that were just"
                + " answered (asyncfs, hsync)"));
    keys.add(
        new Key(
            REPAIR_PERIOD,
            "300",
            "whole seconds, 0 to 86400; 0 = never",
            "how often the active master looks whether the declared directories still have their"
                + " policies"));
    keys.add(
        new Key(
            SCAN_PERIOD,
            "3600",
            "whole seconds, 0 to 604800; 0 = never",
            "how often the active master reads where every replica is and corrects what differs; one"
                + " NameNode call a page of a directory"));
    keys.add(
        new Key(
            MOVE_RATE,
            "10",
            "whole files a second, 0 to 1000; 0 = none",
            "how many misplaced files HDFS's storage policy satisfier is asked to move"));
    keys.add(
        new Key(
            MOVE_EXISTING,
            "false",
            "true, false",
            "whether the active master has data that was there before moved without being told to;"
                + " false waits for `hbase-hybrid apply` and says how much it is. It counts while"
                + " it is set"));
    keys.add(
        new Key(
            VERIFY_RATE,
            "10",
            "whole files a second, 0 to 1000; 0 = none",
            "how many new store files a RegionServer checks for where their blocks were written"));
    addTier(keys);
    addSsd(keys);
    return List.copyOf(keys);
  }

  private static void addTier(List<Key> keys) {
    keys.add(
        new Key(
            TMP_BUDGET,
            "20%",
            "a percentage of all SSD, 1% to 90%, or bytes with k, m, g or t; replicas count",
            "how much of SSD young store files may take, archived ones included; every live"
                + " RegionServer has an equal share"));
    keys.add(
        new Key(
            TMP_MAX_AGE,
            "3600",
            "whole seconds, 1 to 604800; a table or family may have a shorter one",
            "age from which a store file that was written to SSD is moved to DISK"));
    keys.add(
        new Key(
            TMP_DRAIN_RATE,
            "5",
            "whole files a second, 1 to 1000",
            "how many files a RegionServer asks HDFS to move from SSD to DISK"));
    keys.add(
        new Key(
            TMP_PERIOD,
            "10",
            "whole seconds, 1 to 3600",
            "how often a RegionServer looks at its own files on SSD, and the master at whether the"
                + " SSD tier may be open"));
  }

  private static void addSsd(List<Key> keys) {
    keys.add(
        new Key(
            SSD_LOW,
            "10",
            "whole percent, 0 to 90; 0 = only the headroom and refusals count",
            "free share of SSD below which components leave it: hbase:meta first, then the master"
                + " store, the WAL last"));
    keys.add(
        new Key(
            SSD_HIGH,
            "20",
            "whole percent, 1 to 95, above " + SSD_LOW,
            "free share of SSD from which components come back, in reverse order"));
    keys.add(
        new Key(
            SSD_DWELL,
            "60",
            "whole seconds, 1 to 86400",
            "how long a component stays away from SSD at least, and how long, 60 s at most, a change of"
                + " DataNodes or of their SSD must stand before the space monitor goes by it"));
    keys.add(
        new Key(
            SSD_PERIOD,
            "10",
            "whole seconds, 0 to 3600; 0 = never",
            "how often the active master looks at the space on SSD"));
    keys.add(
        new Key(
            SSD_FALLBACK_TIMEOUT,
            "5000",
            "whole milliseconds, 500 to 20000",
            "how long opening a WAL may go on failing on SSD before it is opened on DISK, and how"
                + " long a start waits for all its probe blocks and its look at the"
                + " space on SSD"));
    keys.add(
        new Key(
            SSD_RETRY,
            "30",
            "whole seconds, 1 to 3600",
            "how long a server leaves SSD alone after SSD refused one of its WALs; doubles up to"
                + " 16 times that"));
  }

  private static String allowedPolicies(Component component) {
    return Arrays.stream(StoragePolicy.values())
        .filter(policy -> allows(component, policy))
        .map(Enum::name)
        .collect(Collectors.joining(", "));
  }

  /** Whether a component may be declared to have this policy. The SSD tier is on SSD or off. */
  static boolean allows(Component component, StoragePolicy policy) {
    return component != Component.TMP || policy == StoragePolicy.NONE || policy.wantsSsd();
  }

  private static String meaning(Component component) {
    switch (component) {
      case WAL:
        return "storage policy of the write-ahead logs";
      case MASTER:
        return "storage policy of the master's local store and its WALs";
      case META:
        return "storage policy of the hbase namespace: hbase:meta and the other catalogs";
      case TMP:
        return "storage policy that young store files are written under where the SSD tier is on; NONE turns"
            + " it off, also for a table or family";
      case ARCHIVE:
        return "storage policy of oldWALs, archive, corrupt WALs and snapshots";
      case USER:
        return "storage policy of user tables; a family's own STORAGE_POLICY wins";
      default:
        throw new AssertionError(component);
    }
  }
}
