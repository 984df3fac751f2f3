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

import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.SpaceReader;
import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.hdfs.TierState;
import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.ClusterLook;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.ServerReports;
import io.github.hybridhbase.placement.SpaceLook;
import io.github.hybridhbase.placement.WalServers;
import io.github.hybridhbase.report.Finding;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.report.Verdict;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.runtime.WalFiles;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.scan.ScanChore.ScanTurn;
import io.github.hybridhbase.scan.ScanReport;
import io.github.hybridhbase.scan.TierFiles;
import io.github.hybridhbase.scan.TierTotals;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import io.github.hybridhbase.tool.doctor.FactFinder;
import java.io.IOException;
import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The verb {@code audit}: compares the media of replicas with the declaration. Read-only. */
@InterfaceAudience.Private
final class AuditVerb extends Verb {
  /** Directories listed ahead: as many NameNode calls at once. */
  private static final int AHEAD = 3;

  private static final int MOST_FILES = 10_000;

  AuditVerb() {
    super(
        "audit",
        "compare where blocks are with where they are declared to be; writes nothing",
        "--files 20");
  }

  @Override
  public Options options() {
    Options options = new Options();
    options.addOption(null, "table", true, "only this table, as NAMESPACE:TABLE or TABLE");
    options.addOption(
        null, "files", true, "show this many of the most misplaced files, 0 to " + MOST_FILES);
    options.addOption(null, "all", false, "also show components without files");
    options.getOption("table").setArgName("TABLE");
    options.getOption("files").setArgName("N");
    return options;
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    int files = Verb.wholeNumber(options, "files", 0, MOST_FILES);
    Optional<TableName> table = Optional.empty();
    if (options.hasOption("table")) {
      table = Optional.of(table(options.getOptionValue("table")));
      mustExist(session, table.get());
    }
    Diagnosis others = new Diagnosis();
    PlacementSnapshot snapshot = look(session, files, table, others);
    Diagnosis diagnosis = PlacementFindings.of(snapshot);
    int exit = Finding.serious(diagnosis.findings()) ? Exit.FINDINGS : Exit.FINE;
    if (!snapshot.scan().orElseThrow().complete()) {
      exit = Exit.STOPPED;
    }
    AuditPrinter printer = new AuditPrinter(snapshot, diagnosis, name(table));
    if (session.json()) {
      Json.print(printer.json(exit), session.out());
    } else {
      printer.text(session.out(), session.terminal().screen(), options.hasOption("all"));
      diagnosis.notChecked().stream()
          .filter(text -> !session.unseen().contains(text))
          .forEach(text -> session.out().println(Text.escape("Not checked: " + text)));
    }
    return exit;
  }

  private static Optional<String> name(Optional<TableName> table) {
    return table.map(TableName::getNameWithNamespaceInclAsString);
  }

  private static PlacementSnapshot look(
      Session session, int files, Optional<TableName> table, Diagnosis others) throws IOException {
    final ServerReports reports =
        ServerReports.read(session.namespaces(), session.layout(), System.currentTimeMillis());
    final Optional<TierState> grant =
        TierFiles.tierState(session.namespaces(), session.layout().root());
    session.otherRoots().forEach(root -> others.add(FindingId.ROOT_NOT_ON_HDFS, root.toString()));
    ScanTurn scan = scan(session, files, table);
    session.unseen().forEach(others::unchecked);
    Map<URI, SpaceLook> spaces = spaces(session, others);
    return new PlacementSnapshot(
        Verdict.View.AUDIT,
        name(table).map(one -> "table " + one + ", ").orElse("") + "hbase-hybrid audit",
        System.currentTimeMillis(),
        session.layout(),
        session.settings(),
        ClusterLook.NONE.with(spaces).with(reports).with(grant),
        Optional.of(scan),
        "",
        others);
  }

  private static ScanTurn scan(Session session, int files, Optional<TableName> table)
      throws IOException {
    final long began = System.currentTimeMillis();
    TierFiles tierFiles = tierFiles(session);
    ScanReport scan = new ScanReport(expectation(session, tierFiles), files);
    TierTotals tier = TierTotals.now(session.settings(), session.conf());
    BlockScanner scanner =
        new BlockScanner(session.layout(), session.namespaces(), session.stop()::requested, AHEAD);
    List<Path> starts = starts(session, table);
    Progress.Line progress =
        new Progress.Line(
            session.err(),
            session.terminal().progress(),
            "block locations of files",
            System::nanoTime);
    BlockScanner.Visitor visitor =
        scan.with(
            (context, file) -> {
              progress.step();
              tier.add(context, file);
              if (tierFiles.isHeld(context, file)) {
                scan.heldOnSsd(file);
              }
            });
    try {
      scanner.walk(starts, visitor);
    } finally {
      progress.done();
    }
    boolean complete = !session.stop().requested();
    return new ScanTurn(began, System.currentTimeMillis(), scan, tier, complete);
  }

  private static Map<URI, SpaceLook> spaces(Session session, Diagnosis others) {
    Map<URI, SpaceLook> spaces = new LinkedHashMap<>();
    for (Path root : session.hdfsRoots()) {
      try {
        FileSystem fs = root.getFileSystem(session.conf());
        if (!spaces.containsKey(fs.getUri())) {
          spaces.put(fs.getUri(), space(session, root, fs, others));
        }
      } catch (IOException e) {
        others.unchecked("the space on SSD and the servers: " + HdfsError.of(e).text());
      }
    }
    return spaces;
  }

  private static SpaceLook space(Session session, Path root, FileSystem fs, Diagnosis others) {
    Optional<SpaceReader> reader = SpaceReader.of(fs, session.conf());
    Optional<SsdSpace> space = reader.flatMap(SpaceReader::read);
    String unread = reader.map(SpaceReader::trouble).orElse("HDFS has none");
    if (space.isEmpty()) {
      others.unchecked("the space on SSD: " + unread);
    }
    long block =
        WalFiles.blockSize(
            WalFiles.configuredBlockSize(session.conf()), fs.getDefaultBlockSize(root));
    return new SpaceLook(
        System.currentTimeMillis(),
        space.map(read -> FactFinder.named(read, fs, session)),
        unread,
        servers(session, fs, others),
        WalFiles.replication(session.conf()),
        block);
  }

  private static WalServers servers(Session session, FileSystem fs, Diagnosis others) {
    Path wals = session.layout().wals();
    try {
      return wals.getFileSystem(session.conf()).getUri().equals(fs.getUri())
          ? WalServers.now(session.namespaces(), wals)
          : WalServers.NONE;
    } catch (IOException e) {
      others.unchecked("which servers write WALs: " + HdfsError.of(e).text());
      return WalServers.NONE;
    }
  }

  private static List<Path> starts(Session session, Optional<TableName> table) {
    return table.isPresent()
        ? session
            .layout()
            .tableDirectories(
                table.get().getNamespaceAsString(), table.get().getQualifierAsString())
        : session.hdfsRoots();
  }

  static Expectation expectation(Session session) throws IOException {
    return expectation(session, tierFiles(session));
  }

  private static Expectation expectation(Session session, TierFiles files) {
    return new Expectation(session.layout(), session.settings(), files);
  }

  private static TierFiles tierFiles(Session session) throws IOException {
    return TierFiles.now(
        session.namespaces(), session.layout(), session.settings(), session.conf());
  }

  private static TableName table(String name) throws UsageException {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--table " + name + " cannot be a table: " + e.getMessage());
    }
  }

  /** A table without a directory is most likely mistyped. */
  private static void mustExist(Session session, TableName table)
      throws UsageException, IOException {
    if (session.otherRoots().contains(session.layout().root())) {
      throw new UsageException(
          "Tables lie below " + session.layout().root() + ", which is not on HDFS");
    }
    for (Path directory :
        session
            .layout()
            .tableDirectories(table.getNamespaceAsString(), table.getQualifierAsString())) {
      try {
        Optional<StorageNamespace> namespace = session.namespace(directory);
        if (namespace.isPresent() && namespace.get().policy(directory).isPresent()) {
          return;
        }
      } catch (AccessControlException e) {
        return;
      }
    }
    throw new UsageException(
        "There is no table "
            + table.getNameWithNamespaceInclAsString()
            + " below "
            + session.layout().root()
            + "; 'list' in the HBase shell shows their names");
  }
}
