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
package io.github.hybridhbase.tool;

import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.runtime.TierBudget;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import io.github.hybridhbase.tool.plan.Medium;
import io.github.hybridhbase.tool.plan.PlanReport;
import io.github.hybridhbase.tool.plan.Prices;
import io.github.hybridhbase.tool.plan.SiteAdvice;
import io.github.hybridhbase.tool.plan.SiteAdvice.WalBlock;
import io.github.hybridhbase.tool.plan.Workload;
import io.github.hybridhbase.tool.plan.Workload.Defaults;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.hadoop.conf.Configuration;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code plan}: which SSD to buy and what to set, for given numbers or a running cluster.
 */
@InterfaceAudience.Private
public final class PlanVerb extends Verb {
  private static final Set<String> FILES = Set.of("cache-path");

  private static final int LIFE_YEARS = 5;
  private static final double MOST = 1e9;
  private static final double MOST_GAIN = 1e6;

  PlanVerb() {
    super(
        "plan",
        "compute SSD need, cost and settings, for this cluster or for --data",
        "--data 20t --write-rate 30m --servers 20 --memstore 12g --gain 1.5");
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    Options options = new Options();
    for (Input input : Input.values()) {
      String unit = input.unit().isEmpty() ? "" : " (" + input.unit() + ")";
      options.addOption(null, input.flag(), true, input.meaning() + unit);
    }
    options.addOption(null, "hdd-price", true, "price of 10^9 bytes of HDD; " + Prices.HDD_PRICE);
    options.addOption(null, "ssd-price", true, "price of 10^9 bytes of SSD; " + Prices.SSD_PRICE);
    options.addOption(null, "hdd-use", true, "% of HDD that data may take; " + Prices.HDD_USE);
    options.addOption(null, "ssd-use", true, "% of SSD that data may take; " + Prices.SSD_USE);
    options.addOption(
        null, "endurance", true, "full writes that a drive endures; " + Prices.DRIVE_WRITES);
    options.addOption(
        null,
        "amplification",
        true,
        "bytes that a drive writes per byte it receives; " + Prices.AMPLIFICATION);
    options.addOption(
        null, "life", true, "required life of SSDs in years; " + LIFE_YEARS + "; 0 = any");
    options.addOption(null, "gain", true, "throughput of hybrid divided by all HDD");
    options.addOption(
        null, "cache-gain", true, "throughput of hybrid with cache divided by all HDD");
    options.addOption(null, "ssd-gain", true, "throughput of all SSD divided by all HDD");
    options.addOption(null, "cache-path", true, "file of a RegionServer's bucket cache, on SSD");
    for (Option option : options.getOptions()) {
      if (option.hasArg()) {
        option.setArgName(FILES.contains(option.getLongOpt()) ? "FILE" : "N");
      }
    }
    return options;
  }

  @Override
  public List<String> basics() {
    return List.of("data", "write-rate", "servers", "datanodes", "memstore", "ssd", "gain");
  }

  @Override
  public int run(Session session, CommandLine line) throws UsageException, IOException {
    Flags flags = new Flags(line);
    Prices prices = prices(flags);
    double endurance = flags.number("endurance", 1, 1e6, Prices.DRIVE_WRITES);
    double amplification = flags.number("amplification", 1, 100, Prices.AMPLIFICATION);
    double life = flags.number("life", 0, 100, LIFE_YEARS);
    Workload given = given(flags);
    List<String> remarks = List.of();
    if (!given.knows(Input.DATA)) {
      Session cluster =
          Session.open(
              session.conf(), session.out(), session.err(), session.json(), session.stop());
      LiveCluster live = LiveCluster.read(cluster, given);
      given = live.workload();
      remarks = live.remarks();
      if (session.stop().requested()) {
        session.err().println("Stopped.");
        return Exit.STOPPED;
      }
      if (!given.knows(Input.WRITE_RATE)) {
        throw new UsageException(
            "No log of this cluster has two files yet, so they do not tell how fast edits are"
                + " written: give --write-rate, such as 10m (a second, of all servers)");
      }
    }
    PlanReport plan = plan(session.conf(), given, prices, endurance, amplification, life);
    SiteAdvice advice =
        SiteAdvice.of(
            set(session.conf()),
            plan.workload(),
            plan.need(),
            plan.nodeSsd(),
            flags.has("cache-path") ? flags.text("cache-path") : "");
    remarks.forEach(advice::remark);
    int exit = plan.fails() ? Exit.FINDINGS : Exit.FINE;
    PlanPrinter printer = new PlanPrinter(plan, advice);
    if (session.json()) {
      Json.print(printer.json(exit), session.out());
    } else {
      printer.text(session.out());
    }
    return exit;
  }

  private static PlanReport plan(
      Configuration conf,
      Workload given,
      Prices prices,
      double endurance,
      double amplification,
      double life)
      throws UsageException {
    Workload workload = Defaults.fill(given, conf);
    if (workload.get(Input.DATA) < 1) {
      throw new UsageException("There is no user data to plan for: give --data, such as 10t");
    }
    try {
      PlanReport asked = new PlanReport(workload, prices, endurance, amplification, life);
      Workload fit = WalBlock.fit(workload, asked.nodeSsd());
      return WalBlock.isReduced(fit)
          ? new PlanReport(fit, prices, endurance, amplification, life)
          : asked;
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "--tier "
              + Flags.plain(workload.get(Input.TIER))
              + " leaves nothing of --ssd-use "
              + Flags.plain(100 * prices.ssd().utilisation())
              + " for the system's data: give a smaller --tier");
    }
  }

  private static Workload given(Flags flags) throws UsageException {
    Workload given = Workload.empty();
    for (Input input : Input.values()) {
      OptionalDouble value = value(flags, input);
      if (value.isPresent()) {
        given = given.with(input, value.getAsDouble(), Workload.GIVEN);
      }
    }
    if (given.knows(Input.TIER) && given.knows(Input.TIER_BYTES)) {
      throw new UsageException("--tier and --tier-bytes are one budget: give one of them");
    }
    if (given.knows(Input.TIER_BYTES) && !TierBudget.fits(given.get(Input.TIER_BYTES))) {
      throw new UsageException(
          "--tier-bytes "
              + Flags.plain(given.get(Input.TIER_BYTES))
              + " is no value of hbase.hybrid.tier.budget: give 1 byte or more, of 15 digits at"
              + " most, such as 500g, or 0 for no SSD tier");
    }
    if (given.knows(Input.DATA) && !given.knows(Input.WRITE_RATE)) {
      throw new UsageException(
          "--data without --write-rate: give how fast edits are written, such as 10m (a second, of"
              + " all servers); or leave --data out to plan for the cluster");
    }
    return given;
  }

  private static OptionalDouble value(Flags flags, Input input) throws UsageException {
    switch (input) {
      case SERVERS:
      case DATA_NODES:
      case IOPS:
      case REGIONS:
        return flags.whole(input.flag(), 1, (long) MOST);
      case REPLICATION:
      case WAL_REPLICATION:
      case WALS:
        return flags.whole(input.flag(), 1, 512);
      case MAX_WALS:
      case SYNCS:
        return flags.whole(input.flag(), 0, (long) MOST);
      case TIER:
        return flags.whole(input.flag(), 0, 90);
      case FLUSH_INTERVAL:
      case WAL_TTL:
      case CLEANER:
      case AFTER:
        return flags.number(input.flag(), 0, MOST);
      case WAL_BLOCK:
        OptionalDouble block = flags.size(input.flag());
        if (block.isPresent() && block.getAsDouble() < 1 << 20) {
          throw new UsageException(
              "--wal-block " + flags.text("wal-block") + " is not a size from 1m on");
        }
        return block;
      default:
        return flags.size(input.flag());
    }
  }

  private static Prices prices(Flags flags) throws UsageException {
    Medium hdd =
        new Medium(
            flags.number("hdd-price", 1e-6, 1e6, Prices.HDD_PRICE),
            flags.number("hdd-use", 1, 100, Prices.HDD_USE) / 100);
    Medium ssd =
        new Medium(
            flags.number("ssd-price", 1e-6, 1e6, Prices.SSD_PRICE),
            flags.number("ssd-use", 1, 100, Prices.SSD_USE) / 100);
    return new Prices(
        hdd,
        ssd,
        flags.number("gain", 1e-6, MOST_GAIN),
        flags.number("cache-gain", 1e-6, MOST_GAIN),
        flags.number("ssd-gain", 1e-6, MOST_GAIN));
  }

  /** Without defaults. */
  private static UnaryOperator<String> set(Configuration conf) {
    return key -> {
      String[] sources = conf.getPropertySources(key);
      boolean isDefault =
          sources == null
              || sources.length == 0
              || Arrays.stream(sources).allMatch(source -> source.endsWith("-default.xml"));
      return isDefault ? null : conf.get(key);
    };
  }
}
