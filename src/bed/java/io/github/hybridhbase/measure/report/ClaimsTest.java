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
package io.github.hybridhbase.measure.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What is compared to what somebody has said, and what is not. */
@InterfaceAudience.Private
class ClaimsTest {
  private final KnownFigures figures = new KnownFigures();

  private ObjectNode cell(String workload, String setup, int round, double rate) {
    return figures.cell(workload, setup, round, rate);
  }

  private Results results() {
    return figures.results();
  }

  /** Both of a claim, as a page has them. */
  private String claim(String what) {
    return Claims.of(results()).stream()
        .filter(claim -> claim.what.equals(what))
        .map(claim -> claim.measured + "; " + claim.verdict)
        .collect(Collectors.joining(" | "));
  }

  @Test
  void thePapersOwnFiguresGiveItsCost() {
    for (String workload : Select.CORE) {
      cell(workload, "hdd", 1, 100);
      cell(workload, "hybrid", 1, 175);
    }
    // 0.73 % of the data on SSD, at 1.75 times the throughput.
    assertEquals(
        "0.66, gain 1.75, SSD 0.73 % of the data, one round; reached",
        claim("cost per throughput of hybrid to hdd, mean of A to F, the paper's prices"));
    assertEquals(
        "1.75, one round; reached",
        claim("throughput of hybrid over hdd, reads from devices, geometric mean of A to F"));
    assertEquals(
        "0.73 (0.73 to 0.73), by cell; reached",
        claim("SSD that hybrid took at most, in % of the data, old WALs kept for seconds"));
    assertEquals(21.33, PriceList.PAPER.times(), 0.01);
  }

  @Test
  void aMeanOfSomeWorkloadsIsNoMeanOfAll() {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 400);
    assertEquals(
        "4.00, of A alone, one round; not measured",
        claim("throughput of hybrid over hdd, reads from devices, geometric mean of A to F"));
    assertEquals(
        "–; not measured",
        claim("cost per throughput of hybrid to hdd, mean of A to F, the paper's prices"));
  }

  @Test
  void everyShareOfACacheThatWasMeasuredHasItsClaims() {
    for (String workload : Select.CORE) {
      cell(workload, "hdd", 1, 100);
      cell(workload, "hybrid+cache", 1, 280).put("share", "75").put("cacheMb", 750);
    }
    assertEquals(
        "2.80, one round; reached",
        claim("throughput of hybrid+cache 75% over hdd, geometric mean of A to F"));
    assertTrue(
        claim("cost per throughput of hybrid+cache 75% to hdd, mean of A to F, today's prices")
            .endsWith("; not reached"));
    assertEquals(
        "–; not measured",
        claim("throughput of hybrid+cache 25% over hdd, geometric mean of A to F"));
  }

  @Test
  void aMeansErrorIsThatOfItsRounds() {
    for (int round = 1; round <= 2; round++) {
      for (String workload : Select.CORE) {
        cell(workload, "hdd", round, 100);
        cell(workload, "hybrid", round, round == 1 ? 100 : 120);
      }
    }
    assertEquals(
        "1.10 (1.00 to 1.20); not reached",
        claim("throughput of hybrid over hdd, reads from devices, geometric mean of A to F"));
    assertEquals(
        "1.10 (1.00 to 1.20); reached",
        claim("throughput of hybrid over hdd, B, from devices, beyond the error"));
  }

  /** Where the gain is smaller, cost per throughput is reported as it is. */
  @Test
  void costHasABoundWhereTheGainIsReached() {
    for (String setup : new String[] {"hdd", "hybrid"}) {
      cell("update", setup, 1, setup.equals("hdd") ? 100 : 120).put("reads", "memory");
      cell("F", setup, 1, setup.equals("hdd") ? 100 : 900).put("reads", "memory");
    }
    String what = "cost per throughput of hybrid to hdd, %s, reads from memory, the paper's prices";
    assertTrue(claim(String.format(what, "update")).endsWith("; as measured"));
    assertTrue(claim(String.format(what, "F")).endsWith("; reached"));
    assertTrue(
        claim(String.format(what, "F").replace("the paper's", "today's")).endsWith("reached"));
  }

  @Test
  void whatWasNotMeasuredIsSaidToBe() {
    cell("A", "hdd", 1, 100);
    for (Claim claim : Claims.of(results())) {
      assertEquals(Claim.NOT_MEASURED, claim.verdict, claim.what + ": " + claim.measured);
    }
  }

  @Test
  void aClaimSaysWhatItsCellsHaveThatIsNotExpected() {
    for (String setup : new String[] {"hdd", "hybrid"}) {
      double rate = setup.equals("hdd") ? 100 : 300;
      cell("update", setup, 1, rate).put("reads", "memory").put("slower", "12");
      cell("C", setup, 1, 100).put("reads", "memory");
      cell("C", setup, 1, setup.equals("hdd") ? 100 : 110);
    }
    for (String setup : new String[] {"wal-only", "hybrid"}) {
      cell("update", setup, 1, setup.equals("wal-only") ? 400 : 8_000)
          .put("reads", "memory")
          .put("sync", "durable")
          .put("threads", "100");
    }
    assertEquals(
        "3.00, from memory, 12× slower, one round; reached",
        claim("throughput of hybrid over hdd, update, reads from memory"));
    assertEquals(
        "1.10, one round; not reached", claim("reads of hybrid over hdd, C, from devices"));
    assertEquals(
        "20.0, durable, 100 threads, from memory, one round; reached",
        claim("durable updates of hybrid over wal-only, 100 clients"));
    assertEquals("–; not measured", claim("durable updates of hybrid over wal-only, 10 clients"));
  }

  /** Each differs in one thing from what the claim is of. */
  @Test
  void nothingElseStandsInForWhatAClaimIsOf() {
    String[][] others = {
      {"sync", "durable"},
      {"threads", "100"},
      {"reads", "devices"},
      {"target", "80%"},
      {"keys", "latest"},
      {"block", "8"},
      {"experiment", "compaction"}
    };
    for (String[] other : others) {
      for (String setup : new String[] {"hdd", "hybrid"}) {
        cell("update", setup, 1, setup.equals("hdd") ? 1 : 9)
            .put("reads", "memory")
            .put(other[0], other[1]);
      }
    }
    assertEquals(
        "–; not measured", claim("throughput of hybrid over hdd, update, reads from memory"));
  }

  @Test
  void whatWasMeasuredOtherwiseIsNotCompared() {
    figures.plan("full on today", "today");
    cell("C", "hdd", 1, 100);
    cell("C", "hybrid", 1, 900).put("plan", "full on today");
    assertEquals("–; not measured", claim("reads of hybrid over hdd, C, from devices"));
    cell("C", "hybrid", 1, 100);
    cell("C", "hdd", 1, 100).put("plan", "full on today");
    assertEquals(
        "1.00, one round; not reached | 9.00, one round; reached",
        claim("reads of hybrid over hdd, C, from devices"));
    assertTrue(Page.render(results()).contains("<h2>full on today</h2>"));
  }

  @Test
  void aClaimSaysWhatFailedAndWhatWasReadAllTheSame() {
    cell("F", "hdd", 1, 100).put("reads", "memory").putObject("hdd").put("readsPerSecond", 4);
    cell("F", "hybrid", 1, 200).put("reads", "memory").put("errors", 7);
    cell("F", "ssd", 1, 200).put("reads", "memory").put("errors", 5);
    assertEquals(
        "2.00, from memory, 7 failed, read from the HDD, one round; reached",
        claim("throughput of hybrid over hdd, F, reads from memory"));
  }

  @Test
  void aMeanOfSomeWorkloadsHasItsRounds() {
    for (int round = 1; round <= 2; round++) {
      cell("A", "hdd", round, 100);
      cell("A", "hybrid", round, 100 * round);
    }
    assertEquals(
        "1.50 (1.00 to 2.00), of A alone; not measured",
        claim("throughput of hybrid over hdd, reads from devices, geometric mean of A to F"));
  }

  @Test
  void otherExperimentsAreClaimsToo() {
    for (String sync : new String[] {"hflush", "durable"}) {
      for (String setup : new String[] {"hdd", "hybrid"}) {
        ObjectNode one = cell("update", setup, 1, 1).put("experiment", "compaction");
        one.put("sync", sync).put("target", "10").remove("opsPerSecond");
        one.putObject("beside")
            .putObject("latencies")
            .putObject("transaction")
            .put("p99Ms", setup.equals("hybrid") ? 5 : sync.equals("durable") ? 60 : 20);
      }
    }
    cell("update", "hdd", 1, 1).put("experiment", "recovery").put("recoverySeconds", 30);
    cell("update", "hybrid", 1, 1).put("experiment", "recovery").put("recoverySeconds", 20);
    String what = "p99 of a put beside a major compaction, hdd over hybrid, ";
    assertTrue(claim(what + "hflush").startsWith("4.00, "), claim(what + "hflush"));
    assertTrue(claim(what + "hflush").endsWith("; not reached"), claim(what + "hflush"));
    assertTrue(claim(what + "durable").startsWith("12.0, "), claim(what + "durable"));
    assertTrue(claim("time until all rows are served again, hdd over hybrid").startsWith("1.50, "));
    assertTrue(Page.render(results()).contains("seconds to recover"));
  }

  @Test
  void aDurableLogIsComparedToOneThatIsNot() {
    for (String devices : new String[] {"today", "paper"}) {
      figures.plan("wal on " + devices, devices);
      for (String sync : new String[] {"hflush", "durable"}) {
        cell("append", "hybrid", 1, sync.equals("hflush") ? 1_000 : 850)
            .put("plan", "wal on " + devices)
            .put("experiment", "wal")
            .put("fileSystem", "xfs")
            .put("threads", "100")
            .put("sync", sync);
      }
    }
    assertEquals(
        "0.85, wal, xfs, 100 threads, one round; reached",
        claim("the log alone on today's SSD, durable over hflush, writers: 100"));
  }
}
