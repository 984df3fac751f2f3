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
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.yetus.audience.InterfaceAudience;

/** The properties that a plan recommends for {@code hbase-site.xml}. Pure. */
@InterfaceAudience.Private
public final class SiteAdvice {
  private static final String ENGINE = "hbase.hstore.engine.class";
  private static final String OUR_ENGINE = "io.github.hybridhbase.tier.HybridStoreEngine";
  private static final String WAL_BLOCK = "hbase.regionserver.hlog.blocksize";

  private static final int LOW = 10;
  private static final int MOST_LOW = 85;
  private static final int APART = 10;

  private final Map<String, String> values = new LinkedHashMap<>();
  private final Map<String, String> reasons = new LinkedHashMap<>();
  private final List<String> remarks = new ArrayList<>();

  private SiteAdvice() {}

  /**
   * @param now the current value of a key; null if unset
   * @param cachePath file of each RegionServer's bucket cache; empty for none
   */
  public static SiteAdvice of(
      UnaryOperator<String> now,
      Workload workload,
      SsdNeed need,
      double nodeSsd,
      String cachePath) {
    SiteAdvice advice = new SiteAdvice();
    advice.tier(now, workload);
    advice.walBlock(now, workload);
    advice.watermarks(now, need, nodeSsd);
    advice.replicas(workload);
    advice.hotRows(workload);
    advice.cache(workload, cachePath);
    return advice;
  }

  private void tier(UnaryOperator<String> now, Workload workload) {
    String engine = now.apply(ENGINE);
    if (!workload.isGiven(Input.TIER) && !workload.isGiven(Input.TIER_BYTES)) {
      return;
    }
    String policy = Component.TIER.policyKey();
    if (!workload.hasTier()) {
      if (engine == null || engine.equals(OUR_ENGINE)) {
        set(policy, StoragePolicy.NONE.name(), "no SSD tier");
      }
    } else if (engine == null || engine.equals(OUR_ENGINE)) {
      double bytes = workload.get(Input.TIER_BYTES);
      String budget =
          bytes > 0 ? Long.toString((long) bytes) : (int) workload.get(Input.TIER) + "%";
      String option = bytes > 0 ? Input.TIER_BYTES.flag() : Input.TIER.flag();
      set(HybridKeys.TIER_BUDGET.name(), budget, "as --" + option + " says");
      if (StoragePolicy.NONE.name().equalsIgnoreCase(trimmed(now.apply(policy)))) {
        set(policy, StoragePolicy.ALL_SSD.name(), "NONE turns the SSD tier off");
      }
    } else {
      remarks.add(ENGINE + " is " + engine + " and stays: there is no SSD tier");
    }
  }

  private static String trimmed(String text) {
    return text == null ? "" : text.trim();
  }

  private void walBlock(UnaryOperator<String> now, Workload workload) {
    if (WalBlock.isReduced(workload)) {
      String bytes = Long.toString((long) workload.get(Input.WAL_BLOCK));
      set(WAL_BLOCK, bytes, workload.origin(Input.WAL_BLOCK));
    } else if (now.apply(WAL_BLOCK) != null) {
      remarks.add(WAL_BLOCK + " may stay as it is");
    }
  }

  private void replicas(Workload workload) {
    double nodes = workload.get(Input.DATA_NODES);
    double replicas = workload.get(Input.REPLICATION);
    if (nodes < replicas) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "A block has %.0f replicas, and each DataNode takes one: with %.0f DataNodes with SSD the"
                  + " others go to DISK. Give SSD to %.0f DataNodes, or set"
                  + " hbase.regionserver.hlog.replication",
              replicas,
              nodes,
              replicas));
    }
  }

  private void hotRows(Workload workload) {
    double nodes = workload.get(Input.DATA_NODES);
    double servers = workload.get(Input.SERVERS);
    if (nodes < servers) {
      remarks.add(
          String.format(
              Locale.ROOT,
              "With SSD on %.0f DataNodes and %.0f RegionServers hot rows need %s=ALL_SSD: on a"
                  + " server whose own DataNode has no SSD, Gets of ONE_SSD files read DISK",
              nodes,
              servers,
              HybridKeys.HOT_POLICY.name()));
    }
  }

  /** Adds what no property expresses. */
  public void remark(String text) {
    remarks.add(text);
  }

  private void watermarks(UnaryOperator<String> now, SsdNeed need, double nodeSsd) {
    long headroom = need.headroom().bytes();
    int low = (int) Math.min(MOST_LOW, Math.max(LOW, Math.ceil(100.0 * headroom / nodeSsd)));
    boolean unset =
        now.apply(HybridKeys.SSD_LOW.name()) == null
            && now.apply(HybridKeys.SSD_HIGH.name()) == null;
    if (low > LOW || !unset) {
      set(
          HybridKeys.SSD_LOW.name(),
          Integer.toString(low),
          "keeps the headroom of " + Text.bytes(headroom) + " on a DataNode");
      set(HybridKeys.SSD_HIGH.name(), Integer.toString(low + APART), "above it");
    }
    if (need.capacityPerNode() > nodeSsd) {
      remarks.add(
          "A DataNode has "
              + Text.bytes((long) nodeSsd)
              + " of SSD and needs "
              + Text.bytes((long) need.capacityPerNode())
              + ": in a burst the space monitor keeps components off SSD");
    }
  }

  private void cache(Workload workload, String path) {
    double cache = workload.get(Input.CACHE);
    if (cache == 0) {
      return;
    }
    if (path.isEmpty()) {
      remarks.add(
          "--cache without --cache-path FILE: hbase.bucketcache.ioengine and size are left as they"
              + " are");
    } else {
      set("hbase.bucketcache.ioengine", "file:" + path, "the bucket cache, on a local SSD");
      set("hbase.bucketcache.size", Long.toString((long) cache >> 20), "MiB a RegionServer");
    }
    remarks.add(
        "HBase takes the block size of HFiles from each family, not from the site file. For reads of"
            + " single rows through a cache: alter 'TABLE', {NAME => 'FAMILY', BLOCKSIZE => '8192'},"
            + " and a major compaction");
  }

  private void set(String key, String value, String reason) {
    values.put(key, value);
    reasons.put(key, reason);
  }

  public Map<String, String> values() {
    return values;
  }

  public Map<String, String> reasons() {
    return reasons;
  }

  public List<String> remarks() {
    return remarks;
  }

  /** The largest WAL block that suits a DataNode's SSD. Pure. */
  public static final class WalBlock {
    private static final String REDUCED = "recommended: the headroom to return, ";

    private static final long SMALLEST = 32L << 20;

    /** Fraction of a DataNode's SSD that the headroom to return may take. */
    private static final double MOST_RESERVED = 0.3;

    private WalBlock() {}

    /** Explained by its origin. */
    public static Workload fit(Workload workload, double nodeSsd) {
      long asked = (long) workload.get(Input.WAL_BLOCK);
      int wals = SsdNeed.walsPerNode(workload);
      long block = asked;
      while (block / 2 >= SMALLEST
          && new Headroom(0, block, wals, 0).bytesToReturn() > nodeSsd * MOST_RESERVED) {
        block /= 2;
      }
      if (block == asked) {
        return workload;
      }
      String reason =
          REDUCED
              + "three blocks for each of "
              + wals
              + " WALs on a DataNode, would be more than "
              + (int) (100 * MOST_RESERVED)
              + "% of "
              + Text.bytes((long) nodeSsd)
              + " with blocks of "
              + Text.bytes(asked);
      // Whole MiB, since HDFS needs a multiple of its checksum chunk.
      return workload.with(Input.WAL_BLOCK, block >> 20 << 20, reason);
    }

    public static boolean isReduced(Workload workload) {
      return workload.origin(Input.WAL_BLOCK).startsWith(REDUCED);
    }
  }
}
