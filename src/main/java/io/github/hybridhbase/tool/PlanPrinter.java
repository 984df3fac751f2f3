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
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.tool.plan.Medium;
import io.github.hybridhbase.tool.plan.PlanReport;
import io.github.hybridhbase.tool.plan.PlanReport.NodeLoad;
import io.github.hybridhbase.tool.plan.Prices;
import io.github.hybridhbase.tool.plan.Prices.Costs;
import io.github.hybridhbase.tool.plan.SiteAdvice;
import io.github.hybridhbase.tool.plan.SsdNeed;
import io.github.hybridhbase.tool.plan.Workload.Input;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import org.apache.yetus.audience.InterfaceAudience;

/** A printer of a plan as text and as JSON. */
@InterfaceAudience.Private
public final class PlanPrinter {
  private static final Map<Component, String> WHAT =
      Map.of(
          Component.WAL, "WALs in use",
          Component.ARCHIVE, "old WALs until they are deleted",
          Component.META, "hbase:meta and other catalogs",
          Component.MASTER, "MasterData");

  private final PlanReport plan;
  private final SiteAdvice advice;

  public PlanPrinter(PlanReport plan, SiteAdvice advice) {
    this.plan = plan;
    this.advice = advice;
  }

  public void text(PrintStream out) {
    SsdNeed need = plan.need();
    out.println(verdict());
    out.println();
    Table table = new Table().row("on SSD", "all replicas", "on a DataNode");
    double nodes = plan.workload().get(Input.DATA_NODES);
    need.system()
        .forEach((component, bytes) -> row(table, WHAT.get(component), bytes, bytes / nodes));
    row(table, "young store files (SSD tier)", need.tierBytes(), need.tierBytes() / nodes);
    double kept = need.headroom().bytesToReturn();
    row(table, "to be kept free for new blocks", kept * nodes, kept);
    row(
        table,
        "and for recovered edits of a dead server",
        need.recoveredEdits(),
        need.recoveredEdits() / nodes);
    row(table, "capacity, without caches", need.capacity(), need.capacityPerNode());
    table.print(out);
    out.println();
    out.println(
        String.format(
            Locale.ROOT,
            "f, data on SSD against user data: %.3f %%. %s",
            100 * need.share(),
            wear()));
    out.println(load());
    out.println();
    costs().print(out);
    out.println(
        "Costs are of drives, by C = sum of price * data / utilisation; the gain is throughput"
            + " against all HDD.");
    out.println();
    out.println("Rests on:");
    assumptions().forEach(one -> out.println("  " + Text.escape(one)));
    out.println();
    out.println("Recommended for hbase-site.xml, beside what hbase-hybrid enable sets:");
    if (advice.values().isEmpty()) {
      out.println("  nothing: the defaults fit");
    }
    advice
        .values()
        .forEach(
            (key, value) ->
                out.println(
                    "  "
                        + Text.escape(key + "=" + value)
                        + "  ("
                        + advice.reasons().get(key)
                        + ")"));
    advice.remarks().forEach(one -> out.println("  " + Text.escape(one) + "."));
  }

  private String verdict() {
    String needed =
        Text.bytes((long) plan.neededPerNode())
            + " of SSD on each of "
            + Text.count((long) plan.workload().get(Input.DATA_NODES), "DataNode");
    if (plan.neededPerNode() > plan.need().capacityPerNode()) {
      needed +=
          String.format(
              Locale.ROOT,
              " (to last %s years; %s for space)",
              Flags.plain(plan.life()),
              Text.bytes((long) plan.need().capacityPerNode()));
    }
    String cache =
        plan.cachePerNode() > 0
            ? ", and " + Text.bytes((long) plan.cachePerNode()) + " for the bucket cache"
            : "";
    if (plan.workload().get(Input.SSD) == 0) {
      return "Needed: " + needed + cache + ".";
    }
    String first = plan.falls() ? "Too little SSD: " : "Enough SSD: ";
    if (!plan.falls() && plan.wearsOut()) {
      double years = plan.wearYears();
      first =
          "The SSDs wear out in "
              + (years < 2
                  ? String.format(Locale.ROOT, "%.0f weeks", Math.max(1, 52.18 * years))
                  : String.format(Locale.ROOT, "%.1f years", years))
              + ", not "
              + Flags.plain(plan.life())
              + " years: ";
    }
    return first
        + needed
        + " is needed, "
        + Text.bytes((long) plan.nodeSsd())
        + " is there for HDFS"
        + cache
        + ".";
  }

  private String wear() {
    double years = plan.wearYears();
    return Double.isInfinite(years)
        ? "Nothing is written, so nothing wears out."
        : String.format(
            Locale.ROOT,
            "HBase writes %s/s to SSD, which lasts %.1f years.",
            Text.bytes((long) plan.need().bytesPerSecond()),
            years);
  }

  private String load() {
    NodeLoad load = plan.nodeLoad();
    double most = load.mostServers();
    return String.format(
        Locale.ROOT,
        "A DataNode with SSD receives %s/s and sends %s/s (%.0f %% of its network), and takes %,.0f"
            + " requests/s for syncs (%.0f %% of its SSD). %s",
        Text.bytes((long) load.received()),
        Text.bytes((long) load.sent()),
        100 * load.networkShare(),
        load.requests(),
        100 * load.iopsShare(),
        Double.isInfinite(most)
            ? "Nothing is written."
            : String.format(
                Locale.ROOT,
                "%s: %,.0f servers as busy as these are the most.",
                load.saturates() ? "That is TOO MUCH" : "That is enough",
                most));
  }

  private static void row(Table table, String what, double all, double each) {
    table.row(what, Text.bytes((long) all), Text.bytes((long) each));
  }

  private Table costs() {
    Table table =
        new Table().row("", "cost", "against HDD", "gain", "cost/throughput", "pays from");
    for (Costs one : plan.costs()) {
      table.row(
          one.name(),
          number(OptionalDouble.of(one.cost()), "%,.0f"),
          number(OptionalDouble.of(one.costRatio()), "%.3f"),
          number(one.gain(), "%.2f"),
          number(one.costPerThroughput(), "%.3f"),
          number(OptionalDouble.of(one.breakEvenGain()), "%.3f"));
    }
    return table;
  }

  private static String number(OptionalDouble number, String format) {
    return number.isPresent()
        ? String.format(Locale.ROOT, format, number.getAsDouble())
        : "not known";
  }

  private List<String> assumptions() {
    List<String> all = new ArrayList<>();
    for (Input input : Input.values()) {
      double value = plan.workload().get(input);
      String text =
          input.unit().startsWith("bytes")
              ? Text.bytes((long) value) + input.unit().substring("bytes".length())
              : Flags.plain(value) + (input.unit().isEmpty() ? "" : " " + input.unit());
      String origin = plan.workload().origin(input);
      all.add(
          String.format(
              Locale.ROOT, "--%s %s: %s (%s)", input.flag(), text, input.meaning(), origin));
    }
    Prices prices = plan.prices();
    all.add(medium("hdd", prices.hdd()));
    all.add(medium("ssd", prices.ssd()));
    all.add(
        String.format(
            Locale.ROOT,
            "--endurance %s drive writes, --amplification %s",
            Flags.plain(plan.driveWrites()),
            Flags.plain(plan.amplification())));
    all.add(
        "prices, utilisation, endurance and amplification that were not given are "
            + Prices.ASSUMED);
    return all;
  }

  private static String medium(String name, Medium medium) {
    return String.format(
        Locale.ROOT,
        "--%s-price %s for 10^9 bytes, --%s-use %s %% of the capacity",
        name,
        Flags.plain(medium.pricePerGb()),
        name,
        Flags.plain(100 * medium.utilisation()));
  }

  public Map<String, Object> json(int exit) {
    SsdNeed need = plan.need();
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/plan/1");
    json.put("exit", exit);
    Map<String, Object> inputs = new LinkedHashMap<>();
    for (Input input : Input.values()) {
      Map<String, Object> one = new LinkedHashMap<>();
      one.put("value", plan.workload().get(input));
      one.put("unit", input.unit());
      one.put("origin", plan.workload().origin(input));
      inputs.put(input.flag(), one);
    }
    json.put("inputs", inputs);
    Map<String, Object> ssd = new LinkedHashMap<>();
    need.system().forEach((component, bytes) -> ssd.put(component.label(), bytes.longValue()));
    ssd.put(Component.TIER.label(), (long) need.tierBytes());
    json.put("ssdBytes", ssd);
    json.put("keptFreePerNode", need.headroom().bytesToReturn());
    json.put("recoveredEdits", (long) need.recoveredEdits());
    json.put("capacity", (long) need.capacity());
    json.put("capacityPerNode", (long) need.capacityPerNode());
    json.put("neededPerNode", (long) plan.neededPerNode());
    json.put("share", need.share());
    List<Object> costs = new ArrayList<>();
    for (Costs one : plan.costs()) {
      Map<String, Object> cost = new LinkedHashMap<>();
      cost.put("option", one.name());
      cost.put("cost", one.cost());
      cost.put("costRatio", one.costRatio());
      cost.put("gain", orNull(one.gain()));
      cost.put("costPerThroughput", orNull(one.costPerThroughput()));
      cost.put("breakEvenGain", one.breakEvenGain());
      costs.add(cost);
    }
    json.put("costs", costs);
    json.put("ssdBytesPerSecond", need.bytesPerSecond());
    double years = plan.wearYears();
    json.put("wearYears", Double.isInfinite(years) || Double.isNaN(years) ? null : years);
    NodeLoad load = plan.nodeLoad();
    json.put("nodeReceivedBytesPerSecond", load.received());
    json.put("nodeSentBytesPerSecond", load.sent());
    json.put("nodeRequestsPerSecond", load.requests());
    double most = load.mostServers();
    json.put("mostServers", Double.isInfinite(most) || Double.isNaN(most) ? null : most);
    json.put("assumptions", assumptions());
    List<Object> properties = new ArrayList<>();
    advice
        .values()
        .forEach(
            (key, value) ->
                properties.add(
                    Map.of("name", key, "value", value, "reason", advice.reasons().get(key))));
    json.put("properties", properties);
    json.put("remarks", advice.remarks());
    return json;
  }

  private static Double orNull(OptionalDouble number) {
    return number.isPresent() ? number.getAsDouble() : null;
  }
}
