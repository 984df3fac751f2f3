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

import io.github.hybridhbase.page.PlacementReport;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.TierState;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.runtime.Component;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.ScanReport.Anomaly;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.yetus.audience.InterfaceAudience;

/** A walk of the namespace that compares the media of replicas with the declaration. Read-only. */
@InterfaceAudience.Private
final class Blocks {
  /** Directories listed ahead: as many NameNode calls at once. */
  private static final int AHEAD = 3;

  private final Session session;
  private final Optional<TableName> table;
  private final int files;

  /**
   * @param table empty for all
   * @param files how many of the worst are kept
   * @throws UsageException if there is no such table
   */
  Blocks(Session session, Optional<TableName> table, int files) throws UsageException, IOException {
    this.session = session;
    this.table = table;
    this.files = files;
    if (table.isPresent() && session.otherRoots().contains(session.layout.root())) {
      throw new UsageException(
          "Tables lie below " + session.layout.root() + ", which is not on HDFS");
    }
  }

  /** A table without a file is most likely mistyped: each region has one. */
  PlacementSnapshot walk() throws UsageException, IOException {
    final Optional<TierState> grant =
        TierFiles.tierState(session.namespaces, session.layout.root());
    Diagnosis others = new Diagnosis();
    ScanTurn scan = scan(session, files, table);
    if (table.isPresent()
        && scan.complete()
        && scan.report().files() == 0
        && scan.report().anomaly(Anomaly.UNREADABLE).count() == 0) {
      throw new UsageException(
          "There is no table "
              + table.get().getNameWithNamespaceInclAsString()
              + " below "
              + session.layout.root()
              + "; 'list' in the HBase shell shows their names");
    }
    session.unseen.forEach(others::unchecked);
    if (!scan.complete()) {
      others.missing("the rest of the files. It was stopped");
    }
    return new PlacementSnapshot(
        "hbase-hybrid check",
        System.currentTimeMillis(),
        session.layout,
        session.settings,
        ClusterLook.NONE.with(grant),
        Optional.of(scan),
        "",
        others);
  }

  /**
   * @param ssdUsed what HDFS counts on SSD, if it is one HDFS
   */
  void report(PlacementSnapshot walked, OptionalLong ssdUsed, Report report) {
    ScanTurn turn = walked.scan.orElseThrow();
    report.add(PlacementReport.components(turn.report(), session.settings, true));
    report.add(PlacementReport.tier(turn.tier())).add(PlacementReport.worst(turn.report()));
    report.field("complete", turn.complete());
    report.field("table", table.map(TableName::getNameWithNamespaceInclAsString).orElse(null));
    long seen =
        Arrays.stream(Component.values())
            .mapToLong(component -> turn.report().all(component).ssdBytes())
            .sum();
    if (ssdUsed.isPresent() && table.isEmpty() && turn.complete()) {
      long elsewhere = Math.max(0, ssdUsed.getAsLong() - seen);
      report.field("ssdElsewhereBytes", elsewhere);
      report.note(
          "Elsewhere on SSD: "
              + Text.bytes(elsewhere)
              + " of "
              + Text.bytes(ssdUsed.getAsLong())
              + " that HDFS counts there: not HBase's, held by HDFS snapshots, checksums, or"
              + " written meanwhile.");
    }
  }

  private static ScanTurn scan(Session session, int files, Optional<TableName> table)
      throws IOException {
    final long began = System.currentTimeMillis();
    TierFiles tierFiles = tierFiles(session);
    ScanReport scan = new ScanReport(expectation(session, tierFiles), files);
    TierTotals tier = TierTotals.now(session.settings, session.conf);
    BlockScanner scanner =
        new BlockScanner(session.layout, session.namespaces, session.stop::requested, AHEAD);
    List<Path> starts = starts(session, table);
    Progress progress = new Progress(session.err, "block locations of files", System::nanoTime);
    BlockScanner.Visitor visitor =
        scan.with(
            (context, file) -> {
              progress.step();
              tier.add(context, file);
              if (tierFiles.isHeld(context, file)) {
                scan.heldOnSsd(file);
              }
            });
    scanner.walk(starts, visitor);
    boolean complete = !session.stop.requested();
    return new ScanTurn(began, System.currentTimeMillis(), scan, tier, complete);
  }

  private static List<Path> starts(Session session, Optional<TableName> table) {
    return table.isPresent()
        ? session.layout.tableDirectories(
            table.get().getNamespaceAsString(), table.get().getQualifierAsString())
        : session.hdfsRoots;
  }

  static Expectation expectation(Session session) throws IOException {
    return expectation(session, tierFiles(session));
  }

  private static Expectation expectation(Session session, TierFiles files) {
    return new Expectation(session.layout, session.settings, files);
  }

  private static TierFiles tierFiles(Session session) throws IOException {
    return TierFiles.now(session.namespaces, session.layout, session.settings, session.conf);
  }
}
