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
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.runtime.Text;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.StorageType;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.security.AccessControlException;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * The verb {@code revert}, for whoever has taken the plugin out and wants SSD empty at once: takes
 * the policy from the files that were created for SSD, and has HBase write them anew. It may be
 * interrupted and run again; a second run finds nothing.
 */
@InterfaceAudience.Private
final class RevertVerb extends RewriteVerb {
  RevertVerb() {
    super(
        "revert", "empty SSD once the plugin is out: unset the files' policies, and rewrite them");
  }

  @Override
  void look(Run run, Admin admin) throws IOException {
    if (isOnMaster(admin)) {
      run.messages.add(
          "The active master still runs the plugin, so new files go to SSD again: take the"
              + " properties out of hbase-site.xml, restart the servers, and run this again.");
    }
    run.walk(
        (context, file) -> {
          if (context.isPinned(file)) {
            run.pinned.add(file.path);
            long onSsd = file.bytes(StorageType.SSD);
            if (onSsd > 0 || file.open) {
              run.rewrite.add(context, file, onSsd);
            }
          }
        });
    if (!run.rewrite.servers.isEmpty()) {
      run.messages.add(
          "Servers that still write for SSD, what they flush now too: "
              + String.join("; ", run.rewrite.servers)
              + ". Restart them without the properties, and run this again.");
    }
    if (!run.pinned.isEmpty() && run.dryRun) {
      run.messages.add(Text.count(run.pinned.size(), "file") + " would lose the policy for SSD.");
    }
  }

  @Override
  void prepare(Run run) throws IOException {
    long unset = 0;
    long denied = 0;
    String why = "";
    for (Path file : run.pinned) {
      if (run.session.stop.requested()) {
        break;
      }
      try {
        Optional<StorageNamespace> namespace = run.session.namespace(file);
        if (namespace.isPresent()) {
          namespace.get().unsetPolicy(file);
          unset++;
        }
      } catch (FileNotFoundException e) {
        continue; // compacted away meanwhile
      } catch (AccessControlException e) {
        denied++;
        why = HdfsError.of(e).text;
      }
    }
    run.messages.add(Text.count(unset, "file") + " lost the policy for SSD.");
    if (denied > 0) {
      run.troubles.add(
          Text.count(denied, "file")
              + " kept the policy ("
              + why
              + "). HBase rewrites the others; for held archives run this as HDFS's superuser:"
              + " sudo -u hdfs hbase-hybrid revert --yes");
    }
  }
}
