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
package io.github.hybridhbase.tool;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.runtime.HybridMetrics.HotMetrics;
import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.plan.Workload;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plan} from numbers given: no cluster is there, and none is asked. */
@InterfaceAudience.Private
class PlanVerbTest {
  @TempDir private Path directory;

  private static ToolRun run(String... args) {
    return run(new Configuration(false), args);
  }

  private static ToolRun run(Configuration conf, String... args) {
    String[] all =
        Stream.concat(
                Stream.of("plan", "--data", "20t", "--write-rate", "30m", "--servers", "20"),
                Stream.of(args))
            .toArray(String[]::new);
    return ToolRun.of(conf, all);
  }

  @Test
  void fewNodesThatSaturateAreSaidAndFail() {
    ToolRun few = run("--datanodes", "4", "--network", "20m");
    assertEquals(Exit.FINDINGS, few.exit(), few::toString);
    // 20 servers x 20 / (30 x 3 / 4)
    assertTrue(few.out().contains("TOO MUCH: 17 servers"), few::toString);
    ToolRun enough = run("--datanodes", "5", "--network", "20m");
    assertEquals(Exit.FINE, enough.exit(), enough::toString);
  }

  @Test
  void itSaysWhatToBuyWhatItCostsAndWhatItRestsOn() {
    ToolRun run = run("--gain", "1.5");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().startsWith("Needed: "), run::toString);
    for (String said :
        List.of(
            "WALs in use",
            "all HDD",
            "hybrid",
            "all SSD",
            "years",
            "--write-rate 30 MiB/s: edits written to the WALs of all servers, one copy (given)",
            "assumed: data centre drives of 2026",
            "beside what hbase-hybrid enable sets")) {
      assertTrue(run.out().contains(said), () -> said + " in " + run);
    }
    assertEquals("", run.err());
  }

  @Test
  void itsExampleWorks() {
    String example = "plan --data 20t --write-rate 30m --servers 20 --memstore 12g --gain 1.5";
    ToolRun help = ToolRun.of(new Configuration(false), "plan", "--help");
    assertTrue(
        help.out().replaceAll("\\s+", " ").contains("Example: hbase-hybrid " + example),
        help::toString);
    assertEquals(Exit.FINE, ToolRun.of(new Configuration(false), example.split(" ")).exit());
  }

  @Test
  void theJsonAddsUp() {
    JsonObject json = run("--json", "--tier", "20", "--cache", "10g", "--gain", "2").json();
    assertEquals("hbase-hybrid/plan/1", json.get("schema").getAsString());
    JsonObject hybrid = json.getAsJsonArray("costs").get(1).getAsJsonObject();
    assertEquals(
        hybrid.get("costRatio").getAsDouble() / 2,
        hybrid.get("costPerThroughput").getAsDouble(),
        1e-12);
    assertEquals(4, json.getAsJsonArray("costs").size());
    assertTrue(
        json.getAsJsonArray("costs").get(2).getAsJsonObject().get("gain").isJsonNull(),
        json::toString);
    double tier = json.getAsJsonObject("ssdBytes").get("tier").getAsDouble();
    assertEquals(0.2 * json.get("capacity").getAsDouble(), tier, 2);
  }

  @Test
  void everyFieldIsInTheDocumentation() throws IOException {
    String page = Files.readString(TypedCluster.baseDirectory().resolve("docs/json.md"));
    JsonObject json = run("--json").json();
    json.keySet()
        .forEach(
            field -> assertTrue(page.contains("`" + field + "`"), () -> field + " in json.md"));
    json.getAsJsonArray("costs")
        .get(0)
        .getAsJsonObject()
        .keySet()
        .forEach(
            field -> assertTrue(page.contains("`" + field + "`"), () -> field + " in json.md"));
  }

  @Test
  void tooLittleSsdIsAFinding() {
    ToolRun run = run("--ssd", "10g");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.out().startsWith("Too little SSD: "), run::toString);
    assertEquals(Exit.FINE, run("--ssd", "100t").exit());
  }

  @Test
  void ssdThatWearsOut_isSaidFirst_andFails() {
    JsonObject json = run("--json").json();
    double forSpace = json.get("capacityPerNode").getAsDouble();
    assertTrue(json.get("neededPerNode").getAsDouble() > 10 * forSpace, json::toString);
    assertEquals(5, json.get("wearYears").getAsDouble(), 0.01);
    ToolRun run = run("--ssd", (long) (forSpace * 1.01) + "");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(
        run.out().matches("(?s)The SSDs wear out in [0-9]+ weeks, not 5 years: .*"), run::toString);
    run = run("--ssd", (long) (forSpace * 1.01) + "", "--life", "0");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().startsWith("Enough SSD: "), run::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--memstore|12x|--memstore 12x is not a size such as 500g",
        "--memstore|-1g|--memstore -1g is not a size",
        "--datanodes|0|--datanodes 0 is not a number from 1",
        "--datanodes|1.5|--datanodes 1.5 is not a whole number",
        "--tier|91|--tier 91 is not a number from 0 to 90",
        "--wal-ttl|7d|--wal-ttl 7d is not a number from 0",
        "--tier|12.5|--tier 12.5 is not a whole number from 0 to 90",
        "--tier|80|--tier 80 leaves nothing of --ssd-use 70",
        "--gain|0|--gain 0 is not a number",
        "--gain|NaN|--gain NaN is not a number",
        "--wal-block|1k|--wal-block 1k is not a size from 1m on",
        "--ssd-use|101|--ssd-use 101 is not a number from 1 to 100",
      })
  void anErrorNamesTheOptionTheValueAndWhatItMayBe(String option, String value, String says) {
    ToolRun run = run(option, value);
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().startsWith(says), run::toString);
  }

  @Test
  void dataNeedsARate() {
    ToolRun noRate = ToolRun.of(new Configuration(false), "plan", "--data", "1t");
    assertEquals(Exit.USAGE, noRate.exit());
    assertTrue(noRate.err().contains("--write-rate"), noRate::toString);
  }

  /** The configuration of an HBase with the SSD tier. */
  private static ToolRun runTier(Map<String, String> more, String... args) {
    Configuration conf = new Configuration(false);
    more.forEach(conf::set);
    conf.set(
        "hbase.coprocessor.region.classes",
        "x.Other,io.github.hybridhbase.coprocessor.HybridRegionObserver");
    return run(conf, args);
  }

  @Test
  void whatThePlanCountsWithIsTheSites() {
    ToolRun run =
        runTier(
            Map.of(
                "hbase.hybrid.tier.budget", "15%",
                "hbase.regionserver.maxlogs", "7",
                "hbase.master.logcleaner.ttl", "5000"),
            "--json");
    JsonObject inputs = run.json().getAsJsonObject("inputs");
    assertEquals(15, value(inputs, "tier"));
    assertEquals(7, value(inputs, "max-wals"));
    assertEquals(5, value(inputs, "wal-ttl"));
    assertTrue(!run.out().contains("hbase.hybrid.tier.policy"), run::toString);
  }

  /** A budget in bytes is that, and neither a share of what is bought nor the default. */
  @Test
  void aBudgetInBytesCountsAsItIs() {
    Map<String, String> site = Map.of("hbase.hybrid.tier.budget", "600g");
    JsonObject plan = runTier(site, "--json").json();
    double budget = 600.0 * (1L << 30);
    assertEquals(0, value(plan.getAsJsonObject("inputs"), "tier"));
    assertEquals(budget, value(plan.getAsJsonObject("inputs"), "tier-bytes"));
    assertEquals(budget, plan.getAsJsonObject("ssdBytes").get("tier").getAsDouble(), 1);
    // What is given wins, a share too.
    JsonObject given = runTier(site, "--json", "--tier", "10").json();
    assertEquals(0, value(given.getAsJsonObject("inputs"), "tier-bytes"));
    ToolRun told = runTier(site, "--tier-bytes", "5g");
    assertTrue(told.out().contains("hbase.hybrid.tier.budget=5368709120"), told::toString);
    ToolRun both = run("--tier", "10", "--tier-bytes", "5g");
    assertEquals(2, both.exit(), both::toString);
    assertTrue(both.err().contains("give one of them"), both::toString);
    for (String bytes : List.of("0.5", "1p")) { // no value of the key, which HBase would ignore
      ToolRun wrong = runTier(site, "--tier-bytes", bytes);
      assertEquals(2, wrong.exit(), wrong::toString);
      assertTrue(wrong.err().contains("hbase.hybrid.tier.budget"), wrong::toString);
    }
  }

  private static double value(JsonObject inputs, String flag) {
    return inputs.getAsJsonObject(flag).get("value").getAsDouble();
  }

  @Test
  void whatIsNeededIsComparedWithoutTheCache() {
    JsonObject json = run("--json").json();
    String enough = (long) (json.get("neededPerNode").getAsDouble() * 1.01) + "";
    ToolRun run = run("--ssd", enough, "--cache", "70g");
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().startsWith("Enough SSD: "), run::toString);
    assertTrue(run.out().contains(", and 100 GiB for the bucket cache."), run::toString);
  }

  @Test
  void theNeedIsOfTheBlockThatIsRecommended() {
    JsonObject json = run("--json", "--ssd", "5g").json();
    double block = value(json.getAsJsonObject("inputs"), "wal-block");
    assertTrue(block < 256 << 20, json::toString);
    String recommended = String.valueOf((long) block);
    assertTrue(
        json.getAsJsonArray("properties").toString().contains("\"" + recommended + "\""),
        json::toString);
  }

  private static JsonObject counted(long diskReads, long... percents) {
    JsonObject bean = new JsonObject();
    bean.addProperty("HotDiskReads", diskReads);
    for (int i = 0; i < percents.length; i++) {
      bean.addProperty("HotGetsOf" + HotMetrics.SHARES[i] + "Percent", percents[i]);
    }
    return bean;
  }

  /** The first plan is made before SSDs are tagged; SSD is then mostly for some DataNodes. */
  @Test
  void aClusterWithoutSsdIsPlannedForAllDataNodesAndSaysSo() {
    Workload servers = Workload.empty().with(Input.SERVERS, 40, "the cluster");
    Optional<SsdSpace> none = Optional.of(new SsdSpace(0, 0, 0, 0, List.of()));
    String remark = LiveCluster.withoutSsd(servers, none).orElseThrow();
    assertTrue(remark.startsWith("No DataNode has SSD yet"), remark);
    assertTrue(remark.contains("give --datanodes N"), remark);
    String unknown = LiveCluster.withoutSsd(servers, Optional.empty()).orElseThrow();
    assertTrue(unknown.startsWith("No DataNode is known to have SSD yet"), unknown);
    Workload given = servers.with(Input.DATA_NODES, 8, Workload.GIVEN);
    assertEquals(Optional.empty(), LiveCluster.withoutSsd(given, none));
    Optional<SsdSpace> some = Optional.of(new SsdSpace(9, 0, 9, 8, List.of()));
    assertEquals(Optional.empty(), LiveCluster.withoutSsd(servers, some));
  }

  @Test
  void aClustersServersSayWhatHotRowsWouldAnswer() {
    assertEquals(Optional.empty(), LiveCluster.hotRows(List.of()));
    String unknown = LiveCluster.hotRows(List.of(counted(100, 0, 0, 0))).orElseThrow();
    assertTrue(unknown.contains("unknown"), unknown);
    String text =
        LiveCluster.hotRows(
                List.of(counted(300, 40, 50, 70), counted(100, 20, 30, 50), counted(9, 0, 0, 0)))
            .orElseThrow();
    assertTrue(text.contains("2 RegionServers"), text);
    assertTrue(text.contains("5 % of the bytes would answer 35 %"), text);
    assertTrue(text.contains("10 % of the bytes would answer 45 %"), text);
    assertTrue(text.contains("25 % of the bytes would answer 65 %"), text);
  }
}
