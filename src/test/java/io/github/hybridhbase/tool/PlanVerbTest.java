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

import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plan} from numbers given: no cluster is there, and none is asked. */
@InterfaceAudience.Private
class PlanVerbTest {
  private static ToolRun run(String... args) {
    String[] all =
        Stream.concat(
                Stream.of("plan", "--data", "20t", "--write-rate", "3m", "--reads", "2000"),
                Stream.of(args))
            .toArray(String[]::new);
    return ToolRun.of(new Configuration(false), all);
  }

  @Test
  void itSaysWhatToBuyWhatItCostsAndWhatItRestsOn() {
    ToolRun run = run();
    assertEquals(Exit.FINE, run.exit(), run::toString);
    assertTrue(run.out().startsWith("Set BLOCKSIZE first, it is free"), run::toString);
    for (String said :
        List.of(
            "> all HDD, 8 KB blocks",
            "WALs on SSD by stock's key",
            "family at ONE_SSD",
            "The verdict turns with the price ratio",
            "--write-rate 3 MiB/s: edits a second of all servers, one copy (given)",
            "--price-ratio 16.40: price of a byte of SSD over one of HDD (Q1 2026",
            "alter 'TABLE', {NAME => 'FAMILY', BLOCKSIZE => '8192'}")) {
      assertTrue(run.out().contains(said), () -> said + " in " + run);
    }
    assertEquals("", run.err());
  }

  @Test
  void itsExampleWorksAndItHasEightOptions() {
    String example = "plan --data 20t --write-rate 3m --reads 2000 --hot 20";
    ToolRun help = ToolRun.of(new Configuration(false), "plan", "--help");
    assertTrue(
        help.out().replaceAll("\\s+", " ").contains("Example: hbase-hybrid " + example),
        help::toString);
    assertEquals(Exit.FINE, ToolRun.of(new Configuration(false), example.split(" ")).exit());
    assertEquals(8, Ask.values().length);
    assertTrue(help.out().split("\n", -1).length < 25, help::toString);
  }

  @Test
  void theJsonHasTheLinesAndItsFieldsAreDocumented() throws IOException {
    String page = Files.readString(TypedCluster.baseDirectory().resolve("docs/json-schema.json"));
    JsonObject json = run("--json").json();
    assertEquals("hbase-hybrid/plan/2", json.get("schema").getAsString());
    JsonObject all = json.getAsJsonArray("setups").get(0).getAsJsonObject();
    assertEquals(1, all.get("cost").getAsDouble(), 1e-12);
    long best =
        Stream.iterate(0, i -> i + 1)
            .limit(json.getAsJsonArray("setups").size())
            .map(i -> json.getAsJsonArray("setups").get(i).getAsJsonObject())
            .filter(one -> one.get("best").getAsBoolean())
            .count();
    assertEquals(1, best, json::toString);
    JsonObject turn = json.getAsJsonObject("below");
    Stream.of(json, all, turn)
        .flatMap(object -> object.keySet().stream())
        .forEach(
            field ->
                assertTrue(page.contains("\"" + field + "\":"), () -> field + " in the schema"));
  }

  @Test
  void aDemandThatNothingMeetsIsAFinding() {
    ToolRun run = run("--durable", "20000");
    assertEquals(Exit.FINDINGS, run.exit(), run::toString);
    assertTrue(run.out().contains("no: 7,820 durable edits/s"), run::toString);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--write-rate|30|--write-rate 30 is not a size with a unit from 0 B to 1 EiB, such as 500g or 30m",
        "--data|20|--data 20 is not a size with a unit",
        "--data|1k|User data of 1 KiB fit on any drive: give --data from 100g on, such as 10t",
        "--data|0b|User data of 0 B fit on any drive",
        "--drive|12x|--drive 12x is not a size with a unit from 1 GiB",
        "--drive|1m|--drive 1m is not a size with a unit from 1 GiB",
        "--hot|0|--hot 0 is not a number from 1 to 80",
        "--hot|81|--hot 81 is not a number from 1 to 80",
        "--reads|-1|--reads -1 is not a number from 0",
        "--longest|7d|--longest 7d is not a number from 0",
        "--price-ratio|NaN|--price-ratio NaN is not a number from 1 to 200",
      })
  void anErrorNamesTheOptionTheValueAndWhatItMayBe(String option, String value, String says) {
    String[] args =
        Stream.concat(
                Stream.of("plan", option, value), Stream.of("--data", "20t", "--write-rate", "3m"))
            .toArray(String[]::new);
    ToolRun run = ToolRun.of(new Configuration(false), args);
    assertEquals(Exit.USAGE, run.exit(), run::toString);
    assertTrue(run.err().startsWith(says), run::toString);
  }

  @Test
  void smallRatesAreEchoed() {
    ToolRun run =
        ToolRun.of(new Configuration(false), "plan", "--data", "1t", "--write-rate", "30b");
    assertTrue(run.out().contains("--write-rate 30 B/s"), run::toString);
  }

  @Test
  void dataNeedsARate() {
    ToolRun noRate = ToolRun.of(new Configuration(false), "plan", "--data", "1t");
    assertEquals(Exit.USAGE, noRate.exit());
    assertTrue(noRate.err().contains("--write-rate"), noRate::toString);
  }

  @Test
  void replicasAreTheSites() {
    ToolRun two = run("-D", "dfs.replication=2", "--json", "--reads", "0");
    assertEquals(2, two.json().get("replicas").getAsInt(), two::toString);
  }

  private static JsonObject bean(String name, double value) {
    JsonObject bean = new JsonObject();
    bean.addProperty(name, value);
    return bean;
  }

  @Test
  void aClustersServersTellItsReadsAndHowUnevenTheyAre() {
    List<JsonObject> io =
        List.of(bean("FsPReadTime_num_ops", 30_000), bean("FsPReadTime_num_ops", 10_000));
    assertEquals(OptionalDouble.of(400), LiveCluster.rate(io, "FsPReadTime_num_ops", 100));
    assertEquals(OptionalDouble.empty(), LiveCluster.rate(List.of(), "writtenBytes", 100));
    assertEquals(OptionalDouble.empty(), LiveCluster.rate(io, "FsPReadTime_num_ops", 0));

    String tenth = "HotGetsOf10Percent";
    assertEquals(OptionalDouble.empty(), LiveCluster.hot(List.of()));
    assertEquals(OptionalDouble.empty(), LiveCluster.hot(List.of(bean(tenth, 0))));
    assertEquals(80, LiveCluster.hot(List.of(bean(tenth, 10))).orElseThrow(), 1e-9);
    assertEquals(80, LiveCluster.hot(List.of(bean(tenth, 4))).orElseThrow(), 1e-9);
    assertEquals(10, LiveCluster.hot(List.of(bean(tenth, 80))).orElseThrow(), 1e-9);
    JsonObject busy = bean(tenth, 80);
    busy.addProperty("HotDiskReads", 1_000_000);
    List<JsonObject> both = List.of(busy, bean(tenth, 10));
    assertEquals(10, LiveCluster.hot(both).orElseThrow(), 0.01);
  }
}
