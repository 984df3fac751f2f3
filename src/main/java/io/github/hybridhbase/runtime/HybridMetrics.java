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
package io.github.hybridhbase.runtime;

import io.github.hybridhbase.runtime.MetricDeclaration.Declared;
import io.github.hybridhbase.runtime.MetricDeclaration.GaugeGroup;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.commons.lang3.StringUtils;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin's metrics in HBase's metrics system, JMX bean {@code
 * Hadoop:service=HBase,name=Hybrid,sub=Hybrid}. One instance per process. Thread-safe; counting
 * takes no lock.
 */
@InterfaceAudience.Private
public final class HybridMetrics {
  /** Percentages of a store's bytes for which reads are estimated. */
  public static final double[] HOT_SHARES = {0.5, 2, 5, 10};

  /** Gauges of the percentages of reads for each of {@link #HOT_SHARES}. */
  public static final List<String> HOT_CAUGHT_BY =
      List.of(
          "hotGetsOfHalfPercent", "hotGetsOf2Percent", "hotGetsOf5Percent", "hotGetsOf10Percent");

  private static final HybridMetrics INSTANCE = new HybridMetrics();

  /** Rare: none is counted per append or sync. */
  private static final Map<Metric, String> EVENTS =
      Map.of(
          Metric.WAL_FALLBACKS_NO_SPACE, "fall-back: no SSD with space",
          Metric.WAL_FALLBACKS_SILENT, "fall-back: a DataNode did not respond",
          Metric.WAL_FALLBACKS_UNDER_REPLICATED, "fall-back: too few replicas on SSD",
          Metric.WAL_FALLBACKS_REFUSED, "fall-back: a DataNode refused",
          Metric.WAL_RETURNS, "return to SSD",
          Metric.WAL_FAILOVERS_SILENT, "fail-over: a DataNode hung",
          Metric.WAL_FAILOVERS_SLOW, "fail-over: a DataNode was slow");

  private final Map<Metric, Counter> counters = new EnumMap<>(Metric.class);

  private final Map<String, WriterShortfall> shortfalls = new ConcurrentHashMap<>();

  private final Map<String, Supplier<Map<String, String>>> excluded = new ConcurrentHashMap<>();

  private final LogOnChange failures = new LogOnChange();

  private volatile String lastWalEvent = "";

  private final Declared declared;
  private final WalMetrics wals;

  /** Of RegionServers' SSD tiers. */
  public final GaugeGroup tier;

  /**
   * Of RegionServers' open stores of users: {@code with} the tier's engine, and {@code without}.
   */
  public final GaugeGroup engines;

  /** Of the active master's last scan. */
  public final GaugeGroup scans;

  /** Of the active master's last look at SSD. */
  public final GaugeGroup space;

  /** Of RegionServers' files of hot rows. */
  public final GaugeGroup hot;

  private HybridMetrics() {
    MetricRegistryInfo info =
        new MetricRegistryInfo(
            "Hybrid", "Placement of HBase on SSD and HDD", "Hybrid,sub=Hybrid", "HBase", false);
    declared = new Declared(MetricRegistries.global().create(info));
    for (Metric metric : Metric.values()) {
      counters.put(metric, declared.counter(metric.label(), metric.help));
    }
    declared.gauge(
        "walWritersNotInForce",
        "servers here whose WAL writers lack an ability",
        () -> (long) shortfalls.size());
    wals = new WalMetrics(declared);
    tier =
        new GaugeGroup(declared)
            .gauge("tierBytes", "SSD in use by this server's young store files")
            .gauge("tierShare", "SSD granted to them");
    engines = new GaugeGroup(declared);
    scans =
        new GaugeGroup(declared)
            .gauge("misplacedBytes", "replicas of closed files on the wrong medium");
    for (Component component : Component.values()) {
      for (String medium : List.of("Ssd", "Disk", "Other", "Misplaced")) {
        scans.gauge(scanned(component, medium), "replicas of the component's files");
      }
    }
    scans
        .gauge("scanMillis", "duration of the last whole scan")
        .gauge("scanEndedSeconds", "its end, since 1970; 0 before the first")
        .gauge("scanFiles", "files that it saw");
    space =
        new GaugeGroup(declared)
            .gauge("ssdCapacityBytes", "SSD of all DataNodes in service")
            .gauge("ssdUsedBytes", "blocks on SSD")
            .gauge("ssdFreeBytes", "free on SSD")
            .gauge("ssdDataNodes", "DataNodes in service that have SSD")
            .gauge("ssdDataNodesFull", "… without space for a WAL's block")
            .gauge("ssdSpaceKnown", "HDFS instances whose space on SSD is known");
    hot =
        new GaugeGroup(declared)
            .gauge("hotBytes", "lengths of this server's files of hot rows")
            .gauge(
                "hotDiskReads", "blocks a second that stores with or for hot rows read from DISK")
            .gauge(
                "hotGetsPercent", "share of counted reads of rows that files of hot rows answer");
    for (String caughtBy : HOT_CAUGHT_BY) {
      hot.gauge(caughtBy, "… that they would with so many percent of the bytes; 0 if too few");
    }
    hot.gauge("hotSketchBytes", "memory that counts reads by row")
        .gauge("hotPaybackSeconds", "shortest payback of a compaction for hot rows; 0 without");
  }

  /**
   * The gauge of a component's bytes.
   *
   * @param medium {@code Ssd}, {@code Disk}, {@code Other}, with open files; or {@code Misplaced}
   */
  public static String scanned(Component component, String medium) {
    return "bytes" + StringUtils.capitalize(component.label()) + medium;
  }

  public List<MetricDeclaration> declared() {
    return List.copyOf(declared.all);
  }

  public WalMetrics wals() {
    return wals;
  }

  public static HybridMetrics get() {
    return INSTANCE;
  }

  public void writers(String server, WriterShortfall why) {
    shortfalls.put(server, why);
  }

  public void writersEnded(String server) {
    shortfalls.remove(server);
  }

  /**
   * @param nodes the DataNodes that the server's WALs exclude, each since when
   */
  public void excluding(String server, Supplier<Map<String, String>> nodes) {
    excluded.put(server, nodes);
  }

  Map<String, String> excluded() {
    Map<String, String> all = new TreeMap<>();
    excluded.values().forEach(nodes -> all.putAll(nodes.get()));
    return all;
  }

  public List<WriterShortfall> shortfalls() {
    return shortfalls.values().stream()
        .distinct()
        .sorted(Comparator.comparing(WriterShortfall::toString))
        .collect(Collectors.toList());
  }

  public void count(Metric metric) {
    count(metric, 1);
  }

  public void count(Metric metric, long some) {
    counters.get(metric).increment(some);
    if (EVENTS.containsKey(metric)) {
      lastWalEvent = Instant.now().truncatedTo(ChronoUnit.SECONDS) + " " + EVENTS.get(metric);
    }
  }

  /** The last fall-back or fail-over of a WAL: its time and cause; "" for none. */
  public String lastWalEvent() {
    return lastWalEvent;
  }

  boolean failure(String kind) {
    count(Metric.HOOK_FAILURES);
    return failures.changed(kind, kind);
  }

  /** Total since the process started. */
  public long value(Metric metric) {
    return counters.get(metric).getCount();
  }
}
