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

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Cells of a file, and what lies between them. What is said of settings, data and sections is of
 * one {@link #plan}. Immutable.
 */
@InterfaceAudience.Private
final class Results {
  /** What all is compared to. */
  static final String BASE = "hdd";

  static final String THROUGHPUT = "opsPerSecond";

  /** Reads a second of an HDD from which nothing is to be read: fewer are not a workload's. */
  private static final double STRAY_READS = 1;

  private final JsonNode root;
  private final List<Measured> cells;

  private Results(JsonNode root, List<Measured> cells) {
    this.root = root;
    this.cells = cells;
  }

  static Results of(JsonNode root) {
    List<Measured> cells = new ArrayList<>();
    root.path("cells").forEach(cell -> cells.add(new Measured(cell)));
    return new Results(root, cells);
  }

  /** Names of plans, in their order. */
  List<String> plans() {
    return cells.stream().map(Measured::plan).distinct().collect(Collectors.toList());
  }

  /** Those of one plan. */
  Results plan(String name) {
    return where(cell -> cell.plan().equals(name));
  }

  private JsonNode plan() {
    return root.path("plans").path(cells.isEmpty() ? "" : cells.get(0).plan());
  }

  /** Those of one section. */
  Results section(String name) {
    return where(cell -> cell.sections().contains(name));
  }

  Results group(String name) {
    return where(cell -> cell.group().equals(name));
  }

  Results where(Predicate<Measured> condition) {
    return new Results(root, cells.stream().filter(condition).collect(Collectors.toList()));
  }

  JsonNode settings() {
    return plan().path("settings");
  }

  int size() {
    return cells.size();
  }

  /** Rounds that a cell was measured in at most. */
  int rounds() {
    return cells.stream().mapToInt(Measured::round).max().orElse(0);
  }

  boolean isEmpty() {
    return cells.isEmpty();
  }

  /** Names of sections, in their order. */
  List<String> sections() {
    return cells.stream()
        .flatMap(cell -> cell.sections().stream())
        .distinct()
        .collect(Collectors.toList());
  }

  /** Names of groups, in their order: cells that differ in set-up and round only. */
  List<String> groups() {
    return cells.stream().map(Measured::group).distinct().collect(Collectors.toList());
  }

  /** Set-ups, in a settled order. */
  List<String> series() {
    List<String> order =
        List.of("hdd", "wal-only", "only-", "hybrid", "hybrid+cache", "hybrid+hot", "ssd");
    return cells.stream()
        .map(Measured::series)
        .distinct()
        .sorted(
            Comparator.comparingInt((String one) -> rank(order, one))
                .thenComparingInt(String::length)
                .thenComparing(one -> one))
        .collect(Collectors.toList());
  }

  private static int rank(List<String> order, String series) {
    int rank = 0;
    for (int i = 0; i < order.size(); i++) {
      if (series.startsWith(order.get(i))) {
        rank = i;
      }
    }
    return rank;
  }

  /** What these are compared to: all HDD, or the first set-up where that was not measured. */
  String base() {
    List<String> series = series();
    return series.isEmpty() || series.contains(BASE) ? BASE : series.get(0);
  }

  private List<Measured> of(String series) {
    return cells.stream().filter(one -> one.series().equals(series)).collect(Collectors.toList());
  }

  /** A number of a set-up over its rounds; of the group that these results are. */
  Stat stat(String series, String path) {
    return Stat.of(
        of(series).stream()
            .mapToDouble(cell -> cell.number(path))
            .filter(value -> !Double.isNaN(value))
            .boxed()
            .collect(Collectors.toList()));
  }

  /** Of one set-up to that of another, in the rounds that have both; of a group. */
  Stat ratio(String series, String base, String path) {
    return Stat.of(new ArrayList<>(ratios(series, base, path).values()));
  }

  /** The same by round. */
  SortedMap<Integer, Double> ratios(String series, String base, String path) {
    SortedMap<Integer, Double> ratios = new TreeMap<>();
    for (Measured own : of(series)) {
      of(base).stream()
          .filter(one -> one.round() == own.round())
          .map(one -> own.number(path) / one.number(path))
          .filter(ratio -> !Double.isNaN(ratio) && !Double.isInfinite(ratio))
          .findFirst()
          .ifPresent(ratio -> ratios.put(own.round(), ratio));
    }
    return ratios;
  }

  /**
   * Bytes of user data in units of 10⁶: the least that all HDD stored, after its load or in a cell,
   * since a load may have files that HBase deletes later; else what was asked for.
   */
  double dataMb() {
    double least = Double.POSITIVE_INFINITY;
    for (Iterator<Map.Entry<String, JsonNode>> all = plan().path("loads").fields();
        all.hasNext(); ) {
      Map.Entry<String, JsonNode> load = all.next();
      if (load.getKey().startsWith(BASE + "/")) {
        least = lesser(least, load.getValue().path("onHddMb"));
      }
    }
    String name = cells.isEmpty() ? "" : cells.get(0).plan();
    for (JsonNode cell : root.path("cells")) {
      if (cell.path("plan").asText().equals(name) && cell.path("setup").asText().equals(BASE)) {
        least = lesser(least, cell.path("storedOnHddMb"));
      }
    }
    return Double.isInfinite(least)
        ? settings().path("scale").path("rows").asDouble() / 1_000
        : least;
  }

  private static double lesser(double least, JsonNode mb) {
    return mb.asDouble() > 0 ? Math.min(least, mb.asDouble()) : least;
  }

  /** User data that a set-up has on SSD and not on HDD, in units of 10⁶ bytes: hot rows. */
  double movedMb(String series) {
    Stat stored = stat(series, "storedOnHddMb");
    return series.startsWith("hybrid+hot") && stored.known()
        ? Math.max(0, dataMb() - stored.greatest)
        : 0;
  }

  /** What a set-up costs against all HDD; the most that these cells took is bought. */
  Costs costs(PriceList prices, String series, Stat gain) {
    return prices.costs(
        series, dataMb(), movedMb(series), systemMb(series), cacheMb(series), gain.median);
  }

  /**
   * SSD that files of a set-up took at most, without the bucket cache, in units of 10⁶ bytes; NaN
   * where unknown.
   */
  double systemMb(String series) {
    return system(series).greatest;
  }

  /** What the files of each of its cells took at most. */
  Stat system(String series) {
    return stat(series, "ssdPeakMb");
  }

  /**
   * What these cells should not have, for people: operations that failed, and with reads from
   * memory those that were not. Begins with a comma where it is not empty.
   */
  String trouble() {
    long failed = failed();
    boolean read = false;
    for (Measured cell : cells) {
      read |= cell.is("reads", "memory") && cell.number("hdd.readsPerSecond") >= STRAY_READS;
    }
    return (failed == 0 ? "" : ", " + failed + " failed") + (read ? ", read from the HDD" : "");
  }

  /** Operations that failed. */
  long failed() {
    return cells.stream().mapToLong(Measured::failed).sum();
  }

  /** Its bucket cache, in units of 10⁶ bytes; NaN where unknown. */
  double cacheMb(String series) {
    return stat(series, "cacheMb").greatest * (1 << 20) / 1e6;
  }
}
