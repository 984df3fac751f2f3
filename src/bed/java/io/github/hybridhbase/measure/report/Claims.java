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
import java.util.Comparator;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * What the paper, others and this project have said, each with what was measured, or that nothing
 * was. Only cells of one plan, which differ in set-up alone, are compared. For one thread.
 */
@InterfaceAudience.Private
final class Claims {
  private static final String PAPER = "Hybrid HBase, COMAD 2012";
  private static final String AIM = "aim of this project";
  private static final double PAPERS_GAIN = 1.75;

  /** What is said with two digits is reached by what is the same in two. */
  private static final double PAPERS_COST = 0.665;

  private static final double PAPERS_SHARE = 0.735;
  private static final String HYBRID = "hybrid";
  private static final String WAL_ONLY = "wal-only";
  private static final String CACHE = "hybrid+cache";
  private static final String HOT = "hybrid+hot";
  private static final String P99 = "beside.latencies.transaction.p99Ms";

  private final Results all;
  private final List<Claim> claims = new ArrayList<>();

  private Claims(Results all) {
    this.all = all;
  }

  /** In the order of the questions: writes, reads, cost, compaction, recovery, the log alone. */
  static List<Claim> of(Results all) {
    Claims claims = new Claims(all);
    claims.writes();
    claims.reads();
    claims.cost();
    claims.experiments();
    claims.logs();
    return claims.claims;
  }

  private void writes() {
    for (String workload : Select.WRITES) {
      add(
          "throughput of hybrid over hdd, " + workload + ", reads from memory",
          "≥ 1.75",
          AIM,
          atLeast(PAPERS_GAIN),
          ratios(Select.memory(workload), HYBRID, Results.BASE, Results.THROUGHPUT));
    }
    for (String[] one : new String[][] {{"10", "3"}, {"100", "15"}}) {
      add(
          "durable updates of hybrid over wal-only, " + one[0] + " clients",
          "≥ " + one[1],
          AIM,
          atLeast(Double.parseDouble(one[1])),
          ratios(Select.durable(one[0]), HYBRID, WAL_ONLY, Results.THROUGHPUT));
    }
    add(
        "throughput of wal-only over hdd, update: a fast WAL alone is slower",
        "< 1 (0.89)",
        "Intel, HBase on HSM, 2016",
        stat -> stat.greatest < 1,
        ratios(Select.memory("update"), WAL_ONLY, Results.BASE, Results.THROUGHPUT));
  }

  private void reads() {
    add(
        "throughput of hybrid over hdd, reads from devices, geometric mean of A to F",
        "≥ 1.75",
        PAPER,
        atLeast(PAPERS_GAIN),
        plan -> mean(plan, HYBRID));
    add(
        "reads of hybrid over hdd, C, from devices",
        "≥ 1.6",
        PAPER,
        atLeast(1.6),
        ratios(Select.devices("C"), HYBRID, Results.BASE, Results.THROUGHPUT));
    for (String workload : new String[] {"B", "C", "D", "E"}) {
      add(
          "throughput of hybrid over hdd, " + workload + ", from devices, beyond the error",
          "≥ 1",
          AIM,
          stat -> stat.greatest >= 1,
          ratios(Select.devices(workload), HYBRID, Results.BASE, Results.THROUGHPUT));
    }
    for (String cache : caches()) {
      add(
          "throughput of " + cache + " over hdd, geometric mean of A to F",
          "≥ 1.75",
          AIM,
          atLeast(PAPERS_GAIN),
          plan -> mean(plan, cache));
    }
  }

  private void cost() {
    add(
        "SSD that hybrid took at most, in % of the data, old WALs kept for seconds",
        "≤ 0.73, by its cost and gain", PAPER, stat -> stat.greatest < PAPERS_SHARE, Claims::share);
    for (PriceList prices : PriceList.values()) {
      for (String workload : Select.WRITES) {
        add(
            "cost per throughput of hybrid to hdd, "
                + workload
                + ", reads from memory, "
                + prices.label(),
            "≤ 0.66 where the gain is 1.75",
            AIM,
            stat -> stat.median < PAPERS_COST,
            plan -> cost(plan.where(Select.memory(workload)), plan.dataMb(), prices));
      }
      costOfMean(HYBRID, prices == PriceList.PAPER ? PAPER : AIM, prices);
      caches().forEach(cache -> costOfMean(cache, AIM, prices));
    }
  }

  private void costOfMean(String series, String by, PriceList prices) {
    add(
        "cost per throughput of " + series + " to hdd, mean of A to F, " + prices.label(),
        "≤ 0.66 where the gain is 1.75",
        by,
        stat -> stat.median < PAPERS_COST,
        plan -> costOfMean(plan, series, prices));
  }

  /** What a profile measures, and what else was measured, the smallest first. */
  private SortedSet<String> caches() {
    SortedSet<String> caches =
        new TreeSet<>(
            Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()));
    caches.addAll(List.of(CACHE + " 5%", CACHE + " 10%", CACHE + " 25%"));
    all.series().stream()
        .filter(series -> series.startsWith(CACHE + " ") || series.startsWith(HOT + " "))
        .forEach(caches::add);
    return caches;
  }

  private void experiments() {
    for (String series : new String[] {HYBRID, WAL_ONLY}) {
      for (String sync : new String[] {"hflush", "durable"}) {
        add(
            "p99 of a put beside a major compaction, hdd over " + series + ", " + sync,
            "≥ 6",
            "Facebook, FAST 2014 (latency of the log)",
            atLeast(6),
            ratios(Select.compaction(sync), Results.BASE, series, P99));
      }
    }
    add(
        "time until all rows are served again, hdd over hybrid",
        "–",
        "nobody",
        null,
        ratios(Select.recovery(), Results.BASE, HYBRID, "recoverySeconds"));
  }

  private void logs() {
    for (String threads : new String[] {"1", "10", "100", "1000"}) {
      boolean bound = threads.equals("100");
      add(
          "the log alone on today's SSD, durable over hflush, writers: " + threads,
          bound ? "≥ 0.8" : "–",
          AIM,
          bound ? atLeast(0.8) : null,
          plan ->
              plan.settings().path("devices").asText().equals("today")
                  ? ratios(
                          Select.log(threads),
                          HYBRID + " durable",
                          HYBRID + " hflush",
                          Results.THROUGHPUT)
                      .apply(plan)
                  : List.of());
    }
  }

  private static Predicate<Stat> atLeast(double bound) {
    return stat -> stat.median >= bound;
  }

  private void add(
      String what,
      String said,
      String by,
      Predicate<Stat> bound,
      Function<Results, List<Measurement>> measure) {
    boolean measured = false;
    for (String plan : all.plans()) {
      for (Measurement one : measure.apply(all.plan(plan))) {
        claims.add(new Claim(what, said, by, one.text(), one.verdict(bound), plan));
        measured = true;
      }
    }
    if (!measured) {
      claims.add(new Claim(what, said, by, "–", Claim.NOT_MEASURED, ""));
    }
  }

  private static Function<Results, List<Measurement>> ratios(
      Predicate<Measured> which, String over, String under, String path) {
    return plan -> {
      Results own = plan.where(which);
      List<Measurement> measurements = new ArrayList<>();
      for (String group : own.groups()) {
        Stat ratio = own.group(group).ratio(over, under, path);
        if (ratio.known()) {
          measurements.add(Measurement.of(ratio, note(of(own.group(group), over, under))));
        }
      }
      return measurements;
    };
  }

  private static Results of(Results cells, String over, String under) {
    return cells.where(cell -> cell.series().equals(over) || cell.series().equals(under));
  }

  /** What a group's name has beyond the workload, and what its cells should not have. */
  private static String note(Results group) {
    String name = group.groups().get(0);
    int comma = name.indexOf(", ");
    return (comma < 0 ? "" : name.substring(comma)) + group.trouble();
  }

  private static List<Measurement> mean(Results plan, String series) {
    CoreMean mean = CoreMean.of(plan, series);
    if (mean.stat().known()) {
      return List.of(
          Measurement.of(
              mean.stat(), of(plan.where(Select.core()), series, Results.BASE).trouble()));
    }
    return mean.measured().isEmpty()
        ? List.of()
        : List.of(
            Measurement.of(mean.partly(), ", of " + String.join(", ", mean.measured()) + " alone")
                .judged(Claim.NOT_MEASURED));
  }

  private static List<Measurement> share(Results plan) {
    Results own = plan.where(Select.plain()).where(cell -> cell.is("sync", "hflush"));
    Stat taken = own.system(HYBRID);
    return taken.known()
        ? List.of(Measurement.of(taken.times(100 / plan.dataMb()), ", by cell"))
        : List.of();
  }

  private static List<Measurement> cost(Results own, double dataMb, PriceList prices) {
    List<Measurement> measurements = new ArrayList<>();
    for (String group : own.groups()) {
      Stat gain = own.group(group).ratio(HYBRID, Results.BASE, Results.THROUGHPUT);
      if (gain.known()) {
        measurements.addAll(
            cost(
                gain,
                dataMb,
                own.group(group),
                HYBRID,
                prices,
                note(of(own.group(group), HYBRID, Results.BASE))));
      }
    }
    return measurements;
  }

  private static List<Measurement> costOfMean(Results plan, String series, PriceList prices) {
    Stat gain = CoreMean.of(plan, series).stat();
    return gain.known()
        ? cost(gain, plan.dataMb(), plan.where(Select.core()), series, prices, "")
        : List.of();
  }

  /** What one costs; the most SSD of these cells is bought. */
  private static List<Measurement> cost(
      Stat gain, double dataMb, Results cells, String series, PriceList prices, String note) {
    double system = cells.systemMb(series);
    double cache = cells.cacheMb(series);
    double ratio = cells.costs(prices, series, gain).costRatio();
    if (Double.isNaN(ratio)) {
      return List.of();
    }
    Measurement measurement =
        Measurement.of(
            gain.under(ratio),
            String.format(
                "%s, gain %s, SSD %s %% of the data",
                note, Numbers.text(gain.median), Numbers.text(100 * (system + cache) / dataMb)));
    return List.of(
        gain.median >= PAPERS_GAIN ? measurement : measurement.judged(Claim.AS_MEASURED));
  }
}
