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
import java.util.Iterator;
import java.util.List;
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
    {"max ms", "latencies.transaction.maxMs", 1.0},
    {"p99 ms of a read", "latencies.read.p99Ms", 1.0},
    {"HDD used %", "hdd.use", 100.0},
    {"SSD used %", "ssd.use", 100.0},
    {"processors used %", "processor.ofAllCores", 100.0},
    {"machine busy %", "processor.machineBusy", 100.0},
    {"stolen %", "processor.stolen", 100.0},
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
    {"before: failed", "before.errors", 1.0},
    {"beside: failed", "beside.errors", 1.0},
    {"beside: HDD used %", "beside.hdd.use", 100.0},
    {"seconds to recover", "recoverySeconds", 1.0},
    {"WAL MB", "walMb", 1.0},
    {"HDD, requests a second let through", "hdd.limitPerSecond", 1.0},
    {"compactions", "compactions", 1.0},
    {"requests an edit", "requestsPerEdit", 1.0},
  };

  private final Results results;
  private final Html html = new Html("What it buys");

  private Page(Results results) {
    this.results = results;
  }

  /** The page. */
  static String render(Results results) {
    return new Page(results).page();
  }

  private String page() {
    html.text(
        "Medians over rounds; in brackets the least and the greatest. A ratio is to all HDD in the"
            + " same round, or to the set-up that stands first where all HDD was not measured. A"
            + " single round has no error, which does not mean that it is exact. \"Used\" is the"
            + " share of the limit of a device that was nearest: where no device and no processor is"
            + " near 100 %, something else was the limit.");
    claims();
    for (String name : results.plans()) {
      Results plan = results.plan(name);
      html.heading(2, name);
      settings(plan);
      for (String section : plan.sections()) {
        section(section, plan.section(section));
      }
      new CostSection(plan, html).write();
    }
    return html.toString();
  }

  private void settings(Results plan) {
    List<List<String>> rows = new ArrayList<>();
    flatten("", plan.settings(), rows);
    rows.add(List.of("user data, MB", Numbers.text(plan.dataMb())));
    html.heading(3, "What was measured on");
    html.table(List.of("setting", "value"), rows);
    int warm = plan.where(cell -> cell.is("cachesEmptied", "false")).size();
    if (warm > 0) {
      html.text(
          "Page caches were not emptied before "
              + warm
              + " cells, which only root may: what those read from devices is not known.");
    }
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
    html.heading(2, "What was said, and what was measured");
    html.table(
        List.of("claim", "said", "by", "measured here", "", "plan"),
        Claims.of(results).stream()
            .map(
                claim ->
                    List.of(
                        claim.what,
                        claim.said,
                        claim.by,
                        claim.measured,
                        claim.verdict,
                        claim.plan))
            .collect(Collectors.toList()));
  }

  private void section(String name, Results cells) {
    html.heading(3, name);
    List<String> series = cells.series();
    // Of another experiment the table has the figures.
    if (!cells.where(cell -> !Double.isNaN(cell.number(Results.THROUGHPUT))).isEmpty()) {
      html.svg(
          BarChart.draw(
              "Throughput, " + cells.base() + " = 1",
              cells.groups(),
              series,
              (group, one) -> ratio(cells.group(group), one),
              1));
      html.svg(
          BarChart.draw(
              "99th percentile of a transaction, ms",
              cells.groups(),
              series,
              (group, one) -> cells.group(group).stat(one, "latencies.transaction.p99Ms"),
              Double.NaN));
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
          row.add(stat.times(factor).text());
        }
        row.add(Integer.toString(own.where(cell -> cell.series().equals(one)).size()));
        rows.add(row);
      }
    }
    html.table(head, rows);
  }

  private static Stat ratio(Results group, String series) {
    return group.ratio(series, group.base(), Results.THROUGHPUT);
  }
}
