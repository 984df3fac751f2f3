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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.placement.Headroom;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridKeys;
import io.github.hybridhbase.runtime.HybridKeys.WalDelegate;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TierBudget;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.EnumMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.wal.WALFactory;
import org.apache.yetus.audience.InterfaceAudience;

/** The inputs of a plan. Immutable. */
@InterfaceAudience.Private
public final class Workload {
  @InterfaceAudience.Private
  public enum Input {
    DATA("data", "bytes", "user data, one copy"),
    WRITE_RATE("write-rate", "bytes/s", "edits written to the WALs of all servers, one copy"),
    SERVERS("servers", "", "RegionServers"),
    DATA_NODES("datanodes", "", "DataNodes with SSD"),
    REGIONS("regions", "", "regions in all"),
    REPLICATION("replication", "", "replicas of store files"),
    WAL_REPLICATION("wal-replication", "", "replicas of WALs"),
    MEMSTORE("memstore", "bytes", "memstores of a RegionServer, at most"),
    WAL_BLOCK("wal-block", "bytes", "block of a WAL"),
    WALS("wals", "", "WALs that a RegionServer writes at a time: its groups of multiwal, else 1"),
    MAX_WALS(
        "max-wals", "", "files of such a WAL above which HBase flushes; 0 = from the memstores"),
    FLUSH_INTERVAL("flush-interval", "s", "age at which a memstore is flushed; 0 = never"),
    WAL_TTL("wal-ttl", "s", "time that old WALs are kept"),
    CLEANER("cleaner", "s", "between two looks for old WALs to delete"),
    MASTER("master", "bytes", "MasterData, one copy"),
    META("meta", "bytes", "hbase:meta and other catalogs, one copy"),
    AFTER("after", "s", "time of writing after which to predict; 0 = a steady state"),
    TIER("tier", "%", "share of SSD for young store files; 0 = no SSD tier"),
    TIER_BYTES(
        "tier-bytes", "bytes", "SSD for young store files, of all replicas; 0 = no SSD tier"),
    SPARE("spare", "bytes", "what a DataNode keeps free on SSD"),
    SSD("ssd", "bytes", "SSD of a DataNode that there is; 0 = not known"),
    NETWORK("network", "bytes/s", "network of a DataNode, each direction"),
    IOPS("iops", "", "requests a second that the SSD of a DataNode takes"),
    SYNCS("syncs", "", "durable syncs a second of a RegionServer's WALs; 0 = hflush"),
    CACHE("cache", "bytes", "bucket cache on SSD of a RegionServer; 0 = none");

    private final String flag;
    private final String unit;
    private final String meaning;

    Input(String flag, String unit, String meaning) {
      this.flag = flag;
      this.unit = unit;
      this.meaning = meaning;
    }

    public String flag() {
      return flag;
    }

    public String unit() {
      return unit;
    }

    public String meaning() {
      return meaning;
    }
  }

  public static final String GIVEN = "given";

  private final Map<Input, Double> values;
  private final Map<Input, String> origins;

  private Workload(Map<Input, Double> values, Map<Input, String> origins) {
    this.values = values;
    this.origins = origins;
  }

  public static Workload empty() {
    return new Workload(new EnumMap<>(Input.class), new TreeMap<>());
  }

  /**
   * @param value 0 or more
   * @param origin for people: "given", "the cluster", "assumed: why"
   */
  public Workload with(Input input, double value, String origin) {
    if (!(value >= 0) || Double.isInfinite(value)) {
      throw new IllegalArgumentException(input.flag + "=" + value);
    }
    Map<Input, Double> nextValues = new EnumMap<>(values);
    nextValues.put(input, value);
    Map<Input, String> nextOrigins = new TreeMap<>(origins);
    nextOrigins.put(input, origin);
    return new Workload(nextValues, nextOrigins);
  }

  public Workload orElse(Input input, double value, String origin) {
    return knows(input) ? this : with(input, value, origin);
  }

  boolean hasTier() {
    return get(Input.TIER) > 0 || get(Input.TIER_BYTES) > 0;
  }

  public boolean isGiven(Input input) {
    return GIVEN.equals(origin(input));
  }

  public boolean knows(Input input) {
    return values.containsKey(input);
  }

  /** 0 if unset. */
  public double get(Input input) {
    return values.getOrDefault(input, 0.0);
  }

  /** Empty if unset. */
  public String origin(Input input) {
    return origins.getOrDefault(input, "");
  }

  /** Default values of a {@link Workload}: from this host's configuration, or assumptions. Pure. */
  public static final class Defaults {
    private static final String HOST = "this host's configuration, else a default";
    private static final String ENGINE = "hbase.hstore.engine.class";
    private static final String REGION_LIST = "hbase.coprocessor.region.classes";
    private static final long GIB = 1L << 30;
    private static final int SERVERS = 3;
    private static final long HEAP = 16 * GIB;
    private static final double MEMSTORE_SHARE = 0.4;
    private static final long REGION_SIZE = 10 * GIB;
    private static final long META_OF_A_REGION = 2_000;

    /** Catalog files are written beside those they replace. */
    private static final int COPIES_OF_META = 3;

    private static final double NETWORK = 1.25e9;
    private static final int IOPS = 20_000;
    private static final int SYNCS = 100;
    private static final long MASTER = 64L << 20;

    private Defaults() {}

    public static Workload fill(Workload given, Configuration conf) {
      long block = conf.getLongBytes("dfs.blocksize", 128L << 20);
      int replication = conf.getInt("dfs.replication", 3);
      Workload known =
          given
              .orElse(Input.SERVERS, SERVERS, "assumed")
              .orElse(Input.REPLICATION, replication, HOST)
              .orElse(
                  Input.WAL_REPLICATION,
                  conf.getInt("hbase.regionserver.hlog.replication", replication),
                  HOST)
              .orElse(Input.MEMSTORE, HEAP * MEMSTORE_SHARE, "assumed: 40% of 16 GiB of heap")
              .orElse(
                  Input.WAL_BLOCK,
                  conf.getLong("hbase.regionserver.hlog.blocksize", 2 * block),
                  HOST)
              .orElse(Input.WALS, wals(conf), HOST)
              .orElse(
                  Input.MAX_WALS, Math.max(0, conf.getInt("hbase.regionserver.maxlogs", 0)), HOST)
              .orElse(
                  Input.FLUSH_INTERVAL,
                  seconds(conf, "hbase.regionserver.optionalcacheflushinterval", 3_600_000),
                  HOST)
              .orElse(Input.WAL_TTL, seconds(conf, "hbase.master.logcleaner.ttl", 600_000), HOST)
              .orElse(Input.CLEANER, seconds(conf, "hbase.master.cleaner.interval", 600_000), HOST)
              .orElse(
                  Input.SPARE,
                  conf.getLongBytes(Headroom.Estimate.SPARE, Headroom.Estimate.SPARE_DEFAULT),
                  HOST)
              .orElse(Input.AFTER, 0, "a steady state")
              .orElse(Input.NETWORK, NETWORK, "assumed: 10 Gbit/s")
              .orElse(Input.IOPS, IOPS, "assumed: one SATA SSD")
              .orElse(Input.SYNCS, SYNCS, "assumed: shared by writers")
              .orElse(Input.CACHE, 0, "none asked for")
              .orElse(Input.SSD, 0, "not known");
      known =
          tier(known, conf)
              .orElse(Input.DATA_NODES, known.get(Input.SERVERS), "assumed: one beside each server")
              .orElse(
                  Input.REGIONS,
                  Math.max(1, Math.ceil(known.get(Input.DATA) / REGION_SIZE)),
                  "assumed: regions of 10 GiB")
              .orElse(Input.MASTER, MASTER, "assumed");
      return known.orElse(
          Input.META,
          known.get(Input.REGIONS) * META_OF_A_REGION * COPIES_OF_META,
          "assumed: 2 kB a region, three times");
    }

    /** As the plugin's space monitor counts them; on stock HBase by its provider. */
    private static int wals(Configuration conf) {
      boolean multiwal =
          "multiwal".equals(conf.get(WALFactory.WAL_PROVIDER))
              || HybridSettings.read(conf).delegate() == WalDelegate.MULTIWAL;
      return Headroom.Estimate.groups(conf, multiwal);
    }

    /** Negative values count as 0. */
    private static double seconds(Configuration conf, String key, long otherwise) {
      return Math.max(0, conf.getTimeDuration(key, otherwise, TimeUnit.MILLISECONDS) / 1e3);
    }

    /**
     * Whether servers create stores with the plugin's engine, set in the site file or by the
     * observer.
     */
    private static boolean hasEngine(Configuration conf) {
      String engine = conf.get(ENGINE);
      return engine == null
          ? conf.get(REGION_LIST, "").contains(".HybridRegionObserver")
          : engine.endsWith(".HybridStoreEngine");
    }

    private static Workload tier(Workload given, Configuration conf) {
      boolean isGiven = given.knows(Input.TIER) || given.knows(Input.TIER_BYTES);
      boolean declared =
          hasEngine(conf) && HybridKeys.policy(Component.TIER).get(conf) != StoragePolicy.NONE;
      boolean site = declared && !isGiven;
      TierBudget budget = HybridKeys.TIER_BUDGET.get(conf);
      return given
          .orElse(Input.TIER, site ? budget.percent() : 0, isGiven ? "not asked for" : HOST)
          .orElse(Input.TIER_BYTES, site ? budget.bytes() : 0, isGiven ? "not asked for" : HOST);
    }
  }
}
