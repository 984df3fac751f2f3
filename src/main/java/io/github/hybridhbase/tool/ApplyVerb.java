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

import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.XattrRecord.ForeignRecordException;
import io.github.hybridhbase.hdfs.XattrRecord.Found;
import io.github.hybridhbase.placement.DirectoryAction;
import io.github.hybridhbase.placement.DirectoryPlan;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.placement.DirectoryState;
import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.Exit;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code apply}: lifts a hold, sets the declared policies of directories and has misplaced
 * closed files moved. It may be interrupted and run again; a second run changes nothing.
 */
@InterfaceAudience.Private
final class ApplyVerb extends Verb {
  private static final String YES = "yes";
  private static final String QUESTION =
      "This sets the declared policies, moves existing data to its medium, and consents to such"
          + " moves by the master from now on ('--dry-run' shows what, '--rate 0' moves nothing)."
          + " Go on?";

  ApplyVerb() {
    super("apply", "apply the declaration: policies, provenance, moves; lifts a hold", "--dry-run");
  }

  @Override
  public Options options() {
    Options options = Changes.options();
    options.addOption(null, YES, false, "do not ask on a terminal");
    return options;
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Changes changes = new Changes(session, options, name());
    if (session.settings().mode() == Mode.OFF) {
      changes.report().trouble("hbase.hybrid.mode=off: nothing is declared. Set it to prefer.");
      return changes.finish();
    }
    boolean asks =
        changes.consents() && session.settings().mode().places() && !options.hasOption(YES);
    if (asks && session.terminal().hidesQuestions()) {
      throw new UsageException(
          "It asks before it changes anything, and standard error is redirected, where the question"
              + " would be: give --yes, or do not redirect it.");
    }
    if (asks
        && !session
            .terminal()
            .confirms(QUESTION, session.err(), () -> session.stop().requested())) {
      session.err().println("Nothing was changed.");
      return session.stop().requested() ? Exit.STOPPED : Exit.FINDINGS;
    }
    session.settings().problems().forEach(changes.report()::trouble);
    changes.attempt(() -> liftHold(session, changes) && place(session, changes));
    changes.yieldToRevert();
    return changes.finish();
  }

  /** Returns false, with a trouble, if the record of the hold is not this version's. */
  private static boolean liftHold(Session session, Changes changes) throws IOException {
    Optional<Hold> hold = session.hold();
    if (hold.isPresent()) {
      Found<Hold> found = changes.rootNamespace().read(Hold.RECORD, session.keeper());
      if (found.isForeign()) {
        changes
            .report()
            .trouble(
                ForeignRecordException.finding(Hold.XATTR, session.keeper(), found.foreign().get())
                    .explain());
        return false;
      }
      if (!changes.dryRun()) {
        // A consent given under a hold, during a revert, was not meant to last.
        changes.forgetRoot();
        changes.rootNamespace().remove(Hold.RECORD, session.keeper());
      }
      changes
          .report()
          .message(
              (changes.dryRun() ? "Would lift" : "Lifted")
                  + " the hold: "
                  + hold.get().reason()
                  + ".");
    }
    return true;
  }

  /** Returns false in a mode that places nothing; with a trouble, unless canaries do it. */
  private static boolean place(Session session, Changes changes) throws IOException {
    if (session.settings().mode() == Mode.CANARY) {
      changes
          .report()
          .message(
              "hbase.hybrid.mode=canary: nothing else is done; each canary creates its own WALs for"
                  + " SSD.");
      return false;
    }
    if (!session.settings().mode().places()) {
      changes
          .report()
          .trouble(
              "hbase.hybrid.mode="
                  + session.settings().mode().label()
                  + ": nothing is placed. Set it to prefer on every server.");
      return false;
    }
    changes.expect(false);
    DirectoryReader reader = new DirectoryReader(session.layout(), session.namespaces());
    List<DirectoryState> found = reader.look(session.settings(), false);
    found.forEach(one -> one.trouble().ifPresent(changes.report()::trouble));
    // The hold was lifted, or would be in a dry run.
    DirectoryPlan plan = DirectoryPlan.of(found, false);
    leftAlone(plan, changes.report());
    changes.carryOut(plan.changes());
    if (plan.actions().stream().anyMatch(ApplyVerb::wasAbsent)) {
      List<DirectoryState> now = reader.look(session.settings(), false);
      now.forEach(one -> one.trouble().ifPresent(changes.report()::trouble));
      changes.carryOut(madeAlong(plan, now));
    }
    // Read again, so that what the space monitor keeps on DISK is not moved to SSD.
    Expectation expectation =
        AuditVerb.expectation(session, Optional.empty(), reader.look(session.settings(), false));
    changes.consent(expectation.declaration());
    changes.move(expectation::judged);
    if (!changes.dryRun() && !session.stop().requested()) {
      changes
          .report()
          .message(
              "Next: 'hbase-hybrid audit' shows where the replicas are; open WALs follow at a"
                  + " roll.");
    }
    return true;
  }

  /** HDFS creates the parents of a new directory, which may be declared too. */
  private static List<DirectoryAction> madeAlong(DirectoryPlan plan, List<DirectoryState> now) {
    return DirectoryPlan.of(now, false).changes().stream()
        .filter(action -> plan.of(action.path()).filter(ApplyVerb::wasAbsent).isPresent())
        .collect(Collectors.toList());
  }

  private static boolean wasAbsent(DirectoryAction action) {
    return action.kind() == DirectoryAction.Kind.ABSENT;
  }

  private static void leftAlone(DirectoryPlan plan, ChangeReport report) {
    for (DirectoryAction action : plan.actions()) {
      DirectoryState found = action.state();
      String path = action.path().toUri().getPath();
      if (DirectoryPlan.follows(found)) {
        report.sayOnce(RootPolicy.finding(found.rule().get(), found.above().get()).explain());
      }
      boolean foreign = found.record().isForeign() && action.kind() == DirectoryAction.Kind.FAILED;
      if (foreign || action.kind() == DirectoryAction.Kind.NO_XATTRS) {
        report.trouble(action.reason());
      }
      if (action.kind() == DirectoryAction.Kind.DEMOTED) {
        report.message(
            "Left alone: "
                + path
                + ". The space monitor keeps it away from SSD until there is space.");
      } else if (action.kind() == DirectoryAction.Kind.CONFLICT) {
        String why =
            action
                .hides()
                .map(inner -> "its policy would hide the one of " + inner.toUri().getPath() + ".")
                .orElse(
                    "somebody else gave it "
                        + StoragePolicy.describe(action.policy())
                        + "; 'hbase-hybrid audit' has the remedy.");
        report.message("Left alone: " + path + ": " + why);
      }
    }
  }
}
