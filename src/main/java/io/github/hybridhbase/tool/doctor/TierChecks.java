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

import io.github.hybridhbase.config.Component;
import io.github.hybridhbase.tool.report.FindingId;
import org.apache.yetus.audience.InterfaceAudience;

/** Can the SSD tier work on this line of HBase? By the HBase on this host's class path. */
@InterfaceAudience.Private
final class TierChecks {
  private TierChecks() {}

  static void examine(ClusterFacts facts, Diagnosis diagnosis) {
    if (facts.tierDeclared && !facts.commitsAreTold) {
      diagnosis.add(
          FindingId.TIER_NOT_IN_FORCE,
          "SSD tier",
          "The StoreEngine of the HBase on this host has no form of commitStoreFiles that the"
              + " plugin knows.",
          "Run a line of HBase that docs/versions.md names, or set "
              + Component.TMP.policyKey()
              + "=NONE.");
    }
  }
}
