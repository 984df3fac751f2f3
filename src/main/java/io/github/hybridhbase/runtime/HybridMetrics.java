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

import io.github.hybridhbase.runtime.MetricDeclaration.GaugeGroup;
import io.github.hybridhbase.runtime.MetricDeclaration.Type;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.apache.hadoop.hbase.metrics.Counter;
import org.apache.hadoop.hbase.metrics.Gauge;
import org.apache.hadoop.hbase.metrics.MetricRegistries;
import org.apache.hadoop.hbase.metrics.MetricRegistry;
import org.apache.hadoop.hbase.metrics.MetricRegistryInfo;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The plugin's metrics in HBase's metrics system, JMX bean {@code
 * Hadoop:service=HBase,name=Hybrid,sub=Hybrid}. One instance per process. Thread-safe; counting
 * takes no lock.
 */
@InterfaceAudience.Private
public final class HybridMetrics {
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

  private final Set<String> durableLogs = ConcurrentHashMap.newKeySet();

  private final Map<String, List<WriterShortfall>> shortfalls = new ConcurrentHashMap<>();

  private final Map<String, Supplier<Map<String, String>>> excluded = new ConcurrentHashMap<>();

  private final Map<String, OpenStores> openStores = new ConcurrentHashMap<>();

  private final LogOnChange failures = new LogOnChange();

  private volatile String lastWalEvent = "";

  private final Map<String, Long> bytesOnSsd = new ConcurrentHashMap<>();
  private final Map<String, Long> bytesAllowed = new ConcurrentHashMap<>();

  private final WalMetrics wals;
  private final ScanMetrics scans;
  private final SpaceMetrics space;
  private final HotMetrics hot;

  private HybridMetrics() {
    MetricRegistry registry =
        MetricRegistries.global()
            .create(
                new MetricRegistryInfo(
                    "Hybrid",
                    "Placement of HBase on SSD and HDD",
                    "Hybrid,sub=Hybrid",
                    "HBase",
                    false));
    for (Metric metric : Metric.values()) {
      if (metric.isGauge()) {
        gauge(registry, metric.label(), () -> gauge(metric));
      } else {
        counters.put(metric, registry.counter(metric.label()));
      }
    }
    for (WriterShortfall.Capability capability : WriterShortfall.Capability.values()) {
      gauge(
          registry,
          capability.gauge(),
          () ->
              shortfalls.values().stream()
                  .filter(all -> all.stream().anyMatch(one -> one.concerns(capability)))
                  .count());
    }
    wals = new WalMetrics(registry, durableLogs::contains);
    scans = new ScanMetrics(registry);
    space = new SpaceMetrics(registry);
    hot = new HotMetrics(registry);
  }

  private static void gauge(MetricRegistry registry, String label, Gauge<Long> value) {
    registry.register(label, value);
  }

  public List<MetricDeclaration> declared() {
    List<MetricDeclaration> all = new ArrayList<>();
    for (Metric metric : Metric.values()) {
      all.add(metric.declaration());
    }
    for (WriterShortfall.Capability capability : WriterShortfall.Capability.values()) {
      String help = "servers here on which " + capability.title() + " is not in force";
      all.add(new MetricDeclaration(capability.gauge(), Type.GAUGE, help));
    }
    all.addAll(wals.declared());
    all.addAll(scans.declared());
    all.addAll(space.declared());
    all.addAll(hot.declared());
    return all;
  }

  public WalMetrics wals() {
    return wals;
  }

  public ScanMetrics scans() {
    return scans;
  }

  public SpaceMetrics space() {
    return space;
  }

  public HotMetrics hot() {
    return hot;
  }

  public static HybridMetrics get() {
    return INSTANCE;
  }

  public void tierUsage(String server, long bytes, long share) {
    bytesOnSsd.put(server, bytes);
    bytesAllowed.put(server, share);
  }

  public void tierEnded(String server) {
    bytesOnSsd.remove(server);
    bytesAllowed.remove(server);
    hot.forget(server);
  }

  private long gauge(Metric metric) {
    switch (metric) {
      case WALS_DURABLE:
        return durableLogs.size();
      case TIER_BYTES:
        return sum(bytesOnSsd);
      case TIER_SHARE:
        return sum(bytesAllowed);
      default:
        throw new IllegalArgumentException(metric + " is no gauge");
    }
  }

  private static long sum(Map<String, Long> bytes) {
    return bytes.values().stream().mapToLong(Long::longValue).sum();
  }

  public void durableLog(String log, boolean durable) {
    if (durable) {
      durableLogs.add(log);
    } else {
      durableLogs.remove(log);
    }
  }

  /**
   * @param why one entry for each cause
   */
  public void writers(String server, List<WriterShortfall> why) {
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

  /**
   * Open stores of a user table's region; 0 and 0 removes the region.
   *
   * @param region unique in this process
   * @param without those without the SSD tier's engine although no descriptor names another
   * @param ended whether the server has stopped or aborted, which closes no region
   */
  public void engines(String region, int with, int without, BooleanSupplier ended) {
    if (with + without > 0) {
      openStores.put(region, new OpenStores(with, without, ended));
    } else {
      openStores.remove(region);
    }
  }

  /** Of live servers. */
  int engines(boolean with) {
    openStores.values().removeIf(stores -> stores.ended.getAsBoolean());
    return openStores.values().stream()
        .mapToInt(stores -> with ? stores.with : stores.without)
        .sum();
  }

  private static final class OpenStores {
    private final int with;
    private final int without;
    private final BooleanSupplier ended;

    OpenStores(int with, int without, BooleanSupplier ended) {
      this.with = with;
      this.without = without;
      this.ended = ended;
    }
  }

  public List<WriterShortfall> shortfalls() {
    return shortfalls.values().stream()
        .flatMap(List::stream)
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

  /** A counter's total since the process started, or a gauge's value. */
  public long value(Metric metric) {
    return metric.isGauge() ? gauge(metric) : counters.get(metric).getCount();
  }

  /** Gauges of this server's files of hot rows. */
  public static final class HotMetrics extends GaugeGroup {
    private static final String BYTES = "hotBytes";
    private static final String DISK = "hotDiskReads";

    /** Percentages of a store's bytes for which reads are estimated. */
    public static final double[] SHARES = {0.5, 2, 5, 10};

    private static final String CAUGHT = "hotGetsPercent";
    private static final String[] CAUGHT_BY = {
      "hotGetsOfHalfPercent", "hotGetsOf2Percent", "hotGetsOf5Percent", "hotGetsOf10Percent"
    };
    private static final String SKETCHES = "hotSketchBytes";
    private static final String PAYBACK = "hotPaybackSeconds";

    HotMetrics(MetricRegistry registry) {
      super(registry);
      declare(BYTES, "lengths of this server's files of hot rows");
      declare(DISK, "blocks a second that stores with or for hot rows read from DISK");
      declare(CAUGHT, "share of counted reads of rows that files of hot rows answer");
      for (String caughtBy : CAUGHT_BY) {
        declare(caughtBy, "… that they would with so many percent of the bytes; 0 if too few");
      }
      declare(SKETCHES, "memory that counts reads by row");
      declare(PAYBACK, "shortest payback of a compaction for hot rows; 0 without");
    }

    /**
     * @param caughtPercent of stores with a file of hot rows
     * @param caughtBy percent of reads for each of {@link #SHARES}
     */
    public void seen(
        String server,
        long bytes,
        long diskReads,
        long caughtPercent,
        long[] caughtBy,
        long sketchBytes,
        long paybackSeconds) {
      Map<String, Long> values = new HashMap<>();
      values.put(BYTES, bytes);
      values.put(DISK, diskReads);
      values.put(CAUGHT, caughtPercent);
      for (int i = 0; i < SHARES.length; i++) {
        values.put(CAUGHT_BY[i], caughtBy[i]);
      }
      values.put(SKETCHES, sketchBytes);
      values.put(PAYBACK, paybackSeconds);
      publish(server, values);
    }
  }
}
