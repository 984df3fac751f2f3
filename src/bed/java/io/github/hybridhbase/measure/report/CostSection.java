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
import org.apache.yetus.audience.InterfaceAudience;

/** What a unit of throughput costs, of one plan, as the paper's figures have it. For one thread. */
@InterfaceAudience.Private
final class CostSection {
  private static final String SHARES = "Share of SSD";

  private final Results plan;
  private final Html html;

  CostSection(Results plan, Html html) {
    this.plan = plan;
    this.html = html;
  }

  /** What a set-up costs against all HDD, in a group. */
  static Costs costs(PriceList prices, Results group, String series) {
    return group.costs(prices, series, group.ratio(series, Results.BASE, Results.THROUGHPUT));
  }

  /** Workloads side by side, a unit of throughput against all HDD. */
  void write() {
    Results plain =
        plan.where(
            cell -> cell.axis("experiment").equals("ycsb") && cell.axis("target").equals("0"));
    if (plain.isEmpty()) {
      return;
    }
    html.heading(3, "What a unit of throughput costs");
    html.text(
        "C = Σ P·D/R over HDD and SSD, against all HDD, divided by the gain: below 1 it is cheaper"
            + " than all HDD. D on SSD is what the files there took at most, with the bucket cache."
            + " HBase keeps old WALs for ten minutes and archived store files for five; here"
            + " \"keysOfAllSetUps\" says how long, so that less SSD is taken.");
    for (PriceList prices : PriceList.values()) {
      html.text(
          String.format(
              Locale.ROOT,
              "At %s a byte on SSD costs %.1f times one on HDD.",
              prices.label(),
              prices.times()));
      html.svg(
          BarChart.draw(
              "Cost of a unit of throughput at " + prices.label() + ", all HDD = 1",
              plain.groups(),
              plain.series(),
              (group, one) -> perThroughput(prices, plain.group(group), one),
              1));
    }
    table(plain);
    curve();
  }

  private Stat perThroughput(PriceList prices, Results group, String series) {
    Stat gain = group.ratio(series, Results.BASE, Results.THROUGHPUT);
    double ratio = costs(prices, group, series).costRatio();
    return gain.known() && !Double.isNaN(ratio) ? gain.under(ratio) : Stat.of(List.of());
  }

  private void table(Results plain) {
    List<List<String>> rows = new ArrayList<>();
    for (String group : plain.groups()) {
      Results own = plain.group(group);
      for (String one : own.series()) {
        List<String> row = new ArrayList<>(List.of(group, one));
        row.add(Numbers.text(100 * (own.systemMb(one) + own.cacheMb(one)) / plan.dataMb()));
        for (PriceList prices : PriceList.values()) {
          row.add(Numbers.text(costs(prices, own, one).costRatio()));
          row.add(perThroughput(prices, own, one).text());
        }
        rows.add(row);
      }
    }
    List<String> head = new ArrayList<>(List.of("", "set-up", "SSD % of the data"));
    for (PriceList prices : PriceList.values()) {
      head.add("cost at " + prices.label());
      head.add("per throughput");
    }
    html.table(head, rows);
  }

  /** When it pays. */
  private void curve() {
    Results shares = plan.section(SHARES);
    for (String group : shares.groups()) {
      Results own = shares.group(group);
      for (PriceList prices : PriceList.values()) {
        List<CurveChart.Point> points = new ArrayList<>();
        for (String one : own.series()) {
          Stat gain = own.ratio(one, Results.BASE, Results.THROUGHPUT);
          double cost = costs(prices, own, one).costRatio();
          if (gain.known() && !Double.isNaN(cost)) {
            points.add(new CurveChart.Point(one, cost, gain));
          }
        }
        html.svg(CurveChart.draw(group + ": gain over cost at " + prices.label(), points));
      }
    }
  }
}
