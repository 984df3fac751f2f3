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

import io.github.hybridhbase.hdfs.FileBlocks;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.report.Json;
import io.github.hybridhbase.runtime.Text;
import io.github.hybridhbase.scan.BlockScanner;
import io.github.hybridhbase.scan.FileContext;
import io.github.hybridhbase.tool.cli.ClusterView;
import io.github.hybridhbase.tool.cli.Progress;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hbase.ClusterMetrics;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/** The common part of {@code apply} and {@code revert}. */
@InterfaceAudience.Private
abstract class RewriteVerb extends Verb {
  private static final String YES = "yes";
  private static final String DRY_RUN = "dry-run";
  private static final String MASTER_PART = "HybridMasterObserver";

  RewriteVerb(String name, String summary) {
    super(name, summary, "--dry-run");
  }

  @Override
  public Options options() {
    return new Options()
        .addOption(null, DRY_RUN, false, "print what would be done, and do nothing")
        .addOption(null, YES, false, "do not ask on a terminal");
  }

  static final class Run {
    final Session session;
    final boolean dryRun;
    final Rewrite rewrite;

    /** Files to lose their policy. */
    final List<Path> pinned = new ArrayList<>();

    final List<String> messages = new ArrayList<>();
    final List<String> troubles = new ArrayList<>();
    private long unreadable;
    private boolean failed;

    Run(Session session, boolean dryRun) {
      this.session = session;
      this.dryRun = dryRun;
      this.rewrite = new Rewrite(session);
    }

    void walk(BlockScanner.Visitor visitor) throws IOException {
      Progress progress = new Progress(session.err, "reading files", System::nanoTime);
      new BlockScanner(session.layout, session.namespaces, session.stop::requested, 0)
          .walk(
              new BlockScanner.Visitor() {
                @Override
                public void file(FileContext context, FileBlocks file) throws IOException {
                  progress.step();
                  visitor.file(context, file);
                }

                @Override
                public void unreadable(Path directory, AccessControlException e) {
                  unreadable++;
                }
              });
    }

    int exit() {
      if (session.stop.requested()) {
        return Exit.STOPPED;
      }
      return troubles.isEmpty() && !failed ? Exit.FINE : Exit.FINDINGS;
    }
  }

  abstract void look(Run run, Admin admin) throws IOException;

  /** Done before the rewriting. */
  void prepare(Run run) throws IOException {}

  /** Why it does nothing; "" if it does. */
  String refuses(Session session, CommandLine options, Admin admin) throws IOException {
    return "";
  }

  static boolean isOnMaster(Admin admin) throws IOException {
    return admin
        .getClusterMetrics(EnumSet.of(ClusterMetrics.Option.MASTER_COPROCESSORS))
        .getMasterCoprocessorNames()
        .stream()
        .anyMatch(name -> name.endsWith(MASTER_PART));
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Run run = new Run(session, options.hasOption(DRY_RUN));
    boolean asks = !run.dryRun && !options.hasOption(YES);
    if (asks && session.terminal.hidesQuestions) {
      throw new UsageException(
          "It asks before it changes anything, and standard error is redirected, where the question"
              + " would be: give --yes, or do not redirect it.");
    }
    try (Connection connection = ClusterView.connect(session.conf);
        Admin admin = connection.getAdmin()) {
      String why = refuses(session, options, admin);
      if (!why.isEmpty()) {
        run.troubles.add(why);
        return finish(run);
      }
      look(run, admin);
      if (!run.dryRun && !session.stop.requested()) {
        boolean nothing = run.rewrite.isEmpty();
        if (!nothing
            && asks
            && !session.terminal.confirms(
                "HBase is asked to write files anew: "
                    + run.rewrite.plan()
                    + " ('--dry-run' only counts). Go on?",
                session.err,
                () -> session.stop.requested())) {
          session.err.println("Nothing was changed.");
          return session.stop.requested() ? Exit.STOPPED : Exit.FINDINGS;
        }
        prepare(run);
        run.rewrite.carryOut(admin);
      }
    } catch (IOException e) {
      if (!session.stop.requested()) {
        run.failed = true;
        run.troubles.add("the rest: " + HdfsError.of(e).explain());
        if (options.hasOption("debug")) {
          e.printStackTrace(session.err);
        }
      }
    }
    return finish(run);
  }

  private int finish(Run run) {
    Rewrite rewrite = run.rewrite;
    rewrite.failed.forEach(
        (what, why) -> run.troubles.add(what + ": " + why + ". Run this again."));
    if (run.unreadable > 0) {
      run.troubles.add(
          Text.count(run.unreadable, "directory")
              + " may not be read by this user. Run this as HBase's own user.");
    }
    if (run.session.json) {
      Json.print(json(run), run.session.out);
    } else {
      text(run);
    }
    return run.exit();
  }

  private void text(Run run) {
    Rewrite rewrite = run.rewrite;
    PrintStream out = run.session.out;
    out.println(rewrite.plan() + ".");
    if (!run.dryRun) {
      out.println(
          "Rolled: "
              + Text.count(rewrite.rolled.size(), "WAL")
              + ". Compacted: "
              + Text.count(rewrite.compacted.size(), "region")
              + ".");
    }
    rewrite.others.forEach((what, count) -> out.println("Left alone: " + count + " " + what + "."));
    run.messages.forEach(text -> out.println(Text.escape(text)));
    run.troubles.forEach(text -> out.println(Text.escape("Not done: " + text)));
    if (run.session.stop.requested()) {
      out.println("Stopped before the end; run it again to go on.");
    } else if (run.dryRun) {
      out.println("This was a dry run: nothing was changed.");
    }
  }

  private Map<String, Object> json(Run run) {
    Rewrite rewrite = run.rewrite;
    Map<String, Object> json = new LinkedHashMap<>();
    json.put("schema", "hbase-hybrid/" + name + "/1");
    json.put("exit", run.exit());
    json.put("dryRun", run.dryRun);
    json.put("complete", !run.session.stop.requested() && !run.failed);
    json.put("servers", new ArrayList<>(rewrite.servers));
    json.put("rolled", new ArrayList<>(rewrite.rolled));
    json.put("regions", new ArrayList<>(rewrite.regions.keySet()));
    json.put("compacted", new ArrayList<>(rewrite.compacted));
    json.put("leftAlone", rewrite.others);
    json.put("messages", run.messages);
    json.put("troubles", run.troubles);
    return json;
  }
}
