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

import io.github.hybridhbase.report.Finding;
import java.util.List;
import org.apache.yetus.audience.InterfaceAudience;

/** What audit says of a report, for tests of other packages. */
@InterfaceAudience.Private
public final class AuditView {
  private AuditView() {}

  public static List<Finding> findings(AuditReport report) {
    return AuditFindings.of(report);
  }

  /** The verdict's level, and the first finding if there is one. */
  public static String of(AuditReport report) {
    List<Finding> findings = AuditFindings.of(report);
    String level = report.verdict(findings).level();
    return findings.isEmpty() ? level : level + " " + findings.get(0).id().id();
  }
}
