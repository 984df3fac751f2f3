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

import io.github.hybridhbase.measure.Numbers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * One plan as Markdown: a row for each set-up over YCSB's workloads, and a row for each set-up in
 * each group. Pure.
 */
@InterfaceAudience.Private
final class PlanTable {
  private static final String STOCK = "wal-only";

  /** What is used of the machine beyond all measured processes if the cell had it alone. */
  private static final double KERNEL = 0.3;

  private PlanTable() {}

  /**
   * The plan's tables.
   *
   * @param plain of {@link ReadmeTable#plain}
   */
  static String markdown(Results plain) {
    return about(plain) + setUps(plain) + "\n" + cells(plain);
  }

  private static String about(Results plain) {
    int company =
        plain
            .where(
                cell ->
                    cell.number("processor.machineBusy") - cell.number("processor.ofAllCores")
                        > KERNEL)
            .size();
    return String.format(
        Locale.ROOT,
        "By `bench/report`: plan \"%s\", %s rows, %s, commit %s.%s%n%n",
        plain.plans().get(0),
        Numbers.text(plain.settings().path("scale").path("rows").asDouble()),
        plain.rounds() == 1
            ? "one round, so no errors"
            : plain.rounds() + " rounds, median (least to greatest)",
        plain.settings().path("machine").path("commit").asText("unknown"),
        company == 0
            ? ""
            : String.format(
                " **Other processes used more than %.0f %% of the machine in %d of %d cells.**",
                100 * KERNEL, company, plain.size()));
  }

  private static String setUps(Results plain) {
    List<String> head = new ArrayList<>();
    head.add("set-up");
    head.add("A to F, geometric mean, all HDD = 1");
    head.add("durable updates, 10 clients, stock with WAL on SSD = 1");
    head.add("100 clients");
    head.add("SSD, % of the data");
    for (PriceList prices : PriceList.values()) {
      head.add("cost per throughput, A to F, " + prices.label() + ", all HDD = 1");
    }
    List<List<String>> rows = new ArrayList<>();
    Results core = plain.where(Select.core());
    for (String series : plain.series()) {
      CoreMean mean = CoreMean.of(plain, series);
      List<String> row = new ArrayList<>();
      row.add(BarChart.label(series));
      row.add(
          mean.stat().known() || mean.measured().isEmpty()
              ? mean.stat().text()
              : mean.partly().text() + " of " + String.join(", ", mean.measured()));
      row.add(durable(plain, "10", series));
      row.add(durable(plain, "100", series));
      row.add(share(core, series));
      for (PriceList prices : PriceList.values()) {
        row.add(cost(prices, core, series, mean.stat()).text());
      }
      rows.add(row);
    }
    return table(head, rows);
  }

  private static String durable(Results plain, String clients, String series) {
    Predicate<Measured> which = Select.durable(clients);
    return plain.where(which).ratio(series, STOCK, Results.THROUGHPUT).text();
  }

  private static String share(Results cells, String series) {
    double taken = cells.systemMb(series) + cells.cacheMb(series);
    return Numbers.text(100 * taken / cells.dataMb());
  }

  /** The most SSD of these cells is bought. */
  static Stat cost(PriceList prices, Results cells, String series, Stat gain) {
    double ratio = cells.costs(prices, series, gain).costRatio();
    return gain.known() && !Double.isNaN(ratio) ? gain.under(ratio) : Stat.of(List.of());
  }

  private static String cells(Results plain) {
    List<String> head =
        new ArrayList<>(
            List.of(
                "workload",
                "set-up",
                "ops/s",
                "all HDD = 1",
                "p50 ms",
                "p99 ms",
                "max ms",
                "HDD busy %",
                "SSD busy %",
                "processors %",
                "with the kernel and others %",
                "SSD, % of the data"));
    for (PriceList prices : PriceList.values()) {
      head.add("cost per throughput, " + prices.label());
    }
    head.add("failed");
    List<List<String>> rows = new ArrayList<>();
    for (String group : plain.groups()) {
      Results own = plain.group(group);
      for (String series : own.series()) {
        Stat gain = own.ratio(series, Results.BASE, Results.THROUGHPUT);
        List<String> row = new ArrayList<>();
        row.add(group);
        row.add(BarChart.label(series));
        row.add(own.stat(series, Results.THROUGHPUT).text());
        row.add(gain.text());
        for (String latency : new String[] {"p50Ms", "p99Ms", "maxMs"}) {
          row.add(own.stat(series, "latencies.transaction." + latency).text());
        }
        for (String use :
            new String[] {"hdd.use", "ssd.use", "processor.ofAllCores", "processor.machineBusy"}) {
          row.add(own.stat(series, use).times(100).text());
        }
        row.add(share(own, series));
        for (PriceList prices : PriceList.values()) {
          row.add(cost(prices, own, series, gain).text());
        }
        row.add(Long.toString(own.where(cell -> cell.series().equals(series)).failed()));
        rows.add(row);
      }
    }
    return table(head, rows);
  }

  private static String table(List<String> head, List<List<String>> rows) {
    StringBuilder table = new StringBuilder();
    line(table, head);
    table.append("|---".repeat(head.size())).append("|\n");
    rows.forEach(row -> line(table, row));
    return table.toString();
  }

  private static void line(StringBuilder table, List<String> row) {
    table.append("| ").append(String.join(" | ", row)).append(" |\n");
  }
}
