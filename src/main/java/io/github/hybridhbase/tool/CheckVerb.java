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

import io.github.hybridhbase.hdfs.SsdSpace;
import io.github.hybridhbase.page.PlacementFindings;
import io.github.hybridhbase.page.PlacementReport;
import io.github.hybridhbase.page.PlacementSnapshot;
import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.ServerPlugin;
import io.github.hybridhbase.placement.ServerTable;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.report.Report;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import io.github.hybridhbase.tool.doctor.ClusterFacts;
import io.github.hybridhbase.tool.doctor.Doctor;
import io.github.hybridhbase.tool.doctor.FactFinder;
import io.github.hybridhbase.tool.doctor.SiteLines;
import java.io.IOException;
import java.net.URL;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.commons.lang3.math.NumberUtils;
import org.apache.hadoop.hbase.TableName;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code check}: looks at servers, DataNodes, settings and, if asked, every block, and
 * ends with one verdict.
 */
@InterfaceAudience.Private
final class CheckVerb extends Verb {
  private static final String BLOCKS = "blocks";
  private static final String TABLE = "table";
  private static final String FILES = "files";
  private static final int MOST_FILES = 10_000;

  CheckVerb() {
    super(
        "check",
        "show what is not as declared, or lacking before installation; writes and deletes one"
            + " probe file",
        "--blocks --files 20");
  }

  @Override
  public Options options() {
    Options options = new Options();
    options.addOption(null, BLOCKS, false, "also walk the namespace, and compare every block");
    options.addOption(null, TABLE, true, "walk this table, as NAMESPACE:TABLE or TABLE");
    options.addOption(
        null, FILES, true, "walk, and show this many of the worst files, 0 to " + MOST_FILES);
    options.getOption(TABLE).setArgName("TABLE");
    options.getOption(FILES).setArgName("N");
    return options;
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Optional<Blocks> blocks = blocks(session, options);
    if (session.terminal.progress) {
      session.err.println("Asking HDFS, HBase and ZooKeeper, and writing a probe block");
    }
    ClusterFacts facts = new FactFinder(session).find();
    Diagnosis diagnosis = Doctor.examine(facts);
    Optional<SsdSpace> space = facts.space.seen();
    Optional<PlacementSnapshot> walked = Optional.empty();
    if (blocks.isPresent() && !session.stop.requested()) {
      walked = Optional.of(blocks.get().walk());
      if (!Doctor.isStock(facts)) { // nothing can be in its place before the installation
        diagnosis.addAll(PlacementFindings.ofScan(walked.get(), space));
      }
    }
    Report report = diagnosis.report("HBase at " + session.layout.root() + ", hbase-hybrid check");
    report.field("root", session.layout.root().toString());
    report.field("walRoot", session.layout.walRoot().toString());
    report.add(ServerTable.of(facts.plugins.seen().orElse(List.of())));
    report.add(
        PlacementReport.dataNodes(
            space.map(List::of).orElse(List.of()),
            ServerPlugin.excluded(facts.plugins.seen().orElse(List.of()))));
    if (walked.isPresent()) {
      boolean one = session.hdfsRoots.size() == 1;
      blocks.get().report(walked.get(), used(space.filter(any -> one)), report);
    }
    site(session, facts, report);
    return print(session, report);
  }

  private static OptionalLong used(Optional<SsdSpace> space) {
    return space.map(one -> OptionalLong.of(one.used)).orElse(OptionalLong.empty());
  }

  /** Empty if no option asks for a walk. */
  static Optional<Blocks> blocks(Session session, CommandLine options)
      throws UsageException, IOException {
    String given = options.getOptionValue(FILES, "0");
    int files = NumberUtils.toInt(given, -1);
    if (files < 0 || files > MOST_FILES) {
      throw new UsageException(
          "--files " + given + " is not a whole number from 0 to " + MOST_FILES);
    }
    Optional<TableName> table = Optional.empty();
    if (options.hasOption(TABLE)) {
      table = Optional.of(table(options.getOptionValue(TABLE)));
    }
    return options.hasOption(BLOCKS) || options.hasOption(FILES) || table.isPresent()
        ? Optional.of(new Blocks(session, table, files))
        : Optional.empty();
  }

  private static TableName table(String name) throws UsageException {
    try {
      return TableName.valueOf(name);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--table " + name + " cannot be a table: " + e.getMessage());
    }
  }

  /** What this host's site file has and lacks. */
  private static void site(Session session, ClusterFacts facts, Report report) {
    facts.page.seen().ifPresent(at -> report.note("Page: " + at));
    report.field("page", facts.page.seen().orElse(null));
    List<String> changed = SiteLines.changed(session.conf);
    changed.forEach(key -> report.note("Set here: " + key));
    report.field("keys", changed);
    List<String> paste = SiteLines.missing(session.conf);
    report.field("paste", paste);
    if (!paste.isEmpty()) {
      URL file = session.conf.getResource("hbase-site.xml");
      report.note(
          "Not installed. Put into "
              + (file == null ? "hbase-site.xml" : file.getPath())
              + " of every server, and the jar into its hbase/lib:");
      paste.forEach(report::note);
    }
  }

  static int print(Session session, Report report) {
    int exit = exit(session, report);
    if (session.json) {
      Json.print(report.json(exit), session.out);
    } else {
      report.print(session.out, session.terminal.screen);
    }
    return exit;
  }

  private static int exit(Session session, Report report) {
    if (session.stop.requested()) {
      return Exit.STOPPED;
    }
    switch (report.verdict().level()) {
      case "unknown":
        return Exit.UNREACHABLE;
      case "errors":
      case "warnings":
        return Exit.FINDINGS;
      default:
        return Exit.FINE;
    }
  }
}
