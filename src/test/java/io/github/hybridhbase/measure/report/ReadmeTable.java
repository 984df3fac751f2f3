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
import java.util.List;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** The table and the chart that README takes. Pure. */
@InterfaceAudience.Private
final class ReadmeTable {
  private static final String BEGIN = "<!--measured-->";
  private static final String END = "<!--/measured-->";

  private ReadmeTable() {}

  private static Results plain(Results results) {
    return results.where(
        cell -> cell.axis("experiment").equals("ycsb") && cell.axis("target").equals("0"));
  }

  private static List<String> series(Results plain) {
    return plain.series().stream()
        .filter(one -> !one.startsWith("only-"))
        .collect(Collectors.toList());
  }

  /**
   * Markdown: a row a workload, its throughput in one set-up, and that of the others against it.
   * Without blanks, which would count as words of README.
   */
  static String markdown(Results results) {
    Results plain = plain(results);
    List<String> others =
        series(plain).stream()
            .filter(one -> !one.equals(Results.BASE))
            .collect(Collectors.toList());
    StringBuilder table = new StringBuilder("|workload|ops/s|of|");
    others.forEach(one -> table.append(one).append('|'));
    table.append("\n|").append("---|".repeat(others.size() + 3)).append('\n');
    for (String group : plain.groups()) {
      Results own = plain.group(group);
      String base = own.base();
      String rate = Numbers.text(own.stat(base, Results.THROUGHPUT).median);
      table.append('|').append(String.join("|", group, rate, base)).append('|');
      for (String one : others) {
        Stat ratio = own.ratio(one, base, Results.THROUGHPUT);
        table.append(one.equals(base) ? "1" : ratio.text()).append('|');
      }
      table.append('\n');
    }
    return table.toString();
  }

  /**
   * README with another table and chart.
   *
   * @param chart the path of the chart's file, as README is to have it
   * @throws IllegalArgumentException where it has no place for them
   */
  static String into(String readme, String table, String chart) {
    int from = readme.indexOf(BEGIN);
    int to = readme.indexOf(END);
    if (from < 0 || to < from) {
      throw new IllegalArgumentException("it has no " + BEGIN + " with " + END + " behind it");
    }
    return readme.substring(0, from + BEGIN.length())
        + "\n\n"
        + table
        + "\n![Throughput]("
        + chart
        + ")\n\n"
        + readme.substring(to);
  }

  /** The same as bars. */
  static String chart(Results results) {
    Results plain = plain(results);
    return BarChart.draw(
        "Throughput, all HDD (else the first) = 1",
        plain.groups(),
        series(plain),
        (group, one) ->
            plain.group(group).ratio(one, plain.group(group).base(), Results.THROUGHPUT),
        1);
  }
}
