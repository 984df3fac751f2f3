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
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.Collectors;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What is made of figures that are known. */
@InterfaceAudience.Private
class ReportTest {
  private final ObjectNode root = new ObjectMapper().createObjectNode();
  private final ArrayNode cells = root.putArray("cells");

  @BeforeEach
  void settings() {
    root.putObject("settings").put("devices", "<paper>").putObject("scale").put("rows", 1_000_000);
    root.putObject("loads").putObject("hdd/64k").put("onHddMb", 1_000);
  }

  private ObjectNode cell(String workload, String setup, int round, double rate) {
    return cells
        .addObject()
        .put("section", "Workloads")
        .put("experiment", "ycsb")
        .put("workload", workload)
        .put("sync", "hflush")
        .put("threads", "16")
        .put("target", "0")
        .put("keys", "own")
        .put("block", "64")
        .put("share", "0")
        .put("reads", "devices")
        .put("slower", "1")
        .put("setup", setup)
        .put("round", Integer.toString(round))
        .put("opsPerSecond", rate)
        .put("ssdPeakMb", setup.equals("hdd") ? 0 : 7.3)
        .put("cacheMb", 0);
  }

  private Results results() {
    return Results.of(root);
  }

  private String claim(String what) {
    return Claim.of(results()).stream()
        .filter(claim -> claim.what.equals(what))
        .map(claim -> claim.measured)
        .collect(Collectors.joining());
  }

  @Test
  void aRatioIsWithinARound() {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 200);
    cell("A", "hdd", 2, 1_000);
    cell("A", "hybrid", 2, 1_500);
    cell("A", "hybrid", 3, 9_999);
    Stat ratio = results().group("A").ratio("hybrid", "hdd", Results.THROUGHPUT);
    assertEquals(1.75, ratio.median, 1e-9);
    assertEquals("1.75 (1.50 to 2.00)", ratio.text());
    assertEquals(
        "1.00 (1.00 to 1.00)", results().group("A").ratio("hdd", "hdd", Results.THROUGHPUT).text());
  }

  @Test
  void cellsThatDifferInMoreThanSetUpAndRoundAreNotCompared() {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 200).put("threads", "100");
    cell("A", "hybrid+cache", 1, 300).put("share", "5");
    assertEquals(List.of("A", "A, 100 threads"), results().groups());
    assertFalse(results().group("A").ratio("hybrid", "hdd", Results.THROUGHPUT).known());
    assertTrue(results().group("A").ratio("hybrid+cache 5%", "hdd", Results.THROUGHPUT).known());
  }

  @Test
  void setUpsStandInASettledOrder() {
    for (String setup :
        new String[] {"ssd", "hybrid+cache", "only-wal", "hybrid", "wal-only", "hdd"}) {
      cell("A", setup, 1, 1);
    }
    assertEquals(
        List.of("hdd", "wal-only", "only-wal", "hybrid", "hybrid+cache", "ssd"),
        results().series());
  }

  @Test
  void thePapersOwnFiguresGiveItsCost() {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 175);
    // 0.73 % of the data on SSD, at 1.75 times the throughput.
    assertEquals(
        "0.66", claim("cost per throughput of hybrid to hdd, paper's prices, mean of A to F"));
    assertEquals(
        "1.75, of 1 that were measured",
        claim("throughput of hybrid over hdd, geometric mean of A to F"));
    assertEquals("0.73 %, at most", claim("share of SSD that hybrid took, of the data"));
    assertEquals(21.33, PriceList.PAPER.times(), 0.01);
  }

  @Test
  void allSsdCostsWhatItsDataCosts() {
    double ratio = PriceList.PAPER.costs("ssd", 1_000, 1_010, 10).costRatio();
    assertEquals(21.33, ratio, 0.01);
    assertEquals(1, PriceList.PAPER.costs("hdd", 1_000, 0, 1).costRatio(), 1e-9);
  }

  @Test
  void whatWasNotMeasuredIsSaidToBe() {
    cell("A", "hdd", 1, 100);
    for (Claim claim : Claim.of(results())) {
      assertTrue(claim.measured.contains("not measured"), claim.what + ": " + claim.measured);
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
    cell("update", "wal-only", 1, 400).put("sync", "durable").put("threads", "100");
    cell("update", "hybrid", 1, 8_000).put("sync", "durable").put("threads", "100");
    assertEquals("3.00, from memory, 12× slower", claim("throughput of hybrid over hdd, update"));
    assertEquals("1.10", claim("reads of hybrid over hdd, C"));
    assertEquals(
        "20.0, durable, 100 threads",
        claim("durable updates of hybrid over wal-only, 100 clients"));
    assertEquals("not measured", claim("durable updates of hybrid over wal-only, 10 clients"));
  }

  @Test
  void otherExperimentsAreClaimsToo() {
    ObjectNode hdd = cell("update", "hdd", 1, 1).put("experiment", "compaction");
    ObjectNode hybrid = cell("update", "hybrid", 1, 1).put("experiment", "compaction");
    for (ObjectNode one : List.of(hdd, hybrid)) {
      one.remove("opsPerSecond");
      one.putObject("beside")
          .putObject("latencies")
          .putObject("transaction")
          .put("p99Ms", one == hdd ? 60 : 5);
    }
    cell("update", "hdd", 1, 1).put("experiment", "recovery").put("recoverySeconds", 30);
    cell("update", "hybrid", 1, 1).put("experiment", "recovery").put("recoverySeconds", 20);
    assertEquals("12.0", claim("p99 of a put beside a major compaction, hdd over hybrid"));
    assertEquals("1.50", claim("time to recover, hdd over hybrid"));
    assertTrue(Page.render(results()).contains("seconds to recover"));
  }

  @Test
  void aPageLoadsNothingAndEscapesWhatItIsGiven() throws Exception {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 175);
    cell("A", "hdd", 2, 100);
    cell("A", "hybrid", 2, 185);
    cell("C", "hybrid+cache", 1, 185).put("share", "5").put("section", "Share of SSD");
    cell("C", "hdd", 1, 185).put("section", "Share of SSD");
    String page = Page.render(results());
    assertTrue(page.contains("&lt;paper&gt;"), page);
    assertFalse(page.contains("<paper>"));
    String own = page.replace("http://www.w3.org/2000/svg", ""); // a name, not an address
    for (String loads : new String[] {"http:", "https:", "src=", "href=", "url(", "@import"}) {
      assertFalse(own.contains(loads), loads);
    }
    assertTrue(page.contains("1.80 (1.75 to 1.85)"), page);
    for (int from = page.indexOf("<svg"); from >= 0; from = page.indexOf("<svg", from + 1)) {
      parse(page.substring(from, page.indexOf("</svg>", from) + 6));
    }
    assertFalse(page.contains("NaN"), page);
  }

  @Test
  void whereAllHddWasNotMeasuredTheFirstSetUpIsTheBase() {
    cell("A", "hdd", 1, 100);
    cell("A", "wal-only", 1, 110);
    cell("update", "wal-only", 1, 400).put("sync", "durable");
    cell("update", "hybrid", 1, 6_000).put("sync", "durable");
    assertEquals(
        "|workload|ops/s|of|wal-only|hybrid|\n|---|---|---|---|---|\n|A|100|hdd|1.10|–|\n"
            + "|update, durable|400|wal-only|1|15.0|\n",
        ReadmeTable.markdown(results()));
    assertTrue(Page.render(results()).contains("<td>15.0</td>"));
  }

  @Test
  void readmeKeepsWhatIsAroundItsTable() {
    String page = "# A\n\n<!--measured-->\nold\n<!--/measured-->\n\nmore\n";
    assertEquals(
        "# A\n\n<!--measured-->\n\n|a|\n\n![Throughput](docs/x.svg)\n\n<!--/measured-->\n\nmore\n",
        ReadmeTable.into(page, "|a|\n", "docs/x.svg"));
    assertThrows(
        IllegalArgumentException.class, () -> ReadmeTable.into("no place", "|a|\n", "x.svg"));
  }

  private static void parse(String xml) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void readmeGetsATableAndAChart() throws Exception {
    cell("A", "hdd", 1, 338);
    cell("A", "hybrid", 1, 676);
    cell("A", "only-wal", 1, 500);
    assertEquals(
        "|workload|ops/s|of|hybrid|\n|---|---|---|---|\n|A|338|hdd|2.00|\n",
        ReadmeTable.markdown(results()));
    parse(ReadmeTable.chart(results()));
  }
}
