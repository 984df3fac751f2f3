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

import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.com.google.gson.JsonObject;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code plan} from numbers given: no cluster is there, and none is asked. */
@InterfaceAudience.Private
class PlanVerbTest {
  private static final String GIVEN = "plan --data 20t --write-rate 3m --reads 2000";

  private static ToolRun run(int exit, String args) {
    ToolRun run = ToolRun.of(new Configuration(false), args.split(" "));
    assertEquals(exit, run.exit(), run::toString);
    return run;
  }

  @Test
  void itSaysWhatToBuyWhatItCostsAndWhatItRestsOn() {
    ToolRun run = run(Exit.FINE, GIVEN);
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
    ToolRun help = run(Exit.FINE, "plan --help");
    String example = GIVEN + " --hot 20";
    assertTrue(
        help.out().replaceAll("\\s+", " ").contains("Example: hbase-hybrid " + example),
        help::toString);
    run(Exit.FINE, example);
    assertEquals(8, Ask.values().length);
    assertTrue(help.out().split("\n", -1).length < 25, help::toString);
  }

  @Test
  void theJsonHasTheLines() {
    JsonObject json = run(Exit.FINE, GIVEN + " --json").json();
    assertEquals("hbase-hybrid/plan/2", json.get("schema").getAsString());
    List<JsonObject> setups = new ArrayList<>();
    json.getAsJsonArray("setups").forEach(one -> setups.add(one.getAsJsonObject()));
    assertEquals(1, setups.get(0).get("cost").getAsDouble(), 1e-12);
    assertEquals(
        1, setups.stream().filter(one -> one.get("best").getAsBoolean()).count(), json::toString);
    assertEquals(3, json.get("replicas").getAsInt());
    json = run(Exit.FINE, GIVEN + " -D dfs.replication=2 --json").json();
    assertEquals(2, json.get("replicas").getAsInt());
  }

  @Test
  void aDemandThatNothingMeetsIsAFinding() {
    ToolRun run = run(Exit.FINDINGS, GIVEN + " --durable 20000");
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
    ToolRun run = run(Exit.USAGE, "plan " + option + " " + value + " --data 20t --write-rate 3m");
    assertTrue(run.err().startsWith(says), run::toString);
  }

  @Test
  void dataNeedsARateAndASmallOneIsEchoed() {
    assertTrue(run(Exit.USAGE, "plan --data 1t").err().contains("--write-rate"));
    ToolRun small = run(Exit.FINE, "plan --data 1t --write-rate 30b");
    assertTrue(small.out().contains("--write-rate 30 B/s"), small::toString);
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
