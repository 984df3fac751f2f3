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
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.TierBudget;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;

/** Default values of a {@link Workload}: from this host's configuration, or assumptions. Pure. */
@InterfaceAudience.Private
public final class Defaults {
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
                Input.WAL_BLOCK, conf.getLong("hbase.regionserver.hlog.blocksize", 2 * block), HOST)
            .orElse(Input.MAX_WALS, Math.max(0, conf.getInt("hbase.regionserver.maxlogs", 0)), HOST)
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
