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
import io.github.hybridhbase.tool.plan.Costs;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** Draws results as one HTML page that loads nothing: a pure function. */
@InterfaceAudience.Private
final class Page {
  /** A column of a section's table: heading, path in a cell, factor. */
  private static final Object[][] COLUMNS = {
    {"ops/s", Results.THROUGHPUT, 1.0},
    {"p50 ms", "latencies.transaction.p50Ms", 1.0},
    {"p99 ms", "latencies.transaction.p99Ms", 1.0},
    {"p99 ms of a read", "latencies.read.p99Ms", 1.0},
    {"HDD used %", "hdd.use", 100.0},
    {"SSD used %", "ssd.use", 100.0},
    {"processors used %", "processor.ofAllCores", 100.0},
    {"GC ms", "gcMs.rs0", 1.0},
    {"HDD written MB", "hdd.writtenMb", 1.0},
    {"HDD read MB", "hdd.readMb", 1.0},
    {"SSD written MB", "ssd.writtenMb", 1.0},
    {"SSD taken MB", "ssdPeakMb", 1.0},
    {"cache MB", "cacheMb", 1.0},
    {"failed", "errors", 1.0},
    {"before: p99 ms", "before.latencies.transaction.p99Ms", 1.0},
    {"beside: p99 ms", "beside.latencies.transaction.p99Ms", 1.0},
    {"before: p99 of a WAL sync, ms", "before.walSyncP99Ms", 1.0},
    {"beside: p99 of a WAL sync, ms", "beside.walSyncP99Ms", 1.0},
    {"beside: HDD used %", "beside.hdd.use", 100.0},
    {"seconds to recover", "recoverySeconds", 1.0},
    {"WAL MB", "walMb", 1.0},
  };

  private static final String STYLE =
      "body{font:15px/1.5 sans-serif;max-width:1100px;margin:2em auto;padding:0 1em;color:#212529}"
          + "table{border-collapse:collapse;margin:1em 0;font-size:13px}"
          + "th,td{border:1px solid #ced4da;padding:.25em .6em;text-align:right}"
          + "th:first-child,td:first-child,.text td{text-align:left}"
          + "thead th{background:#f1f3f5}.wide{overflow-x:auto}svg{max-width:100%}";

  private final Results results;
  private final StringBuilder html = new StringBuilder();

  private Page(Results results) {
    this.results = results;
  }

  /** The page. */
  static String render(Results results) {
    return new Page(results).page();
  }

  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }

  private String page() {
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta http-equiv=\"Content-Security-Policy\"")
        .append(" content=\"default-src 'none'; style-src 'unsafe-inline'\">")
        .append("<title>What it buys</title><style>")
        .append(STYLE)
        .append("</style></head><body>\n<h1>What it buys</h1>\n");
    text(
        "Medians over rounds; in brackets the least and the greatest. A ratio is to all HDD in the"
            + " same round, or to the set-up that stands first where all HDD was not measured. A single round has no error, which does not mean that it is exact."
            + " \"Used\" is the share of the limit of a device that was nearest: where no device and"
            + " no processor is near 100 %, something else was the limit.");
    settings();
    claims();
    for (String section : results.sections()) {
      section(section, results.section(section));
    }
    costs();
    curve();
    return html.append("</body></html>\n").toString();
  }

  private void text(String text) {
    html.append("<p>").append(escape(text)).append("</p>\n");
  }

  private void heading(String text) {
    html.append("<h2>").append(escape(text)).append("</h2>\n");
  }

  private void settings() {
    List<List<String>> rows = new ArrayList<>();
    flatten("", results.settings(), rows);
    rows.add(List.of("user data, MB", Numbers.text(results.dataMb())));
    heading("What was measured on");
    table(List.of("setting", "value"), rows);
  }

  private static void flatten(String prefix, JsonNode node, List<List<String>> rows) {
    for (Iterator<Map.Entry<String, JsonNode>> all = node.fields(); all.hasNext(); ) {
      Map.Entry<String, JsonNode> one = all.next();
      if (one.getValue().isObject()) {
        flatten(prefix + one.getKey() + " ", one.getValue(), rows);
      } else {
        rows.add(List.of(prefix + one.getKey(), one.getValue().asText()));
      }
    }
  }

  private void claims() {
    heading("What was said, and what was measured");
    table(
        List.of("claim", "said", "by", "measured here"),
        Claim.of(results).stream()
            .map(claim -> List.of(claim.what, claim.said, claim.by, claim.measured))
            .collect(Collectors.toList()));
  }

  private void section(String name, Results cells) {
    heading(name);
    List<String> series = cells.series();
    // Of another experiment the table has the figures.
    if (!cells.where(cell -> !Double.isNaN(cell.number(Results.THROUGHPUT))).isEmpty()) {
      html.append(
              BarChart.draw(
                  "Throughput, " + cells.base() + " = 1",
                  cells.groups(),
                  series,
                  (group, one) -> ratio(cells.group(group), one),
                  1))
          .append("\n<br>\n")
          .append(
              BarChart.draw(
                  "99th percentile of a transaction, ms",
                  cells.groups(),
                  series,
                  (group, one) -> cells.group(group).stat(one, "latencies.transaction.p99Ms"),
                  Double.NaN))
          .append('\n');
    }
    List<Object[]> columns = new ArrayList<>();
    for (Object[] column : COLUMNS) {
      if (!cells.where(cell -> !Double.isNaN(cell.number((String) column[1]))).isEmpty()) {
        columns.add(column);
      }
    }
    List<String> head = new ArrayList<>(List.of("", "set-up", "ratio"));
    columns.forEach(column -> head.add((String) column[0]));
    head.add("rounds");
    List<List<String>> rows = new ArrayList<>();
    for (String group : cells.groups()) {
      Results own = cells.group(group);
      for (String one : own.series()) {
        List<String> row = new ArrayList<>(List.of(group, one));
        row.add(ratio(own, one).text());
        for (Object[] column : columns) {
          double factor = (Double) column[2];
          Stat stat = own.stat(one, (String) column[1]);
          row.add(factor == 1 ? stat.text() : Numbers.text(stat.median * factor));
        }
        row.add(Integer.toString(own.where(cell -> cell.series().equals(one)).size()));
        rows.add(row);
      }
    }
    table(head, rows);
  }

  private static Stat ratio(Results group, String series) {
    return group.ratio(series, group.base(), Results.THROUGHPUT);
  }

  private Costs costs(PriceList prices, Results group, String series) {
    Stat gain = group.ratio(series, Results.BASE, Results.THROUGHPUT);
    return prices.costs(series, results.dataMb(), group.ssdMb(series), gain.median);
  }

  /** As the paper's figures: workloads side by side, a unit of throughput against all HDD. */
  private void costs() {
    Results plain =
        results.where(
            cell -> cell.axis("experiment").equals("ycsb") && cell.axis("target").equals("0"));
    if (plain.isEmpty()) {
      return;
    }
    heading("What a unit of throughput costs");
    text(
        "C = Σ P·D/R over HDD and SSD, against all HDD, divided by the gain: below 1 it is cheaper"
            + " than all HDD. D on SSD is what the files there took at most, with the bucket cache.");
    for (PriceList prices : PriceList.values()) {
      text(
          String.format(
              Locale.ROOT,
              "At %s a byte on SSD costs %.1f times one on HDD.",
              prices.label(),
              prices.times()));
      html.append(
              BarChart.draw(
                  "Cost of a unit of throughput at " + prices.label() + ", all HDD = 1",
                  plain.groups(),
                  plain.series(),
                  (group, one) -> {
                    Costs costs = costs(prices, plain.group(group), one);
                    return Stat.of(
                        costs.costPerThroughput().isPresent()
                                && !Double.isNaN(costs.costPerThroughput().getAsDouble())
                            ? List.of(costs.costPerThroughput().getAsDouble())
                            : List.of());
                  },
                  1))
          .append('\n');
    }
    List<List<String>> rows = new ArrayList<>();
    for (String group : plain.groups()) {
      Results own = plain.group(group);
      for (String one : own.series()) {
        List<String> row = new ArrayList<>(List.of(group, one));
        row.add(Numbers.text(100 * own.ssdMb(one) / results.dataMb()));
        for (PriceList prices : PriceList.values()) {
          Costs costs = costs(prices, own, one);
          row.add(Numbers.text(costs.costRatio()));
          row.add(Numbers.text(costs.costPerThroughput().orElse(Double.NaN)));
        }
        rows.add(row);
      }
    }
    List<String> head = new ArrayList<>(List.of("", "set-up", "SSD % of the data"));
    for (PriceList prices : PriceList.values()) {
      head.add("cost at " + prices.label());
      head.add("per throughput");
    }
    table(head, rows);
  }

  /** When it pays. */
  private void curve() {
    Results shares = results.section("Share of SSD");
    for (String group : shares.groups()) {
      Results own = shares.group(group);
      List<CurveChart.Point> points = new ArrayList<>();
      for (String one : own.series()) {
        Stat gain = own.ratio(one, Results.BASE, Results.THROUGHPUT);
        double cost = costs(PriceList.TODAY, own, one).costRatio();
        if (gain.known() && !Double.isNaN(cost)) {
          points.add(new CurveChart.Point(one, cost, gain));
        }
      }
      html.append(CurveChart.draw(group + ": gain over cost at today's prices", points))
          .append('\n');
    }
  }

  private void table(List<String> head, List<List<String>> rows) {
    html.append("<div class=\"wide\"><table><thead><tr>");
    head.forEach(cell -> html.append("<th>").append(escape(cell)).append("</th>"));
    html.append("</tr></thead><tbody>\n");
    for (List<String> row : rows) {
      html.append("<tr>");
      row.forEach(cell -> html.append("<td>").append(escape(cell)).append("</td>"));
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
  }
}
