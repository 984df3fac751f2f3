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

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.apache.yetus.audience.InterfaceAudience;
import org.junit.jupiter.api.Test;

/** What is made of figures that are known. */
@InterfaceAudience.Private
class ReportTest {
  private final KnownFigures figures = new KnownFigures();

  private ObjectNode cell(String workload, String setup, int round, double rate) {
    return figures.cell(workload, setup, round, rate);
  }

  private Results results() {
    return figures.results();
  }

  private Results plain() {
    return ReadmeTable.plain(results(), null);
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

  /** What {@code PagesTest} reserves of README's words, between these marks. */
  @Test
  void readmeHasTheMarksAndAReserve() throws Exception {
    String readme = Files.readString(Path.of("README.md"));
    assertEquals("<!--measured-->", ReadmeTable.BEGIN);
    assertEquals("<!--/measured-->", ReadmeTable.END);
    assertTrue(readme.indexOf(ReadmeTable.BEGIN) > 0 && readme.contains(ReadmeTable.END), readme);
    assertEquals(120, ReadmeTable.MOST_WORDS);
  }

  @Test
  void theIndexOfResultsNamesEveryFile() throws Exception {
    String index = Files.readString(Path.of("bench/results/README.md"));
    try (Stream<Path> files = Files.list(Path.of("bench/results"))) {
      files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.endsWith(".md"))
          .forEach(name -> assertTrue(index.contains("`" + name.split("\\.", 2)[0] + "."), name));
    }
  }

  /** They are bought once, on SSD. */
  @Test
  void hotRowsAreNotOnHddToo() {
    cell("A", "hdd", 1, 1).put("storedOnHddMb", 1_000);
    cell("A", "hybrid+hot", 1, 1).put("share", "10").put("storedOnHddMb", 900);
    String hot = "hybrid+hot 10%";
    assertEquals(100, results().movedMb(hot));
    assertEquals(0, results().movedMb("hdd"));
    double ssd = PriceList.TODAY.times();
    assertEquals(
        (900 + 110 * ssd) / 1_010,
        PriceList.TODAY.costs(hot, 1_000, 100, 110, 0, 1).costRatio(),
        1e-9);
  }

  @Test
  void theDataIsTheLeastThatAllHddStored() {
    cell("A", "hdd", 1, 1).put("storedOnHddMb", 929);
    cell("A", "hybrid", 1, 1).put("storedOnHddMb", 800);
    cell("update", "hdd", 1, 1).put("storedOnHddMb", 1_400);
    assertEquals(929, results().where(one -> one.series().equals("hybrid")).dataMb());
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
  void allSsdCostsWhatItsDataCosts() {
    double ratio = PriceList.PAPER.costs("ssd", 1_000, 0, 1_010, 0, 10).costRatio();
    assertEquals(21.33, ratio, 0.01);
    assertEquals(1, PriceList.PAPER.costs("hdd", 1_000, 0, 0, 0, 1).costRatio(), 1e-9);
  }

  @Test
  void aPageLoadsNothingAndEscapesWhatItIsGiven() throws Exception {
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 175);
    cell("A", "hdd", 2, 100);
    cell("A", "hybrid", 2, 185);
    for (String setup : new String[] {"hdd", "hybrid+cache"}) {
      ObjectNode one = cell("C", setup, 1, 185).put("share", setup.equals("hdd") ? "0" : "5");
      one.withArray("sections").add("Share of SSD");
    }
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
    for (String setup : new String[] {"wal-only", "hybrid"}) {
      cell("update", setup, 1, setup.equals("hybrid") ? 6_000 : 400).put("sync", "durable");
    }
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

  /** A cache is a copy of a quarter of the data: all HDD needs none of it. */
  @Test
  void aCacheIsPaidForOnSsdAlone() {
    double ratio = PriceList.PAPER.costs("hybrid+cache 25%", 1_000, 0, 0, 250, 3).costRatio();
    assertEquals(1 + 0.25 * PriceList.PAPER.times(), ratio, 1e-9);
  }

  private static void parse(String xml) throws Exception {
    DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  @Test
  void readmesTableIsOfOnePlanThatItNames() {
    figures.plan("short on paper", "paper");
    cell("A", "hdd", 1, 100);
    cell("A", "hybrid", 1, 200);
    cell("A", "hdd", 1, 100).put("plan", "short on paper");
    cell("A", "hybrid", 1, 300).put("plan", "short on paper");
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> ReadmeTable.plain(results(), null));
    assertTrue(refused.getMessage().contains("--plan: [full on paper, short on paper]"));
    String table = ReadmeTable.markdown(ReadmeTable.plain(results(), "short on paper"));
    assertEquals(
        "By `bench/report`: plan \"short on paper\", 1,000,000 rows, one round, SSD tier 20 MB. Throughput over all HDD",
        table.lines().findFirst().orElseThrow());
    assertTrue(table.contains("|A|–|3.00|"), table);
  }

  @Test
  void readmeGetsATableAndAChart() throws Exception {
    cell("A", "hdd", 1, 338);
    cell("A", "hybrid", 1, 676);
    cell("A", "only-wal", 1, 500);
    assertEquals(
        "|A|–|2.00|0.57/0.52|",
        ReadmeTable.markdown(plain()).lines().skip(6).findFirst().orElseThrow());
    parse(ReadmeTable.chart(plain()));
  }

  private void paper(int round, double of) {
    for (String workload : Select.CORE) {
      cell(workload, "hdd", round, 100);
      latencies(cell(workload, "hybrid", round, 100 * of));
      cell(workload, "hybrid+hot", round, 200 * of).put("share", "10").put("ssdPeakMb", 250);
    }
    for (String setup : new String[] {"hdd", "wal-only", "hybrid"}) {
      cell("update", setup, round, setup.equals("hybrid") ? 500 * of : 100)
          .put("sync", "durable")
          .put("threads", "10");
    }
  }

  private static void latencies(ObjectNode cell) {
    cell.putObject("latencies")
        .putObject("transaction")
        .put("p50Ms", 5)
        .put("p99Ms", 70)
        .put("maxMs", 900);
    cell.putObject("hdd").put("use", 0.98);
    cell.putObject("ssd").put("use", 0.01);
    cell.putObject("processor").put("ofAllCores", 0.2).put("machineBusy", 0.4);
  }

  @Test
  void aPlansTableHasTheMeanOfEachSetUpAndEachCell() {
    paper(1, 1);
    String table = PlanTable.markdown(plain());
    assertTrue(table.contains("1,000,000 rows, one round, so no errors, commit unknown."), table);
    assertFalse(table.contains("Other processes"), table);
    // 1,000 MB of HDD and 250 of SSD at 21.3 and 5.7 times its price, for 1,250, at twice the gain.
    assertTrue(
        table.contains("| plugin, hot rows 10% | 2.00 | – | – | 25.0 | 2.53 | 0.97 |"), table);
    assertTrue(table.contains("| plugin | 1.00 | 5.00 | – | 0.73 | 1.15 | 1.03 |"), table);
    assertTrue(table.contains("| stock, WAL on SSD | – | 1.00 | – | "), table);
    assertTrue(
        table.contains(
            "| A | plugin | 100 | 1.00 | 5.00 | 70.0 | 900 | 98.0 | 1.00 | 20.0 | 40.0 | 0.73 |"),
        table);
    assertTrue(table.contains("| update, durable, 10 threads | plugin | 500 | 5.00 |"), table);
  }

  @Test
  void readmesTableHasAColumnForEachShareOfHotRows() {
    paper(1, 1);
    paper(2, 1.2);
    String table = ReadmeTable.markdown(plain());
    List<String> lines = table.lines().skip(4).collect(Collectors.toList());
    assertEquals("|workload|stock, WAL on SSD|plugin|hot rows 10%|", lines.get(0));
    assertEquals("|---|---|---|---|", lines.get(1));
    assertTrue(lines.get(2).startsWith("|A to F, mean|–|1.10 (1.00 to 1.20)|2.20 ("), lines.get(2));
    assertTrue(lines.get(3).startsWith("|… cost|"), lines.get(3));
    assertEquals("|A|–|1.10|2.20|", lines.get(4));
    assertEquals("|update, durable, 10 threads|1.00|5.50|–|", lines.get(10));
    assertEquals(11, lines.size());
    String chart = ReadmeTable.chart(plain());
    assertTrue(chart.contains(">F<") && !chart.contains("durable"), chart);
  }

  @Test
  void aPlansTableHasErrorsOverRoundsAndNamesCompany() {
    paper(1, 1);
    paper(2, 1.2);
    paper(3, 1.1);
    latencies(cell("C", "hybrid", 4, 100));
    ((ObjectNode) cell("C", "ssd", 3, 100))
        .putObject("processor")
        .put("ofAllCores", 0.2)
        .put("machineBusy", 0.9);
    String table = PlanTable.markdown(plain());
    assertTrue(table.contains("4 rounds, median (least to greatest)"), table);
    assertTrue(table.contains("| plugin | 1.10 (1.00 to 1.20) | 5.50 (5.00 to 6.00) | – |"), table);
    assertTrue(table.contains("more than 30 % of the machine in 1 of "), table);
    assertTrue(table.contains("| all SSD | 1.00 of C |"), table);
  }

  @Test
  void theChartOfTailsIsOfCompactions() throws Exception {
    assertThrows(IllegalArgumentException.class, () -> ReadmeTable.tail(results()));
    cell("update", "hdd", 1, 10)
        .put("experiment", "compaction")
        .put("sync", "durable")
        .putObject("beside")
        .put("walSyncP99Ms", 3_656);
    String chart = ReadmeTable.tail(results().where(Select.compaction("durable")));
    assertTrue(chart.contains("<title>3,656</title>"), chart);
    parse(chart);
  }

  @Test
  void readmesTableTakesTheRoomThatIsKeptForIt() {
    for (int round = 1; round <= 3; round++) {
      for (String setup : new String[] {"hdd", "wal-only", "hybrid"}) {
        double rate = 1_000 + round + (setup.equals("hybrid") ? 13_000 : 0);
        for (String workload : Select.WRITES) {
          cell(workload, setup, round, rate).put("reads", "memory").put("slower", "12");
        }
        for (String workload : Select.CORE) {
          cell(workload, setup, round, rate);
        }
        for (String threads : new String[] {"10", "100"}) {
          cell("update", setup, round, rate)
              .put("sync", "durable")
              .put("reads", "memory")
              .put("threads", threads);
        }
      }
    }
    String table = ReadmeTable.markdown(plain());
    assertEquals(4 + 2 + 3 + 6 + 2, table.lines().count(), table);
    String readme = ReadmeTable.into("# A " + ReadmeTable.BEGIN + ReadmeTable.END, table, "x.svg");
    assertTrue(ReadmeTable.words(readme) <= 3 + ReadmeTable.MOST_WORDS, readme);
    String tooLong = table + "word ".repeat(ReadmeTable.MOST_WORDS);
    assertThrows(
        IllegalArgumentException.class,
        () -> ReadmeTable.into("# A " + ReadmeTable.BEGIN + ReadmeTable.END, tooLong, "x.svg"));
  }
}
