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

  /** Markdown: a row a workload, throughput against all HDD. */
  static String markdown(Results results) {
    Results plain = plain(results);
    List<String> others =
        series(plain).stream()
            .filter(one -> !one.equals(Results.BASE))
            .collect(Collectors.toList());
    StringBuilder table = new StringBuilder("| workload | all HDD, ops/s |");
    others.forEach(one -> table.append(' ').append(one).append(" |"));
    table.append("\n|").append(" --- |".repeat(others.size() + 2)).append('\n');
    for (String group : plain.groups()) {
      Results own = plain.group(group);
      table
          .append("| ")
          .append(group)
          .append(" | ")
          .append(Numbers.text(own.stat(Results.BASE, Results.THROUGHPUT).median))
          .append(" |");
      for (String one : others) {
        table
            .append(' ')
            .append(own.ratio(one, Results.BASE, Results.THROUGHPUT).text())
            .append(" |");
      }
      table.append('\n');
    }
    return table.toString();
  }

  /** The same as bars. */
  static String chart(Results results) {
    Results plain = plain(results);
    return BarChart.draw(
        "Throughput, all HDD = 1",
        plain.groups(),
        series(plain),
        (group, one) -> plain.group(group).ratio(one, Results.BASE, Results.THROUGHPUT),
        1);
  }
}
