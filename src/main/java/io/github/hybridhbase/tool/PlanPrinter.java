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

import io.github.hybridhbase.report.Table;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.plan.Demand;
import io.github.hybridhbase.tool.plan.Demand.Ask;
import io.github.hybridhbase.tool.plan.Setup;
import io.github.hybridhbase.tool.plan.Verdict;
import io.github.hybridhbase.tool.plan.Verdict.Turn;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/** A printer of a plan as text and as JSON. */
@InterfaceAudience.Private
final class PlanPrinter {
  private static final String RESTS_ON =
      "Cost is of drives, all HDD with blocks of 64 KB = 1; SSD is bought to last five years. The\n"
          + "simplest set-up within 10 % of the cheapest is taken. Gains were measured on"
          + " emulated\n"
          + "devices: docs/operate.md#plan.";

  private final Demand demand;
  private final Verdict verdict;
  private final OptionalDouble ssd;

  /**
   * @param ssd bytes that the cluster has; empty if unknown
   */
  PlanPrinter(Demand demand, Verdict verdict, OptionalDouble ssd) {
    this.demand = demand;
    this.verdict = verdict;
    this.ssd = ssd;
  }

  void text(PrintStream out) {
    out.println(verdict.text());
    out.println();
    Table table = new Table().row("", "cost", "HDDs", "SSD", "years of SSD", "meets the demand");
    for (Setup one : verdict.lines()) {
      table.row(
          (isBest(one) ? "> " : "  ") + one.name(),
          String.format(Locale.ROOT, "%.2f", verdict.cost(one)),
          String.format(Locale.ROOT, "%,.0f", Math.ceil(one.hdds())),
          one.ssd() > 0 ? Text.bytes((long) one.ssd()) : "-",
          Double.isInfinite(one.years()) ? "-" : years(one.years()),
          one.fails().map(why -> "no: " + why).orElse("yes"));
    }
    table.print(out);
    out.println();
    out.println(turns());
    there().ifPresent(out::println);
    out.println(RESTS_ON);
    out.println();
    out.println("Demand, with " + Text.count(demand.replicas(), "replica") + " (dfs.replication):");
    for (Ask ask : Ask.values()) {
      out.println(
          "  --"
              + ask.flag()
              + " "
              + value(ask)
              + ": "
              + ask.meaning()
              + " ("
              + Text.escape(demand.origin(ask))
              + ")");
    }
    if (!verdict.steps().isEmpty()) {
      out.println();
      out.println("Set:");
      verdict.steps().forEach(step -> out.println("  " + step));
    }
  }

  private boolean isBest(Setup one) {
    return verdict.best().filter(best -> best == one).isPresent();
  }

  private static String years(double years) {
    return years > 99 ? "> 99" : String.format(Locale.ROOT, "%.0f", years);
  }

  private String value(Ask ask) {
    double value = demand.get(ask);
    return ask.isSize()
        ? Text.bytes((long) value) + (ask == Ask.WRITE_RATE ? "/s" : "")
        : Flags.plain(value);
  }

  private Optional<String> there() {
    return ssd.isPresent() ? Optional.of(verdict.lasts(ssd.getAsDouble())) : Optional.empty();
  }

  private String turns() {
    List<String> turns = new ArrayList<>();
    verdict.below().ifPresent(turn -> turns.add("below " + text(turn)));
    verdict.above().ifPresent(turn -> turns.add("above " + text(turn)));
    return turns.isEmpty()
        ? "The verdict is the same at any price ratio of SSD to HDD from 1 to 200."
        : "The verdict turns with the price ratio of SSD to HDD: " + String.join("; ", turns) + ".";
  }

  private static String text(Turn turn) {
    return String.format(Locale.ROOT, "%.2g: %s", turn.ratio(), turn.name());
  }

  Map<String, Object> json(int exit) {
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/plan/2");
    json.put("exit", exit);
    Map<String, Object> asked = new LinkedHashMap<>();
    for (Ask ask : Ask.values()) {
      asked.put(ask.flag(), Map.of("value", demand.get(ask), "origin", demand.origin(ask)));
    }
    json.put("demand", asked);
    json.put("replicas", demand.replicas());
    json.put("verdict", verdict.text());
    List<Object> setups = new ArrayList<>();
    for (Setup one : verdict.lines()) {
      Map<String, Object> setup = new LinkedHashMap<>();
      setup.put("setup", one.name());
      setup.put("best", isBest(one));
      setup.put("cost", verdict.cost(one));
      setup.put("hdds", one.hdds());
      setup.put("ssdBytes", (long) one.ssd());
      setup.put("ssdYears", Double.isInfinite(one.years()) ? null : one.years());
      setup.put("fails", one.fails().orElse(null));
      setups.add(setup);
    }
    json.put("setups", setups);
    json.put("below", turn(verdict.below()));
    json.put("above", turn(verdict.above()));
    json.put("set", verdict.steps());
    json.put("ssdThere", there().orElse(null));
    return json;
  }

  private static Map<String, Object> turn(Optional<Turn> turn) {
    return turn.map(one -> Map.<String, Object>of("priceRatio", one.ratio(), "setup", one.name()))
        .orElse(null);
  }
}
