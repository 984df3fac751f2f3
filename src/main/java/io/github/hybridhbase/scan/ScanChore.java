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
package io.github.hybridhbase.scan;

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A chore of the active master that scans as {@code check --blocks} does, and takes the policy from
 * archived files that HBase holds on SSD, so that a mover may take them. One thread at a time.
 */
@InterfaceAudience.Private
public final class ScanChore {
  private static final Logger LOG = LoggerFactory.getLogger(ScanChore.class);

  private final Layout layout;
  private final HybridSettings settings;
  private final Namespaces namespaces;
  private final BooleanSupplier stopped;
  private final IoSupplier<TierFiles> tierFiles;
  private final Supplier<TierTotals> tierTotals;
  private final LogOnChange logged = new LogOnChange();
  private final ScanPace pace;
  private volatile Optional<ScanTurn> last = Optional.empty();
  private volatile String trouble = "";

  /**
   * @param tierTotals empty, dated at the start of a turn
   */
  ScanChore(
      Layout layout,
      HybridSettings settings,
      Namespaces namespaces,
      IoSupplier<TierFiles> tierFiles,
      Supplier<TierTotals> tierTotals,
      BooleanSupplier stopped,
      ScanPace pace) {
    this.pace = pace;
    this.tierFiles = tierFiles;
    this.tierTotals = tierTotals;
    this.layout = layout;
    this.settings = settings;
    this.namespaces = namespaces;
    this.stopped = stopped;
  }

  public static ScanChore of(
      Configuration conf,
      Layout layout,
      HybridSettings settings,
      Namespaces namespaces,
      BooleanSupplier stopped,
      ScanPace pace) {
    return new ScanChore(
        layout,
        settings,
        namespaces,
        () -> TierFiles.now(namespaces, layout, settings, conf),
        () -> TierTotals.now(settings, conf),
        stopped,
        pace);
  }

  /** The last turn that scanned; empty before. Any thread. */
  public Optional<ScanTurn> last() {
    return last;
  }

  public String progress() {
    return pace.progress();
  }

  /** A sentence; empty if the last turn completed. Any thread. */
  public String trouble() {
    return trouble;
  }

  /**
   * @throws IOException if HDFS does not answer
   */
  public void doWork() throws IOException {
    try {
      if (namespaces.of(namespaces.keeper(layout)).isEmpty()) {
        trouble = "HBase is not on HDFS.";
        return;
      }
      scan();
      trouble = "";
    } catch (IOException | RuntimeException e) {
      trouble = "The last scan failed: " + HdfsError.of(e).explain();
      HybridMetrics.get().count(Metric.SCANS_FAILED, mustEnd() ? 0 : 1);
      throw e;
    } finally {
      pace.end();
    }
  }

  public void turn() {
    try {
      doWork();
      logged.clear("failed");
    } catch (IOException e) {
      if (logged.changed("failed", trouble)) {
        LOG.warn(
            "{} Until a scan succeeds, misplaced files are not all counted. The next scan, after"
                + " hbase.hybrid.scan.period, starts anew.",
            trouble,
            e);
      }
    }
  }

  public void close() {
    HybridMetrics.get().scans.forget(this);
  }

  private void scan() throws IOException {
    long start = pace.now();
    pace.begin(this::mustEnd);
    long began = System.currentTimeMillis();
    TierFiles files = tierFiles.get();
    ScanReport scan = new ScanReport(new Expectation(layout, settings, files), 0);
    TierTotals tier = tierTotals.get();
    new BlockScanner(layout, namespaces, this::mustEnd, pace)
        .walk(
            scan.with(
                (context, file) -> {
                  tier.add(context, file);
                  if (files.isHeld(context, file) && !release(file)) {
                    scan.heldOnSsd(file);
                  }
                }));
    report(scan, pace.now() - start);
    last = Optional.of(new ScanTurn(began, System.currentTimeMillis(), scan, tier, !mustEnd()));
  }

  /** Whether the policy is off: HDFS may reserve that to its superuser. */
  private boolean release(FileBlocks file) throws IOException {
    StorageNamespace namespace =
        namespaces.of(file.path).orElseThrow(() -> new IOException("not on HDFS"));
    pace.before();
    try {
      namespace.unsetPolicy(file.path);
      HybridMetrics.get().count(Metric.POLICIES_RELEASED);
      return true;
    } catch (FileNotFoundException e) {
      return true;
    } catch (IOException e) {
      if (HdfsError.of(e).kind.isOfAllFiles()) {
        throw e;
      }
      LOG.debug("{} keeps its policy", file.path, e);
      return false;
    }
  }

  private boolean mustEnd() {
    return stopped.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  private void report(ScanReport scan, long nanos) {
    if (mustEnd()) {
      return;
    }
    HybridMetrics.get().count(Metric.SCANS);
    Map<String, Long> gauges = new HashMap<>();
    for (Component component : Component.values()) {
      ByteTotals all = scan.all(component);
      long misplaced = scan.closed(component).misplacedBytes();
      gauges.put(HybridMetrics.scanned(component, "Ssd"), all.ssdBytes());
      gauges.put(HybridMetrics.scanned(component, "Disk"), all.diskBytes());
      gauges.put(HybridMetrics.scanned(component, "Other"), all.otherBytes());
      gauges.put(HybridMetrics.scanned(component, "Misplaced"), misplaced);
      gauges.merge("misplacedBytes", misplaced, Long::sum);
    }
    gauges.put("scanMillis", TimeUnit.NANOSECONDS.toMillis(nanos));
    gauges.put("scanEndedSeconds", System.currentTimeMillis() / 1_000);
    gauges.put("scanFiles", scan.files());
    HybridMetrics.get().scans.publish(this, gauges);
  }

  /** The immutable result of a walk. */
  public static final class ScanTurn {
    private final long began;
    private final long millis;
    private final ScanReport report;
    private final TierTotals tier;
    private final boolean complete;

    public ScanTurn(long began, long ended, ScanReport report, TierTotals tier, boolean complete) {
      this.began = began;
      this.millis = Math.max(0, ended - began);
      this.report = report;
      this.tier = tier;
      this.complete = complete;
    }

    /** Milliseconds since 1970. */
    public long began() {
      return began;
    }

    public long millis() {
      return millis;
    }

    public ScanReport report() {
      return report;
    }

    public TierTotals tier() {
      return tier;
    }

    public boolean complete() {
      return complete;
    }
  }
}
