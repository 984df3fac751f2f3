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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.placement.HdfsLimits;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.HybridMetrics;
import io.github.hybridhbase.runtime.HybridSettings;
import io.github.hybridhbase.runtime.IoSupplier;
import io.github.hybridhbase.runtime.Layout;
import io.github.hybridhbase.runtime.LogOnChange;
import io.github.hybridhbase.runtime.Metric;
import io.github.hybridhbase.runtime.ScanMetrics;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.ScanConsent.PendingMoves;
import io.github.hybridhbase.scan.ScanReport.ByteTotals;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.apache.hadoop.fs.Path;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A chore of the active master that applies to files what {@code audit} and {@code apply} do: reads
 * all block locations and requests moves of misplaced closed files. One thread at a time.
 *
 * <p>Existing data moves only with consent ({@link ScanConsent}): {@code apply}, {@code
 * hbase.hybrid.move.existing}, or an earlier scan that found nothing misplaced.
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
  private final MoveOutcomes outcomes = new MoveOutcomes();
  private final ScanPace pace;
  private volatile Optional<ScanTurn> last = Optional.empty();
  private volatile String trouble = "";

  /**
   * @param tierTotals empty totals, dated at the start of a turn
   * @param stopped true ends the turn early
   */
  public ScanChore(
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

  /** The last turn that scanned; empty before the first. Any thread. */
  public Optional<ScanTurn> last() {
    return last;
  }

  /**
   * Why the last whole scan did not find all in place, "" if it did; empty before such a scan. Any
   * thread.
   */
  public Optional<String> unsettled() {
    return last.filter(ScanTurn::complete).map(ScanTurn::unsettled);
  }

  public String progress() {
    return pace.progress();
  }

  /** A sentence; empty if the last turn completed. Any thread. */
  public String trouble() {
    return trouble;
  }

  /**
   * @return number of moves requested; 0 during a hold
   * @throws IOException if HDFS does not answer
   */
  public long doWork() throws IOException {
    try {
      Optional<StorageNamespace> root = namespaces.of(namespaces.keeper(layout));
      if (root.isEmpty() || namespaces.held()) {
        trouble =
            root.isEmpty()
                ? "HBase is not on HDFS."
                : "A hold stands: nothing is placed or scanned. 'hbase-hybrid audit' names who set"
                    + " it; "
                    + Hold.REMEDY
                    + ".";
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
            "{} Until a scan succeeds, misplaced files are not all counted and moved. The next "
                + "scan, after hbase.hybrid.scan.period, starts anew.",
            trouble,
            e);
      }
    }
  }

  public void close() {
    HybridMetrics.get().scans().forget(this);
  }

  private long scan(StorageNamespace root) throws IOException {
    long start = pace.now();
    pace.begin(this::mustEnd);
    long began = System.currentTimeMillis();
    outcomes.begin();
    // As on HDFS now: demoted data must not move back to SSD.
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, false);
    Expectation expectation = Expectation.of(settings, false, found).ignoring(tierFiles.get());
    ScanReport scan = new ScanReport(expectation, 0);
    TierTotals tier = tierTotals.get();
    ScanConsent consent = new ScanConsent(layout, settings, namespaces, root, expectation, logged);
    pace.paced(last.isPresent() || consent.isKnown());
    boolean places = settings.mode().places();
    int moveRate = places && consent.given() ? settings.moveRate() : 0;
    MisplacedFileMover moves =
        new MisplacedFileMover(expectation::judged, this::satisfy, moveRate, () -> !mustEnd());
    PendingMoves pending = new PendingMoves();
    new BlockScanner(layout, namespaces, this::mustEnd, pace)
        .walk(
            scan.with(
                (context, file) -> {
                  tier.add(context, file);
                  // Files of a demoted component are right on either medium.
                  StoragePolicy wanted = expectation.judged(context, file);
                  pending.add(context, file, wanted);
                  moves.file(context, file);
                  if (outcomes.follows(file.path())) {
                    outcomes.seen(file.path(), file.misplaced(wanted) > 0);
                  }
                }));
    report(scan, moves, pace.now() - start);
    Optional<String> waits = mustEnd() || !places ? Optional.empty() : consent.ends(scan, pending);
    last =
        Optional.of(
            new ScanTurn(
                began,
                System.currentTimeMillis(),
                found,
                scan,
                tier,
                expectation,
                waits,
                limits(scan.misplacedFiles() > 0 || waits.isPresent()),
                !mustEnd()));
    return moves.asked();
  }

  private HdfsLimits limits(boolean moves) {
    return mustEnd()
        ? HdfsLimits.unknown("the scan ended early")
        : HdfsLimits.read(namespaces, layout, moves);
  }

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
      ByteTotals all = scan.all(component);
      result.component(
          component.label(),
          all.ssdBytes(),
          all.diskBytes(),
          all.otherBytes(),
          scan.closed(component).misplacedBytes());
    }
    result.ended(
        TimeUnit.NANOSECONDS.toMillis(nanos),
        System.currentTimeMillis(),
        scan.files(),
        outcomes.underWay());
    if (moves.asked() > 0) {
      LOG.info(
          "Scan ended: of {} files {} are on the wrong medium; HDFS's storage policy satisfier was"
              + " asked to move {} of them. The next scan shows which have moved. Nothing to do.",
          scan.files(),
          moves.files(),
          moves.asked());
    }
    boolean mayMove = moves.files() > 0 && settings.mode().places();
    String trouble = mayMove ? moves.trouble().orElse("") : "";
    if (logged.changed("moves", trouble)) {
      LOG.warn(
          "{} files are on the wrong medium, and those that HDFS was not asked to move, or refused"
              + " to, stay there until the next scan (hbase.hybrid.scan.period) asks again. {}",
          moves.files(),
          trouble);
    }
  }

  /**
   * The outcome of requested moves as later scans see it, since HDFS reports none. A file is moved
   * once a scan finds it in place, and is forgotten once deleted. One thread.
   *
   * <p>Records at most {@value #MOST} files a scan and ignores the rest; an incomplete scan keeps
   * earlier records too.
   */
  @InterfaceAudience.Private
  static final class MoveOutcomes {
    static final int MOST = 10_000;

    private Set<String> asked = new HashSet<>();
    private Set<String> still = new HashSet<>();
    private long done;

    void begin() {
      still = new HashSet<>();
      done = 0;
    }

    void asked(Path file) {
      if (still.size() < MOST) {
        still.add(file.toString());
      }
    }

    boolean follows(Path file) {
      return !asked.isEmpty() && asked.contains(file.toString());
    }

    void seen(Path file, boolean misplaced) {
      if (misplaced) {
        asked(file);
      } else {
        asked.remove(file.toString());
        done++;
      }
    }

    /**
     * Ends the scan.
     *
     * @param whole whether all files were seen; unseen ones are forgotten then
     * @return number of followed files found in place
     */
    long end(boolean whole) {
      if (!whole) {
        still.addAll(asked);
      }
      asked = still;
      return done;
    }

    int underWay() {
      return asked.size();
    }
  }

  /** The immutable result of one walk: a turn of the {@link ScanChore}, or an audit. */
  public static final class ScanTurn {
    private static final int NAMED = 2;

    private final long began;
    private final long millis;
    private final List<DirectoryState> found;
    private final ScanReport report;
    private final TierTotals tier;
    private final Expectation expectation;
    private final Optional<String> waiting;
    private final HdfsLimits limits;
    private final boolean complete;

    /**
     * @param began milliseconds since 1970, as {@code ended}
     * @param waiting moves that await consent; empty if none
     */
    public ScanTurn(
        long began,
        long ended,
        List<DirectoryState> found,
        ScanReport report,
        TierTotals tier,
        Expectation expectation,
        Optional<String> waiting,
        HdfsLimits limits,
        boolean complete) {
      this.began = began;
      this.millis = Math.max(0, ended - began);
      this.found = List.copyOf(found);
      this.report = report;
      this.tier = tier;
      this.expectation = expectation;
      this.waiting = waiting;
      this.limits = limits;
      this.complete = complete;
    }

    /** Milliseconds since 1970. */
    public long began() {
      return began;
    }

    public long millis() {
      return millis;
    }

    public List<DirectoryState> found() {
      return found;
    }

    public ScanReport report() {
      return report;
    }

    public TierTotals tier() {
      return tier;
    }

    public Expectation expectation() {
      return expectation;
    }

    /** Moves that await consent; empty if none. */
    public Optional<String> waiting() {
      return waiting;
    }

    public HdfsLimits limits() {
      return limits;
    }

    /** Why it did not find all in place, "" if it did. */
    String unsettled() {
      List<String> why = ScanConsent.unsettled(report);
      if (!expectation.whole()) {
        why.add("a component is demoted, or left to another version");
      }
      return Text.some(why, NAMED);
    }

    public boolean complete() {
      return complete;
    }
  }
}
