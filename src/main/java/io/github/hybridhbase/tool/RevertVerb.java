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

import io.github.hybridhbase.directory.DirectoryAction;
import io.github.hybridhbase.directory.DirectoryPlan;
import io.github.hybridhbase.directory.DirectoryReader;
import io.github.hybridhbase.directory.DirectoryState;
import io.github.hybridhbase.directory.ForeignRecord;
import io.github.hybridhbase.hdfs.HdfsError;
import io.github.hybridhbase.hdfs.HdfsErrorKind;
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.scan.MisplacedFileMover;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.UsageException;
import io.github.hybridhbase.tool.cli.Verb;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * Undo it: leaves a hold that the running servers obey, puts back every policy that stood before
 * the plugin came, removes its provenance, and has files moved to where these policies want them.
 * May be cut off anywhere and run again; twice in a row changes nothing.
 */
@InterfaceAudience.Private
final class RevertVerb implements Verb {
  /** A server that was about to set a policy when the hold came may set it after us. */
  private static final int ROUNDS = 5;

  @Override
  public String name() {
    return "revert";
  }

  @Override
  public String summary() {
    return "put back what stood before the plugin came, and hold until 'apply'";
  }

  @Override
  public String example() {
    return "hbase-hybrid revert --dry-run";
  }

  @Override
  public Options options() {
    return Changes.options();
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Changes changes = new Changes(session, options, name());
    hold(session, changes);
    for (int round = 0; round < ROUNDS && undo(session, changes); round++) {
      // Once more, for what was set meanwhile.
    }
    if (!session.stop().requested()) {
      changes.freeTieredFiles();
    }
    List<Path> admins = RootPolicy.roots(session.layout(), session.namespaces());
    changes.move(
        (context, file) -> MisplacedFileMover.back(session.settings(), admins, context, file));
    if (!changes.dryRun() && !session.stop().requested()) {
      undo(session, changes);
    }
    ForeignRecord.look(session.layout(), session.namespaces())
        .forEach(record -> changes.report().trouble(record.toString()));
    return changes.finish();
  }

  private static void hold(Session session, Changes changes) throws IOException {
    leaveHold(session, changes);
    if (!changes.dryRun() && session.hold().isPresent()) {
      forgetRoot(session, changes);
    }
  }

  /** The master does the same, if one is up. Another version's records are named at the end. */
  private static void forgetRoot(Session session, Changes changes) throws IOException {
    Path root = session.layout().root();
    StorageNamespace namespace = changes.rootNamespace();
    if (!namespace.tierState(root).isForeign()) {
      namespace.removeTierState(root);
    }
    if (!namespace.consent(root).isForeign()) {
      namespace.removeConsent(root);
    }
  }

  private static void leaveHold(Session session, Changes changes) throws IOException {
    if (session.hold().isPresent()) {
      return;
    }
    Hold hold =
        new Hold(
            "revert by "
                + UserGroupInformation.getCurrentUser().getShortUserName()
                + " at "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS));
    if (!changes.dryRun()) {
      try {
        changes.rootNamespace().setHold(session.layout().root(), hold);
      } catch (RemoteException e) {
        if (!HdfsError.of(e).is(HdfsErrorKind.XATTRS_DISABLED)) {
          throw e;
        }
        changes
            .report()
            .trouble(
                "HDFS keeps no xattrs, so there are neither provenance nor a hold. Stop the plugin with"
                    + " hbase.hybrid.mode=off and unset its policies by hand: hdfs storagepolicies"
                    + " -unsetStoragePolicy -path PATH, for each directory of 'audit --json'.");
        return;
      }
    }
    changes
        .report()
        .say(
            (changes.dryRun() ? "Would leave" : "Left")
                + " a hold: the plugin places nothing until 'hbase-hybrid apply'.");
  }

  /** Whether there was something to undo. */
  private static boolean undo(Session session, Changes changes) throws IOException {
    List<DirectoryState> found =
        new DirectoryReader(session.layout(), session.namespaces()).look(session.settings(), true);
    found.forEach(one -> one.trouble().ifPresent(changes.report()::trouble));
    List<DirectoryAction> actions = DirectoryPlan.toRevert(found).changes();
    changes.carryOut(actions);
    return !changes.dryRun() && !session.stop().requested() && !actions.isEmpty();
  }
}
