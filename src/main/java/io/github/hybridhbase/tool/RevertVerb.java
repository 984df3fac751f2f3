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
import io.github.hybridhbase.hdfs.Hold;
import io.github.hybridhbase.hdfs.RootPolicy;
import io.github.hybridhbase.placement.DirectoryReader;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.tool.cli.Session;
import io.github.hybridhbase.tool.cli.Verb;
import io.github.hybridhbase.tool.cli.Verb.UsageException;
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
 * The verb {@code revert}: leaves a hold that running servers obey, restores every policy from
 * before the plugin, removes its provenance records, and has files moved accordingly. It may be
 * interrupted and run again; a second run changes nothing.
 */
@InterfaceAudience.Private
final class RevertVerb extends Verb {
  RevertVerb() {
    super(
        "revert",
        "restore the policies from before the plugin, and place nothing until 'apply'",
        "--dry-run");
  }

  @Override
  public Options options() {
    return Changes.options();
  }

  @Override
  public int run(Session session, CommandLine options) throws UsageException, IOException {
    Changes changes = new Changes(session, options, name());
    boolean undone = changes.attempt(() -> undo(session, changes));
    changes.yieldToApply();
    boolean looked = changes.attempt(() -> foreignRecords(session, changes));
    if (undone && looked && !changes.dryRun() && !session.stop().requested()) {
      changes
          .report()
          .message(
              "Next: remove the plugin's keys from hbase-site.xml of every server, restart the"
                  + " servers one after the other, then remove the jar. 'hbase-hybrid apply' instead"
                  + " switches placement on again.");
    }
    return changes.finish();
  }

  private static boolean undo(Session session, Changes changes) throws IOException {
    if (leaveHold(session, changes)) {
      changes.expect(true);
    }
    changes.undo();
    if (!session.stop().requested()) {
      changes.freeTieredFiles();
    }
    List<Path> admins = RootPolicy.roots(session.layout(), session.namespaces());
    changes.move(
        (context, file) -> Expectation.afterRevert(session.settings(), admins, context, file));
    if (!changes.dryRun() && !session.stop().requested()) {
      changes.undo();
    }
    return true;
  }

  private static boolean foreignRecords(Session session, Changes changes) throws IOException {
    new DirectoryReader(session.layout(), session.namespaces())
        .foreignRecords()
        .forEach(record -> changes.report().trouble(record.explain()));
    return true;
  }

  private static boolean leaveHold(Session session, Changes changes) throws IOException {
    if (session.hold().isPresent()) {
      return true;
    }
    Hold hold =
        new Hold(
            "revert by "
                + UserGroupInformation.getCurrentUser().getShortUserName()
                + " at "
                + Instant.now().truncatedTo(ChronoUnit.SECONDS));
    if (!changes.dryRun()) {
      try {
        changes.rootNamespace().write(Hold.RECORD, session.keeper(), hold);
      } catch (RemoteException e) {
        if (!HdfsError.of(e).is(HdfsError.Kind.XATTRS_DISABLED)) {
          throw e;
        }
        changes
            .report()
            .trouble(
                "HDFS keeps no xattrs, so there are neither provenance nor a hold. Stop the plugin with"
                    + " hbase.hybrid.mode=off and unset its policies by hand: hdfs storagepolicies"
                    + " -unsetStoragePolicy -path PATH, for each directory of 'audit --json'.");
        return false;
      }
    }
    changes
        .report()
        .message(
            (changes.dryRun() ? "Would leave" : "Left")
                + " a hold: the plugin places nothing until 'hbase-hybrid apply'.");
    return true;
  }
}
