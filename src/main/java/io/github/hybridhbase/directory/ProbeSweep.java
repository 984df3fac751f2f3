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
package io.github.hybridhbase.directory;

import io.github.hybridhbase.hdfs.Namespaces;
import io.github.hybridhbase.hdfs.StorageNamespace;
import io.github.hybridhbase.placement.DirectoryRule;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.yetus.audience.InterfaceAudience;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A cleaner of probe files left by servers that died. */
@InterfaceAudience.Private
final class ProbeSweep {
  private static final Logger LOG = LoggerFactory.getLogger(ProbeSweep.class);

  private ProbeSweep() {}

  static void sweep(Namespaces namespaces, List<DirectoryRule> rules, long before) {
    for (DirectoryRule rule : rules) {
      try {
        Optional<StorageNamespace> namespace = namespaces.of(rule);
        int swept = namespace.isEmpty() ? 0 : namespace.get().sweepProbes(rule.path(), before);
        if (swept > 0) {
          LOG.info("Deleted {} old probe files in {}", swept, rule.path());
        }
      } catch (IOException | RuntimeException e) {
        LOG.debug("Could not look for old probe files in {}", rule, e);
      }
    }
  }
}
