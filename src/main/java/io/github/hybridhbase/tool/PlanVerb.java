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
import io.github.hybridhbase.report.Report.Section;
import io.github.hybridhbase.report.Screen;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import io.github.hybridhbase.tool.plan.Setup;
import io.github.hybridhbase.tool.plan.Verdict;
import io.github.hybridhbase.tool.plan.Verdict.Turn;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Option;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verb {@code plan}: what to buy, for given numbers or a running cluster. */
@InterfaceAudience.Private
public final class PlanVerb extends Verb {
  private static final double LEAST_DATA = 100L << 30;

  /** Units are powers of 1,024, and required, since people mean MiB by 30. */
  private static final Pattern SIZE =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{1,6})?)([bkmgtp])(?:i?b)?(?:/s)?");

  private static final String RESTS_ON =
      "Cost is of drives, all HDD with blocks of 64 KB = 1; SSD is bought to last five years. The\n"
          + "simplest set-up within 10 % of the cheapest is taken. Gains were measured on emulated\n"
          + "devices: docs/operate.md#plan.";

  PlanVerb() {
    super(
        "plan",
        "compare what can be bought, for this cluster or for --data, and say which serves it",
        "--data 20t --write-rate 3m --reads 2000 --hot 20");
  }

  @Override
  public boolean offline() {
    return true;
  }

  @Override
  public Options options() {
    Options options = new Options();
    for (Ask ask : Ask.values()) {
      options.addOption(
          Option.builder()
              .longOpt(ask.flag)
              .hasArg()
              .argName(ask.isSize() ? "SIZE" : "N")
              .desc(ask.meaning)
              .build());
    }
    return options;
  }

  @Override
  public int run(Session session, CommandLine line) throws UsageException, IOException {
    Demand demand = Demand.of(session.conf.getInt("dfs.replication", 3));
    for (Ask ask : Ask.values()) {
      if (line.hasOption(ask.flag)) {
        demand = demand.with(ask, value(ask, line.getOptionValue(ask.flag)), Demand.GIVEN);
      }
    }
    OptionalDouble ssd = OptionalDouble.empty();
    if (!demand.knows(Ask.DATA)) {
      LiveCluster live =
          LiveCluster.read(
              Session.open(session.conf, session.out, session.err, session.json, session.stop),
              demand);
      demand = live.demand;
      ssd = live.ssd;
    }
    if (!(demand.get(Ask.DATA) >= LEAST_DATA)) {
      throw new UsageException(
          "User data of "
              + Text.bytes((long) demand.get(Ask.DATA))
              + " fit on any drive: give --data from 100g on, such as 10t");
    }
    if (!demand.knows(Ask.WRITE_RATE)) {
      throw new UsageException(
          "Give how fast edits are written: --write-rate, such as 10m (a second, of all servers),"
              + " or 0b");
    }
    Verdict verdict = Verdict.of(demand);
    int exit = verdict.best().isPresent() ? Exit.FINE : Exit.FINDINGS;
    if (session.json) {
      Json.print(json(demand, verdict, ssd, exit), session.out);
    } else {
      text(demand, verdict, ssd, session.out, session.terminal.screen);
    }
    return exit;
  }

  private static double value(Ask ask, String text) throws UsageException {
    double value = NumberUtils.toDouble(text, Double.NaN);
    Matcher size = SIZE.matcher(text.trim().toLowerCase(Locale.ROOT));
    if (ask.isSize()) {
      value =
          size.matches()
              ? Double.parseDouble(size.group(1)) * Math.pow(1024, "bkmgtp".indexOf(size.group(2)))
              : Double.NaN;
    } else if (!Character.isDigit(text.charAt(text.length() - 1))) {
      value = Double.NaN; // Java takes 7d for 7 with a type, an operator for seven days
    }
    if (value >= ask.least && value <= ask.most) {
      return value;
    }
    throw new UsageException(
        "--"
            + ask.flag
            + " "
            + text
            + " is not a "
            + (ask.isSize() ? "size with a unit" : "number")
            + " from "
            + shown(ask, ask.least)
            + " to "
            + shown(ask, ask.most)
            + (ask.isSize() ? ", such as 500g or 30m" : ""));
  }

  private static String shown(Ask ask, double value) {
    if (ask.isSize()) {
      return Text.bytes((long) value);
    }
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%.4g", value);
  }

  private static void text(
      Demand demand, Verdict verdict, OptionalDouble ssd, PrintStream out, Screen screen) {
    out.println(verdict.text());
    out.println();
    setups(verdict).print(out, screen);
    out.println();
    out.println(turns(verdict));
    ssd.ifPresent(bytes -> out.println(verdict.lasts(bytes)));
    out.println(RESTS_ON);
    out.println();
    out.println("Demand, with " + Text.count(demand.replicas, "replica") + " (dfs.replication):");
    for (Ask ask : Ask.values()) {
      String second = ask == Ask.WRITE_RATE ? "/s" : "";
      String value = shown(ask, demand.get(ask)) + second;
      String origin = Text.escape(demand.origin(ask));
      out.println("  --" + ask.flag + " " + value + ": " + ask.meaning + " (" + origin + ")");
    }
    if (!verdict.steps().isEmpty()) {
      out.println();
      out.println("Set:");
      verdict.steps().forEach(step -> out.println("  " + step));
    }
  }

  private static Section setups(Verdict verdict) {
    Section section =
        new Section("setups", "", "", "cost", "HDDs", "SSD", "years of SSD", "meets the demand");
    for (Setup one : verdict.lines()) {
      boolean best = verdict.best().filter(that -> that == one).isPresent();
      boolean lasts = Double.isFinite(one.years());
      Map<String, Object> json = new LinkedHashMap<>();
      json.put("setup", one.name());
      json.put("best", best);
      json.put("cost", verdict.cost(one));
      json.put("hdds", one.hdds());
      json.put("ssdBytes", (long) one.ssd());
      json.put("ssdYears", lasts ? one.years() : null);
      json.put("fails", one.fails().orElse(null));
      section.row(
          json,
          (best ? "> " : "  ") + one.name(),
          String.format(Locale.ROOT, "%.2f", verdict.cost(one)),
          String.format(Locale.ROOT, "%,.0f", Math.ceil(one.hdds())),
          one.ssd() > 0 ? Text.bytes((long) one.ssd()) : "-",
          !lasts
              ? "-"
              : one.years() > 99 ? "> 99" : String.format(Locale.ROOT, "%.0f", one.years()),
          one.fails().map(why -> "no: " + why).orElse("yes"));
    }
    return section;
  }

  private static String turns(Verdict verdict) {
    List<String> turns = new ArrayList<>();
    verdict.below().ifPresent(turn -> turns.add("below " + turn));
    verdict.above().ifPresent(turn -> turns.add("above " + turn));
    return turns.isEmpty()
        ? "The verdict is the same at any price ratio of SSD to HDD from 1 to 200."
        : "The verdict turns with the price ratio of SSD to HDD: " + String.join("; ", turns) + ".";
  }

  private static Map<String, Object> json(
      Demand demand, Verdict verdict, OptionalDouble ssd, int exit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/plan/2");
    json.put("exit", exit);
    Map<String, Object> asked = new LinkedHashMap<>();
    for (Ask ask : Ask.values()) {
      asked.put(ask.flag, Map.of("value", demand.get(ask), "origin", demand.origin(ask)));
    }
    json.put("demand", asked);
    json.put("replicas", demand.replicas);
    json.put("verdict", verdict.text());
    json.put("setups", setups(verdict).json());
    json.put("below", verdict.below().map(PlanVerb::json).orElse(null));
    json.put("above", verdict.above().map(PlanVerb::json).orElse(null));
    json.put("set", verdict.steps());
    json.put("ssdThere", ssd.isPresent() ? verdict.lasts(ssd.getAsDouble()) : null);
    return json;
  }

  private static Map<String, Object> json(Turn turn) {
    return Map.of("priceRatio", turn.ratio, "setup", turn.name);
  }
}
