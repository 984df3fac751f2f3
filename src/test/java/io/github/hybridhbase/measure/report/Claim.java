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
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What somebody has said, and what was measured beside it. Immutable. */
@InterfaceAudience.Private
final class Claim {
  private static final String[] CORE = {"A", "B", "C", "D", "E", "F"};
  private static final String NOT_MEASURED = "not measured";
  private static final double PAPERS_GAIN = 1.75;
  private static final double PAPERS_COST = 0.66;

  final String what;
  final String said;
  final String by;
  final String measured;

  private Claim(String what, String said, String by, String measured) {
    this.what = what;
    this.said = said;
    this.by = by;
    this.measured = measured;
  }

  /** Each with what was measured, or that nothing was. */
  static List<Claim> of(Results all) {
    List<Claim> claims = new ArrayList<>();
    String paper = "Hybrid HBase, COMAD 2012";
    for (String series : new String[] {"hybrid", "hybrid+cache 5%", "ssd"}) {
      claims.add(
          new Claim(
              "throughput of " + series + " over hdd, geometric mean of A to F",
              series.equals("hybrid") ? Numbers.text(PAPERS_GAIN) : "–",
              paper,
              mean(all, series)));
    }
    for (String workload : new String[] {"update", "A", "F"}) {
      claims.add(
          new Claim(
              "throughput of hybrid over hdd, " + workload,
              Numbers.text(PAPERS_GAIN),
              paper,
              throughput(all, workload, "memory", "hybrid", "hdd")));
    }
    claims.add(
        new Claim(
            "reads of hybrid over hdd, C",
            "1.6",
            paper,
            throughput(all, "C", "devices", "hybrid", "hdd")));
    claims.add(
        new Claim(
            "cost per throughput of hybrid to hdd, paper's prices, mean of A to F",
            Numbers.text(PAPERS_COST),
            paper,
            cost(all, PriceList.PAPER)));
    claims.add(
        new Claim("share of SSD that hybrid took, of the data", "0.73 %", paper, share(all)));
    for (String[] one : new String[][] {{"10", "3"}, {"100", "15"}}) {
      claims.add(
          new Claim(
              "durable updates of hybrid over wal-only, " + one[0] + " clients",
              one[1],
              "aim of this project",
              throughput(
                  all.where(
                      cell ->
                          cell.axis("sync").equals("durable")
                              && cell.axis("threads").equals(one[0])),
                  "update",
                  "memory",
                  "hybrid",
                  "wal-only")));
    }
    claims.add(
        new Claim(
            "p99 of a put beside a major compaction, hdd over hybrid",
            "6",
            "Facebook, FAST 2014 (latency of the log)",
            compaction(all)));
    claims.add(
        new Claim(
            "time to recover, hdd over hybrid",
            "–",
            "nobody",
            ratio(all, "update, recovery", "hdd", "hybrid", "recoverySeconds")));
    claims.add(
        new Claim(
            "throughput of wal-only over hdd, update",
            "0.89",
            "Intel, HBase on HSM, 2016",
            throughput(all, "update", "memory", "wal-only", "hdd")));
    return claims;
  }

  /**
   * A ratio of throughputs, and what the cells have that a reader would not expect.
   *
   * @param reads from where, if both were measured
   */
  private static String throughput(
      Results all, String workload, String reads, String over, String under) {
    for (String group : groups(all, workload, reads)) {
      Stat ratio = all.group(group).ratio(over, under, Results.THROUGHPUT);
      if (ratio.known()) {
        return ratio.text() + group.substring(workload.length());
      }
    }
    return NOT_MEASURED;
  }

  /** Groups of a workload without a target, in their order; those with such reads first. */
  private static List<String> groups(Results all, String workload, String reads) {
    Results own =
        all.where(
            cell ->
                cell.axis("workload").equals(workload)
                    && cell.axis("experiment").equals("ycsb")
                    && cell.axis("target").equals("0"));
    List<String> groups =
        new ArrayList<>(own.where(cell -> cell.axis("reads").equals(reads)).groups());
    own.groups().stream().filter(one -> !groups.contains(one)).forEach(groups::add);
    return groups;
  }

  private static String compaction(Results all) {
    String path = "beside.latencies.transaction.p99Ms";
    String beside = "update, compaction";
    String measured =
        all.groups().stream()
            .filter(group -> group.startsWith(beside))
            .filter(group -> all.group(group).ratio("hdd", "hybrid", path).known())
            .map(
                group ->
                    ratio(all, group, "hdd", "hybrid", path) + group.substring(beside.length()))
            .collect(Collectors.joining("; "));
    return measured.isEmpty() ? NOT_MEASURED : measured;
  }

  private static String ratio(Results all, String group, String over, String under, String path) {
    Stat ratio = all.group(group).ratio(over, under, path);
    return ratio.known() ? ratio.text() : NOT_MEASURED;
  }

  private static List<Double> gains(Results all, String series) {
    List<Double> gains = new ArrayList<>();
    for (String workload : CORE) {
      Stat ratio = all.group(workload).ratio(series, Results.BASE, Results.THROUGHPUT);
      if (ratio.known()) {
        gains.add(ratio.median);
      }
    }
    return gains;
  }

  private static String mean(Results all, String series) {
    List<Double> gains = gains(all, series);
    if (gains.isEmpty()) {
      return NOT_MEASURED;
    }
    String only = gains.size() < CORE.length ? ", of " + gains.size() + " that were measured" : "";
    return Numbers.text(Numbers.geometricMean(gains)) + only;
  }

  private static String cost(Results all, PriceList prices) {
    double ssd = all.ssdMb("hybrid");
    List<Double> gains = gains(all, "hybrid");
    return gains.isEmpty() || Double.isNaN(ssd)
        ? NOT_MEASURED
        : Numbers.text(
            prices
                .costs("hybrid", all.dataMb(), ssd, Numbers.geometricMean(gains))
                .costPerThroughput()
                .orElseThrow());
  }

  private static String share(Results all) {
    double ssd = all.ssdMb("hybrid");
    return Double.isNaN(ssd)
        ? NOT_MEASURED
        : Numbers.text(100 * ssd / all.dataMb()) + " %, at most";
  }
}
