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

import com.fasterxml.jackson.databind.JsonNode;
import io.github.hybridhbase.measure.Numbers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The table and the chart that README takes, of one plan. Pure. */
@InterfaceAudience.Private
public final class ReadmeTable {
  /** What README keeps free for what stands between its marks: words, as they are counted there. */
  public static final int MOST_WORDS = 120;

  public static final String BEGIN = "<!--measured-->";
  public static final String END = "<!--/measured-->";

  private static final String HYBRID = "hybrid";

  /** With one key for its WAL, as far as stock comes. */
  private static final String STOCK = "wal-only";

  private ReadmeTable() {}

  /**
   * Cells of workloads as they are, of one plan.
   *
   * @param wanted the plan's name, null for the only one that has any
   * @throws IllegalArgumentException where that is none or not the only one
   */
  static Results plain(Results results, String wanted) {
    List<String> plans =
        results.where(Select.plain()).plans().stream()
            .filter(plan -> wanted == null || plan.equals(wanted))
            .collect(Collectors.toList());
    if (plans.size() == 1) {
      return results.plan(plans.get(0)).where(Select.plain());
    }
    throw new IllegalArgumentException(
        "a table and a chart are of one plan that ran workloads, give --plan: "
            + results.where(Select.plain()).plans());
  }

  /** What a reader needs to know of the plan, whose name has its devices. */
  private static String about(Results plain, boolean hot) {
    JsonNode scale = plain.settings().path("scale");
    return String.format(
        Locale.ROOT,
        "By `bench/report`: plan \"%s\", %s rows, %s%s. Throughput over all HDD\n"
            + "(durable: over WAL on SSD with `asyncfs`); cost per operation, all HDD = 1, at prices of 2012/2026.\n"
            + "%sHybrid HBase (COMAD 2012) reports 1.75 times at 0.66.\n\n",
        plain.plans().get(0),
        Numbers.text(scale.path("rows").asDouble()),
        plain.rounds() == 1 ? "one round" : "up to " + plain.rounds() + " rounds",
        hot ? "" : ", SSD tier " + scale.path("tierBudgetMb").asText("–") + " MB",
        hot ? "SSD for renewals of hot files is not counted. " : "");
  }

  private static List<String> series(Results plain) {
    return plain.series().stream()
        .filter(one -> !one.startsWith("only-"))
        .collect(Collectors.toList());
  }

  /**
   * Markdown: a row a workload, with what stock with its WAL on SSD and the plugin make of all HDD,
   * and at which cost, below what the paper says. With hot rows a column for each share of SSD, and
   * mean and cost of A to F as rows; medians, but for the means. What was not measured has no row.
   *
   * @param plain of {@link #plain}
   */
  static String markdown(Results plain) {
    List<String> columns = new ArrayList<>(List.of(STOCK, HYBRID));
    plain.series().stream().filter(one -> one.startsWith("hybrid+hot")).forEach(columns::add);
    List<String> head = new ArrayList<>(List.of("workload"));
    columns.forEach(one -> head.add(BarChart.label(one).replace("plugin, ", "")));
    if (!hasHotRows(columns)) {
      head.add("cost");
    }
    StringBuilder table = new StringBuilder(about(plain, hasHotRows(columns)));
    line(table, head);
    table.append("|---".repeat(head.size())).append("|\n");
    if (hasHotRows(columns)) {
      ofCore(table, plain, columns);
    }
    for (String workload : Select.WRITES) {
      rows(table, plain.where(Select.memory(workload)), Results.BASE, columns);
    }
    for (String workload : Select.CORE) {
      rows(table, plain.where(Select.devices(workload)), Results.BASE, columns);
    }
    for (String threads : new String[] {"10", "100"}) {
      rows(table, plain.where(Select.durable(threads)), STOCK, columns);
    }
    return table.toString();
  }

  private static boolean hasHotRows(List<String> columns) {
    return columns.size() > 2;
  }

  private static void line(StringBuilder table, List<String> row) {
    table.append('|').append(String.join("|", row)).append("|\n");
  }

  private static void ofCore(StringBuilder table, Results plain, List<String> columns) {
    Results core = plain.where(Select.core());
    List<String> means = new ArrayList<>(List.of("A to F, mean"));
    List<String> costs = new ArrayList<>(List.of("… cost"));
    for (String series : columns) {
      Stat mean = CoreMean.of(plain, series).stat();
      means.add(mean.text());
      costs.add(atAllPrices(prices -> PlanTable.cost(prices, core, series, mean).median));
    }
    line(table, means);
    line(table, costs);
  }

  private static void rows(StringBuilder table, Results cells, String base, List<String> columns) {
    for (String group : cells.groups()) {
      Results own = cells.group(group);
      Stat gain = own.ratio(HYBRID, base, Results.THROUGHPUT);
      if (!gain.known()) {
        continue;
      }
      boolean hdd = base.equals(Results.BASE);
      // A log is never read, wherever its rows would come from.
      List<String> row = new ArrayList<>(List.of(hdd ? group : group.replace(", from memory", "")));
      for (String series : columns) {
        Stat ratio = own.ratio(series, base, Results.THROUGHPUT);
        row.add(ratio.known() ? Numbers.text(ratio.median) : "–");
      }
      if (!hasHotRows(columns)) {
        row.set(columns.indexOf(HYBRID) + 1, gain.text());
        row.add(hdd ? atAllPrices(prices -> cost(prices, own)) : "–");
      }
      line(table, row);
    }
  }

  private static double cost(PriceList prices, Results own) {
    return CostSection.costs(prices, own, HYBRID).costPerThroughput().orElse(Double.NaN);
  }

  private static String atAllPrices(ToDoubleFunction<PriceList> cost) {
    return Arrays.stream(PriceList.values())
        .map(prices -> Numbers.text(cost.applyAsDouble(prices)))
        .collect(Collectors.joining("/"));
  }

  static int words(String text) {
    return text.trim().split("\\s+", -1).length;
  }

  /**
   * README with another table and chart.
   *
   * @param chart the path of the chart's file, as README is to have it
   * @throws IllegalArgumentException where it has no place for them, or too little
   */
  static String into(String readme, String table, String chart) {
    int from = readme.indexOf(BEGIN);
    int to = readme.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("it has no " + BEGIN + " with " + END + " behind it");
    }
    String measured = "\n\n" + table + "\n![Throughput](" + chart + ")\n\n";
    if (words(measured) > MOST_WORDS) {
      throw new IllegalArgumentException(
          words(measured) + " words are measured, README has room for " + MOST_WORDS);
    }
    return readme.substring(0, from + BEGIN.length()) + measured + readme.substring(to);
  }

  /** As bars; of A to F alone if there are any, beside which durable updates are too tall. */
  static String chart(Results plain) {
    Results core = plain.where(Select.core());
    Results drawn = core.isEmpty() ? plain : core;
    return BarChart.draw(
        "Throughput, first bar of each group = 1",
        drawn.groups(),
        series(drawn),
        (group, one) ->
            drawn.group(group).ratio(one, drawn.group(group).base(), Results.THROUGHPUT),
        1);
  }

  /**
   * Latencies alone and beside compactions, as bars.
   *
   * @throws IllegalArgumentException if none was measured
   */
  static String tail(Results compactions) {
    if (compactions.isEmpty()) {
      throw new IllegalArgumentException("the file has no durable updates beside compactions");
    }
    Map<String, String> fields = new LinkedHashMap<>();
    fields.put("WAL sync, alone", "before.walSyncP99Ms");
    fields.put("WAL sync, beside", "beside.walSyncP99Ms");
    fields.put("update, alone", "before.latencies.transaction.p99Ms");
    fields.put("update, beside", "beside.latencies.transaction.p99Ms");
    return BarChart.draw(
            "99th percentile alone and beside a major compaction, ms",
            List.copyOf(fields.keySet()),
            series(compactions),
            (group, one) -> compactions.stat(one, fields.get(group)),
            Double.NaN)
        + "\n";
  }
}
