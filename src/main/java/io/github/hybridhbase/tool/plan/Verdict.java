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
package io.github.hybridhbase.tool.plan;

import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import io.github.hybridhbase.tool.plan.Setup.Kind;
import io.github.hybridhbase.tool.plan.Setup.Wals;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** What to buy for a {@link Demand}. Immutable; pure. */
@InterfaceAudience.Private
public final class Verdict {
  /** Gains differ by this much between runs, so SSD and this plugin must save more. */
  private static final double WORTH = 1.1;

  private static final double STEP = 1.02;
  private static final double MOST_RATIO = 200;

  private static final Comparator<Setup> CHEAPER = Comparator.comparingDouble(Setup::cost);

  private final Demand demand;
  private final List<Setup> all;
  private final Optional<Setup> best;

  private Verdict(Demand demand) {
    this.demand = demand;
    this.all = Setup.all(demand);
    List<Setup> smallBlocks = meeting(one -> one.kind != Kind.HDD_64);
    this.best =
        cheapest(meeting(one -> true))
            .flatMap(one -> one.kind == Kind.HDD_64 ? Optional.of(one) : simplest(smallBlocks));
  }

  public static Verdict of(Demand demand) {
    return new Verdict(demand);
  }

  private List<Setup> meeting(Predicate<Setup> which) {
    return all.stream()
        .filter(one -> which.test(one) && one.fails().isEmpty())
        .collect(Collectors.toList());
  }

  /** The first of equals. */
  private static Optional<Setup> cheapest(List<Setup> setups) {
    return setups.stream().min(CHEAPER);
  }

  /** The least to operate of those about the cheapest. */
  private static Optional<Setup> simplest(List<Setup> setups) {
    double most = WORTH * cheapest(setups).map(Setup::cost).orElse(0.0);
    return setups.stream()
        .filter(one -> one.cost() <= most)
        .min(Comparator.comparingInt(Setup::parts).thenComparing(CHEAPER));
  }

  /** For each kind, the share and WAL place that serve the demand best. */
  public List<Setup> lines() {
    List<Setup> lines = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      Predicate<Setup> own = one -> one.kind == kind;
      lines.add(
          best.filter(own)
              .or(() -> simplest(meeting(own)))
              .or(() -> cheapest(all.stream().filter(own).collect(Collectors.toList())))
              .orElseThrow());
    }
    return lines;
  }

  /** Empty if no set-up meets the demand. */
  public Optional<Setup> best() {
    return best;
  }

  /** All HDD with blocks of 64 KB is 1. */
  public double cost(Setup setup) {
    return setup.cost() / all.get(0).cost();
  }

  /** The next price ratio with another verdict. Immutable. */
  @InterfaceAudience.Private
  public static final class Turn {
    public final double ratio;

    /** What is then the cheapest. */
    public final String name;

    private Turn(double ratio, String name) {
      this.ratio = ratio;
      this.name = name;
    }

    @Override
    public String toString() {
      return String.format(Locale.ROOT, "%.2g: %s", ratio, name);
    }
  }

  /** The first lower ratio with another verdict; empty if none is above 1. */
  public Optional<Turn> below() {
    return turn(1 / STEP);
  }

  /** Likewise above, up to 200. */
  public Optional<Turn> above() {
    return turn(STEP);
  }

  private Optional<Turn> turn(double step) {
    Kind kind = best.map(one -> one.kind).orElse(null);
    double ratio = demand.get(Ask.PRICE_RATIO) * step;
    for (; kind != null && ratio >= 1 && ratio <= MOST_RATIO; ratio *= step) {
      Setup other = of(demand.with(Ask.PRICE_RATIO, ratio, Demand.GIVEN)).best.orElseThrow();
      if (!Objects.equals(kind, other.kind)) {
        return Optional.of(new Turn(ratio, other.name()));
      }
    }
    return Optional.empty();
  }

  public String text() {
    if (best.isEmpty()) {
      return "Nothing that was measured meets this: the most were "
          + String.format(Locale.ROOT, "%,.0f", Wals.PLUGIN.durable)
          + " durable edits a second of a server, the longest operation was 1 s on all SSD and 2 s"
          + " with this plugin. Spread the load over more servers, or allow longer operations.";
    }
    Setup one = best.get();
    boolean blocks = demand.get(Ask.READS) > 0 && one.kind != Kind.HDD_64;
    String first =
        blocks && one.kind != Kind.HDD_8 ? " Set BLOCKSIZE to 8192 in any case, it is free." : "";
    return sentence(one) + first;
  }

  private String sentence(Setup one) {
    switch (one.kind) {
      case HDD_64:
        return "All HDD is enough: buy no SSD.";
      case HDD_8:
        return "Set BLOCKSIZE first, it is free: with blocks of 8 KB "
            + drives(one)
            + " do what takes "
            + drives(all.get(0))
            + " with 64 KB. No SSD is worth its price here.";
      case STOCK_KEY:
        return "The stock key is enough: hbase.wal.storage.policy=ALL_SSD"
            + (demand.get(Ask.DURABLE) > 0 ? " with hbase.wal.provider=filesystem" : "")
            + ". With it RegionServers abort if SSD is full or fails; this plugin, without its SSD"
            + " tier, costs the same and keeps them running.";
      case CACHE:
        return "A bucket cache on SSD is cheaper, which is stock HBase" + rest(one);
      case FAMILY:
        return "A family at ONE_SSD is cheaper, which is stock HDFS" + rest(one);
      case ALL_SSD:
        return "Buy all SSD" + rest(one);
      case PLUGIN_WALS:
      case PLUGIN:
        return "This plugin, because " + because() + ".";
      default:
        return String.format(
            Locale.ROOT,
            "This plugin, because with %s %% of the bytes on SSD hot rows answer %.0f %% of the"
                + " reads that miss memory; the cheapest stock set-up, %s. This is computed:"
                + " try one table first. ONE_SSD needs SSD beside every RegionServer.",
            Setup.percent(one.share),
            100 * one.answered(),
            cheapest(meeting(s -> s.kind.isStock() && !s.wals.isPlugin()))
                .map(s -> s.name() + ", costs " + times(s.cost() / one.cost()))
                .orElse("does not meet the demand: " + because()));
    }
  }

  private String rest(Setup one) {
    String hot =
        cheapest(meeting(s -> !s.kind.isStock()))
            .map(s -> ": " + s.name() + ", costs " + times(s.cost() / one.cost()))
            .orElse("");
    return (one.wals.isPlugin() ? ", with this plugin for WALs, because " + because() : hot) + ".";
  }

  private String because() {
    List<String> reasons = new ArrayList<>();
    if (demand.get(Ask.DURABLE) > Wals.STOCK_KEY.durable) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "a server of stock HBase made %,.0f durable edits a second at most, with the plugin"
                  + " %,.0f",
              Wals.STOCK_KEY.durable,
              Wals.PLUGIN.durable));
    }
    double longest = demand.get(Ask.LONGEST);
    if (longest > 0 && longest < Wals.STOCK_KEY.longest) {
      reasons.add(
          String.format(
              Locale.ROOT,
              "where writes outran HDD an operation took up to %.0f s with stock's key and %.0f s"
                  + " on HDD, with the plugin %.0f s",
              Wals.STOCK_KEY.longest,
              Wals.HDD.longest,
              Wals.PLUGIN.longest));
    }
    return reasons.isEmpty() ? "it is the cheapest" : String.join("; ", reasons);
  }

  private static String times(double ratio) {
    return String.format(Locale.ROOT, "%.1f times as much", ratio);
  }

  static String drives(Setup setup) {
    long drives = (long) Math.ceil(setup.hdds());
    return String.format(Locale.ROOT, "%,d HDD%s", drives, drives == 1 ? "" : "s");
  }

  public List<String> steps() {
    List<String> steps = new ArrayList<>();
    if (best.isEmpty()) {
      return steps;
    }
    Setup one = best.get();
    String family = "alter 'TABLE', {NAME => 'FAMILY', ";
    if (demand.get(Ask.READS) > 0 && one.kind != Kind.HDD_64) {
      steps.add(family + "BLOCKSIZE => '8192'}, then major_compact 'TABLE'");
    }
    if (one.kind == Kind.FAMILY || one.kind == Kind.ALL_SSD) {
      String policy = one.kind == Kind.FAMILY ? "ONE_SSD" : "ALL_SSD";
      steps.add(family + "STORAGE_POLICY => '" + policy + "'}, then major_compact 'TABLE'");
    } else if (one.kind == Kind.CACHE) {
      steps.add("hbase.bucketcache.ioengine=file:FILE and hbase.bucketcache.size=MIB, on SSD");
    }
    if (one.wals.isPlugin()) {
      steps.add(
          "install the plugin (docs/install.md)"
              + (one.wals == Wals.PLUGIN ? "" : ", and hbase.hybrid.tier.policy=NONE"));
    } else if (one.wals == Wals.STOCK_KEY) {
      steps.add(
          "hbase.wal.storage.policy=ALL_SSD"
              + (demand.get(Ask.DURABLE) > 0 ? ", hbase.wal.provider=filesystem" : ""));
    }
    if (demand.get(Ask.DURABLE) > 0) {
      steps.add("hbase.wal.hsync=true");
    }
    if (one.kind.isHot()) {
      steps.add(
          family
              + "CONFIGURATION => {'hbase.hybrid.hot.policy' => '"
              + (one.kind == Kind.HOT_ONE ? "ONE_SSD" : "ALL_SSD")
              + "', 'hbase.hybrid.hot.share' => '"
              + Setup.percent(one.share)
              + "'}}");
    }
    return steps;
  }

  /** How long this SSD lasts with this plugin. */
  public String lasts(double ssd) {
    Setup logs = all.stream().filter(s -> s.kind == Kind.PLUGIN_WALS).findFirst().orElseThrow();
    Setup tier = all.stream().filter(s -> s.kind == Kind.PLUGIN).findFirst().orElseThrow();
    return "The SSD that HDFS has, "
        + Text.bytes((long) ssd)
        + ", lasts "
        + years(logs.years(ssd))
        + " with the plugin's WALs alone, "
        + years(tier.years(ssd))
        + " with its SSD tier.";
  }

  private static String years(double years) {
    if (years > 99) {
      return "more than 99 years";
    }
    return years < 2
        ? String.format(Locale.ROOT, "%.0f weeks", Math.max(1, 52.18 * years))
        : String.format(Locale.ROOT, "%.1f years", years);
  }
}
