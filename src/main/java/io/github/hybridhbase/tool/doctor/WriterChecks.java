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
package io.github.hybridhbase.tool.doctor;

import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.report.Text;
import io.github.hybridhbase.runtime.WriterShortfall;
import io.github.hybridhbase.wal.WriterKind;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.yetus.audience.InterfaceAudience;

/**
 * A check of the capabilities of WAL writers, on the running servers and by this host's site file.
 */
@InterfaceAudience.Private
final class WriterChecks {
  private static final String HERE = "the site file of this host";

  private WriterChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    Map<WriterShortfall, List<String>> servers = new LinkedHashMap<>();
    for (ClusterFacts.Plugin plugin : facts.plugins.seen().orElse(List.of())) {
      for (WriterShortfall shortfall : plugin.notInForce) {
        servers.computeIfAbsent(shortfall, any -> new ArrayList<>()).add(plugin.server);
      }
    }
    if (SiteKeys.enables(facts.conf)) {
      WriterKind.support(facts.conf, facts.settings)
          .shortfalls()
          .forEach(shortfall -> servers.computeIfAbsent(shortfall, any -> List.of(HERE)));
    }
    servers.forEach(
        (shortfall, names) ->
            diagnosis.add(
                FindingId.WRITER_NOT_IN_FORCE,
                "WAL writers",
                Text.some(names),
                shortfall.getWhat(),
                shortfall.getCause(),
                shortfall.getRemedy()));
  }
}
