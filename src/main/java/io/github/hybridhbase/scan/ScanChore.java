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
import io.github.hybridhbase.config.HybridKeys;
import io.github.hybridhbase.config.HybridSettings;
import io.github.hybridhbase.directory.DirectoryEnforcer;
import io.github.hybridhbase.directory.DirectoryReader;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.MoveConsent;
import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.metrics.HybridMetrics;
import io.github.hybridhbase.metrics.HybridMetrics.Metric;
import io.github.hybridhbase.metrics.LogOnChange;
import io.github.hybridhbase.metrics.ScanMetrics;
import io.github.hybridhbase.placement.Layout;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
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
 * scan that finds nothing misplaced, from which on moves are upkeep ({@link MoveConsent}).
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
      Optional<StorageNamespace> root = namespaces.of(layout.root());
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
    Optional<MoveConsent> before = root.consent(layout.root());
    boolean may = settings.moveExisting() || covers(before, expectation);
    reads.paced(settings.moveExisting() || last.isPresent() || isAbout(before, expectation));
    MisplacedFileMover moves =
        new MisplacedFileMover(
            expectation::of, this::satisfy, may ? settings.moveRate() : 0, () -> !mustEnd());
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
    Optional<String> waits = Optional.empty();
    // Asked for again, since a scan may take hours and 'apply' may have run meanwhile.
    Optional<MoveConsent> stands = root.consent(layout.root());
    if (!mustEnd() && !covers(stands, expectation) && isItsToSay(expectation, before, stands)) {
      if (settled(scan) && expectation.whole()) {
        write(root, MoveConsent.given(expectation.declaration()));
      } else if (settings.moveExisting() || settings.moveRate() == 0 || pending.isEmpty()) {
        // One for another declaration must not be found again when that one returns.
        if (stands.isPresent()) {
          root.removeConsent(layout.root());
        }
      } else {
        await(root, pending, expectation.declaration(), stands);
        waits = Optional.of(pending.toString());
      }
    }
    last = Optional.of(new ScanTurn(began, found, scan, tier, expectation, waits, !mustEnd()));
    return moves.asked();
  }

  private static boolean covers(Optional<MoveConsent> consent, Expectation expectation) {
    return consent.filter(one -> one.covers(expectation.declaration())).isPresent();
  }

  /**
   * Whether a scan has seen this declaration, or somebody agreed to it. Where nobody did, the SSD
   * tier waits for a scan.
   */
  private static boolean isAbout(Optional<MoveConsent> consent, Expectation expectation) {
    return consent.filter(one -> one.declaration().equals(expectation.declaration())).isPresent();
  }

  /**
   * Whether the consent is the scan's to give or to take back at its end: not where the declaration
   * has changed on its way, and not where somebody has given one since it began, whatever for: the
   * next scan judges that.
   */
  private boolean isItsToSay(
      Expectation expectation, Optional<MoveConsent> before, Optional<MoveConsent> stands)
      throws IOException {
    if (!stands.equals(before) && stands.filter(MoveConsent::given).isPresent()) {
      return false;
    }
    List<DirectoryState> found = new DirectoryReader(layout, namespaces).look(settings, false);
    Expectation now = Expectation.of(settings, false, found);
    return now.declaration().equals(expectation.declaration());
  }

  /** Whether all is known to be where it should be. */
  private static boolean settled(ScanReport scan) {
    return scan.anomaly(ScanReport.Anomaly.UNREADABLE).count() == 0
        && Arrays.stream(Component.values())
            .allMatch(
                component ->
                    scan.closed(component).misplacedFiles() == 0
                        && scan.underReplicated(component).count() == 0);
  }

  /** Says what waits, again only when it is of another order of magnitude. */
  private void await(
      StorageNamespace root, PendingMoves pending, String declaration, Optional<MoveConsent> stands)
      throws IOException {
    boolean said = stands.flatMap(MoveConsent::waiting).isPresent();
    boolean news = logged.isNews("waiting", declaration + pending.magnitude());
    if (news) {
      LOG.warn(
          "Data that was there before is not where it is declared to be ({}): {}. Nothing of it is"
              + " moved until 'hbase-hybrid apply' is run or {}=true is set for the master",
          declaration,
          pending,
          HybridKeys.MOVE_EXISTING);
    }
    MoveConsent waiting = MoveConsent.waiting(declaration, pending.toString());
    boolean differs = !said || news && !stands.equals(Optional.of(waiting));
    if (differs && !write(root, waiting) && news) {
      LOG.warn(
          "HDFS keeps no xattrs, so the scan does not learn of 'apply': only {} counts",
          HybridKeys.MOVE_EXISTING);
    }
  }

  /** Whether HDFS keeps it; it does not where it keeps no xattrs, and then only the key counts. */
  private boolean write(StorageNamespace root, MoveConsent consent) throws IOException {
    try {
      if (!namespaces.held()) {
        root.setConsent(layout.root(), consent);
      }
      return true;
    } catch (IOException e) {
      if (!HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)) {
        throw e;
      }
      LOG.debug("{} cannot be kept", consent, e);
      return false;
    }
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
