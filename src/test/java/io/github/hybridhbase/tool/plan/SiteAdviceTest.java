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

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.tool.plan.SiteAdvice.WalBlock;
import io.github.hybridhbase.tool.plan.Workload.Defaults;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class SiteAdviceTest {
  private static final double GIB = 1L << 30;

  private static Workload workload() {
    return Defaults.fill(
        Workload.empty()
            .with(Input.DATA, 1_000 * GIB, "given")
            .with(Input.WRITE_RATE, 1e6, "given")
            .with(Input.SERVERS, 3, "given"),
        new Configuration(false));
  }

  private static SiteAdvice advice(Map<String, String> now, Workload workload, double nodeSsd) {
    Workload fit = WalBlock.fit(workload, nodeSsd);
    return SiteAdvice.of(now::get, fit, SsdNeed.of(fit, 0.7), nodeSsd, "/ssd/cache");
  }

  @Test
  void anotherStoreEngineStays() {
    Workload tier = workload().with(Input.TIER, 15, "given");
    String key = "hbase.hstore.engine.class";
    SiteAdvice advice = advice(Map.of(key, "x.Engine"), tier, 100 * GIB);
    assertFalse(advice.values().containsKey(key));
    assertTrue(advice.remarks().get(0).contains("x.Engine"), advice.remarks()::toString);
    assertEquals("15%", advice(Map.of(), tier, 100 * GIB).values().get("hbase.hybrid.tier.budget"));
  }

  @Test
  void theTierIsTouchedWhereItIsAskedForOnly() {
    String engine = "hbase.hstore.engine.class";
    String ours = "io.github.hybridhbase.tier.HybridStoreEngine";
    String budget = "hbase.hybrid.tier.budget";
    String policy = "hbase.hybrid.tier.policy";
    for (double share : new double[] {0, 20}) {
      Workload told = workload().with(Input.TIER, share, "the site");
      Map<String, String> values =
          advice(Map.of(engine, ours, budget, "200g"), told, 100 * GIB).values();
      assertFalse(values.containsKey(budget) || values.containsKey(policy), values::toString);
    }
    Workload none = workload().with(Input.TIER, 0, "given");
    for (Map<String, String> now : List.of(Map.<String, String>of(), Map.of(engine, ours))) {
      Map<String, String> off = new HashMap<>(now);
      off.put(policy, "NONE");
      Map<String, String> on =
          advice(off, workload().with(Input.TIER, 20, "given"), 100 * GIB).values();
      assertEquals("ALL_SSD", on.get(policy));
      assertEquals("20%", on.get(budget));
      assertFalse(on.containsKey(engine), "clients would need the jar");
      assertEquals("NONE", advice(now, none, 100 * GIB).values().get(policy));
    }
  }

  @Test
  void smallSsdsGetSmallWalBlocksAndHigherWatermarks() {
    String block = "hbase.regionserver.hlog.blocksize";
    // Five WALs on each of three DataNodes: three blocks of 256 MiB for each are 3.75 GiB.
    assertFalse(advice(Map.of(), workload(), 100 * GIB).values().containsKey(block));
    Map<String, String> small = advice(Map.of(), workload(), 10 * GIB).values();
    assertEquals(Long.toString(128L << 20), small.get(block));
    // 1 GiB that a DataNode keeps free and ten blocks of 128 MiB are 22.5 % of 10 GiB.
    assertEquals("23", small.get("hbase.hybrid.ssd.low"));
    assertEquals("33", small.get("hbase.hybrid.ssd.high"));
    Map<String, String> large = advice(Map.of(), workload(), 1_000 * GIB).values();
    assertFalse(large.containsKey("hbase.hybrid.ssd.low"), "the default");
    assertFalse(large.containsKey("hbase.hybrid.ssd.high"), "the default");
    Map<String, String> set = Map.of("hbase.hybrid.ssd.low", "40");
    assertEquals("10", advice(set, workload(), 1_000 * GIB).values().get("hbase.hybrid.ssd.low"));
  }

  @Test
  void fewerDataNodesThanReplicasAreExplained() {
    Workload two = workload().with(Input.DATA_NODES, 2, "given");
    String remarks = advice(Map.of(), two, 100 * GIB).remarks().toString();
    assertTrue(remarks.contains("A block has 3 replicas"), remarks);
    assertTrue(remarks.contains("with 2 DataNodes with SSD the others go to DISK"), remarks);
  }

  @Test
  void hotRowsNeedSsdOnEachServerOrOnAllReplicas() {
    Workload few = workload().with(Input.DATA_NODES, 4, "given").with(Input.SERVERS, 20, "given");
    String remarks = advice(Map.of(), few, 100 * GIB).remarks().toString();
    assertTrue(remarks.contains("4 DataNodes and 20 RegionServers hot rows need"), remarks);
    Workload all = few.with(Input.DATA_NODES, 20, "given");
    assertFalse(advice(Map.of(), all, 100 * GIB).remarks().toString().contains("hot rows"));
  }

  @Test
  void theCacheIsForTheSiteItsBlockSizeForTheFamilies() {
    assertFalse(
        advice(Map.of(), workload(), 100 * GIB).values().containsKey("hbase.bucketcache.size"));
    SiteAdvice advice =
        advice(Map.of(), workload().with(Input.CACHE, 20 * GIB, "given"), 100 * GIB);
    assertEquals("file:/ssd/cache", advice.values().get("hbase.bucketcache.ioengine"));
    assertEquals("20480", advice.values().get("hbase.bucketcache.size"));
    assertTrue(
        advice.remarks().stream().anyMatch(one -> one.contains("BLOCKSIZE => '8192'")),
        advice.remarks()::toString);
  }

  @Test
  void everyPropertyHasAReasonAndEveryKeyOfOursExists() {
    SiteAdvice advice = advice(Map.of(), workload().with(Input.TIER, 15, "given"), 10 * GIB);
    assertEquals(advice.values().keySet(), advice.reasons().keySet());
    for (String key : advice.values().keySet()) {
      assertTrue(
          !key.startsWith("hbase.hybrid.")
              || io.github.hybridhbase.runtime.HybridKeys.find(key).isPresent(),
          key);
    }
  }
}
