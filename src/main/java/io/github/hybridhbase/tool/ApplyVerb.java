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

import io.github.hybridhbase.runtime.Mode;
import io.github.hybridhbase.runtime.StoragePolicy;
import io.github.hybridhbase.scan.Expectation;
import io.github.hybridhbase.tool.cli.Session;
import java.io.IOException;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hbase.thirdparty.org.apache.commons.cli.CommandLine;
import org.apache.hbase.thirdparty.org.apache.commons.cli.Options;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code apply}: has HBase rewrite what is on the wrong medium. May be interrupted and
 * repeated.
 */
@InterfaceAudience.Private
final class ApplyVerb extends RewriteVerb {
  private static final String FORCE = "force";

  ApplyVerb() {
    super("apply", "have HBase write anew what is on the wrong medium: rolls and compactions");
  }

  @Override
  public Options options() {
    return super.options()
        .addOption(null, FORCE, false, "go on although the active master does not run the plugin");
  }

  @Override
  String refuses(Session session, CommandLine options, Admin admin) throws IOException {
    if (session.settings.mode() == Mode.OFF) {
      return "hbase.hybrid.mode=off: nothing is placed. Set it to prefer on every server.";
    }
    return options.hasOption(FORCE) || isOnMaster(admin)
        ? ""
        : "the active master does not run the plugin, so new files would not be placed either."
            + " Install it first (docs/install.md), or give --force.";
  }

  @Override
  void look(Run run, Admin admin) throws IOException {
    run.session.settings.problems().forEach(run.troubles::add);
    Expectation expectation = Blocks.expectation(run.session);
    run.walk(
        (context, file) -> {
          StoragePolicy wanted = expectation.of(context, file);
          if (file.misplaced(wanted) > 0) {
            run.rewrite.add(context, file, file.misplacedBytes(wanted));
          }
        });
  }
}
