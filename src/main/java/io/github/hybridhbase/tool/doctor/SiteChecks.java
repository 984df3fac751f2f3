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

import io.github.hybridhbase.placement.Diagnosis;
import io.github.hybridhbase.placement.PluginChecks;
import io.github.hybridhbase.placement.SiteKeys;
import io.github.hybridhbase.report.FindingId;
import io.github.hybridhbase.runtime.Text;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.yetus.audience.InterfaceAudience;

/** A check of HBase's site file on this host. */
@InterfaceAudience.Private
final class SiteChecks {
  private static final String HERE = "the site file of this host";

  private SiteChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    PluginChecks.settings(facts.settings, diagnosis);
    Map<String, String> overriding = SiteKeys.overriding(facts.conf);
    if (!overriding.isEmpty()) {
      diagnosis.add(
          FindingId.POLICY_ABOVE,
          HERE,
          overriding.size(),
          Text.some(
              overriding.entrySet().stream().map(Object::toString).collect(Collectors.toList())));
    }
    enabled(facts, diagnosis);
  }

  private static void enabled(ClusterFacts facts, Diagnosis diagnosis) {
    List<String> lacking = SiteLines.keys(facts.conf);
    if (!lacking.isEmpty()) {
      diagnosis.add(FindingId.NOT_INSTALLED, HERE, String.join(", ", lacking));
    }
  }
}
