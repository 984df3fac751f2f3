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
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.github.hybridhbase.testing.TypedCluster;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.nio.file.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

@InterfaceAudience.Private
class BenchGainTest {
  private static Path result(String name) {
    return TypedCluster.baseDirectory().resolve("bench/results").resolve(name);
  }

  @Test
  void aRunALineGivesTheMedianOfEachSide() throws UsageException {
    BenchGain gain =
        BenchGain.parse(
            "{\"rival\":\"A\",\"opsPerSecond\":100}\n{\"rival\":\"A\",\"opsPerSecond\":900}\n"
                + "{\"rival\":\"A\",\"opsPerSecond\":200}\n"
                + "{\"rival\":\"B\",\"writers\":10,\"opsPerSecond\":300}\n"
                + "{\"rival\":\"B\",\"writers\":10,\"opsPerSecond\":500}\n"
                + "{\"rival\":\"B\",\"writers\":1,\"opsPerSecond\":9}");
    assertEquals(2, gain.gain("rival=A", "rival=B,writers=10"));
  }

  @Test
  void jmhTimesAreTurnedIntoThroughput() throws UsageException {
    String run =
        "{\"benchmark\":\"x\",\"params\":{\"policy\":\"%s\"},"
            + "\"primaryMetric\":{\"score\":%s,\"scoreUnit\":\"%s\"}}";
    String times =
        "["
            + String.format(run, "HOT", "6", "ms/op")
            + ","
            + String.format(run, "SSD", "2", "ms/op")
            + "]";
    assertEquals(3, BenchGain.parse(times).gain("policy=HOT", "policy=SSD"), 1e-12);
    String rates = times.replace("ms/op", "ops/ms");
    assertEquals(1.0 / 3, BenchGain.parse(rates).gain("policy=HOT", "policy=SSD"), 1e-12);
  }

  private static String cell(String setup, String workload, int rate) {
    return String.format(
        "{\"experiment\":\"ycsb\",\"setup\":\"%s\",\"workload\":\"%s\",\"threads\":\"16\","
            + "\"hdd\":{\"use\":1},\"opsPerSecond\":%d}",
        setup, workload, rate);
  }

  @Test
  void cellsOfBenchRunAreComparedWhereTheyAreAlike() throws UsageException {
    String recovery = "{\"experiment\":\"recovery\",\"setup\":\"hdd\",\"recoverySeconds\":30}";
    String[] cells = {
      recovery,
      cell("hdd", "A", 100),
      cell("hdd", "A", 120),
      cell("hybrid", "A", 220),
      cell("hdd", "C", 150),
      cell("hybrid", "C", 150)
    };
    BenchGain gain =
        BenchGain.parse(
            "{\"plans\":{\"short on paper\":{\"loads\":{}}},\"cells\":["
                + String.join(",", cells)
                + "]}");
    assertEquals(2, gain.gain("setup=hdd,workload=A", "setup=hybrid,workload=A"), 1e-9);
    refused("differ in workload: [A, C]", () -> gain.gain("setup=hdd", "setup=hybrid"));
    refused(
        "differ in workload", () -> gain.gain("setup=hdd,workload=C", "setup=hybrid,workload=A"));
    refused("has no run", () -> BenchGain.parse("{\"cells\":[" + recovery + "]}"));
    String paper = cell("hdd", "A", 100).replace("{", "{\"plan\":\"short on paper\",");
    String today = cell("hybrid", "A", 900).replace("{", "{\"plan\":\"short on today\",");
    BenchGain devices = BenchGain.parse("{\"cells\":[" + paper + "," + today + "]}");
    refused("differ in plan", () -> devices.gain("setup=hdd", "setup=hybrid"));
  }

  @Test
  void theResultsOfThisCheckoutAreUnderstood() throws UsageException {
    double wal =
        BenchGain.read(result("hsync-1460-iops.json"))
            .gain("rival=ASYNCFS,writers=100", "rival=HYBRID_ASYNCFS,writers=100");
    assertTrue(wal > 10, () -> wal + "");
    double tier = BenchGain.read(result("tier-ycsb-a.json")).gain("rival=OFF", "rival=ON");
    assertTrue(tier > 0.5 && tier < 5, () -> tier + "");
    double jmh =
        BenchGain.read(result("jmh-matrix.json"))
            .gain("policy=HOT,sync=hsync", "policy=ALL_SSD,sync=hsync");
    assertTrue(jmh > 1, () -> jmh + "");
  }

  @Test
  void whatCannotBeUsedIsNamed() {
    refused("opsPerSecond", () -> BenchGain.parse("{}"));
    refused("not JSON", () -> BenchGain.parse("{\"a\":"));
    refused("cannot be read", () -> BenchGain.read(Path.of("/nowhere/x.json")));
    refused(
        "--with rival=C selects none of 1 runs; the first one's fields are {rival=A",
        () -> BenchGain.parse("{\"rival\":\"A\",\"opsPerSecond\":1}").gain("rival=A", "rival=C"));
    refused(
        "FIELD=VALUE",
        () -> BenchGain.parse("{\"rival\":\"A\",\"opsPerSecond\":1}").gain("rival", "rival=A"));
  }

  private static void refused(String says, org.junit.jupiter.api.function.Executable what) {
    String text = assertThrows(UsageException.class, what).getMessage();
    assertTrue(text.contains(says), text);
  }
}
