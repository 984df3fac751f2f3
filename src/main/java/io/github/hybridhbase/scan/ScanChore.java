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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.directory.DirectoryEnforcer;
import io.github.hybridhbase.directory.DirectoryReader;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.metrics.Metric;
import io.github.hybridhbase.metrics.ScanMetrics;
import io.github.hybridhbase.placement.Layout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What {@code audit} and {@code apply} do to files, on the active master, for ever: reads where
 * every replica is and has misplaced closed files moved. Directories are the {@link
 * DirectoryEnforcer}'s, on a thread of its own with the space monitor. Keeps nothing between two
 * turns but what it has said. One thread at a time.
 *
 * <p>The first move of existing data is asked for: a declaration under which nothing was moved yet
 * needs {@code apply}, {@code hbase.hybrid.repair.move.existing} for as long as it is set, or a
 * scan that finds nothing misplaced, from which on moves are upkeep ({@link ScanConsent}).
 */
@InterfaceAudience.Private
public final class ScanChore {
  private static final Logger LOG = LoggerFactory.getLogger(ScanChore.class);

  /** Tells which files the SSD tier looks after at this time. */
  @InterfaceAudience.Private
  public interface CurrentTierFiles {
    /** These; asked once a turn. */
    TierFiles get() throws IOException;
  }

  private final Layout layout;
  private final HybridSettings settings;
  private final Namespaces namespaces;
  private final BooleanSupplier stopped;
  private final CurrentTierFiles tierFiles;
  private final Supplier<TierTotals> tierTotals;
  private final LogOnChange logged = new LogOnChange();
  private final MoveOutcomes outcomes = new MoveOutcomes();
  private final ScanPace pace;
  private final ScanReads reads;
  private volatile Optional<ScanTurn> last = Optional.empty();
  private volatile String trouble = "";

  /**
   * Makes a chore.
   *
   * @param tierTotals empty ones, as of the time when a turn begins
   * @param stopped asked before each file; the turn ends early once it says true
   * @param pace how often the NameNode is asked
   */
  public ScanChore(
      Layout layout,
      HybridSettings settings,
      Namespaces namespaces,
      CurrentTierFiles tierFiles,
      Supplier<TierTotals> tierTotals,
      BooleanSupplier stopped,
      ScanPace pace) {
    this.pace = pace;
    this.reads = new ScanReads(pace, this::mustEnd);
    this.tierFiles = tierFiles;
    this.tierTotals = tierTotals;
    this.layout = layout;
    this.settings = settings;
    this.namespaces = namespaces;
    this.stopped = stopped;
  }

  /** The last turn that scanned; empty before the first. Any thread. */
  public Optional<ScanTurn> last() {
    return last;
  }

  /** How far the scan is that is under way, a sentence; empty where none is. Any thread. */
  public String progress() {
    return reads.progress();
  }

  /** Why the last turn did not scan to its end, a sentence; empty where it did. Any thread. */
  public String trouble() {
    return trouble;
  }

  /**
   * One turn.
   *
   * @return files that HDFS was asked to move; 0 while a hold stands
   * @throws IOException where HDFS does not answer; the next turn starts anew
   */
  public long doWork() throws IOException {
    try {
      Optional<StorageNamespace> root = namespaces.of(namespaces.keeper(layout));
      if (root.isEmpty() || namespaces.held()) {
        trouble = root.isEmpty() ? "HBase is not on HDFS." : "A hold stands: nothing is scanned.";
        return 0;
      }
      long asked = scan(root.get());
      trouble = "";
      return asked;
    } catch (IOException | RuntimeException e) {
      trouble = "The last scan failed: " + HdfsError.of(e).explain();
      HybridMetrics.get().count(Metric.SCANS_FAILED, mustEnd() ? 0 : 1);
      throw e;
    } finally {
      reads.end();
    }
  }

  /** One turn; where HDFS does not answer that is said once, and is no error of the plugin. */
  public void turn() {
    try {
      doWork();
      logged.isOver("failed");
    } catch (IOException e) {
      if (logged.isNews("failed", trouble)) {
        LOG.warn("{} The next scan starts anew.", trouble, e);
      }
    }
  }

  /** After the last turn: what it found is no longer this process's to tell. */
  public void close() {
    HybridMetrics.get().scans().forget(this);
  }

  private long scan(StorageNamespace root) throws IOException {
    long start = pace.now();
    reads.begin();
    long began = System.currentTimeMillis();
    outcomes.begin();
    // As it is now, so that what the space monitor keeps on DISK is not moved to SSD.
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, false);
    Expectation expectation = Expectation.of(settings, false, found).sparing(tierFiles.get());
    ScanReport scan = new ScanReport(expectation, 0);
    TierTotals tier = tierTotals.get();
    ScanConsent consent = new ScanConsent(layout, settings, namespaces, root, expectation, logged);
    reads.paced(last.isPresent() || consent.isKnown());
    int moveRate = consent.given() ? settings.moveRate() : 0;
    MisplacedFileMover moves =
        new MisplacedFileMover(expectation::of, this::satisfy, moveRate, () -> !mustEnd());
    PendingMoves pending = new PendingMoves();
    new BlockScanner(layout, namespaces, this::mustEnd, 0, reads)
        .walk(
            scan.with(
                (context, file) -> {
                  tier.add(context, file);
                  pending.add(context, file, expectation.of(context, file));
                  moves.file(context, file);
                  if (outcomes.follows(file.path())) {
                    boolean misplaced = file.misplaced(expectation.of(context, file)) > 0;
                    outcomes.seen(file.path(), misplaced);
                  }
                }));
    report(scan, moves, pace.now() - start);
    Optional<String> waits = mustEnd() ? Optional.empty() : consent.ends(scan, pending);
    last = Optional.of(new ScanTurn(began, found, scan, tier, expectation, waits, !mustEnd()));
    return moves.asked();
  }

  /** The hold is asked for again before each move, since a turn may take long. */
  private void satisfy(Path file, boolean unset) throws IOException {
    if (namespaces.held()) {
      throw new FileNotFoundException(file + " is held");
    }
    StorageNamespace namespace =
        namespaces.of(file).orElseThrow(() -> new FileNotFoundException(file.toString()));
    if (unset) {
      namespace.unsetPolicy(file);
    }
    namespace.satisfy(file);
    HybridMetrics.get().count(Metric.MOVES_REQUESTED);
    outcomes.asked(file);
  }

  private boolean mustEnd() {
    return stopped.getAsBoolean() || Thread.currentThread().isInterrupted();
  }

  private void report(ScanReport scan, MisplacedFileMover moves, long nanos) {
    HybridMetrics.get().count(Metric.MOVES_FAILED, moves.refused());
    HybridMetrics.get().count(Metric.MOVES_DONE, outcomes.end(!mustEnd()));
    if (mustEnd()) {
      return;
    }
    HybridMetrics.get().count(Metric.SCANS);
    ScanMetrics.Result result = HybridMetrics.get().scans().result(this);
    for (Component component : Component.values()) {
      ByteTotals closed = scan.closed(component);
      ByteTotals open = scan.open(component);
      result.component(
          component.label(),
          closed.ssdBytes() + open.ssdBytes(),
          closed.diskBytes() + open.diskBytes(),
          closed.otherBytes() + open.otherBytes(),
          closed.misplacedBytes());
    }
    result.ended(
        TimeUnit.NANOSECONDS.toMillis(nanos),
        System.currentTimeMillis(),
        scan.files(),
        outcomes.underWay());
    if (moves.asked() > 0) {
      LOG.info(
          "Of {} files {} lay on the wrong medium; HDFS was asked to move {}",
          scan.files(),
          moves.files(),
          moves.asked());
    }
    String trouble = moves.files() > 0 ? moves.trouble().orElse("") : "";
    if (logged.isNews("moves", trouble)) {
      LOG.warn("{} files lie on the wrong medium. {}", moves.files(), trouble);
    }
  }
}
